"""A comparison as its templates show it; the compare page, links and the pages of studies share it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.pages.charts import ChartFigure, ChartRow, chart_figure, data_script
from benchdash.pages.curve_figures import (
    OverTimeFigure,
    PercentileFigure,
    over_time_figure,
    percentile_figure,
)
from benchdash.pages.differing import Unlike, differing_of
from benchdash.pages.line_colours import in_colours_of_lines, slots_of_lines
from benchdash.pages.matrix_figures import shown_matrix
from benchdash.pages.order_picture import OrderPicture, order_picture
from benchdash.pages.overview import shown_overview
from benchdash.pages.stack_drawing import differing
from benchdash.results.comparison import study_queries
from benchdash.results.comparison.compare import ShownComparison, compare_together
from benchdash.results.comparison.figures import unit_for
from benchdash.results.comparison.groups import CONFIGURATION
from benchdash.results.comparison.sentences import (
    delta_text,
    pooled_words,
    single_words,
    unrecorded_words,
)
from benchdash.results.comparison.tables import (
    LISTED_RUNS,
    SectionTable,
    Table,
    section_table,
)
from benchdash.results.comparison.view import Figure, Section
from benchdash.results.comparison.view_curves import OverTime
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.models import Study
from benchdash.results.parameters import CLOCKS, HELD, held_factor
from benchdash.results.titles import factor_title, metric_title
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.prefixes import ShownUnit, unit_beside

_WIDE = ("against", "lines")
# Latin letters beside a bar, of three charts side by side
_LINE = 22
# more drawings of stacks help nobody
_MOST_STACKS = 12
MOST_SECTIONS = 12


@dataclass(frozen=True, slots=True)
class ShownPart:
    """A chart of the figure: its title, alone and with the measure's, and an element for each row."""

    title: str
    whole_title: str
    drawn_rows: range


@dataclass(frozen=True, slots=True)
class ShownFigure:
    """A column of the table, the data of its chart, and the name of the module that draws it.

    `unit` is that of its axis, "" where the axis says itself that it has percentages. One of three
    factors is several charts on one axis, its `parts`; else it is one.
    """

    view: Figure
    table: Table
    data: SafeString
    unit: str
    chart: str
    has_colours: bool
    has_long_labels: bool
    parts: tuple[ShownPart, ...]

    @property
    def beside(self) -> str:
        """What its second plot shows, and in which unit; empty without one."""
        latency = self.view.latency
        if latency is None:
            return ""
        title = metric_title(MeasureName(*latency.measure.split(".", 2)))
        return f"{title} {unit_beside(title, latency.shown.name)}".rstrip()

    @property
    def is_wide(self) -> bool:
        """True for charts whose height does not follow their rows."""
        return self.chart in _WIDE


@dataclass(frozen=True, slots=True)
class Likeness:
    """The addresses of both ways to look at runs that differ in what was measured."""

    is_alike: bool
    alike: str
    together: str


@dataclass(frozen=True, slots=True)
class ShownSection:
    """Figures over runs that are alike."""

    view: Section
    table: SectionTable
    order: OrderPicture | None
    figures: tuple[ShownFigure, ...]
    percentiles: tuple[PercentileFigure, ...]
    over_time: tuple[OverTimeFigure, ...]

    @property
    def is_one_group(self) -> bool:
        """Whether no figure has a second group: then a line says as much as a chart."""
        return all(len(figure.view.rows) == 1 for figure in self.figures)

    @property
    def drawn(self) -> list[ShownFigure]:
        """The figures with a number beside something: what one group alone has, the table says."""
        return [
            one
            for one in self.figures
            if any(row.values for row in one.view.rows)
            and sum(bool(row.values or row.notes) for row in one.view.rows) > 1
        ]

    @property
    def undrawn(self) -> int:
        """How many figures with numbers are in the table alone."""
        with_numbers = (any(row.values for row in one.view.rows) for one in self.figures)
        return sum(with_numbers) - len(self.drawn)

    @property
    def has_swatches(self) -> bool:
        """Whether a colour stands for a group here: where groups have labels, none does.

        Nor where colours of bars stand for a factor. Curves below the table have one of their own.
        """
        unnamed = self.order is not None and any(not lane.label for lane in self.order.lanes)
        of_factors = any(figure.has_colours for figure in self.figures)
        of_lines = slots_of_lines(figure.view for figure in self.figures)
        return bool(of_lines) or (unnamed and not of_factors)

    @property
    def sentences(self) -> list[str]:
        """The figures in words, where they can be put so: first those that may say what is best."""
        figures = sorted(self.view.figures, key=lambda one: not one.primary)
        return [figure.sentence for figure in figures if figure.sentence]


