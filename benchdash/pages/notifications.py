"""What people are notified of in the plans they launched: which events, by mail, by webhook, and a test."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.jobs.credentials import sealed
from benchdash.notifications import delivery, mail
from benchdash.notifications.models import Notification, Preference
from benchdash.notifications.preferences import EVENTS, preference_of, save
from benchdash.notifications.webhooks import check_address
from benchdash.pages.access import needs, person
from benchdash.results.language import in_language

SHOWN = 20


class PreferenceForm(forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """Events, and the two channels."""

    url = forms.CharField(
        label=gettext_lazy("Address of the webhook"),
        required=False,
        max_length=2000,
        help_text=gettext_lazy("JSON is sent to it by POST. Chat servers show the “text” field."),
        widget=forms.TextInput(
            {
                "class": "code",
                "spellcheck": "false",
                "autocomplete": "off",
                "placeholder": "https://hooks.example.org/benchdash",
            }
        ),
    )
    secret = forms.CharField(
        label=gettext_lazy("Signing secret"),
        required=False,
        max_length=500,
        strip=False,
        help_text=gettext_lazy(
            "Optional. If set, the header X-Benchdash-Signature-256 is “sha256=” and the "
            "HMAC-SHA256 of the body."
        ),
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    unsigned = forms.BooleanField(label=gettext_lazy("Forget the stored secret"), required=False)

    class Meta:
        model = Preference
        fields = [*EVENTS, "by_mail"]

    def __init__(self, preference: Preference, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs | {"instance": preference})
        self.stored, self.trouble = _stored(preference)
        self.fields["url"].initial = self.stored.get("url", "")
        self.fields["by_mail"].disabled = not (preference.user.email and mail.is_set_up())

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"].strip()
        if url:
            try:
                check_address(url)
            except Refused as refused:
                raise forms.ValidationError(in_language(refused.sentence)) from None
        return url

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        if values.get("secret") and not values.get("url") and "url" not in self.errors:
            self.add_error(
                "url", _("The secret signs what is sent to the webhook: enter its address too.")
            )
        return values

    def save(self, commit: bool = True) -> Preference:
        """The secret that is stored stays where none is typed."""
        values, preference = self.cleaned_data, self.instance
        stored = "" if values["unsigned"] else self.stored.get("secret", "")
        webhook = {"url": values["url"], "secret": values["secret"] or stored}
        preference.webhook = sealed(webhook) if values["url"] else ""
        saved: Preference = super().save(commit)
        return saved


@needs(Role.OPERATOR)
@never_cache
def notifications(request: HttpRequest) -> HttpResponse:
    """What is chosen, and what was sent; saving may send a test by one channel."""
    preference = preference_of(person(request))
    form = PreferenceForm(preference, request.POST or None)
    if request.method == "POST" and form.is_valid():
        _save(request, form)
        return redirect("notifications")
    context = {
        "form": form,
        "events": [form[name] for name in EVENTS],
        "mail_is_set_up": mail.is_set_up(),
        "is_signed": bool(form.stored.get("secret")),
    }
    return render(request, "accounts/notifications.html", context | _sent(request))


@needs(Role.OPERATOR)
@never_cache
def sent_notifications(request: HttpRequest) -> HttpResponse:
    """The list alone, which the page asks for while something is on its way."""
    return render(request, "accounts/sent.html", _sent(request))


def _save(request: HttpRequest, form: PreferenceForm) -> None:
    preference = form.instance
    form.save(commit=False)
    save(preference, request.build_absolute_uri("/"), is_new=form.has_changed())
    channel = request.POST.get("test", "")
    if channel not in Notification.Channel.values:
        messages.success(request, _("Saved."))
    elif channel in set(delivery.channels_of(preference)):
        delivery.send_test(preference, channel)
    elif channel == Notification.Channel.MAIL:
        messages.error(request, _("Saved. Tick “tell me by mail” to have a test sent."))
    else:
        messages.error(request, _("Saved. Enter an address to have a test sent there."))


def _sent(request: HttpRequest) -> dict[str, Any]:
    rows = list(delivery.newest(person(request), SHOWN))
    return {"sent": rows, "is_on_its_way": delivery.is_on_its_way(rows)}


def _stored(preference: Preference) -> tuple[dict[str, str], str]:
    """The webhook, and why it cannot be opened."""
    try:
        return preference.opened_webhook(), ""
    except Refused as refused:
        return {}, in_language(refused.sentence)
