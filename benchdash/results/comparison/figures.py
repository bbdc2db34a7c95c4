"""One measure over like groups: its rows, axis, chart, unit and sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from msgspec.structs import asdict

from benchdash.analysis.drawing import spans_decades
from benchdash.analysis.summary import Interval, Kind, interval, ratio, ratio_interval, summarise
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.measures import Numbers, latency_of
from benchdash.results.comparison.view import (
    Chart,
    Figure,
    GroupValue,
    Note,
    OfferedMeasure,
    PlainFigure,
    Row,
    RunValue,
    Scale,
    Verdict,
)
from benchdash.results.criteria import Criteria
from benchdash.results.parameters import MeasureName
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, Metric
from benchdash.vocabulary.prefixes import ShownUnit, shown_unit

# two points are two bars
_A_LINE = 3
# beyond this, "1/623" reads better than "0.161 %"
_FAR = 10.0
_MOST_NAMES = 4


class _Sample(NamedTuple):
    """What a group has of one measure: values by run, and how many runs' tools said what instead."""

    group: Group
    values: dict[int, float]
    notes: Mapping[str, int]

    @property
    def repeats(self) -> list[float]:
        return list(self.values.values())


def draw_figures(
    parts: Sequence[Sequence[Group]], numbers: Numbers, criteria: Criteria
) -> tuple[list[tuple[Figure, ...]], tuple[OfferedMeasure, ...]]:
    """The figures of each part, none where it has no number, and what else could be shown.

    Baseline and units of `criteria` are those that hold.
    """
    figures = [tuple(_figures(groups, numbers, criteria)) for groups in parts]
    offered = tuple(
        OfferedMeasure(
            measure=str(offer.measure),
            title=measure_title(offer.measure),
            family=METRICS[offer.measure.metric].family,
            runs=offer.runs,
        )
        for offer in numbers.offers
    )
    return figures, offered


def _figures(groups: Sequence[Group], numbers: Numbers, criteria: Criteria) -> Iterator[Figure]:
    """One for each measure that is shown; lines with the latency that was asked for."""
    for measure, values in numbers.shown.items():
        plain = plain_figure(measure, values, groups, criteria)
        if plain is not None:
            wanted = criteria.latency and plain.chart == "lines"
            name = latency_of(measure, numbers.beside) if wanted else None
            beside = plain_figure(name, numbers.beside[name], groups, criteria) if name else None
            yield Figure(**asdict(plain), latency=beside)


def plain_figure(
    measure: MeasureName, values: Mapping[int, float], groups: Sequence[Group], criteria: Criteria
) -> PlainFigure | None:
    """The figure of one measure; None where no group has a value or a note of it.

    `values` are by run id.
    """
    metric, title = METRICS[measure.metric], measure_title(measure)
    samples = [_sample(measure, group, values) for group in groups]
    if not any(sample.values or sample.notes for sample in samples):
        return None
    base = next((one.repeats for one in samples if one.group.key == criteria.baseline), [])
    has_baseline = any(ratio(one.repeats, base) is not None for one in samples)
    chart, along = _chart(criteria, groups, has_baseline=has_baseline), _number_place(groups)
    rows = tuple(
        _row(sample, slot, base, metric, is_baseline=sample.group.key == criteria.baseline)
        for sample, slot in zip(samples, _slots(chart, along, groups), strict=True)
    )
    medians = [row.median for row in rows if row.median is not None]
    axis = _scale(medians, criteria)
    shown = unit_for(metric, medians, axis, binary=criteria.units == "binary")
    return PlainFigure(
        measure=str(measure),
        title=title,
        family=metric.family,
        unit=metric.unit,
        shown=shown,
        higher_is_better=metric.higher_is_better,
        axis=axis,
        chart=chart,
        along=along,
        sentence=_sentence(rows, metric, title, shown, criteria.baseline),
        rows=rows,
    )


