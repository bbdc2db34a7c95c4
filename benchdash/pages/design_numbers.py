"""The table of all numbers of a comparison, on the page of components: an example of each cell."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from msgspec.structs import replace

from benchdash.analysis.summary import Interval, Kind
from benchdash.analysis.verdicts import Word
from benchdash.pages.comparison_context import ShownSection
from benchdash.results.comparison.figures import unit_for
from benchdash.results.comparison.tables import section_table
from benchdash.results.comparison.view import Figure, Note, Row, RunValue, Section
from benchdash.results.comparison.view_order import Order
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName


def numbers_example() -> dict[str, Any]:
    """The context of compare/numbers.html: a baseline, and two groups held against it."""
    local = _("local disk")
    figures = (
        _figure(
            MeasureName("seq_write", "throughput", "mean"),
            _row(local, 91.4e6, 8),
            _row("DRBD C", 32.4e6, 8, ratio=0.354),
            _row("GFS2", 29.1e6, 3, ratio=0.318, doubted=1),
        ),
        _figure(
            MeasureName("seq_create", "rate", "mean"),
            _row(local, 75_970, 8),
            _row("DRBD C", None, 8),
            _row("GFS2", 122, 3, ratio=0.0016, doubted=1),
        ),
    )
    section = Section((), (), Order("unknown", None, "", ()), figures, (), ())
    table = section_table(section, {row.group: row.slot for row in figures[0].rows}, local)
    shown = ShownSection(section, table, None, (), (), ())
    return {"section": shown, "chart_number": "example", "place": 1}


def _figure(measure: MeasureName, *rows: Row) -> Figure:
    metric = METRICS[measure.metric]
    medians = [row.median for row in rows if row.median is not None]
    return Figure(
        measure=str(measure),
        title=measure_title(measure),
        family=metric.family,
        unit=metric.unit,
        shown=unit_for(metric, medians, "linear", binary=False),
        higher_is_better=metric.higher_is_better,
        axis="linear",
        chart="bars",
        along=None,
        sentence="",
        primary=True,
        winners=(),
        rows=tuple(replace(row, slot=slot) for slot, row in enumerate(rows)),
        latency=None,
    )


def _row(
    label: str,
    median: float | None,
    n: int,
    *,
    ratio: float | None = None,
    doubted: int = 0,
) -> Row:
    """None is what the tool called too fast; the interval is 3 % wide on both sides."""
    interval = (
        Interval(0.97 * median, 1.03 * median, Kind.ORDER_STATISTICS, 0.95) if median else None
    )
    return Row(
        group=label,
        label=label,
        slot=0,
        at=(),
        n=n,
        median=median,
        mean=None,
        low=None,
        high=None,
        lower_quartile=None,
        upper_quartile=None,
        interval=interval,
        modes=(),
        above=None,
        ratio=ratio,
        ratio_interval=None,
        verdict=Word.NONE,
        against=None,
        values=tuple(RunValue(run, median) for run in range(1, n + 1)) if median else (),
        notes=() if median else (Note("too fast to measure", n),),
        doubted=doubted,
    )
