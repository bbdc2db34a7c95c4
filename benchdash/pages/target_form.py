"""How to log in to a host, as people enter it. What is secret goes in and never comes out."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from benchdash.errors import Refused
from benchdash.jobs.credentials import new_private_key
from benchdash.jobs.models import Target
from benchdash.jobs.models.target import WORKING_FOLDER
from benchdash.jobs.targets import CHECKED, SECRETS, Login
from benchdash.pages.target_states import named_with_state
from benchdash.results.language import in_language


class SecretTextarea(forms.Textarea):
    """A text that is never shown again, not even to the one who just typed it."""

    def format_value(self, _value: Any) -> str:
        return ""


class ListField(forms.CharField):
    """Several texts, one per line or with commas between them."""

    def __init__(self, *, separator: str, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
        self.separator = separator

    def prepare_value(self, value: Any) -> Any:
        return self.separator.join(value) if isinstance(value, list | tuple) else value

    def clean(self, value: Any) -> tuple[str, ...]:
        texts = super().clean(value).split(self.separator.strip(" "))
        return tuple(filter(None, map(str.strip, texts)))


def _code(rows: int, widget: type[forms.Textarea] = forms.Textarea) -> forms.Textarea:
    return widget({"rows": rows, "class": "code", "spellcheck": "false", "autocomplete": "off"})


class TargetChoice(forms.ModelChoiceField):  # type: ignore[type-arg] # no generic at run time
    """A target with the name of its host."""

    def label_from_instance(self, target: Target) -> str:
        return f"{target.host.name} ({target})"


class MeasuredChoice(TargetChoice):
    """A target to measure on: with how it stands."""

    def label_from_instance(self, target: Target) -> str:
        return named_with_state(target)


class TargetChoices(forms.ModelMultipleChoiceField):  # type: ignore[type-arg] # as above
    """Several targets to measure on, each with the name of its host and how it stands."""

    def label_from_instance(self, target: Target) -> str:
        return named_with_state(target)


class TargetForm(forms.Form):
    """One target."""

    address = forms.CharField(
        label=_("Address"), max_length=253, help_text=_("A name or an IP address.")
    )
    port = forms.IntegerField(label=_("Port"), min_value=1, max_value=65535, initial=22)
    user = forms.CharField(label=_("User"), max_length=64)
    method = forms.ChoiceField(label=_("Sign in by"), choices=Target.Method)
    key = forms.CharField(
        label=_("Private key"),
        required=False,
        strip=False,
        widget=_code(6, SecretTextarea),
        help_text=_(
            "The whole file of a key made for benchdash, from “-----BEGIN” to “-----END”. It is "
            "stored encrypted and never shown again."
        ),
    )
    passphrase = forms.CharField(
        label=_("Passphrase of the key"),
        required=False,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    certificate = forms.CharField(
        label=_("Certificate"),
        required=False,
        widget=_code(2, SecretTextarea),
        help_text=_("The line from …-cert.pub, if the host trusts an authority."),
    )
    password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
        help_text=_("Stored encrypted and never shown again."),
    )
    sudo = forms.BooleanField(
        label=_("The user may use sudo without a password"),
        required=False,
        help_text=_("Steps that need root are run with “sudo -n”."),
    )
    jump = TargetChoice(
        Target.objects.select_related("host").defer("secret"),
        label=_("Jump host"),
        required=False,
        help_text=_("The host that this one is reached through."),
        empty_label=_("none"),
    )
    folder = forms.CharField(
        label=_("Working folder"),
        max_length=500,
        initial=WORKING_FOLDER,
        help_text=_(
            "Where recipes measure if no folder is given. Scripts and logs are kept below "
            "the user's home folder."
        ),
    )
    allowed = ListField(
        label=_("Devices and paths that may be written"),
        separator="\n",
        widget=_code(3),
        help_text=_(
            "One per line, such as /dev/sdb or /mnt/test; a Ceph image is rbd:POOL/IMAGE, "
            "a pool is rados:POOL. The working folder needs no line; nothing else is ever "
            "written to."
        ),
    )
    readable = ListField(
        label=_("Files that may be read"),
        separator="\n",
        widget=_code(2),
        help_text=_(
            "One per line, such as /srv/client.txt: scripts and load files that plans may "
            "name. What a tool prints about them appears in the job's log."
        ),
    )
    servers = ListField(
        label=_("Servers that may be connected to"),
        separator="\n",
        widget=_code(2),
        help_text=_(
            "One name or address per line: databases that plans may measure from here. If "
            "empty, only those on the host itself."
        ),
    )
    tags = ListField(
        label=_("Tags"), separator=", ", help_text=_("Separated by commas."), max_length=1000
    )
    old_algorithms = forms.BooleanField(
        label=_("Allow old algorithms"),
        required=False,
        help_text=_("SHA-1 signatures and CBC ciphers, which CentOS 5 needs. They are weak."),
    )

    def clean(self) -> dict[str, Any]:
        """The rules of every field, so that all that is wrong is said at once."""
        for name in CHECKED.keys() & self.cleaned_data.keys():
            try:
                CHECKED[name](self.cleaned_data[name])
            except Refused as refused:
                self.add_error(name, in_language(refused.sentence))
        return self.cleaned_data

    @property
    def to_enter_again(self) -> str:
        """What was entered in a form that was refused, and is not sent back because it is secret."""
        names = {name for secrets in SECRETS.values() for name in secrets}
        secret = [one for one in self if self.errors and one.name in names and one.data]
        return gettext(", ").join(str(one.label) for one in secret)

    @property
    def makes_key(self) -> bool:
        """Whether the button was pressed that has a key pair made."""
        return "make_key" in self.data

    def exclude_as_jump(self, target: Target) -> None:
        """No target is reached through itself."""
        jump = self.fields["jump"]
        assert isinstance(jump, TargetChoice)
        assert jump.queryset is not None
        jump.queryset = jump.queryset.exclude(pk=target.pk)

    def login(self) -> Login:
        """The values of a valid form."""
        names = {name for secrets in SECRETS.values() for name in secrets}
        secret = {name: self.cleaned_data[name] for name in names}
        values = {name: self.cleaned_data[name] for name in TargetForm.base_fields.keys() - names}
        if self.makes_key:
            secret, values["method"] = {"key": new_private_key()}, Target.Method.KEY
        return Login(secret=secret, **values)


class HostForm(forms.Form):
    """What a host is called."""

    name = forms.CharField(label=_("Name"), max_length=253)
    notes = forms.CharField(label=_("Notes"), required=False, widget=forms.Textarea({"rows": 3}))


class NewHostForm(TargetForm, HostForm):
    """A host with its first target: one form for people."""

    field_order = ("name",)
