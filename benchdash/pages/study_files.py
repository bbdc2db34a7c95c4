"""A study as a file: downloaded, with its raw outputs too, and imported from what was downloaded or pasted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.pages.access import needs, person
from benchdash.parsers.unpacking import kind_of
from benchdash.results.language import in_language
from benchdash.results.models import Study, Upload
from benchdash.results.readings import File
from benchdash.results.study_archives import packed
from benchdash.results.study_document import LONGEST
from benchdash.results.study_files import export_study, import_study
from benchdash.results.study_measured import Remark
from benchdash.results.study_remarks import grouped, remarks_in
from benchdash.results.titles import study_text
from benchdash.results.uploads import receive_study


class StudyFileForm(forms.Form):
    """The text of a study, pasted or chosen."""

    text = forms.CharField(
        label=gettext_lazy("Contents"),
        required=False,
        strip=False,
        max_length=LONGEST,
        widget=forms.Textarea({"rows": 24, "class": "code", "spellcheck": "false"}),
    )
    file = forms.FileField(
        label=gettext_lazy("Or a file"),
        required=False,
        help_text=gettext_lazy("YAML, or an archive of it with the raw outputs that it names."),
    )
    replace = forms.BooleanField(
        label=gettext_lazy("Replace the study at this address, if there is one"),
        required=False,
        help_text=gettext_lazy(
            "Its texts, charts and conditions become those of the file; its runs stay."
        ),
    )

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        file = values.get("file")
        if not file and not values.get("text", "").strip():
            self.add_error("text", _("Paste the text, or choose a file."))
        return values


@needs(Role.VISITOR)
def study_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The study as YAML, to be kept beside others."""
    text = export_study(get_object_or_404(Study, slug=slug))
    response = HttpResponse(text, content_type="application/yaml; charset=utf-8")
    response["Content-Disposition"] = content_disposition_header(True, f"{slug}.yaml") or ""
    return response


@needs(Role.VIEWER)
def study_with_outputs(request: HttpRequest, slug: str) -> StreamingHttpResponse:
    """The study and the raw outputs of its runs in one zip, sent while it is made."""
    study = get_object_or_404(Study, slug=slug)
    response = StreamingHttpResponse(packed(study), content_type="application/zip")
    response["Content-Disposition"] = content_disposition_header(True, f"{slug}.zip") or ""
    return response


@needs(Role.CONTRIBUTOR)
def study_from_file(request: HttpRequest) -> HttpResponse:
    """A study out of a file; with `study`, the file of that one to be edited in place."""
    form = StudyFileForm(request.POST or None, request.FILES or None, initial=_initial(request))
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        remarks: list[str] = []
        try:
            imported = _import(request, values, remarks.append)
        except Refused as refused:
            form.add_error("file" if values["file"] else "text", in_language(refused.sentence))
        else:
            if isinstance(imported, Upload):
                return redirect("upload", imported.pk)
            _show(request, remarks)
            title = study_text(imported, "title")
            messages.success(request, _("“{name}” matches the file.").format(name=title))
            return redirect("study", imported.slug)
    return render(request, "studies/file.html", {"form": form})


def _show(request: HttpRequest, remarks: list[str]) -> None:
    """As one message, in which the files that one sentence is about unfold."""
    if remarks:
        parts = {"remarks": [part for each in grouped(remarks) for part in remarks_in(each)]}
        # by its extra tag the message is HTML with paragraphs of its own
        messages.warning(request, render_to_string("uploads/remarks.html", parts), "remarks")


def _import(request: HttpRequest, values: dict[str, Any], remark: Remark) -> Study | Upload:
    """The study; or the archive of one that a worker imports, for it is large."""
    how: dict[str, Any] = {
        "replace": values["replace"],
        "remark": remark,
        "by": person(request),
    }
    file = values["file"]
    data = file.read() if file else b""
    if kind_of(data):
        return receive_study(File(file.name, data), **how)
    # what is too long for a study's file is refused as such
    text = data[: 4 * LONGEST].decode("utf-8", "replace") if file else values["text"]
    return import_study(text, **how)


def _initial(request: HttpRequest) -> dict[str, Any]:
    if slug := request.GET.get("study"):
        return {"text": export_study(get_object_or_404(Study, slug=slug)), "replace": True}
    return {}
