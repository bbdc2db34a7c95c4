"""An admin's purge of raw bytes: named, with a reason, and logged."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.jobs import logs
from benchdash.pages.access import needs, person
from benchdash.results.artifacts import holders_of, purge_bytes
from benchdash.results.models import Run, Upload


class PurgeForm(forms.Form):
    """What the person types, so that nothing is purged by a slip."""

    named = forms.CharField(
        label=gettext_lazy("Name of the file, or its SHA-256"),
        max_length=500,
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=2000,
        widget=forms.Textarea({"rows": 3}),
        help_text=gettext_lazy("It is kept with your name and the date."),
    )


@needs(Role.ADMIN)
def purge_upload(request: HttpRequest, pk: int) -> HttpResponse:
    """Say what a purge takes and what stays; then take it."""
    found = get_object_or_404(
        Upload.objects.select_related("artifact__purge").defer("artifact__compressed"), pk=pk
    )
    form = PurgeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():
                purges = purge_bytes(found, by=person(request), **form.cleaned_data)
                logs.purge([purge.artifact_id for purge in purges])
            messages.success(request, _("The bytes were purged."))
            return redirect("upload", pk)
        except Refused as refused:
            form.add_error(refused.field, refused.sentence)
    context = {
        "upload": found,
        "form": form,
        "holders": holders_of(found),
        "runs": Run.objects.filter(artifact=found.artifact_id).count(),
        "members": found.members.count(),
        "printed": logs.printed_as([found.artifact_id]).exists(),
    }
    return render(request, "uploads/purge.html", context)
