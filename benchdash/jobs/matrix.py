"""A plan's matrix in numbers: how far each cell is, what was measured in it, and how long is left."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean, median
from typing import Any

from django.db.models import Count, Exists, F, Min, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from benchdash.analysis.joining import Numbers, helpers, join
from benchdash.errors import Refused
from benchdash.jobs.costs import expected_of
from benchdash.jobs.job_states import ENDED, ON_A_HOST
from benchdash.jobs.models import Job, JobStep, Plan
from benchdash.jobs.queries import with_hosts
from benchdash.jobs.stretches import round_of
from benchdash.results.comparison.measures import in_order
from benchdash.results.models import Measure, Measurement, Run
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.tools import TOOLS

ANY = "*"  # as the operation of a measure: that of the cell, where cells differ in what they do
NEWEST_JOBS = 40  # what was measured is told by these
NEWEST_ENDED = 200  # how long jobs take is told by these
# a job that changes while others are read has an earlier time than they
OVERLAP = timedelta(seconds=2)
S = Job.State


@dataclass(frozen=True, slots=True)
class CellCounts:
    """How many rounds of a cell are measured, on a host now, and over without a result."""

    done: int = 0
    running: int = 0
    failed: int = 0


def cell_counts(plan: Plan, cells: Collection[int] | None = None) -> dict[int, CellCounts]:
    """By cell, of all cells that have jobs, or of some; the last attempt counts. Two queries."""
    jobs = plan.jobs.order_by()
    if cells is not None:
        jobs = jobs.filter(cell__in=cells)
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for cell, state, n in jobs.values_list("cell", "state").annotate(n=Count("pk")):
        counts[cell][state] += n
    later = plan.jobs.filter(position=OuterRef("position"), attempt__gt=OuterRef("attempt"))
    again = plan.jobs.filter(attempt__gt=1).order_by().values("position")
    tried = jobs.filter(Exists(later), position__in=again)
    for cell, state in tried.values_list("cell", "state"):
        counts[cell][state] -= 1
    return {
        cell: CellCounts(
            done=found[S.DONE],
            running=sum(found[state] for state in ON_A_HOST),
            failed=sum(found[state] for state in ENDED if state != S.DONE),
        )
        for cell, found in counts.items()
    }


def changed_since(plan: Plan, moment: datetime) -> tuple[set[int], bool]:
    """The cells whose jobs changed their state since, and whether any of them ended; one query."""
    rows = plan.jobs.filter(state_at__gte=moment - OVERLAP).order_by().values_list("cell", "state")
    found = set(rows)
    return {cell for cell, _state in found}, any(state in ENDED for _cell, state in found)


@dataclass(frozen=True, slots=True)
class Part:
    """What of a job's output is compared: the results of a step, or one of several that differ.

    `position` is that in the step's file, None for all of it.
    """

    step: str
    position: int | None = None
    label: str = ""

    @property
    def key(self) -> str:
        """As it stands in an address."""
        return self.step if self.position is None else f"{self.step}:{self.position}"


@dataclass(frozen=True, slots=True)
class Offer:
    """What the matrix can show: parts, and measures of the chosen one, the first by default."""

    parts: list[Part]
    measures: list[MeasureName]
    part: Part | None
    measure: MeasureName | None


def offer_of(plan: Plan, part: str = "", measure: str = "") -> Offer:
    """What the newest jobs printed, and of that what is chosen; three queries."""
    newest = plan.jobs.filter(state=S.DONE).order_by("-pk").values("pk")[:NEWEST_JOBS]
    steps = dict(
        JobStep.objects.filter(job__in=[row["pk"] for row in newest], artifact__isnull=False)
        .order_by("position")
        .values_list("artifact", "name")
    )
    columns = ("pk", "artifact", "position", "label", "workload", "tool")
    runs = Run.objects.filter(artifact__in=steps, counted=True).order_by("position")
    rows = [(*row, steps[row[1]]) for row in runs.values_list(*columns)]
    parts = _parts(rows)
    chosen = next((one for one in parts if one.key == part), parts[0] if parts else None)
    if chosen is None:
        return Offer([], [], None, None)
    mine = [row for row in rows if row[-1] == chosen.step and chosen.position in (None, row[2])]
    measures = _measures({row[0] for row in mine}, {row[5] for row in mine})
    wanted = next((one for one in measures if str(one) == measure), None)
    return Offer(parts, measures, chosen, wanted or (measures[0] if measures else None))


def _parts(rows: list[Any]) -> list[Part]:
    """A step whose file holds different workloads is as many parts."""
    steps: dict[str, dict[int, str]] = {}
    workloads: defaultdict[tuple[str, int], set[int]] = defaultdict(set)
    for _pk, artifact, position, label, workload, _tool, step in rows:
        steps.setdefault(step, {}).setdefault(position, label)
        workloads[step, artifact].add(workload)
    differ = {step for (step, _artifact), found in workloads.items() if len(found) > 1}
    return [
        part
        for step, positions in steps.items()
        for part in (
            [Part(step, n, label) for n, label in sorted(positions.items())]
            if step in differ
            else [Part(step)]
        )
    ]


def _measures(runs: set[int], tools: set[str]) -> list[MeasureName]:
    """What these runs have, what people look for first before the rest.

    Where each does one of several operations, its own is offered as one measure.
    """
    rows = Measurement.objects.filter(run__in=runs).values_list(
        "run", "measure__operation", "measure__metric", "measure__statistic"
    )
    operations: defaultdict[tuple[str, str], defaultdict[int, set[str]]]
    operations = defaultdict(lambda: defaultdict(set))
    for run, operation, metric, statistic in rows:
        if operation != "run":
            operations[metric, statistic][run].add(operation)
    own = [
        MeasureName(ANY, *name)
        for name, by_run in operations.items()
        if len(set.union(*by_run.values())) > 1 and all(len(each) == 1 for each in by_run.values())
    ]
    there = {MeasureName(*row[1:]) for row in rows}
    first: dict[MeasureName, int] = {}
    for tool in sorted(TOOLS.keys() & tools):
        for operation, metric in TOOLS[tool].headlines:
            for one in (ANY, operation):
                first.setdefault(MeasureName(one, metric, "mean"), len(first))
    every = [*sorted(own, key=lambda name: list(METRICS).index(name.metric)), *in_order(there)]
    return sorted(every, key=lambda name: first.get(name, len(first)))


def values_of(
    plan: Plan, part: Part, measure: MeasureName, cells: Collection[int] | None = None
) -> dict[int, list[float]]:
    """The values of each cell's samples, of all cells or of some; two queries, three with several hosts."""
    names = {pk: MeasureName(*words) for pk, *words in _rows_of(measure)}
    found = _measured(plan, part, cells).filter(measure__in=names)
    samples: defaultdict[tuple[int, int], dict[int, tuple[int, float]]] = defaultdict(dict)
    columns = ("run__artifact__steps__job__cell", "run__sample", "run", "measure", "value")
    for cell, sample, run, pk, value in found.values_list(*columns):
        samples[cell, sample][run] = (pk, value)
    beside: dict[int, dict[MeasureName, float]] = {}
    if several := [run for runs in samples.values() if len(runs) > 1 for run in runs]:
        beside = _beside(several, set(names.values()))
    values: defaultdict[int, list[float]] = defaultdict(list)
    for (cell, _sample), runs in samples.items():
        own = names[next(iter(runs.values()))[0]]
        parts: list[Numbers] = [
            {**beside.get(run, {}), names[pk]: value} for run, (pk, value) in runs.items()
        ]
        if (whole := join(own, parts)) is not None:
            values[cell].append(whole)
    return dict(values)