def comparison_context(
    comparison: ShownComparison, *, again: bool = False, is_permalink: bool = False
) -> dict[str, Any]:
    """The context of `compare/sections.html`; `again` below another comparison, without what all share.

    That of a permalink stands still: it asks for nothing that was measured or read later.
    """
    view = in_colours_of_lines(comparison.view)
    comparison = replace(comparison, view=view)
    # of more charts than anyone looks at, the overview says more, and leads to those of each part
    too_many = len(view.sections) > MOST_SECTIONS and (again or view.overview is not None)
    drawn = () if too_many else view.sections
    sections = [_section(section, comparison, is_permalink=is_permalink) for section in drawn]
    unlike = _unlike(comparison)
    return {
        "comparison": comparison,
        "again": again,
        "sections": sections,
        "further": list(_addresses(comparison)) if too_many else [],
        "has_curves": any(section.percentiles for section in sections),
        "has_traces": any(section.over_time for section in sections),
        "has_charts": any(one.drawn for one in sections if not one.is_one_group),
        "has_dots": any(one.chart == "dots" for section in sections for one in section.figures),
        "likeness": _likeness(comparison) if unlike and not again else None,
        "besides": None if again else differing_of(comparison, unlike),
        "overview": None if again else shown_overview(view, comparison.criteria),
        "matrices": [] if again else [shown_matrix(matrix) for matrix in view.matrices],
        "undrawn": _undrawn(comparison, sections),
        "single_words": single_words(view),
        # whoever treats runs as repeats knows what they hold
        "unrecorded_words": ""
        if comparison.criteria.group == (CONFIGURATION,)
        else unrecorded_words(view),
        "pooled_words": "" if again else pooled_words(view),
        # a permalink stands still
        "by_configuration": ""
        if is_permalink
        else comparison.criteria.changed(group=(CONFIGURATION,)).query(),
        "as_repeats": "" if is_permalink else _as_repeats(comparison),
        "delta": delta_text(view.delta),
        "clocks": {name: comparison.criteria.changed(clock=name).query() for name in CLOCKS},
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
    queries = study_queries(study)
    found: list[dict[str, Any]] = []
    together = compare_together(queries, binary=binary, known=[study])
    for query, one in zip(queries, together, strict=True):
        if isinstance(one, Refused):
            found.append({"refused": one, "query": query})
        else:
            again = any("comparison" in earlier for earlier in found)
            found.append(comparison_context(one, again=again))
    return found


def _section(section: Section, comparison: ShownComparison, *, is_permalink: bool) -> ShownSection:
    axis, clock = comparison.criteria.axis, comparison.criteria.clock
    slots = {group.key: group.slot for group in comparison.view.groups}
    shown = section_table(section, slots, comparison.view.baseline)
    columns = {column.figure.measure: column for column in shown.columns}
    figures = [_figure(figure, columns[figure.measure], comparison) for figure in section.figures]
    # what a chart has under its axis needs no chart of its own
    below = {
        figure.view.latency.measure
        for figure in figures
        if figure.chart == "lines" and figure.view.latency and not comparison.criteria.percent
    }
    return ShownSection(
        section,
        shown,
        order_picture(section.order, comparison.view.groups),
        tuple(figure for figure in figures if figure.view.measure not in below),
        tuple(percentile_figure(curves, axis) for curves in section.percentiles),
        tuple(
            over_time_figure(
                one,
                axis,
                clock,
                unit=_unit_over_time(one, section, binary=comparison.binary),
                is_permalink=is_permalink,
            )
            for one in section.over_time
        ),
    )


def _unit_over_time(one: OverTime, section: Section, *, binary: bool) -> ShownUnit:
    """That of the figure of the same measure: a number has one unit on a page, and in a permalink."""
    of_measure = f"{one.operation}.{one.metric}."
    for figure in section.figures:
        if figure.measure.startswith(of_measure):
            return figure.shown
    means = [line.mean for line in one.lines]
    return unit_for(METRICS[one.metric], means, "linear", binary=binary)


def _figure(figure: Figure, lines: Table, comparison: ShownComparison) -> ShownFigure:
    """`lines` are its column of the section's table."""
    criteria, view = comparison.criteria, comparison.view
    chart = chart_figure(figure, lines, criteria, comparison.factors, view)
    name: str = figure.chart
    if figure.latency and criteria.latency == "against":
        name = "against"
    elif figure.chart == "bars" and figure.axis == "log":
        # the length of a bar means nothing where the axis has no zero
        name = "dots"
    parts = tuple(
        ShownPart(title, f"{figure.title} · {title}", _drawn_rows(name, chart, number))
        for number, title in enumerate(chart.parts or [""])
    )
    is_long = any(map(_needs_three_lines, chart.rows))
    return ShownFigure(
        view=figure,
        table=lines,
        data=data_script(chart),
        unit=""
        if chart.percent or figure.chart == "change"
        else unit_beside(figure.title, figure.shown.name),
        chart=name,
        has_colours=bool(chart.colours),
        has_long_labels=is_long,
        parts=parts,
    )


def _drawn_rows(kind: str, chart: ChartFigure, part: int) -> range:
    """One for each bar of a part, or for each row of a heat map; none in a wide chart."""
    if kind in _WIDE:
        return range(0)
    if kind == "heat":
        return range(len({row.at[chart.drawn_factors[0]].text for row in chart.rows}))
    return range(sum(row.part == part for row in chart.rows))


def _needs_three_lines(row: ChartRow) -> bool:
    """Whether its name does beside its bar; Japanese letters are twice as wide, and break anywhere."""
    wide = sum(letter > "\u2e7f" for letter in row.name)
    if wide:
        return len(row.name) + wide > 2 * _LINE
    return len(row.name) > _LINE and len(wrap(row.name, _LINE)) > 2


def _as_repeats(comparison: ShownComparison) -> str:
    """The query of runs that differ in nothing as one group; "" where nobody set them apart for that."""
    is_one_each = comparison.view.group == ("run",) and len(comparison.view.groups) > 1
    if comparison.criteria.group or not is_one_each:
        return ""
    return comparison.criteria.changed(group=(CONFIGURATION,)).query()


def _undrawn(comparison: ShownComparison, sections: Sequence[ShownSection]) -> list[str]:
    """What the address has and the groups do not allow, with what it needs."""
    criteria = comparison.criteria
    drawn = {figure.view.chart for section in sections for figure in section.figures}
    if not drawn:
        return []
    missing = {criteria.chart} - drawn
    if criteria.percent and not comparison.view.baseline:
        missing.add("percent")
    return [words for name, words in _needs().items() if name in missing]


def _needs() -> dict[str, str]:
    return {
        "lines": _("Lines need a numeric factor to group by, with three or more values."),
        "heat": _("A heat map needs two factors to group by."),
        "change": _("A change needs a baseline to compare with."),
        "percent": _("Percent needs a baseline; without one the values themselves are drawn."),
    }


def _likeness(comparison: ShownComparison) -> Likeness:
    criteria = comparison.criteria
    return Likeness(
        is_alike=comparison.view.like,
        alike=criteria.changed(like="1").query(),
        together=criteria.changed(like="0").query(),
    )


def _unlike(comparison: ShownComparison) -> dict[str, Unlike]:
    """By factor in what the runs' workloads differ."""
    criteria, view = comparison.criteria, comparison.view
    found: dict[str, Unlike] = {}
    for one in (one for section in view.sections for one in section.differs_by):
        # what the figures were split by is no axis that is held equal
        if one.name != str(criteria.facet):
            own = found.setdefault(str(held_factor(one.name)), Unlike(one.title, {}))
            own.texts[one.text] = None
    for mixed in (one for section in view.sections for one in section.mixed):
        own = found.setdefault(str(held_factor(mixed.name)), Unlike(mixed.title, {}))
        own.texts.update((one.text, None) for one in mixed.values)
    for place, factor in enumerate(comparison.factors):
        if not view.like and factor not in criteria.group and _is_held(factor):
            rows = (row for section in view.sections for own in section.figures for row in own.rows)
            texts = dict.fromkeys(row.at[place].text for row in rows)
            found[str(factor)] = Unlike(factor_title(factor), texts)
    return found


def _is_held(factor: Factor) -> bool:
    return factor in HELD.values() or factor.kind == "setting"


def _addresses(comparison: ShownComparison) -> Iterator[tuple[str, str]]:
    """What each section is of, and the query string of its runs alone where that is not too long."""
    for section in comparison.view.sections:
        runs = {one.run for own in section.figures for row in own.rows for one in row.values}
        words = " · ".join(f"{one.title} {one.text}" for one in section.differs_by)
        view = {name: getattr(comparison.criteria, name) for name in ("measures", "families")}
        short = 0 < len(runs) <= LISTED_RUNS
        yield words, Criteria(runs=tuple(sorted(runs)), **view).query() if short else ""
