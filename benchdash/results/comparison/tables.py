"""A figure as people read it: one unit for all rows, words for what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.analysis.summary import Interval
from benchdash.results.comparison.figures import percent_text
from benchdash.results.comparison.view import Figure, PlainFigure, Row
from benchdash.vocabulary.prefixes import ShownUnit

# colours of frontend/styles/tokens.css, and how often they come again: plain, then in three
# patterns; scripts have both numbers from here (`make types`)
SERIES, ROUNDS = 10, 4
LISTED_RUNS = 500  # an address holds no more


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table; its texts are without the unit, which its heading names.

    What is not there is empty; `latency` is the same group's median of the second plot.
    """

    row: Row
    unit: ShownUnit
    is_baseline: bool
    latency: Line | None = None

    @property
    def median(self) -> str:
        return "" if self.row.median is None else self.unit.text(self.row.median)

    @property
    def interval(self) -> str:
        return _span(self.row.interval, self.unit.text)

    @property
    def percent(self) -> str:
        """Of the baseline."""
        return "" if self.row.ratio is None else percent_text(self.row.ratio)

    @property
    def percent_interval(self) -> str:
        return _span(self.row.ratio_interval, percent_text)

    @property
    def change(self) -> str:
        """Against the baseline, with its sign."""
        if self.row.ratio is None:
            return ""
        return f"{100 * self.row.ratio - 100:+.1f} %".replace("-", "−")

    @property
    def verdict(self) -> str:
        """In words; empty where there is none."""
        return _(_VERDICTS[self.row.verdict]) if self.row.verdict in _VERDICTS else ""

    @property
    def remarks(self) -> list[str]:
        """What the tool said instead of values, or that nothing was measured."""
        return list(_remarks(self.row))

    @property
    def runs(self) -> list[int]:
        return [one.run for one in self.row.values]

    @property
    def listed_runs(self) -> str:
        """Its runs as the address of their list names them."""
        return ",".join(map(str, self.runs[:LISTED_RUNS]))

    @property
    def more_runs(self) -> int:
        """How many others there are."""
        return max(0, self.row.n - LISTED_RUNS)

    @property
    def swatch(self) -> str:
        """The classes of its colour."""
        return swatch(self.row.slot)


@dataclass(frozen=True, slots=True)
class Table:
    """A figure's lines, and the title of the second plot's column with its unit."""

    figure: Figure
    lines: tuple[Line, ...]

    @property
    def has_intervals(self) -> bool:
        return any(line.row.interval for line in self.lines)

    @property
    def better(self) -> str:
        """Which way is better, in words; empty where neither is."""
        if self.figure.higher_is_better is None:
            return ""
        return _("higher is better") if self.figure.higher_is_better else _("lower is better")


def table(figure: Figure, baseline: str | None) -> Table:
    """The table of a figure; `baseline` is the key of a group."""
    own = _lines(figure, baseline)
    if figure.latency is None:
        return Table(figure, tuple(own))
    both = zip(figure.rows, own, _lines(figure.latency, baseline), strict=True)
    return Table(
        figure,
        tuple(Line(row, line.unit, line.is_baseline, latency) for row, line, latency in both),
    )


def swatch(slot: int) -> str:
    """`series-3`; after ten colours they come again with a pattern, `series-3 round-1`."""
    colour, round_ = f"series-{slot % SERIES + 1}", slot // SERIES % ROUNDS
    return f"{colour} round-{round_}" if round_ else colour


def _lines(figure: PlainFigure, baseline: str | None) -> list[Line]:
    return [Line(row, figure.shown, row.group == baseline) for row in figure.rows]


def _span(interval: Interval | None, text: Callable[[float], str]) -> str:
    return f"{text(interval.low)} – {text(interval.high)}" if interval else ""


def _remarks(row: Row) -> Iterator[str]:
    for one in row.notes:
        yield f"{_(one.note)} ({one.runs})" if row.values or one.runs > 1 else _(one.note)
    if not row.values and not row.notes:
        yield _("not measured")


# said by parsers, in English: noted here for the catalogue
gettext_noop("too fast to measure")
_VERDICTS = {
    "better": gettext_noop("better"),
    "worse": gettext_noop("worse"),
    "no_difference": gettext_noop("no visible difference"),
}
