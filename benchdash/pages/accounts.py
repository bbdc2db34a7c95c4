"""Signing in and out, and what people decide about themselves: units, password, API tokens."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from benchdash.accounts.models import Token, User
from benchdash.accounts.roles import Role
from benchdash.accounts.throttling import (
    Attempt,
    TooManyAttempts,
    begin,
    known_browser,
    remember_browser,
)
from benchdash.pages.access import needs, needs_a_person, person


class SignInForm(AuthenticationForm):
    """Django's own, for those whose time has come."""

    wait_s = 0

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        if not name or not self.cleaned_data.get("password"):
            return self.cleaned_data
        assert self.request is not None
        address = self.request.META.get("REMOTE_ADDR", "")
        attempt = _begin(self, name, address, known_browser(self.request, name))
        cleaned = super().clean()
        attempt.succeeded()
        return cleaned


class SignIn(LoginView):
    """Django's own, with a delay for who tries too often."""

    template_name = "accounts/sign_in.html"
    redirect_authenticated_user = True
    authentication_form = SignInForm

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        remember_browser(self.request, response, form.get_user().get_username())
        return response

    def form_invalid(self, form: Any) -> HttpResponse:
        return _with_retry_after(super().form_invalid(form), form)


sign_in = needs(Role.NOBODY)(SignIn.as_view())
sign_out = needs(Role.NOBODY)(LogoutView.as_view())


class UnitsForm(forms.ModelForm):  # type: ignore[type-arg]  # not subscriptable at run time
    """How throughput is shown to a person."""

    class Meta:
        model = User
        fields = ["binary_units"]


class TokenForm(forms.Form):
    """What a new token is called."""

    name = forms.CharField(
        label=gettext_lazy("Name of the token"),
        max_length=100,
        help_text=gettext_lazy("Where it will be used, such as the storage host."),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if Token.objects.filter(user=self.user, name=name).exists():
            raise forms.ValidationError(_("You already have a token with this name."))
        return name


class PasswordForm(PasswordChangeForm):
    """Django's own; who found a session open has as few tries as who has none."""

    wait_s = 0

    def __init__(self, session: str, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.session = session

    def clean_old_password(self) -> str:
        attempt = _begin(self, self.user.get_username(), "", self.session)
        password: str = super().clean_old_password()
        attempt.succeeded()
        return password


class PasswordView(PasswordChangeView):
    """Django's own, in our clothes."""

    template_name = "accounts/password.html"
    success_url = reverse_lazy("profile")
    form_class = PasswordForm

    def get_form_kwargs(self) -> dict[str, Any]:
        return {"session": self.request.session.session_key} | super().get_form_kwargs()

    def form_invalid(self, form: Any) -> HttpResponse:
        return _with_retry_after(super().form_invalid(form), form)

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, _("The password was changed."))
        return super().form_valid(form)


change_password = needs_a_person(PasswordView.as_view())


@needs_a_person
@never_cache
def profile(request: HttpRequest) -> HttpResponse:
    """Units and tokens of the person who has signed in."""
    units = UnitsForm(request.POST or None, instance=person(request))
    if request.method == "POST" and units.is_valid():
        units.save()
        messages.success(request, _("Saved."))
        return redirect("profile")
    return _profile(request, units, TokenForm(person(request)))


@needs_a_person
@never_cache
@require_POST
def new_token(request: HttpRequest) -> HttpResponse:
    """Make a token and show it, this once."""
    form = TokenForm(person(request), request.POST)
    if not form.is_valid():
        return _profile(request, UnitsForm(instance=person(request)), form)
    made, secret = Token.objects.create(user=person(request), name=form.cleaned_data["name"])
    blank = TokenForm(person(request))
    units = UnitsForm(instance=person(request))
    return _profile(request, units, blank, made=made, secret=secret)


@needs_a_person
@require_POST
def revoke_token(request: HttpRequest) -> HttpResponse:
    """End a token of one's own; scripts that use it are refused from now on."""
    name = request.POST.get("name", "")
    if Token.objects.filter(user=person(request), name=name).delete()[0]:
        messages.success(request, _("The token “{name}” was revoked.").format(name=name))
    return redirect("profile")


def _begin(form: SignInForm | PasswordForm, name: str, address: str, browser: str) -> Attempt:
    """A try; the form says where it came too early."""
    try:
        return begin(name, address, browser)
    except TooManyAttempts as refused:
        form.wait_s = refused.wait_s
        raise forms.ValidationError(refused.sentence) from refused


def _with_retry_after(response: HttpResponse, form: SignInForm | PasswordForm) -> HttpResponse:
    if form.wait_s:
        response.status_code = HTTPStatus.TOO_MANY_REQUESTS
        response["Retry-After"] = str(form.wait_s)
    return response


def _profile(request: HttpRequest, units: UnitsForm, token: TokenForm, **made: Any) -> HttpResponse:
    tokens = Token.objects.filter(user=person(request)).order_by("name")
    context = {"units": units, "token_form": token, "tokens": tokens, **made}
    return render(request, "accounts/profile.html", context)