def medians(values: dict[int, list[float]]) -> dict[int, float]:
    """By cell."""
    return {cell: median(each) for cell, each in values.items()}


def _rows_of(measure: MeasureName) -> list[Any]:
    rows = Measure.objects.filter(metric=measure.metric, statistic=measure.statistic)
    if measure.operation != ANY:
        rows = rows.filter(operation=measure.operation)
    return list(rows.values_list("pk", "operation", "metric", "statistic"))


def _measured(plan: Plan, part: Part, cells: Collection[int] | None) -> QuerySet[Measurement]:
    step = "run__artifact__steps"
    wanted = Q(**{f"{step}__job__plan": plan, f"{step}__name": part.step, "run__counted": True})
    if part.position is not None:
        wanted &= Q(run__position=part.position)
    if cells is not None:
        wanted &= Q(**{f"{step}__job__cell__in": list(cells)})
    return Measurement.objects.filter(wanted)


def _beside(runs: list[int], names: set[MeasureName]) -> dict[int, dict[MeasureName, float]]:
    """What else joining looks at, by run."""
    wanted = {helper for name in names for helper in helpers(name)}
    rows = Measurement.objects.filter(
        run__in=runs, measure__operation__in={name.operation for name in wanted}
    ).values_list("run", "measure__operation", "measure__metric", "measure__statistic", "value")
    found: dict[int, dict[MeasureName, float]] = {}
    for run, *words, value in rows:
        if (name := MeasureName(*words)) in wanted:
            found.setdefault(run, {})[name] = value
    return found


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a plan is: the first round that is not over (None: all are), seconds left, what runs.

    `left_s` is None where nothing tells how long a job takes; it is the most where intervals may end
    the rounds earlier (`at_most`).
    """

    round_now: int | None
    left_s: float | None
    running: list[Job]
    changed_at: datetime
    at_most: bool = False


def progress_of(plan: Any) -> Progress:
    """Of a plan of `queries.plans`; four queries with the hosts of what runs.

    What the newest jobs took, beside what was expected of them, tells what the rest will take. Before
    one is done, earlier plans do, as before the launch: two queries more.
    """
    over = plan.jobs.filter(state=S.DONE, started_at__isnull=False, ended_at__isnull=False)
    # those that waited for quiet come last, and tell only where no other does
    newest = over.order_by(F("quiet_by").asc(nulls_first=True), "-pk")[:NEWEST_ENDED]
    rows = [*newest.values_list("started_at", "ended_at", "expected_s", "quiet_by")]
    undelayed = [row for row in rows if row[3] is None] or rows
    took = [
        ((ended - began).total_seconds(), expected) for began, ended, expected, _by in undelayed
    ]
    ahead = plan.jobs.filter(ended_at=None).aggregate(
        round=Min("round"), expected=Sum("expected_s"), n=Count("pk")
    )
    running = with_hosts(plan.jobs.filter(state__in=ON_A_HOST)).order_by("position")
    to_make = 0 if plan.stopped_at else plan.to_make
    made = plan.cell_count * plan.rounds_planned - to_make
    next_round = round_of(plan, made + 1) if to_make else None
    left: float | None = None
    if not ahead["n"] + to_make:
        left = 0.0
    elif plan.round_s and plan.cell_count:
        left = (ahead["expected"] or 0) + plan.round_s / plan.cell_count * to_make
        known = [(seconds, expected) for seconds, expected in took if expected]
        if known:
            # of one that waited long for its hosts the others do not take longer
            left *= median(seconds / expected for seconds, expected in known)
        elif by_recipe := plan.round_s * plan.rounds_planned:
            with suppress(Refused):  # a host was taken away
                left *= (expected_of(plan) or by_recipe) / by_recipe
    elif took:
        left = fmean(seconds for seconds, _expected in took) * (ahead["n"] + to_make)
    round_now = ahead["round"] or next_round
    return Progress(round_now, left, list(running), timezone.now(), plan.is_deciding)
