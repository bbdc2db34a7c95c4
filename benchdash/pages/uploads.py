"""Uploading files: dropped or chosen, recognised, and assigned to where they belong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.db.models import OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.queries import newest_under
from benchdash.pages.access import needs, person
from benchdash.pages.assignment_form import AssignmentForm, assignment_of
from benchdash.pages.machine_assignments import MachineForm, machine_forms
from benchdash.pages.machine_forms import MANAGED, Machines, after_button
from benchdash.pages.raw_output import download, excerpt
from benchdash.pages.run_changes import record_names
from benchdash.results.artifacts import purge_of
from benchdash.results.assignment import Assignment, assignment_by_name
from benchdash.results.ids import read_id, read_ids
from benchdash.results.lookups import number_of
from benchdash.results.models import Run, Study, Upload
from benchdash.results.outcomes import Outcome, brief_outcomes_of, comparison_of
from benchdash.results.paging import page_of
from benchdash.results.readings import File
from benchdash.results.run_actions import assign
from benchdash.results.uploads import read_again, receive

RECENT = 20
SHOWN_MEMBERS = 100
# runs of one file: there may be a hundred thousand
SHOWN = 6
SHOWN_ON_ITS_PAGE = 200
WITH_ARTIFACT = Upload.objects.select_related("artifact", "created_by", "put_aside_by").defer(
    "artifact__compressed"
)
_MEMBERS = Upload.objects.filter(archive=OuterRef("pk")).order_by().values("pk")
LISTED = (
    Upload.objects.select_related("artifact", "created_by")
    .only(
        *("name", "outcome", "sentence", "assignment", "put_aside_at", "created_at"),
        *("artifact__sha256", "created_by__username"),
    )
    .annotate(
        files=number_of(_MEMBERS),
        refused_files=number_of(_MEMBERS.filter(outcome=Upload.Outcome.REFUSED)),
    )
)


@needs(Role.CONTRIBUTOR)
def uploads(request: HttpRequest) -> HttpResponse:
    """The page: it takes files too where no script runs, assigns what was uploaded, and compares it."""
    changed = after_button(request.POST)
    machines = changed or _machines(request.POST)
    form = AssignmentForm(request.POST or None, initial=request.GET.dict())
    outcomes: list[Outcome] = []
    by_machine: list[MachineForm] = []
    if request.method == "POST":
        outcomes = brief_outcomes_of(_chosen(request, "shown"), SHOWN)
        by_machine = machine_forms(outcomes, request.POST)
        assignment = None
        # nothing new is written down for files that nobody ticked, or that a machine's field refuses
        if not changed and "compare" not in request.POST and _may_assign(request, form, by_machine):
            assignment = _assignment(form, machines, request)
        if request.FILES:
            outcomes += receive(_files(request), assignment or Assignment(), person(request))
            by_machine = machine_forms(outcomes, request.POST)
        if "compare" in request.POST:
            if query := comparison_of(outcome.upload for outcome in outcomes):
                return redirect(f"{reverse('compare')}?{query}")
            form.add_error(None, _("None of these files has runs to compare."))
        elif any(one.refused for one in by_machine):
            pass  # each says it at its place; nothing is assigned by halves
        elif assignment is not None and _assign(request, outcomes, assignment, by_machine):
            outcomes = brief_outcomes_of([outcome.upload for outcome in outcomes], SHOWN)
        elif assignment is not None and not request.FILES:
            form.add_error(None, _("Fill in what the ticked files belong to."))
    return render(
        request, "uploads/page.html", _page(request, form, machines, outcomes, by_machine)
    )


def _may_assign(
    request: HttpRequest, form: AssignmentForm, by_machine: Sequence[MachineForm]
) -> bool:
    """Whether there is anything to assign; says why not, unless a machine's form does."""
    if request.FILES:
        return True
    if "shown" not in request.POST:
        form.add_error(None, _("Choose the files first."))
    elif "assign" not in request.POST:
        form.add_error(None, _("Tick the files first."))
    return form.is_valid() and not any(one.refused for one in by_machine)


@needs(Role.CONTRIBUTOR)
@require_POST
def upload_files(request: HttpRequest) -> HttpResponse:
    """What became of the files of one request, as list items for the page that sent them."""
    outcomes = receive(_files(request), Assignment(), person(request))
    return render(request, "uploads/outcomes.html", {"outcomes": outcomes})


@needs(Role.CONTRIBUTOR)
@require_POST
def machines_of_uploads(request: HttpRequest) -> HttpResponse:
    """An assignment for each machine that the listed files name, for the page that shows them."""
    outcomes = brief_outcomes_of(_chosen(request, "shown"), SHOWN)
    found = {"machines": machine_forms(outcomes, request.POST)}
    return render(request, "uploads/machines.html", found)


@needs(Role.CONTRIBUTOR)
def recent_uploads(request: HttpRequest) -> HttpResponse:
    """The recent ones once more, for the page that shows them: some are still being read."""
    return render(request, "uploads/recent.html", _recent(request))


