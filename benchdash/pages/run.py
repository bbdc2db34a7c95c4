"""One run: its numbers, what it was measured on, and the output it was read from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.functional import cached_property

from benchdash.accounts.roles import Role, role_of
from benchdash.jobs.queries import steps_that_printed
from benchdash.pages.access import needs
from benchdash.pages.curve_figures import percentile_figure
from benchdash.pages.raw_output import download, excerpt
from benchdash.pages.run_changes import ChangeForm, record_names
from benchdash.pages.run_over_time import over_time
from benchdash.pages.tags_and_notes import annotations_of
from benchdash.parsers.result import Name
from benchdash.results.artifacts import purge_of
from benchdash.results.comparison.curves import MOST_TRACES, with_pattern
from benchdash.results.comparison.measures import headlines
from benchdash.results.comparison.view_curves import Curve, Curves, Percentile
from benchdash.results.criteria import Criteria
from benchdash.results.hidden_paths import details_without_paths
from benchdash.results.host_traces import host_traces
from benchdash.results.models import Run, Trace, Upload
from benchdash.results.models.run import LIVING
from benchdash.results.run_names import host_of, with_names
from benchdash.vocabulary.measures import METRICS, OPERATIONS, STATISTICS, MeasureName, percentile
from benchdash.vocabulary.settings import settings_text
from benchdash.vocabulary.workloads import AXES

HEADLINES = 6
SISTERS = 20
_MOST_SISTERS = 200  # of a workload, searched for those of the same settings and machine
MOST_STEPS = 5
MOST_MEMBERS = 64
WITH_RECORDS = with_names(
    Run.objects.select_related(
        *("artifact", "configuration__stack", "environment", "study", "created_by"),
        *("execution", "sample"),
    )
).annotate(host_id=host_of("environment", "snapshot__host", label="label"))

_FILE = Subquery(
    Upload.objects.filter(artifact=OuterRef("artifact")).order_by("-pk").values("name")[:1]
)


@needs(Role.VISITOR)
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything that is known of one run."""
    found = get_object_or_404(_visible(request, WITH_RECORDS), pk=pk)
    is_viewer = role_of(request.user) >= Role.VIEWER
    numbers = numbers_of(found)
    doubts = list(found.doubts.prefetch_related("past_dismissals"))
    doubted = {doubt.sentence for doubt in doubts}
    traces = list(found.traces.select_related("measure").annotate(file=_FILE).order_by("pk"))
    context: dict[str, Any] = {
        "run": found,
        "headlines": headlines([found], HEADLINES).get(found.pk, []),
        "numbers": numbers,
        "percentiles": [percentile_figure(curves, alone=True) for curves in numbers.percentiles],
        "over_time": over_time(
            ((PurePosixPath(trace.file or "").name, trace) for trace in traces),
            host_traces(found),
            binary=bool(getattr(request.user, "binary_units", False)),
        ),
        "over_others": over_others(found, traces, numbers.by_name),
        "axes": axes_of(found),
        "settings": settings_text(found.settings),
        "members": members_of(found),
        "doubts": doubts,
        "raw": excerpt(found.artifact, found, numbers.by_name, paths=is_viewer),
        "details": found.details if is_viewer else details_without_paths(found.details),
        "purge": purge_of(found.artifact),
        "sisters": sisters_of(found),
        "copies": with_names(found.copies.filter(deleted_at=None)).order_by("pk")[:SISTERS],
    }
    if found.same_as_id and not found.is_repeat:
        context["first"] = with_names(Run.objects.all()).get(pk=found.same_as_id)
    if role_of(request.user) >= Role.CONTRIBUTOR:
        context |= record_names(request) | {"change": ChangeForm(initial=_assigned(found))}
    if is_viewer:
        uploads = Upload.objects.filter(artifact=found.artifact_id).select_related("created_by")
        context["uploads"] = uploads[:SISTERS]
        # they name paths and devices of hosts
        context["conditions"] = [each for each in found.conditions if each not in doubted]
        context["steps"] = steps_that_printed(found.artifact_id)[:MOST_STEPS]
    return render(request, "runs/run.html", context | annotations_of(found, request))


@needs(Role.VIEWER)
def raw(request: HttpRequest, pk: int) -> HttpResponse:
    """The file that a run was read from, byte for byte, never shown as a page of ours."""
    found = get_object_or_404(_visible(request, Run.objects.select_related("artifact")), pk=pk)
    return download(request, found.artifact, f"{found.artifact.sha256[:12]}.txt")


def axes_of(run: Run) -> dict[str, Any]:
    """The workload by the names of its axes; what was not printed is left out."""
    values = {name: getattr(run.workload, name) for name in AXES}
    return {name: value for name, value in values.items() if value not in (None, "")}


def members_of(run: Run) -> list[dict[str, Any]]:
    """The runs of the run's sample, where there are others: they count as one."""
    found = list(
        Run.objects.filter(LIVING, sample=run.sample_id)
        .only("label", "tool", "started_at", "created_at", "tool_version")
        .order_by("artifact", "position")
    )
    if len(found) < 2:
        return []
    numbers = headlines(found[:MOST_MEMBERS], 1)
    return [{"run": one, "headlines": numbers.get(one.pk, [])} for one in found]