def unit_for(
    metric: Metric, values: Sequence[float], axis: str, *, binary: bool = False
) -> ShownUnit:
    """The one unit of an axis that shows `values`: it suits the largest, on a log axis the smallest."""
    above = [value for value in values if value > 0]
    reference = (min(above) if axis == "log" else max(above)) if above else 0.0
    return shown_unit(metric, [reference], binary=binary)


def percent_text(share: float) -> str:
    """0.364 as `36.4`, 0.00165 as `0.165`: a hundredth of a percent is no false precision."""
    percent = 100 * share
    return f"{percent:.1f}" if percent >= 10 else f"{percent:#.3g}"


def _sample(measure: MeasureName, group: Group, values: Mapping[int, float]) -> _Sample:
    name = (measure.operation, measure.metric)
    notes = Counter(
        note["note"]
        for run in group.runs
        for note in run.notes
        if (note["operation"], note["metric"]) == name
    )
    return _Sample(group, {run.id: values[run.id] for run in group.runs if run.id in values}, notes)


def _row(
    sample: _Sample, slot: int, base: Sequence[float], metric: Metric, *, is_baseline: bool
) -> Row:
    group, repeats = sample.group, sample.repeats
    summary = summarise(repeats)
    against = None if is_baseline else ratio_interval(repeats, base)
    return Row(
        group=group.key,
        label=group.label,
        slot=slot,
        at=tuple(GroupValue(value.text, value.number) for value in group.at),
        n=len(repeats),
        median=summary.median if summary else None,
        mean=summary.mean if summary else None,
        low=summary.low if summary else None,
        high=summary.high if summary else None,
        lower_quartile=summary.lower_quartile if summary else None,
        upper_quartile=summary.upper_quartile if summary else None,
        interval=interval(repeats),
        ratio=ratio(repeats, base),
        ratio_interval=against,
        verdict=_verdict(against, metric.higher_is_better),
        values=tuple(RunValue(run, value) for run, value in sample.values.items()),
        notes=tuple(Note(note, runs) for note, runs in sample.notes.items()),
    )


def _verdict(against: Interval | None, higher_is_better: bool | None) -> Verdict:
    """Only a bootstrap interval carries one: a range of a few runs says too little."""
    if against is None or against.kind is not Kind.BOOTSTRAP or higher_is_better is None:
        return "unknown"
    if against.holds(1):
        return "no_difference"
    return "better" if (against.low > 1) is higher_is_better else "worse"


def _scale(medians: Sequence[float], criteria: Criteria) -> Scale:
    if criteria.axis == "auto":
        return "log" if spans_decades(medians) else "linear"
    return "log" if criteria.axis == "log" else "linear"


def _chart(criteria: Criteria, groups: Sequence[Group], *, has_baseline: bool) -> Chart:
    """What was asked for where the groups allow it, else bars; lines by themselves along a number."""
    if criteria.chart == "auto":
        return "lines" if _number_place(groups) is not None else "bars"
    possible: dict[Chart, bool] = {
        "boxes": True,
        "lines": _number_place(groups) is not None,
        "change": has_baseline,
        "heat": bool(groups) and len(groups[0].at) == 2,
    }
    return next((one for one in possible if one == criteria.chart and possible[one]), "bars")


def _slots(chart: str, along: int | None, groups: Sequence[Group]) -> list[int]:
    """The colour of each group: its own; the groups of one line share theirs."""
    own = [group.slot for group in groups]
    if chart != "lines" or along is None:
        return own
    lines = [group.at[:along] + group.at[along + 1 :] for group in groups]
    pairs = set(zip(lines, own, strict=True))
    if len(pairs) == len(set(lines)) == len(set(own)):
        return own
    places = {line: place for place, line in enumerate(dict.fromkeys(lines))}
    return [places[line] for line in lines]


def _number_place(groups: Sequence[Group]) -> int | None:
    """The place, among the factors grouped by, of the last that is a number in every group."""
    places = len(groups[0].at) if groups else 0
    for place in reversed(range(places)):
        numbers = {group.at[place].number for group in groups}
        if None not in numbers and len(numbers) >= _A_LINE:
            return place
    return None


