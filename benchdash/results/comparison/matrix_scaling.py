"""How rates grow along guests, clients, jobs or queue depth, for every combination of other factors."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from statistics import geometric_mean
from typing import NamedTuple

from benchdash.analysis.cells import meet_in_rounds, without_rounds
from benchdash.analysis.scaling import Misfit, Number, fit
from benchdash.results.comparison import matrix_sentences as words
from benchdash.results.comparison.matrix import Varied, Varying
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.names import short_names
from benchdash.results.comparison.view_matrix import (
    CurvePoint,
    Estimate,
    Scaling,
    ScalingLine,
    ScalingPlace,
)
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.prefixes import ShownUnit, shown_unit

MOST_LINES, MOST_MEASURES = 8, 4
_LEAST_PLACES = 3
_RATES = ("iops", "throughput", "transactions", "rate")
# what work is spread over; a block size or a stripe cache is no number of workers
_WORKLOAD = ("clients", "jobs", "queue_depth", "concurrency")
_SETTINGS = {
    *("guests", "clients", "jobs", "threads", "streams", "hosts", "nodes", "osds", "workers"),
    *("queue_depth", "iodepth", "depth", "numjobs", "concurrency"),
}


def scalings_in(varying: Varying, numbers: Numbers, *, binary: bool) -> tuple[Scaling, ...]:
    """The rates that are shown along the number with most places, where one counts workers."""
    numbered = [
        place
        for place, one in enumerate(varying.factors)
        if _counts_workers(one) and len(one.levels) >= _LEAST_PLACES
    ]
    if not numbered:
        return ()
    place = max(numbered, key=lambda one: len(varying.factors[one].levels))
    names = [name for name in numbers.shown if name.metric in _RATES and name.statistic == "mean"]
    # of one block size, throughput is the same line in another unit
    names = [
        name
        for name in names
        if name.metric != "throughput" or name._replace(metric="iops") not in names
    ]
    found = (_scaling(varying, place, name, numbers, binary=binary) for name in names)
    return tuple(one for one in found if one)[:MOST_MEASURES]


def _counts_workers(one: Varied) -> bool:
    if not one.is_number or min(level.number or 0.0 for level in one.levels) <= 0:
        return False
    named = one.factor.name
    known = _WORKLOAD if one.factor.kind == "workload" else _SETTINGS
    return one.factor.kind in ("workload", "setting") and named in known


def _scaling(
    varying: Varying, place: int, name: MeasureName, numbers: Numbers, *, binary: bool
) -> Scaling | None:
    """None where the measure has fewer places than a line needs."""
    own, along = numbers.shown[name], varying.factors[place]
    by_line: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for run in varying.runs:
        if run.id in own:
            levels = varying.levels[run.id]
            by_line[levels[:place] + levels[place + 1 :]].append(run.id)
    lines = {
        line: runs
        for line, runs in by_line.items()
        if len({varying.levels[run][place] for run in runs}) >= _LEAST_PLACES
    }
    if not lines:
        return None
    unit = shown_unit(
        METRICS[name.metric],
        [own[run] for runs in lines.values() for run in runs],
        binary=binary,
    )
    others = [one for number, one in enumerate(varying.factors) if number != place]
    rows = [[one.levels[level] for one, level in zip(others, line, strict=True)] for line in lines]
    labels = short_names(rows, [one.factor for one in others]) if others else [along.title]
    drawn = list(zip(sorted(lines), range(MOST_LINES), strict=False))
    by_label = dict(zip(lines, labels, strict=True))
    return Scaling(
        measure=str(name),
        title=measure_title(name),
        unit=METRICS[name.metric].unit,
        shown=unit,
        along=str(along.factor),
        along_title=along.title,
        lines=tuple(
            _line(
                by_label[line],
                slot,
                _points(varying, place, lines[line], name, numbers),
                along,
                unit,
            )
            for line, slot in drawn
        ),
        left_out=len(lines) - len(drawn),
    )


class _Points(NamedTuple):
    """The samples of a line, N and value: as measured, and without rounds, which cost freedom."""

    raw: list[tuple[float, float]]
    even: list[tuple[float, float]]
    spent: int


def _points(
    varying: Varying, place: int, runs: list[int], name: MeasureName, numbers: Numbers
) -> _Points:
    own, along = numbers.shown[name], varying.factors[place]
    counts = [along.levels[varying.levels[run][place]].number or 0.0 for run in runs]
    values = [own[run] for run in runs]
    raw = list(zip(counts, values, strict=True))
    if not varying.rounds or min(values) <= 0:
        return _Points(raw, raw, 0)
    rounds = [varying.rounds[run] for run in runs]
    if not meet_in_rounds(counts, rounds):  # measured at different times
        return _Points(raw, raw, 0)
    logs = without_rounds([math.log(value) for value in values], counts, rounds)
    even = [(count, math.exp(value)) for count, value in zip(counts, logs, strict=True)]
    return _Points(raw, even, len(set(rounds)) - 1)


def _line(label: str, slot: int, points: _Points, along: Varied, unit: ShownUnit) -> ScalingLine:
    places = tuple(_places(points))
    law = fit(points.even, spent=points.spent)
    if isinstance(law, Misfit):
        why = words.of_misfit(law, len(places))
        return ScalingLine(label=label, slot=slot, places=places, law="", sentence=why)
    first, last = places[0].count, places[-1].count
    return ScalingLine(
        label=label,
        slot=slot,
        places=places,
        law="usl" if law.beta else "amdahl",
        one=_estimate(law.one),
        alpha=_estimate(law.alpha),
        beta=_estimate(law.beta) if law.beta else None,
        peak=_estimate(law.peak) if law.peak else None,
        ceiling=law.ceiling,
        knee=law.knee,
        curve=tuple(CurvePoint(*point) for point in law.curve(first, last)),
        sentence=words.of_law(law, along.title, unit, last),
    )


def _places(points: _Points) -> Iterator[ScalingPlace]:
    by_count: dict[float, list[float]] = defaultdict(list)
    for count, value in points.raw:
        by_count[count].append(value)
    for count, values in sorted(by_count.items()):
        middle = geometric_mean(values) if min(values) > 0 else sum(values) / len(values)
        yield ScalingPlace(count, len(values), middle, min(values), max(values))


def _estimate(number: Number) -> Estimate:
    return Estimate(number.value, number.low, number.high)
