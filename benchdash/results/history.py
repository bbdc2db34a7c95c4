"""How results went over time: like with like, in the order in which they were measured.

Of whatever runs the filters choose: those of a configuration, a host, a recipe. A series is one
workload by one tool; its lines are what else was set up alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Min, Q, QuerySet

from benchdash.errors import Refused
from benchdash.results.comparison.choose import COLUMNS, samples_of, selected
from benchdash.results.comparison.doubted import with_doubts
from benchdash.results.comparison.measures import (
    Offered,
    Values,
    in_order,
    offered,
    values_of,
)
from benchdash.results.comparison.records import (
    Records,
    WorkloadWords,
    read_records,
    workload_words,
)
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import Value, value_of
from benchdash.results.doubts import concerns
from benchdash.results.environment_changes import Change, changes
from benchdash.results.factors import NONE, Factor
from benchdash.results.models import Run, Workload
from benchdash.results.models.run import LIVING, NOT_COUNTED
from benchdash.results.parameters import HELD
from benchdash.results.run_filters import RunQuery, matching
from benchdash.results.run_names import workload_name
from benchdash.results.titles import factor_title, value_text
from benchdash.vocabulary.doubts import Doubt
from benchdash.vocabulary.measures import MeasureName
from benchdash.vocabulary.tools import TOOLS

MOST_SAMPLES = 300
MOST_SERIES = 200
MOST_LINES = 10
# series that are drawn where none is chosen
FEW = 4
# of what is alike in a series, what sets lines apart; settings come behind
_APART = tuple(map(Factor, ("configuration", "host", "beside")))
_HOST = Factor("host")
_JOBS = Factor("workload", "jobs")


@dataclass(frozen=True, slots=True)
class Series:
    """One workload by one tool: its key in an address, its name, and how many samples match."""

    key: str
    tool: str
    workload: int
    name: str
    samples: int


@dataclass(frozen=True, slots=True)
class Point:
    """One sample, by its first run; `stored`: the output has no date, so `at` is that of storing."""

    run: int
    runs: tuple[int, ...]
    at: datetime
    stored: bool
    value: float
    version: str
    environment: int | None
    environment_name: str
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Samples that were set up alike, the oldest first; `slot` is its colour."""

    label: str
    slot: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class SeriesHistory:
    """A series in one measure, on so many `hosts`; `left_out` counts the lines beyond the tenth."""

    series: Series
    measure: MeasureName
    hosts: int
    lines: tuple[Line, ...]
    changes: tuple[Change, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class History:
    """All series there are, those that are drawn, and what else they could be drawn in.

    `headlines` are the measures that people look for first, `measures` all others. `not_counted`
    are samples by reason, `older` says whether there are samples before those that were read.
    """

    series: tuple[Series, ...]
    drawn: tuple[SeriesHistory, ...]
    headlines: tuple[MeasureName, ...]
    measures: tuple[MeasureName, ...]
    not_counted: Mapping[str, int]
    older: bool


def history_of(
    run_query: RunQuery, key: str = "", measure: MeasureName | None = None, few: int = FEW
) -> History:
    """The newest 300 samples of the series named by `key`, else of the `few` with most samples.

    In `measure` where a series has it, else in the first headline of its tool. Refused where there
    is no such series. Thirteen queries at most.
    """
    living = matching(run_query).filter(LIVING)
    every = _series(living)
    chosen = [one for one in every if one.key == key] if key else every[:few]
    if key and not chosen:
        raise Refused("None of these runs is in the series “{key}”.", "series", key=key)
    samples, times, older = _samples(living, chosen)
    counted = [sample for sample in samples if not sample.not_counted]
    offers = [one for one in offered(counted) if one.number is not None]
    first = _headlines(chosen, offers)
    wanted = dict.fromkeys([*([measure] if measure else ()), *first])
    values = values_of([name for name in wanted if name in _names(offers)], offers, counted)
    read = _Read(with_doubts(counted), times, values, read_records(counted, ()))
    return History(
        series=tuple(every),
        drawn=tuple(_drawn(chosen, read, measure)),
        headlines=tuple(first),
        measures=tuple(in_order(_names(offers) - {*first})),
        not_counted=Counter(one.not_counted for one in samples if one.not_counted),
        older=older,
    )


def _series(runs: QuerySet[Run]) -> list[Series]:
    """The series of the runs, those with most samples first; two queries."""
    rows = (
        runs.order_by().values_list("tool", "workload").annotate(n=Count("sample", distinct=True))
    )
    found = list(rows.order_by("-n", "tool", "workload")[:MOST_SERIES])
    names = _series_names([(tool, workload) for tool, workload, _n in found])
    return [
        Series(f"{tool}-{workload}", tool, workload, names[tool, workload], n)
        for tool, workload, n in found
    ]


def _series_names(series: Sequence[tuple[str, int]]) -> dict[tuple[str, int], str]:
    """As runs are named; those of one name say besides what they differ in."""
    words = workload_words({workload for _tool, workload in series})
    plain = {one: workload_name(one[0], Workload(**words[one[1]].axes)) or one[0] for one in series}
    alike: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for one, name in plain.items():
        alike[name].append(one)
    for name, same in alike.items():
        axes = _differing([words[workload] for _tool, workload in same])
        for one in same if len(same) > 1 else ():
            plain[one] = " · ".join(filter(None, [name, *_details(words[one[1]], axes)]))
    return plain


def _differing(words: Sequence[WorkloadWords]) -> list[str]:
    every = dict.fromkeys(name for one in words for name in one.axes)
    return [name for name in every if len({one.axes.get(name) for one in words}) > 1]


def _details(words: WorkloadWords, axes: Iterable[str]) -> Iterator[str]:
    for name in axes:
        yield f"{factor_title(HELD[name])} {value_text(HELD[name], words.axes.get(name))}"
    yield words.options or ""


def _samples(
    living: QuerySet[Run], chosen: Sequence[Series]
) -> tuple[list[SelectedRun], dict[int, datetime], bool]:
    """The newest samples of the series, the oldest first, when each began, and whether there are more.

    Half a sample is none: what matches brings the others of its sample. Two queries.
    """
    of_series = Q(pk__in=())
    for one in chosen:
        of_series |= Q(tool=one.tool, workload=one.workload)
    began = Min("measured_at")
    found = living.filter(of_series).order_by().values_list("sample").annotate(began=began)
    newest = list(found.order_by("-began", "-sample")[: MOST_SAMPLES + 1])
    times = dict(newest[:MOST_SAMPLES])
    whole = Run.objects.filter(LIVING, sample__in=times).order_by("pk")
    rows = whole.annotate(not_counted=NOT_COUNTED).values_list(*COLUMNS)
    samples = samples_of(map(selected, rows))
    samples.sort(key=lambda sample: (times[sample.sample_id], sample.id))
    return samples, times, len(newest) > MOST_SAMPLES


def _names(offers: Iterable[Offered]) -> set[MeasureName]:
    return {offer.measure for offer in offers}


def _headlines(chosen: Sequence[Series], offers: Sequence[Offered]) -> list[MeasureName]:
    """Of the tools at hand, in their order, those that are there; else whatever is."""
    there = _names(offers)
    means = (MeasureName(*name, "mean") for one in chosen for name in _of_tool(one.tool))
    found = list(dict.fromkeys(name for name in means if name in there))
    return found or [offer.measure for offer in offers][:1]


def _of_tool(tool: str) -> tuple[tuple[str, str], ...]:
    return TOOLS[tool].headlines if tool in TOOLS else ()


class _Read(NamedTuple):
    """What counts, with its times by sample, and what belongs to it."""

    samples: Sequence[SelectedRun]
    times: Mapping[int, datetime]
    values: Values
    records: Records


def _drawn(
    chosen: Sequence[Series], read: _Read, measure: MeasureName | None
) -> Iterator[SeriesHistory]:
    """Each series that has a value, in what was asked for, else in the first headline of its tool."""
    for series in chosen:
        kind = series.tool, series.workload
        own = [one for one in read.samples if (one.tool, one.workload_id) == kind]
        ranks = [MeasureName(*name, "mean") for name in _of_tool(series.tool)]
        names = dict.fromkeys([*([measure] if measure else ()), *ranks, *read.values])
        there = (m for m in names if any(one.id in read.values.get(m, ()) for one in own))
        if drawn := next(there, None):
            measured = [one for one in own if one.id in read.values[drawn]]
            points = [_point(one, drawn, read) for one in measured]
            lines = _lines(measured, points, read.records)
            yield SeriesHistory(
                series=series,
                measure=drawn,
                hosts=len({value_of(one, _HOST, read.records) for one in measured}),
                lines=tuple(lines[:MOST_LINES]),
                changes=tuple(changes(measured, read.times, read.records)),
                left_out=max(0, len(lines) - MOST_LINES),
            )


def _point(sample: SelectedRun, measure: MeasureName, read: _Read) -> Point:
    environment = sample.environment_id
    return Point(
        run=sample.id,
        runs=sample.members,
        at=read.times[sample.sample_id],
        stored=sample.started_at is None,
        value=read.values[measure][sample.id],
        version=sample.tool_version,
        environment=environment,
        environment_name=read.records.environments[environment].title(environment)
        if environment
        else "",
        doubts=tuple(each for each in sample.doubts if concerns(each, (measure.operation,))),
    )


def _lines(samples: Sequence[SelectedRun], points: Sequence[Point], records: Records) -> list[Line]:
    """What was set up alike, the longest first; a label says what the lines differ in."""
    settings = dict.fromkeys(name for one in samples for name, _value in one.settings)
    factors = [*_APART, *(Factor("setting", name) for name in sorted(settings)), _JOBS]
    members: dict[tuple[Value, ...], list[Point]] = defaultdict(list)
    for sample, point in zip(samples, points, strict=True):
        members[tuple(value_of(sample, factor, records) for factor in factors)].append(point)
    distinguishing = [
        place for place in range(len(factors)) if len({values[place].key for values in members}) > 1
    ]
    ordered = sorted(members.items(), key=lambda item: (-len(item[1]), [v.order for v in item[0]]))
    return [
        Line(
            " · ".join(_label(factors[place], values[place]) for place in distinguishing),
            slot,
            tuple(own),
        )
        for slot, (values, own) in enumerate(ordered)
    ]


def _label(factor: Factor, value: Value) -> str:
    if factor in _APART:
        return value.text
    text = value_text(factor, None) if value.key == NONE else value.text
    return f"{factor_title(factor)} {text}"