def _sentence(
    rows: Sequence[Row], metric: Metric, title: str, unit: ShownUnit, baseline: str | None
) -> str:
    """Which group is best, which is worst, and by how much; empty where there is nothing to prefer."""
    higher = metric.higher_is_better
    measured = [row for row in rows if row.n]
    if higher is None or len(measured) < 2:
        return ""
    ordered = sorted(measured, key=_median, reverse=higher)
    as_good = [row for row in ordered if row is ordered[0] or _no_difference(row, ordered[0])]
    if len(as_good) == len(measured):
        parts = [_all_alike(as_good, title)]
    else:
        parts = [_best(as_good, title, unit)]
    if ordered[-1] not in as_good:
        parts.append(_worst(ordered[-1], ordered[0], baseline, measured))
    # Japanese has no blank after a full stop
    return " ".join([*parts, *_missing(rows)]).replace("。 ", "。")


def _median(row: Row) -> float:
    assert row.median is not None
    return row.median


def _sample_of(row: Row) -> list[float]:
    return [one.value for one in row.values]


def _no_difference(row: Row, other: Row) -> bool:
    """Only many runs of both can say so; few ones say nothing."""
    found = ratio_interval(_sample_of(row), _sample_of(other))
    return found is not None and found.kind is Kind.BOOTSTRAP and found.holds(1)


def _all_alike(rows: Sequence[Row], title: str) -> str:
    words = {"title": title, "names": _names(rows), "n": len(rows)}
    if len(rows) > _MOST_NAMES:
        return _("%(title)s: no visible difference between the %(n)s groups.") % words
    return _("%(title)s: no visible difference between %(names)s.") % words


def _names(rows: Sequence[Row]) -> str:
    """All of a few; of many the first ones and how many more."""
    shown = rows if len(rows) <= _MOST_NAMES else rows[: _MOST_NAMES - 1]
    names = ", ".join(row.label for row in shown)
    if len(shown) == len(rows):
        return names
    return _("%(names)s and %(n)s more") % {"names": names, "n": len(rows) - len(shown)}


def _best(rows: Sequence[Row], title: str, unit: ShownUnit) -> str:
    if len(rows) > 1:
        words = {"title": title, "names": _names(rows)}
        return _("%(title)s: no visible difference between the best, %(names)s.") % words
    value = f"{unit.text(_median(rows[0]))} {unit.name}".strip()
    words = {"title": title, "name": rows[0].label, "value": value}
    return _("%(title)s: %(name)s is best with %(value)s.") % words


def _worst(worst: Row, best: Row, baseline: str | None, measured: Sequence[Row]) -> str:
    """Against the baseline, or against the best where the baseline is the worst or there is none."""
    base = next((row for row in measured if row.group == baseline and row is not worst), None)
    share = ratio(_sample_of(worst), _sample_of(base or best))
    words = {"name": worst.label, "other": _name(base, best)}
    if not share:
        return _("%(name)s is worst.") % words
    if share <= 1 / _FAR:
        words["times"] = f"{1 / share:.0f}"
        return _("%(name)s is worst: 1/%(times)s of %(other)s.") % words
    if share >= _FAR:
        words["times"] = f"{share:.0f}"
        return _("%(name)s is worst: %(times)s times %(other)s.") % words
    words["percent"] = percent_text(share)
    return _("%(name)s is worst: %(percent)s %% of %(other)s.") % words


def _name(base: Row | None, best: Row) -> str:
    if base is None or base is best:
        return best.label
    return _("the baseline, %(name)s") % {"name": base.label}


def _missing(rows: Sequence[Row]) -> Iterator[str]:
    """What tools said of groups that have no value at all."""
    silent: dict[str, list[Row]] = {}
    for row in rows:
        if not row.values:
            for one in row.notes:
                silent.setdefault(one.note, []).append(row)
    for note, without in silent.items():
        yield _("%(names)s: %(note)s.") % {"names": _names(without), "note": _(note)}