@needs(Role.CONTRIBUTOR)
def upload(request: HttpRequest, pk: int) -> HttpResponse:
    """One file, what became of it and why; it can be read again, for a run where it is a log."""
    found = get_object_or_404(WITH_ARTIFACT, pk=pk)
    refusal = ""
    if request.method == "POST":
        # sent twice, it does nothing twice
        is_refused = found.outcome == Upload.Outcome.REFUSED
        refusal = _read_again(found, request) if is_refused else ""
        if not refusal:
            return redirect("upload", pk)
        found.refresh_from_db()
    if "HX-Request" in request.headers and "line" not in request.GET:
        if found.outcome == Upload.Outcome.WAITING:
            return render(request, "uploads/waits.html", {"upload": found})
        return HttpResponse(headers={"HX-Refresh": "true"})
    outcome = brief_outcomes_of([found], SHOWN_ON_ITS_PAGE)[0]
    if "HX-Request" in request.headers:
        return render(request, "uploads/outcomes.html", {"outcomes": [outcome]})
    members = list(LISTED.filter(archive=found).order_by("pk")[: SHOWN_MEMBERS + 1])
    context = {
        "outcome": outcome,
        "members": brief_outcomes_of(members[:SHOWN_MEMBERS], SHOWN),
        "files": found.members.count() if len(members) > SHOWN_MEMBERS else len(members),
        "comparison": comparison_of([found]),
        "study": _study_of(found),
        "refusal": refusal,
        "raw": excerpt(found.artifact),
        "purge": purge_of(found.artifact),
    }
    return render(request, "uploads/upload.html", context)


def _study_of(upload: Upload) -> Study | None:
    """The one that was in an archive, as long as it is there."""
    if not upload.assignment.get("is_study"):
        return None
    return Study.objects.filter(pk=upload.assignment.get("study"), deleted_at=None).first()


@needs(Role.CONTRIBUTOR)
def upload_raw(request: HttpRequest, pk: int) -> HttpResponse:
    """The bytes as they were uploaded, never shown as a page of ours."""
    found = get_object_or_404(Upload.objects.select_related("artifact"), pk=pk)
    return download(request, found.artifact, found.name.rpartition("/")[2])


def _machines(posted: Mapping[str, str]) -> Machines | None:
    """The machines of a new environment, where anything was typed: none may be needed."""
    machines = Machines(posted) if MANAGED in posted else None
    return machines if machines and machines.is_filled else None


def _assignment(
    form: AssignmentForm, machines: Machines | None, request: HttpRequest
) -> Assignment | None:
    """What the form says; None, with the reason beside its field, where it cannot be."""
    is_valid = machines is None or machines.is_valid()
    if not form.is_valid() or not is_valid:
        return None
    name = " ".join(form.cleaned_data["environment"].split())
    before = newest_under(name) if machines else None
    try:
        found = assignment_of(form, machines, person(request))
    except Refused as refused:
        form.add_error(refused.field if refused.field in form.fields else None, refused.sentence)
        return None
    if before not in (None, found.environment):
        sentence = _(
            "“{name}” means the machines described here from now on; what was assigned to it "
            "before stays with the earlier ones."
        )
        messages.warning(request, sentence.format(name=name))
    return found


def _files(request: HttpRequest) -> Iterator[File]:
    """The files of a request; a script sends the path within a dropped folder beside each."""
    files = request.FILES.getlist("file")
    paths = request.POST.getlist("path")
    names = paths if len(paths) == len(files) else [file.name or "" for file in files]
    return (File(name, file.read()) for name, file in zip(names, files, strict=True))


def _assign(
    request: HttpRequest,
    outcomes: list[Outcome],
    assignment: Assignment,
    by_machine: Sequence[MachineForm],
) -> bool:
    """Assign the runs of the ticked files; False where there is nothing to do."""
    ticked = set(request.POST.getlist("assign"))
    chosen = [outcome for outcome in outcomes if str(outcome.upload.pk) in ticked]
    files = Run.objects.filter(artifact__in=[outcome.upload.artifact_id for outcome in chosen])
    runs = set(files.values_list("pk", flat=True))
    # the run that a log hangs on
    runs |= {run.pk for outcome in chosen for run in outcome.runs}
    given = [(runs, assignment)]
    artifacts = [outcome.upload.artifact_id for outcome in chosen]
    given += [(set(one.runs_in(artifacts)), one.assignment) for one in by_machine]
    given = [(some, to) for some, to in given if some and to != Assignment()]
    if not given:
        return False
    with transaction.atomic():
        for some, to in given:
            assign(some, to)
    runs = set().union(*(some for some, _to in given))
    sentence = ngettext("{number} run assigned.", "{number} runs assigned.", len(runs))
    messages.success(request, sentence.format(number=len(runs)))
    return True


def _chosen(request: HttpRequest, name: str) -> list[Upload]:
    return list(WITH_ARTIFACT.filter(pk__in=read_ids(request.POST.getlist(name))))


def _read_again(upload: Upload, request: HttpRequest) -> str:
    """Read the bytes once more, for the run that was typed; the sentence if that is refused.

    The archive of a study may replace the study at its address.
    """
    if upload.assignment.get("is_study"):
        read_again(upload, Assignment(is_study=True, replace="replace" in request.POST))
        return ""
    typed = request.POST.get("run", "").strip()
    run = read_id(typed)
    if typed and run is None:
        return _("Enter the number of the run; it is in the address of its page.")
    try:
        read_again(upload, assignment_by_name(run=run) if run else None)
    except Refused as refused:
        return refused.sentence
    return ""


def _page(
    request: HttpRequest,
    form: AssignmentForm,
    machines: Machines | None,
    outcomes: list[Outcome],
    by_machine: list[MachineForm],
) -> dict[str, Any]:
    ticked, listed = (set(read_ids(request.POST.getlist(name))) for name in ("assign", "shown"))
    return (
        record_names(request)
        | _recent(request)
        | {
            "form": form,
            "machines": machines,
            "outcomes": outcomes,
            "ticked": ticked,
            "unticked": listed - ticked,
            "by_machine": by_machine,
            "largest": settings.MAX_UPLOAD_BYTES,
        }
    )


def _recent(request: HttpRequest) -> dict[str, Any]:
    page = page_of(LISTED.filter(archive=None), request.GET, RECENT)
    return {
        "page": page,
        "recent": brief_outcomes_of(page.rows, SHOWN),
        "some_wait": any(upload.outcome == Upload.Outcome.WAITING for upload in page.rows),
    }
