"""A comparison as its templates show it; the compare page and the pages of studies share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.pages.over_time_figures import OverTimeFigure, over_time_figure
from benchdash.pages.percentile_figures import PercentileFigure, percentile_figure
from benchdash.results.comparison import Comparison, compare, study_queries
from benchdash.results.comparison.answer import figure_answer
from benchdash.results.comparison.figures import Figure
from benchdash.results.comparison.likeness import Crossing, Held
from benchdash.results.comparison.tables import Table, table
from benchdash.results.criteria import read_query
from benchdash.results.models import Study
from benchdash.results.parameters import HELD, MeasureName
from benchdash.results.words import factor_title, held_title
from benchdash.vocabulary.measures import METRICS

_WIDE = ("against", "lines")


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A table, the data of the chart beside it, and the name of the module that draws it."""

    table: Table
    data: dict[str, Any]
    chart: str

    @property
    def is_wide(self) -> bool:
        """True for charts whose height does not follow their rows."""
        return self.chart in _WIDE

    @property
    def drawn_rows(self) -> range:
        """One for each bar, or for each row of a heat map; none in a wide chart."""
        if self.is_wide:
            return range(0)
        if self.chart == "heat":
            return range(len({row["at"][0]["text"] for row in self.data["rows"]}))
        return range(len(self.table.lines))


@dataclass(frozen=True, slots=True)
class ShownSection:
    """Figures over runs that are alike."""

    apart: tuple[Held, ...]
    crossings: tuple[Crossing, ...]
    figures: tuple[ShownFigure, ...]
    percentiles: tuple[PercentileFigure, ...]
    over_time: tuple[OverTimeFigure, ...]

    @property
    def sentences(self) -> list[str]:
        """The figures in words."""
        return [figure.data["sentence"] for figure in self.figures if figure.data["sentence"]]


def shown(comparison: Comparison, user: User | AnonymousUser) -> dict[str, Any]:
    """The context of `compare/sections.html`."""
    criteria = comparison.criteria
    binary = criteria.shows_binary(getattr(user, "binary_units", False))
    baseline = next((g for g in comparison.groups if g.key == comparison.baseline), None)
    sections = [
        ShownSection(
            section.apart,
            section.crossings,
            tuple(_figure(figure, comparison, binary=binary) for figure in section.figures),
            tuple(percentile_figure(curves, criteria.axis) for curves in section.curves),
            tuple(over_time_figure(one, criteria.axis, binary=binary) for one in section.over_time),
        )
        for section in comparison.sections
    ]
    return {
        "comparison": comparison,
        "sections": sections,
        "has_curves": any(section.percentiles for section in sections),
        "has_courses": any(section.over_time for section in sections),
        "baseline": baseline,
        "kept_apart": _kept_apart(comparison),
        "difference_rows": _difference_rows(comparison),
        "undrawn": _undrawn(comparison, sections),
    }


def _undrawn(comparison: Comparison, sections: Sequence[ShownSection]) -> list[str]:
    """What was asked for and the groups do not allow, with what it needs."""
    criteria = comparison.criteria
    drawn = {figure.chart for section in sections for figure in section.figures}
    if not drawn or "against" in drawn:  # which is lines
        return []
    asked = {criteria.chart} - drawn
    if criteria.percent and not comparison.baseline:
        asked.add("percent")
    return [words for name, words in _needs().items() if name in asked]


def _needs() -> dict[str, str]:
    return {
        "lines": _("Lines need a factor to group by that is a number, of three values or more."),
        "heat": _("A heat map needs two factors to group by."),
        "change": _("The change needs a baseline to be held against."),
        "percent": _("Percent needs a baseline; without one the values themselves are drawn."),
    }


def study_comparisons(study: Study, user: User | AnonymousUser) -> list[dict[str, Any]]:
    """What a study's page compares, chart by chart; a stored address that no longer reads is said."""
    found: list[dict[str, Any]] = []
    for query in study_queries(study):
        try:
            found.append(shown(compare(read_query(query)), user))
        except Refused as refused:
            found.append({"refused": refused, "query": query})
    return found


def _figure(figure: Figure, comparison: Comparison, *, binary: bool) -> ShownFigure:
    lines = table(figure, baseline=comparison.baseline, binary=binary)
    percent = comparison.criteria.percent and lines.has_baseline
    data = figure_answer(figure, comparison.baseline, binary=binary)
    along = None if figure.along is None else comparison.factors[figure.along]
    data |= _words(figure, lines, percent=percent) | {
        "baseline": comparison.baseline,
        "at_titles": [factor_title(factor) for factor in comparison.factors],
        "along_title": factor_title(along) if along else "",
        "rate_title": axis_words(figure.measure, lines),
        "colours_title": _("Times the baseline")
        if lines.has_baseline
        else _("Times the middle value"),
    }
    _say_rows(data, figure, lines, percent=percent)
    if figure.latency and lines.latency:
        title = axis_words(figure.latency.measure, lines.latency)
        data["latency"] |= {"baseline": None, "percent": False, "axis_title": title}
    against = figure.latency and comparison.criteria.latency == "against"
    return ShownFigure(lines, data, "against" if against else figure.chart)


def _words(figure: Figure, lines: Table, *, percent: bool) -> dict[str, Any]:
    return {"percent": percent, "axis_title": _axis_title(figure, lines, percent=percent)}


def _say_rows(data: dict[str, Any], figure: Figure, lines: Table, *, percent: bool) -> None:
    for row, line in zip(data["rows"], lines.lines, strict=True):
        row["remark"] = ", ".join(line.remarks)
        if figure.chart == "change":
            row["text"] = line.change
        else:
            row["text"] = f"{line.percent} %" if percent and line.percent else line.median


def axis_words(measure: MeasureName, lines: Table) -> str:
    """What an axis has and in which unit, where two quantities stand beside each other."""
    title, unit = _(METRICS[measure.metric].title), lines.unit.name
    return unit if unit.endswith(title) else f"{title} {unit}".strip()


def _axis_title(figure: Figure, lines: Table, *, percent: bool) -> str:
    if figure.chart == "change":
        return _("Δ % against the baseline")
    if percent:
        return _("% of the baseline")
    return axis_words(figure.measure, lines) if figure.latency else lines.unit.name


def _kept_apart(comparison: Comparison) -> list[dict[str, str]]:
    """The axes that set sections off from each other, each with the address that crosses it."""
    across = comparison.criteria.across
    apart = [held for section in comparison.sections for held in section.apart]
    names = dict.fromkeys(held.name for held in apart if held.name in HELD)
    return [
        {
            "title": held_title(name),
            "values": ", ".join(_values(comparison, name)),
            "query": comparison.criteria.changed(across=(*across, name)).query(),
        }
        for name in names
    ]


def _difference_rows(comparison: Comparison) -> list[tuple[str, list[tuple[str, str]]]]:
    """A line for each group: its label, and title and text of each difference."""
    return [
        (group.label, [(line.title, line.texts[place]) for line in comparison.differences])
        for place, group in enumerate(comparison.groups)
    ]


def _values(comparison: Comparison, name: str) -> dict[str, None]:
    every = (held for section in comparison.sections for held in section.apart)
    return dict.fromkeys(held.text for held in every if held.name == name)
