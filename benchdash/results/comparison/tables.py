"""A figure as people read it: one unit for all rows, words for what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.analysis.summary import Interval
from benchdash.results.comparison.judging import FEWEST_ABOVE
from benchdash.results.comparison.sentences import percent_text
from benchdash.results.comparison.view import Figure, PlainFigure, Row

# colours of frontend/styles/tokens.css, and how often they come again: plain, then in three
# patterns; scripts have both numbers from here (`make types`)
SERIES, ROUNDS = 10, 4
LISTED_RUNS = 500  # an address holds no more


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table; its texts are without the unit, which its heading names.

    What is not there is empty. `coverage` is that of the interval, in percent, empty for a range;
    `percent` is of the baseline, `change` against it; `remarks` are what the tool printed instead of
    values, or that nothing was measured; `runs` are numbered as the address of their list has them,
    and `more_runs` counts those beyond; `latency` is the same group's median of the second plot.
    """

    row: Row
    swatch: str
    is_baseline: bool
    median: str
    interval: str
    coverage: str
    percent: str
    percent_interval: str
    change: str
    remarks: tuple[str, ...]
    runs: str
    more_runs: int
    latency: Line | None = None

    @property
    def doubts(self) -> str:
        """How many of its samples are doubted, or left out for that; empty where none is."""
        row = self.row
        words = [_("%(n)s doubted") % {"n": row.doubted}] if row.doubted else []
        words += [_("%(n)s left out") % {"n": row.left_out}] if row.left_out else []
        return ", ".join(words)


@dataclass(frozen=True, slots=True)
class Table:
    """A figure's lines, and the title of the second plot's column with its unit."""

    figure: Figure
    lines: tuple[Line, ...]

    @property
    def has_intervals(self) -> bool:
        return any(line.row.interval for line in self.lines)

    @property
    def verdicts(self) -> list[Line]:
        """The lines that have one."""
        return [line for line in self.lines if line.row.against]

    @property
    def repeats(self) -> list[Line]:
        """The lines whose repeats say something against each other."""
        return [line for line in self.lines if line.row.repeats]

    @property
    def better(self) -> str:
        """Which way is better, in words; empty where neither is."""
        if self.figure.higher_is_better is None:
            return ""
        return _("higher is better") if self.figure.higher_is_better else _("lower is better")


def table(figure: Figure, baseline: str | None) -> Table:
    """The table of a figure; `baseline` is the key of a group."""
    own = [_line(row, figure, baseline) for row in figure.rows]
    if figure.latency:
        beside = [_line(row, figure.latency, baseline) for row in figure.latency.rows]
        own = [replace(line, latency=latency) for line, latency in zip(own, beside, strict=True)]
    return Table(figure, tuple(own))


def swatch(slot: int) -> str:
    """`series-3`; after ten colours they come again with a pattern, `series-3 round-1`."""
    colour, round_ = f"series-{slot % SERIES + 1}", slot // SERIES % ROUNDS
    return f"{colour} round-{round_}" if round_ else colour


def _line(row: Row, figure: PlainFigure, baseline: str | None) -> Line:
    change = "" if row.ratio is None else f"{100 * row.ratio - 100:+.1f} %".replace("-", "−")
    interval, text = row.interval, figure.shown.text
    middles = row.modes or (() if row.median is None else (row.median,))
    return Line(
        row=row,
        swatch=swatch(row.slot),
        is_baseline=row.group == baseline,
        median=" / ".join(map(text, middles)),
        interval=_span(interval, text),
        coverage=f"{100 * interval.coverage:.0f} %" if interval and interval.coverage else "",
        percent="" if row.ratio is None else percent_text(row.ratio),
        percent_interval=_span(row.ratio_interval, percent_text),
        change=change,
        remarks=tuple(_remarks(row)),
        runs=",".join(str(one.run) for one in row.values[:LISTED_RUNS]),
        more_runs=max(0, row.n - LISTED_RUNS),
    )


def _span(interval: Interval | None, text: Callable[[float], str]) -> str:
    return f"{text(interval.low)} – {text(interval.high)}" if interval else ""


def _remarks(row: Row) -> Iterator[str]:
    for one in row.notes:
        yield f"{_(one.note)} ({one.runs})" if row.values or one.runs > 1 else _(one.note)
    if not row.values and not row.notes:
        yield _("not measured")
    if row.modes:
        yield _("two modes")
    if row.above is not None and row.above < FEWEST_ABOVE:
        yield _("tail too thin")


# what parsers note in English: here for the catalogue
gettext_noop("too fast to measure")
