"""One measure over like groups: its rows, axis, chart, unit and sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from msgspec.structs import asdict

from benchdash.analysis.drawing import spans_decades
from benchdash.analysis.summary import Interval, Kind, no_difference, ratio, summarise
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.measures import Numbers, latency_of
from benchdash.results.comparison.view import (
    Chart,
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
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName, Metric
from benchdash.vocabulary.prefixes import ShownUnit, shown_unit

# two points are two bars
_A_LINE = 3
# beyond this, "1/623" reads better than "0.161 %"
_FAR = 10.0
_MOST_NAMES = 4


class FigureOptions(NamedTuple):
    """How figures are drawn: as `criteria` has it, against a group's key, and whether in MiB/s."""

    criteria: Criteria
    baseline: str | None
    binary: bool


def draw_figures(
    groups: Sequence[Group], numbers: Numbers, options: FigureOptions
) -> tuple[Figure, ...]:
    """One for each measure that is shown and that a group has; lines with the requested latency."""
    figures = []
    for measure, values in numbers.shown.items():
        plain = _plain_figure(measure, values, groups, options)
        if plain is not None:
            wanted = options.criteria.latency and plain.chart == "lines"
            name = latency_of(measure, numbers.beside) if wanted else None
            beside = _plain_figure(name, numbers.beside[name], groups, options) if name else None
            figures.append(Figure(**asdict(plain), latency=beside))
    return tuple(figures)


def _plain_figure(
    measure: MeasureName,
    values: Mapping[int, float],
    groups: Sequence[Group],
    options: FigureOptions,
) -> PlainFigure | None:
    """The figure of one measure; None where no group has a value or a note of it.

    `values` are by run id.
    """
    samples = [
        {run.id: values[run.id] for run in group.runs if run.id in values} for group in groups
    ]
    notes = [_notes(measure, group) for group in groups]
    if not any(samples) and not any(notes):
        return None
    criteria, baseline, binary = options
    bases = (sample for group, sample in zip(groups, samples, strict=True) if group.key == baseline)
    base = list(next(bases, {}).values())
    summaries = [summarise(list(sample.values()), base) for sample in samples]
    has_baseline = any(summary and summary.ratio is not None for summary in summaries)
    against = [
        summary.ratio_interval if summary and group.key != baseline else None
        for group, summary in zip(groups, summaries, strict=True)
    ]
    chart, along = _chart(criteria, groups, has_baseline=has_baseline), _number_place(groups)
    metric, title = METRICS[measure.metric], measure_title(measure)
    rows = tuple(
        Row(
            group=group.key,
            label=group.label,
            slot=slot,
            at=tuple(GroupValue(value.text, value.number) for value in group.at),
            n=len(sample),
            median=summary.median if summary else None,
            mean=summary.mean if summary else None,
            low=summary.low if summary else None,
            high=summary.high if summary else None,
            lower_quartile=summary.lower_quartile if summary else None,
            upper_quartile=summary.upper_quartile if summary else None,
            interval=summary.interval if summary else None,
            ratio=summary.ratio if summary else None,
            ratio_interval=ratio_interval,
            verdict=_verdict(ratio_interval, metric.higher_is_better),
            values=tuple(RunValue(run, value) for run, value in sample.items()),
            notes=tuple(Note(note, runs) for note, runs in noted.items()),
        )
        for group, slot, sample, summary, ratio_interval, noted in zip(
            *(groups, _slots(chart, along, groups), samples, summaries, against, notes), strict=True
        )
    )
    medians = [row.median for row in rows if row.median is not None]
    axis = _scale(medians, criteria)
    shown = unit_for(metric, medians, axis, binary=binary)
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
        sentence=_sentence(rows, metric, title, shown, baseline),
        rows=rows,
    )


def _notes(measure: MeasureName, group: Group) -> Counter[str]:
    """What the tool printed instead of a value, and for how many runs."""
    name = (measure.operation, measure.metric)
    return Counter(
        note["note"]
        for run in group.runs
        for note in run.notes
        if (note["operation"], note["metric"]) == name
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
    """What was requested where the groups allow it, else bars; lines by themselves along a number."""
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
    best = _values(ordered[0])
    as_good = [row for row in ordered if row is ordered[0] or no_difference(_values(row), best)]
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


def _values(row: Row) -> list[float]:
    return [one.value for one in row.values]


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
    share = ratio(_values(worst), _values(base or best))
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
    """What tools printed for groups that have no value at all."""
    silent: dict[str, list[Row]] = {}
    for row in rows:
        if not row.values:
            for one in row.notes:
                silent.setdefault(one.note, []).append(row)
    for note, without in silent.items():
        yield _("%(names)s: %(note)s.") % {"names": _names(without), "note": _(note)}
