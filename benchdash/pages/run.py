"""One run: its numbers, what it was measured on, and the output it was read from."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from benchdash.accounts.roles import Role, role_of
from benchdash.pages.access import needs
from benchdash.pages.download import download
from benchdash.pages.percentile_figures import percentile_figure
from benchdash.pages.raw_output import excerpt
from benchdash.pages.record_names import record_names
from benchdash.pages.run_changes import ChangeForm
from benchdash.pages.run_numbers import numbers_of
from benchdash.pages.tags_and_notes import annotations_of
from benchdash.pages.trace_drawing import drawn
from benchdash.results.artifacts import purge_of
from benchdash.results.headlines import headlines
from benchdash.results.models import Run, Upload
from benchdash.results.models.run import LIVING
from benchdash.vocabulary.workloads import AXES

HEADLINES = 6
SISTERS = 20
WITH_RECORDS = Run.objects.select_related(
    *("artifact", "workload", "configuration__stack", "environment", "study", "same_as"),
    "created_by",
)


@needs(Role.VISITOR)
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that is known of one run."""
    found = get_object_or_404(_visible(request, WITH_RECORDS), pk=pk)
    numbers = numbers_of(found)
    context: dict[str, Any] = {
        "run": found,
        "headlines": headlines([found], HEADLINES).get(found.pk, []),
        "numbers": numbers,
        "percentiles": [percentile_figure(curves) for curves in numbers.percentiles],
        "traces": [drawn(trace) for trace in found.traces.select_related("measure")],
        "axes": axes_of(found),
        "raw": excerpt(found.artifact, found, numbers.by_name),
        "purge": purge_of(found.artifact),
        "sisters": sisters_of(found),
        "copies": found.copies.filter(deleted_at=None).order_by("pk")[:SISTERS],
    }
    if role_of(request.user) >= Role.CONTRIBUTOR:
        context |= record_names(request) | {"change": ChangeForm(initial=_assigned(found))}
    if role_of(request.user) >= Role.VIEWER:
        uploads = Upload.objects.filter(artifact=found.artifact_id).select_related("created_by")
        context["uploads"] = uploads[:SISTERS]
    return render(request, "runs/run.html", context | annotations_of(found, request))


@needs(Role.VISITOR)
def raw(request: HttpRequest, pk: int) -> HttpResponse:
    """The file that a run was read from, byte for byte, never shown as a page of ours."""
    found = get_object_or_404(_visible(request, Run.objects.select_related("artifact")), pk=pk)
    return download(request, found.artifact, f"{found.artifact.sha256[:12]}.txt")


def axes_of(run: Run) -> dict[str, Any]:
    """What the tool was told, by the names of the axes; what was not printed is left out."""
    values = {name: getattr(run.workload, name) for name in AXES}
    return {name: value for name, value in values.items() if value not in (None, "")}


def sisters_of(run: Run) -> list[dict[str, Any]]:
    """Runs of the same workload on the same configuration, this one among them, newest first."""
    if run.configuration_id is None:
        return []
    like = Run.objects.filter(
        LIVING, configuration=run.configuration_id, tool=run.tool, workload=run.workload_id
    ).defer("details", "conditions")
    found = list(like.select_related("environment").order_by("-pk")[:SISTERS])
    numbers = headlines(found, 1)
    return [{"run": sister, "headlines": numbers.get(sister.pk, [])} for sister in found]


def _assigned(run: Run) -> dict[str, str]:
    """What the form to assign anew begins with."""
    return {name: str(getattr(run, name) or "") for name in ("configuration", "study")}


def _visible(request: HttpRequest, runs: QuerySet[Run]) -> QuerySet[Run]:
    """Deleted runs are shown only to those who can bring them back."""
    may_restore = role_of(request.user) >= Role.CONTRIBUTOR
    return runs if may_restore else runs.filter(deleted_at=None)
