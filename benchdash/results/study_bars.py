"""The one chart that a study's card has room for: its conditions by what differs most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10
from typing import Any

from benchdash.analysis.scales import spans_decades
from benchdash.analysis.summary import summarise
from benchdash.errors import Refused
from benchdash.results.card_runs import CardRun, headline_values, newest_runs
from benchdash.results.comparison.compare import study_charts
from benchdash.results.comparison.measured import first_family_of
from benchdash.results.comparison.tables import swatch, unit_for
from benchdash.results.criteria import Criteria
from benchdash.results.models import Condition, Study
from benchdash.results.parameters import HELD, MeasureName
from benchdash.results.words import held_text, held_title, label_text, measure_title
from benchdash.vocabulary.measures import METRICS

MOST_BARS = 8


@dataclass(frozen=True, slots=True)
class CardBar:
    """One condition; `length` is in percent of the longest, `swatch` has the classes of its colour."""

    label: str
    swatch: str
    text: str
    length: float


@dataclass(frozen=True, slots=True)
class CardChart:
    """The bars that fit, best first where not all do; `groups` counts all.

    `held` says which of several workloads they are of.
    """

    title: str
    held: str
    unit: str
    is_log: bool
    bars: tuple[CardBar, ...]
    groups: int


@dataclass(frozen=True, slots=True)
class _Group:
    label: str
    slot: int
    values: list[float]


def card_charts(studies: Sequence[Study], conditions: Sequence[Condition]) -> dict[int, CardChart]:
    """By id of a study its chart, where it has numbers; two queries for all of them."""
    runs = newest_runs(studies)
    values = headline_values(run.id for run in runs)
    charts = {}
    for study in studies:
        own = [run for run in runs if run.study == study.pk]
        told = [one for one in conditions if one.study_id == study.pk]
        chart = _chart(study, own, told, values)
        if chart:
            charts[study.pk] = chart
    return charts


def _chart(
    study: Study,
    runs: Sequence[CardRun],
    conditions: Sequence[Condition],
    values: dict[int, dict[MeasureName, float]],
) -> CardChart | None:
    asked = _asked(study)
    measured = [run for run in runs if run.id in values]
    held = _apart(measured, asked)
    like = _most_alike(measured, held)
    there = dict.fromkeys(name for run in like for name in values[run.id])
    candidates = {
        name: _groups(like, conditions, study, name, values) for name in _wanted(list(there), asked)
    }
    if not candidates:
        return None
    name = max(candidates, key=lambda one: _tells(candidates[one]))
    words = (
        f"{held_title(HELD[place])} {held_text(HELD[place], like[0].told[place])}" for place in held
    )
    return _drawn(name, ", ".join(words), candidates[name])


def _asked(study: Study) -> Criteria:
    """What the study's own first chart shows; nothing where its address no longer reads."""
    try:
        return study_charts(study)[0]
    except Refused:
        return Criteria()


def _apart(runs: Sequence[CardRun], asked: Criteria) -> list[int]:
    """The places, among what tools were told, in which runs differ that shall be alike."""
    return [
        place
        for place, name in enumerate(HELD)
        if name not in asked.across and len({run.told[place] for run in runs}) > 1
    ]


def _most_alike(runs: Sequence[CardRun], held: Sequence[int]) -> list[CardRun]:
    """The runs of the workload that most configurations were measured with."""
    parts: dict[tuple[Any, ...], list[CardRun]] = {}
    for run in runs:
        parts.setdefault(tuple(run.told[place] for place in held), []).append(run)
    return max(
        parts.values(),
        key=lambda part: len({(run.configuration, run.environment) for run in part}),
        default=[],
    )


def _wanted(there: Sequence[MeasureName], asked: Criteria) -> list[MeasureName]:
    chosen = [name for name in asked.measures if name in there]
    if chosen:
        return chosen
    families = asked.families or first_family_of(METRICS[name.metric].family for name in there)
    return [name for name in there if METRICS[name.metric].family in families[:1]]


def _groups(
    runs: Sequence[CardRun],
    conditions: Sequence[Condition],
    study: Study,
    name: MeasureName,
    values: dict[int, dict[MeasureName, float]],
) -> list[_Group]:
    found: dict[Any, _Group] = {}
    others = sorted({run.configuration for run in runs if _place(run, conditions) is None})
    for run in runs:
        if name not in values[run.id]:
            continue
        place = _place(run, conditions)
        key = run.configuration if place is None else ("condition", place)
        if key not in found:
            label = run.name if place is None else label_text(conditions[place].label, study)
            slot = len(conditions) + others.index(run.configuration) if place is None else place
            found[key] = _Group(label or run.name, slot, [])
        found[key].values.append(values[run.id][name])
    return sorted(found.values(), key=lambda group: group.slot)


def _place(run: CardRun, conditions: Sequence[Condition]) -> int | None:
    fitting = [
        (one.environment_id is None, place)
        for place, one in enumerate(conditions)
        if one.configuration_id == run.configuration
        and one.environment_id in (None, run.environment)
    ]
    return min(fitting)[1] if fitting else None


def _medians(groups: Sequence[_Group]) -> list[float]:
    summaries = (summarise(group.values) for group in groups)
    return [summary.median for summary in summaries if summary]


def _tells(groups: Sequence[_Group]) -> tuple[int, float]:
    """In how many conditions it was measured, and how far they are apart."""
    medians = _medians(groups)
    return len(medians), max(medians) / min(medians) if min(medians) > 0 else 0.0


def _drawn(name: MeasureName, held: str, groups: Sequence[_Group]) -> CardChart:
    medians = _medians(groups)
    metric = METRICS[name.metric]
    is_log = spans_decades(medians)
    unit = unit_for(metric, medians, "log" if is_log else "linear")
    rows = list(zip(groups, medians, strict=True))
    if len(rows) > MOST_BARS:
        highest_first = metric.higher_is_better is not False
        rows = sorted(rows, key=lambda row: row[1], reverse=highest_first)[:MOST_BARS]
    bars = (
        CardBar(
            label=group.label,
            swatch=swatch(group.slot),
            text=unit.text(median),
            length=_length(median, medians, is_log=is_log),
        )
        for group, median in rows
    )
    title = measure_title(name)
    return CardChart(title, held, unit.name, is_log, tuple(bars), len(groups))


def _length(median: float, medians: Sequence[float], *, is_log: bool) -> float:
    """From zero; on a log axis from a tenth of the smallest."""
    most = max(medians)
    if not most:
        return 0.0
    if not is_log:
        return round(100 * median / most, 2)
    floor = log10(min(medians)) - 1
    return round(100 * (log10(median) - floor) / (log10(most) - floor), 2)
