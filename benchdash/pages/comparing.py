"""A comparison as its templates show it; the compare page, links and the pages of studies share it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
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
from benchdash.pages.overview import shown_overview
from benchdash.pages.stack_drawing import differing
from benchdash.results.comparison import compare, study_queries
from benchdash.results.comparison.compare import ShownComparison
from benchdash.results.comparison.sentences import delta_text
from benchdash.results.comparison.tables import LISTED_RUNS, Table, table
from benchdash.results.comparison.view import ComparisonView, Figure, Section
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.factors import Factor
from benchdash.results.models import Study
from benchdash.results.parameters import HELD, held_factor
from benchdash.results.titles import factor_title

_WIDE = ("against", "lines")
# more drawings of stacks help nobody
_MOST_STACKS = 12
MOST_SECTIONS = 12


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
class Likeness:
    """The addresses of both ways to look at unlike runs, and what they differ in."""

    is_alike: bool
    alike: str
    together: str
    differing: list[tuple[str, str]]

    @property
    def titles(self) -> str:
        return ", ".join(title for title, _values in self.differing)


@dataclass(frozen=True, slots=True)
class ShownSection:
    """Figures over runs that are alike."""

    view: Section
    order: OrderPicture | None
    figures: tuple[ShownFigure, ...]
    percentiles: tuple[PercentileFigure, ...]
    over_time: tuple[OverTimeFigure, ...]

    @property
    def is_one_group(self) -> bool:
        """Whether no figure has a second group: then a line says as much as a chart."""
        return all(len(figure.view.rows) == 1 for figure in self.figures)

    @property
    def has_sentences(self) -> bool:
        """Whether a figure can be put in words."""
        return any(figure.sentence for figure in self.view.figures)


def shown(comparison: ShownComparison) -> dict[str, Any]:
    """The context of `compare/sections.html`."""
    view = comparison.view
    # of more charts than anyone looks at, the overview says more, and leads to those of each part
    too_many = len(view.sections) > MOST_SECTIONS and view.overview is not None
    drawn = () if too_many else view.sections
    sections = [_section(section, comparison) for section in drawn]
    return {
        "comparison": comparison,
        "sections": sections,
        "further": list(_addresses(comparison)) if too_many else [],
        "has_curves": any(section.percentiles for section in sections),
        "has_traces": any(section.over_time for section in sections),
        "likeness": _likeness(comparison),
        "overview": shown_overview(view),
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


def _likeness(comparison: ShownComparison) -> Likeness | None:
    """How runs differ in what was measured, and both ways to look at them; None where they do not."""
    criteria, view = comparison.criteria, comparison.view
    values: dict[str, dict[str, None]] = {}
    for one in (one for section in view.sections for one in section.differs_by):
        # what the figures were split by is no axis that is held equal
        if one.name != str(criteria.facet):
            values.setdefault(factor_title(held_factor(one.name)), {})[one.text] = None
    for mixed in (one for section in view.sections for one in section.mixed):
        values.setdefault(mixed.title, {}).update((one.text, None) for one in mixed.values)
    for place, factor in enumerate(comparison.factors):
        if not view.like and factor not in criteria.group and _is_held(factor):
            rows = (row for section in view.sections for own in section.figures for row in own.rows)
            values[factor_title(factor)] = dict.fromkeys(row.at[place].text for row in rows)
    if not values:
        return None
    return Likeness(
        is_alike=view.like,
        alike=criteria.changed(like="1").query(),
        together=criteria.changed(like="0").query(),
        differing=[(title, ", ".join(texts)) for title, texts in values.items()],
    )


def _is_held(factor: Factor) -> bool:
    return factor in HELD.values() or factor.kind == "setting"


def _addresses(comparison: ShownComparison) -> Iterator[tuple[str, str]]:
    """What each section is of, and the query string of its runs alone where that is not too long."""
    for section in comparison.view.sections:
        runs = {one.run for own in section.figures for row in own.rows for one in row.values}
        words = " · ".join(f"{one.title} {one.text}" for one in section.differs_by)
        kept = {name: getattr(comparison.criteria, name) for name in ("measures", "families")}
        short = 0 < len(runs) <= LISTED_RUNS
        yield words, Criteria(runs=tuple(sorted(runs)), **kept).query() if short else ""


def _difference_rows(view: ComparisonView) -> list[tuple[str, list[tuple[str, str]]]]:
    """A line for each group: its label, and title and text of each difference."""
    return [
        (group.label, [(line.title, line.texts[place]) for line in view.differences])
        for place, group in enumerate(view.groups)
    ]
