"""A comparison as its templates show it; the compare page, links and the pages of studies share it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.pages.charts import chart_figure, data_script
from benchdash.pages.curve_figures import (
    OverTimeFigure,
    PercentileFigure,
    over_time_figure,
    percentile_figure,
)
from benchdash.pages.order_picture import OrderPicture, order_picture
from benchdash.pages.stack_drawing import differing
from benchdash.results.comparison import compare, study_queries
from benchdash.results.comparison.compare import ShownComparison
from benchdash.results.comparison.sentences import delta_text
from benchdash.results.comparison.tables import Table, table
from benchdash.results.comparison.view import ComparisonView, Figure, Section
from benchdash.results.criteria import read_query
from benchdash.results.models import Study
from benchdash.results.parameters import held_factor
from benchdash.results.titles import factor_title

_WIDE = ("against", "lines")
# more drawings of stacks help nobody
_MOST_STACKS = 12


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A table, the data of the chart beside it, and the name of the module that draws it."""

    view: Figure
    table: Table
    data: SafeString
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
            return range(len({row.at[0].text for row in self.view.rows}))
        return range(len(self.view.rows))


@dataclass(frozen=True, slots=True)
class ShownSection:
    """Figures over runs that are alike."""

    view: Section
    order: OrderPicture | None
    figures: tuple[ShownFigure, ...]
    percentiles: tuple[PercentileFigure, ...]
    over_time: tuple[OverTimeFigure, ...]

    @property
    def has_sentences(self) -> bool:
        """Whether a figure can be put in words."""
        return any(figure.sentence for figure in self.view.figures)


def shown(comparison: ShownComparison) -> dict[str, Any]:
    """The context of `compare/sections.html`."""
    view = comparison.view
    sections = [_section(section, comparison) for section in view.sections]
    return {
        "comparison": comparison,
        "sections": sections,
        "has_curves": any(section.percentiles for section in sections),
        "has_traces": any(section.over_time for section in sections),
        "kept_apart": _kept_apart(comparison),
        "difference_rows": _difference_rows(view),
        "undrawn": _undrawn(comparison, sections),
        "delta": delta_text(view.delta),
    }


def stacks_of(configurations: Collection[int | None]) -> dict[str, Any]:
    """The context of `compare/stacks.html`: the stacks, and what differs between them; one query."""
    ids = {pk for pk in configurations if pk is not None}
    if not 1 < len(ids) <= _MOST_STACKS:
        return {}
    stacks = list(Configuration.objects.filter(pk__in=ids).select_related("stack"))
    trees = [configuration.stack.tree for configuration in stacks]
    return {"stacks": stacks, "differing": differing(trees)}


def study_comparisons(study: Study, user: User | AnonymousUser) -> list[dict[str, Any]]:
    """What a study's page compares, chart by chart; with why where a stored address no longer reads."""
    binary = getattr(user, "binary_units", False)
    found: list[dict[str, Any]] = []
    for query in study_queries(study):
        try:
            found.append(shown(compare(read_query(query), binary=binary)))
        except Refused as refused:
            found.append({"refused": refused, "query": query})
    return found


def _section(section: Section, comparison: ShownComparison) -> ShownSection:
    axis = comparison.criteria.axis
    return ShownSection(
        section,
        order_picture(section.order, comparison.view.groups),
        tuple(_figure(figure, comparison) for figure in section.figures),
        tuple(percentile_figure(curves, axis) for curves in section.percentiles),
        tuple(over_time_figure(one, axis, binary=comparison.binary) for one in section.over_time),
    )


def _figure(figure: Figure, comparison: ShownComparison) -> ShownFigure:
    criteria, baseline = comparison.criteria, comparison.view.baseline
    lines = table(figure, baseline)
    chart = chart_figure(figure, lines, criteria, comparison.factors, baseline)
    against = figure.latency is not None and criteria.latency == "against"
    name = "against" if against else figure.chart
    return ShownFigure(figure, lines, data_script(chart), name)


def _undrawn(comparison: ShownComparison, sections: Sequence[ShownSection]) -> list[str]:
    """What was asked for and the groups do not allow, with what it needs."""
    criteria = comparison.criteria
    drawn = {figure.chart for section in sections for figure in section.figures}
    if not drawn or "against" in drawn:  # which is lines
        return []
    missing = {criteria.chart} - drawn
    if criteria.percent and not comparison.view.baseline:
        missing.add("percent")
    return [words for name, words in _needs().items() if name in missing]


def _needs() -> dict[str, str]:
    return {
        "lines": _("Lines need a factor to group by that is a number, of three values or more."),
        "heat": _("A heat map needs two factors to group by."),
        "change": _("The change needs a baseline to be held against."),
        "percent": _("Percent needs a baseline; without one the values themselves are drawn."),
    }


def _kept_apart(comparison: ShownComparison) -> list[dict[str, str]]:
    """The axes that set sections off from each other, each with the address that crosses it."""
    across = comparison.criteria.across
    apart = [one for section in comparison.view.sections for one in section.differs_by]
    # what the figures were split by is no axis that is held equal
    names = dict.fromkeys(one.name for one in apart if one.name != str(comparison.criteria.facet))
    return [
        {
            "title": factor_title(held_factor(name)),
            "values": ", ".join(dict.fromkeys(one.text for one in apart if one.name == name)),
            "query": comparison.criteria.changed(across=(*across, name)).query(),
        }
        for name in names
    ]


def _difference_rows(view: ComparisonView) -> list[tuple[str, list[tuple[str, str]]]]:
    """A line for each group: its label, and title and text of each difference."""
    return [
        (group.label, [(line.title, line.texts[place]) for line in view.differences])
        for place, group in enumerate(view.groups)
    ]