def sisters_of(run: Run) -> list[dict[str, Any]]:
    """Runs of the same workload and settings on the same storage and machine, newest first.

    This one is among them; what ran beside it in its own sample is no repeat of it.
    """
    if run.configuration_id is None:
        return []
    like = (
        with_names(Run.objects.all())
        .filter(LIVING, configuration=run.configuration_id, tool=run.tool, workload=run.workload_id)
        .exclude(~Q(pk=run.pk), sample=run.sample_id)
        .defer("details", "conditions")
    )
    newest = like.select_related("environment").order_by("-pk")[:_MOST_SISTERS]
    alike = (run.settings, run.host_name)
    found = [one for one in newest if (one.settings, one.host_name) == alike][:SISTERS]
    numbers = headlines(found, 1)
    return [{"run": sister, "headlines": numbers.get(sister.pk, [])} for sister in found]


def over_others(run: Run, traces: Sequence[Trace], numbers: Iterable[Name]) -> str:
    """The query that lays the run's course over those of the newest runs of its workload.

    "" where there is none; one query where the run has a course itself.
    """
    measures = {trace.measure_id: trace.measure for trace in traces}
    like = Run.objects.filter(
        counted=True, tool=run.tool, workload=run.workload_id, traces__measure__in=measures
    ).exclude(pk=run.pk)
    newest = like.order_by("-pk").values_list("pk", flat=True).distinct()[: MOST_TRACES - 1]
    others = list(newest) if measures else []
    if not others:
        return ""
    by_metric: dict[str, set[str]] = {}
    for operation, metric, _statistic in numbers:
        by_metric.setdefault(metric, set()).add(operation)
    names = (
        MeasureName(with_pattern(one.operation, by_metric.get(one.metric, ())), one.metric, "mean")
        for one in measures.values()
    )
    return Criteria(runs=tuple(sorted([run.pk, *others])), measures=tuple(names)).query()


def _assigned(run: Run) -> dict[str, str]:
    """What the form to assign anew begins with."""
    return {name: str(getattr(run, name) or "") for name in ("configuration", "study")}


def _visible(request: HttpRequest, runs: QuerySet[Run]) -> QuerySet[Run]:
    """Deleted runs are shown only to those who can bring them back."""
    may_restore = role_of(request.user) >= Role.CONTRIBUTOR
    return runs if may_restore else runs.filter(deleted_at=None)


MOST_COLUMNS = 6


@dataclass(slots=True)
class MetricRow:
    """One metric of an operation: values beside `Numbers.statistics`, None where not printed."""

    metric: str
    by_statistic: dict[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass(slots=True)
class OperationRows:
    """What was measured while the tool did one thing."""

    operation: str
    rows: dict[str, MetricRow] = field(default_factory=dict)

    def row(self, metric: str) -> MetricRow:
        return self.rows.setdefault(metric, MetricRow(metric))


@dataclass(frozen=True)
class Numbers:
    """Every number of a run, and the values that its tool declined to print."""

    by_name: dict[Name, float]
    statistics: list[str]
    operations: list[OperationRows]
    percentiles: list[Curves]

    @cached_property
    def columns(self) -> list[tuple[str, str]]:
        """(metric, statistic) as columns, where these are few; else none, and metrics are rows."""
        rows = [row for operation in self.operations for row in operation.rows.values()]
        found = {(row.metric, name) for row in rows for name in row.by_statistic or ("mean",)}
        places = {name: place for place, name in enumerate(STATISTICS)}
        columns = sorted(found, key=lambda pair: (_METRIC_PLACE[pair[0]], places[pair[1]]))
        return columns if len(columns) <= MOST_COLUMNS else []

    @cached_property
    def cells(self) -> list[tuple[str, list[tuple[str, str, float | None, str]]]]:
        """(operation, (metric, statistic, value, note) for each column)."""
        return [
            (each.operation, [_cell(each, *column) for column in self.columns])
            for each in self.operations
        ]


def numbers_of(run: Run) -> Numbers:
    """The measurements and notes of `run`, in the order of the vocabulary; one query."""
    found = run.measurements.values_list(
        "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    by_name = {(o, m, s): value for o, m, s, value in found}
    operations: dict[str, OperationRows] = {}
    curves: dict[tuple[str, str], list[Percentile]] = {}
    for operation, metric, statistic, value in sorted(found, key=lambda row: _place(*row[:3])):
        percent = percentile(statistic)
        if percent is not None:
            curves.setdefault((operation, metric), []).append(Percentile(percent, value, 1))
            continue
        rows = operations.setdefault(operation, OperationRows(operation))
        rows.row(metric).by_statistic[statistic] = value
    for note in run.notes:
        rows = operations.setdefault(note["operation"], OperationRows(note["operation"]))
        rows.row(note["metric"]).note = note["note"]
    printed = {
        s for rows in operations.values() for r in rows.rows.values() for s in r.by_statistic
    }
    return Numbers(
        by_name,
        [statistic for statistic in STATISTICS if statistic in printed],
        list(operations.values()),
        [_alone(*name, points) for name, points in curves.items()],
    )


_METRIC_PLACE = {name: place for place, name in enumerate(METRICS)}
_OPERATION_PLACE = {name: place for place, name in enumerate(OPERATIONS)}


def _alone(operation: str, metric: str, points: list[Percentile]) -> Curves:
    rising = tuple(sorted(points, key=lambda point: point.percent))
    return Curves(operation, metric, (Curve("", 0, rising),))


def _place(operation: str, metric: str, statistic: str) -> tuple[int, str, int, str]:
    place = _OPERATION_PLACE.get(operation, len(OPERATIONS))
    return place, operation, _METRIC_PLACE[metric], statistic


def _cell(rows: OperationRows, metric: str, statistic: str) -> tuple[str, str, float | None, str]:
    row = rows.rows.get(metric)
    if row is None:
        return metric, statistic, None, ""
    return metric, statistic, row.by_statistic.get(statistic), row.note
