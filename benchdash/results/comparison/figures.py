"""One measure over like groups: its rows, axis, chart, unit and sentence."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from statistics import median
from types import MappingProxyType
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from msgspec.structs import asdict, replace

from benchdash.analysis.differences import CONFIDENCE, modes_of
from benchdash.analysis.drawing import spans_decades
from benchdash.analysis.summary import Interval, Kind, summarise
from benchdash.analysis.verdicts import Word
from benchdash.results.comparison.doubted import Doubted, block_means, repeats_in_words, rests_on
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.judging import Judged
from benchdash.results.comparison.measures import Numbers, latency_of
from benchdash.results.comparison.places import places_of, slots_of
from benchdash.results.comparison.sentences import Shown, figure_sentence, in_words
from benchdash.results.comparison.view import (
    Figure,
    GroupValue,
    Note,
    PlainFigure,
    Row,
    RunValue,
    Scale,
    Verdict,
)
from benchdash.results.criteria import Criteria
from benchdash.results.language import closed_up
from benchdash.results.parameters import BESIDE_RATES
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName, Metric, percentile
from benchdash.vocabulary.prefixes import ShownUnit, shown_unit

_UNJOINED = gettext_noop("percentiles of concurrent runs can be merged only from json+ output")


class FigureOptions(NamedTuple):
    """How figures are drawn: as `criteria` has it, against a group's key, and whether in MiB/s.

    `doubted` are samples by measure, whether they are left out or not; `did` are those that did an
    operation, by its name.
    """

    criteria: Criteria
    baseline: str | None
    binary: bool
    doubted: Doubted = MappingProxyType({})
    did: Mapping[str, Collection[int]] = MappingProxyType({})


def draw_figures(
    groups: Sequence[Group],
    numbers: Numbers,
    judged: Mapping[MeasureName, Judged],
    options: FigureOptions,
) -> tuple[Figure, ...]:
    """One for each measure that is shown and that a group has; lines with the requested latency."""
    figures = []
    options = options._replace(did=_samples_by_operation(numbers))
    for measure, values in numbers.shown.items():
        plain = _plain_figure(measure, values, groups, judged[measure], options)
        if plain is not None:
            along = plain.chart == "lines"
            name = _latency_beside(measure, numbers, options.criteria) if along else None
            beside = None
            if name:
                own = {**numbers.beside, **numbers.shown}[name]
                beside = _plain_figure(name, own, groups, Judged(), options)
            figures.append(Figure(**asdict(plain), latency=beside))
    return tuple(figures)


def _latency_beside(
    measure: MeasureName, numbers: Numbers, criteria: Criteria
) -> MeasureName | None:
    """The latency that shares the axis of a rate: one that was asked for, else one that is shown."""
    if criteria.latency in BESIDE_RATES:
        return latency_of(measure, numbers.beside)
    operations = measure._replace(metric="iops")
    # of one block size, throughput is the same line in another unit
    if criteria.latency or (measure.metric == "throughput" and operations in numbers.shown):
        return None
    return latency_of(measure, numbers.shown)


def _plain_figure(
    measure: MeasureName,
    values: Mapping[int, float],
    groups: Sequence[Group],
    judged: Judged,
    options: FigureOptions,
) -> PlainFigure | None:
    """The figure of one measure; None where no group has a value or a note of it.

    `values` are by run id.
    """
    criteria, baseline, binary, every, _did = options
    doubted = every.get(measure, frozenset())
    rows = [_row(measure, values, group, judged, options) for group in groups]
    rows = _with_doubts(rows, groups, values, doubted, baseline)
    if not any(row.values or row.notes for row in rows):
        return None
    has_baseline = any(ratio is not None for ratio in judged.ratios.values())
    places = places_of(criteria, groups, has_baseline=has_baseline)
    metric, title = METRICS[measure.metric], measure_title(measure)
    rows = [
        replace(row, slot=slot)
        for row, slot in zip(rows, slots_of(places, groups), strict=True)
        # a cell of a sweep that nothing was measured in is a hole, a bar of nothing is none
        if places.chart in ("lines", "heat") or row.values or row.notes or row.left_out
    ]
    medians = [row.median for row in rows if row.median is not None]
    axis = _scale(medians, criteria)
    unit = unit_for(metric, medians, axis, binary=binary)
    shown = Shown(title, metric.higher_is_better, unit, baseline)
    return PlainFigure(
        measure=str(measure),
        title=title,
        family=metric.family,
        unit=metric.unit,
        shown=unit,
        higher_is_better=metric.higher_is_better,
        axis=axis,
        chart=places.chart,
        along=places.along,
        parted_by=places.parted_by,
        sentence=_with_doubted(figure_sentence(rows, shown, judged.extremes), rows),
        primary=judged.primary,
        winners=tuple(group.key for group in groups if group.key in judged.extremes.best),
        rows=tuple(rows),
    )


def _row(
    measure: MeasureName,
    values: Mapping[int, float],
    group: Group,
    judged: Judged,
    options: FigureOptions,
) -> Row:
    sample = {run.id: values[run.id] for run in group.runs if run.id in values}
    summary = summarise(list(sample.values()))
    blocks = block_means(group.runs, sample)
    # samples of a block are not independent: an interval of theirs would hold less than it says
    middle = summarise(blocks) if blocks else summary
    modes = modes_of(list(sample.values())) or ()
    against = in_words(judged, group.key) if summary and group.key in judged.verdicts else None
    ratio = judged.ratios.get(group.key)
    is_baseline = group.key == options.baseline
    if is_baseline and judged.ratios and summary and summary.median and not modes:
        ratio = 1.0
    notes = _notes(measure, group, values, options.did.get(measure.operation, ()))
    return Row(
        group=group.key,
        label=group.label,
        slot=group.slot,
        at=tuple(
            GroupValue(value.text, value.number, "" if name == value.text else name)
            for value, name in zip(group.at, group.words, strict=True)
        ),
        n=len(sample),
        median=middle.median if middle else None,
        mean=summary.mean if summary else None,
        low=summary.low if summary else None,
        high=summary.high if summary else None,
        lower_quartile=summary.lower_quartile if summary else None,
        upper_quartile=summary.upper_quartile if summary else None,
        interval=middle.interval if middle else None,
        modes=tuple(map(median, modes)),
        above=judged.above.get(group.key),
        ratio=ratio,
        ratio_interval=_ratio_interval(against),
        verdict=against.word if against else Word.NONE,
        against=against,
        values=tuple(RunValue(run, value) for run, value in sample.items()),
        notes=tuple(Note(note, runs) for note, runs in notes.items()),
        repeats=repeats_in_words(group.runs, sample, blocks) if judged.primary else (),
        more_runs={
            str(run.id): run.members[1:]
            for run in group.runs
            if run.id in sample and len(run.members) > 1
        },
    )


def _with_doubts(
    rows: Sequence[Row],
    groups: Sequence[Group],
    values: Mapping[int, float],
    doubted: frozenset[int],
    baseline: str | None,
) -> list[Row]:
    """Each row with its doubted values, and its verdict with what it rests on."""
    if not doubted:
        return list(rows)
    own = {group.key: doubted & {run.id for run in group.runs} for group in groups}
    counts = {key: sum(run in values for run in runs) for key, runs in own.items()}
    its = counts.get(baseline or "", 0)
    all_its = next((row.n for row in rows if row.group == baseline), 0)
    found = []
    for row in rows:
        mine, against = counts[row.group], row.against
        if against and (words := rests_on(mine, row.n, its, all_its)):
            against = replace(against, sentence=f"{against.sentence}{_('; ')}{words}")
        values_ = (replace(one, doubted=one.run in doubted) for one in row.values)
        left = len(own[row.group]) - mine
        found.append(
            replace(row, against=against, values=tuple(values_), doubted=mine, left_out=left)
        )
    return found


def _with_doubted(sentence: str, rows: Sequence[Row]) -> str:
    """What is said of doubted values says so."""
    doubted = sum(row.doubted for row in rows)
    if not (sentence and doubted):
        return sentence
    words = ngettext(
        "%(doubted)s of %(n)s samples is doubted.",
        "%(doubted)s of %(n)s samples are doubted.",
        doubted,
    ) % {"doubted": doubted, "n": sum(row.n for row in rows)}
    return closed_up(f"{sentence} {words}")


def _ratio_interval(against: Verdict | None) -> Interval | None:
    """Of CPU there is none: its verdict is on what each byte or operation costs."""
    if against is None or against.per or against.low is None or against.high is None:
        return None
    return Interval(against.low, against.high, Kind.STUDENT_T, CONFIDENCE)


def _samples_by_operation(numbers: Numbers) -> dict[str, set[int]]:
    """Who did what: a sample that has any number of an operation."""
    found: dict[str, set[int]] = {}
    for values in (numbers.shown, numbers.beside, numbers.overview):
        for name, own in values.items():
            found.setdefault(name.operation, set()).update(own)
    return found


# what a parser notes in English: here for the catalogue
_TOO_FAST = gettext_noop("too fast to measure")


def _notes(
    measure: MeasureName, group: Group, values: Mapping[int, float], did: Collection[int]
) -> Counter[str]:
    """What there is instead of a value, and for how many runs or samples; `did` did the operation."""
    found = printed_instead(group, [measure])
    if percentile(measure.statistic) is not None:
        several = [run for run in group.runs if len(run.members) > 1 and run.id in did]
        if unjoined := sum(run.id not in values for run in several):
            found[_UNJOINED] += unjoined
    return found


def printed_instead(group: Group, measures: Iterable[MeasureName]) -> Counter[str]:
    """What tools printed in place of a value of any of these measures, and how often."""
    names = {(measure.operation, measure.metric) for measure in measures}
    return Counter(
        note["note"]
        for run in group.runs
        for note in run.notes
        if (note["operation"], note["metric"]) in names
    )


def mostly_too_fast(groups: Iterable[Group], numbers: Numbers) -> dict[MeasureName, frozenset[int]]:
    """The runs of groups that have a few values of a measure, and were too fast for it more often.

    The median of such a group is too fast as well: those values are its slowest.
    """
    found: dict[MeasureName, set[int]] = {}
    for group in groups:
        if not any(note["note"] == _TOO_FAST for run in group.runs for note in run.notes):
            continue
        for values in (numbers.shown, numbers.overview):
            for measure, by_run in values.items():
                own = {run.id for run in group.runs if run.id in by_run}
                if own and printed_instead(group, [measure])[_TOO_FAST] > len(own):
                    found.setdefault(measure, set()).update(own)
    return {measure: frozenset(own) for measure, own in found.items()}


def unit_for(
    metric: Metric, values: Sequence[float], axis: str, *, binary: bool = False
) -> ShownUnit:
    """The one unit of an axis that shows `values`: it suits the largest, on a log axis the middle."""
    above = [value for value in values if value > 0]
    if axis == "log" and above:
        return shown_unit(metric, [math.sqrt(min(above) * max(above))], binary=binary)
    return shown_unit(metric, above, binary=binary)


def _scale(medians: Sequence[float], criteria: Criteria) -> Scale:
    if criteria.axis == "auto":
        return "log" if spans_decades(medians) else "linear"
    return "log" if criteria.axis == "log" else "linear"
