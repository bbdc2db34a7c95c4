"""Taking over what OpenSSH knows: paste, look at what would be done, do it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.jobs.importing import found_hosts, found_keys, make_found, pin_found
from benchdash.jobs.ssh_config import unread
from benchdash.pages.access import needs, person
from benchdash.results.ids import read_ids

LARGEST_FILE = 1_000_000


class ImportForm(forms.Form):
    """A file of OpenSSH, pasted or chosen."""

    kind = forms.ChoiceField(
        label=_("Kind of file"),
        choices=[
            ("ssh_config", _("ssh_config: hosts and how to reach them")),
            ("known_hosts", _("known_hosts: host keys of targets that are here")),
        ],
    )
    text = forms.CharField(
        label=_("Its text"),
        required=False,
        strip=False,
        max_length=LARGEST_FILE,
        widget=forms.Textarea({"rows": 12, "class": "code", "spellcheck": "false"}),
    )
    file = forms.FileField(label=_("Or the file"), required=False)
    user = forms.CharField(label=_("User where the file names none"), required=False, max_length=64)

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = super().clean() or {}
        if said.get("file"):
            said["text"] = said["file"].read(LARGEST_FILE).decode("utf-8", "replace")
        if not said.get("text", "").strip():
            self.add_error("text", _("Paste the text, or choose the file."))
        return said


@needs(Role.ADMIN)
def import_hosts(request: HttpRequest) -> HttpResponse:
    """The first POST shows what would be done, the second (`chosen`) does it."""
    form = ImportForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            if "do" in request.POST:
                messages.success(request, _done(form.cleaned_data, request))
                return redirect("hosts")
            context |= _preview(form.cleaned_data)
        except Refused as refused:
            form.add_error("text", refused.sentence)
    return render(request, "hosts/import.html", context)


def _preview(said: dict[str, Any]) -> dict[str, Any]:
    if said["kind"] == "known_hosts":
        return {"keys": found_keys(said["text"]), "said": said}
    return {
        "hosts": found_hosts(said["text"], said["user"]),
        "unread": unread(said["text"]),
        "said": said,
    }


def _done(said: dict[str, Any], request: HttpRequest) -> str:
    chosen = request.POST.getlist("chosen")
    if said["kind"] == "known_hosts":
        count = pin_found(said["text"], read_ids(chosen), person(request))
        return ngettext("{n} host key pinned.", "{n} host keys pinned.", count).format(n=count)
    count = len(make_found(said["text"], chosen, person(request), said["user"]))
    return ngettext(
        "{n} target made: paste its key on its page.",
        "{n} targets made: paste their keys on their pages.",
        count,
    ).format(n=count)
