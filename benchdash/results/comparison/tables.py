"""A figure as people read it: one unit for all rows, words for what is missing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.analysis.intervals import Interval
from benchdash.results.comparison.figures import Figure, Row, Verdict
from benchdash.results.words import measure_title
from benchdash.vocabulary.measures import Metric
from benchdash.vocabulary.prefixes import ShownUnit, shown_unit

# as many colours as frontend/styles/tokens.css has
SERIES = 10
# plain, and three patterns
ROUNDS = 4
LISTED_RUNS = 500  # an address holds no more


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a table; texts without the unit, which its heading names. Empty: not there.

    The exact ones are to sort by; `latency` is the same group's line of the second plot.
    """

    key: str
    label: str
    slot: int
    is_baseline: bool
    n: int
    median: str
    interval: str
    interval_kind: str
    percent: str
    change: str
    percent_interval: str
    verdict: Verdict
    exact_median: str
    exact_low: str
    exact_ratio: str
    remarks: tuple[str, ...]
    runs: tuple[int, ...]
    latency: Line | None = None

    @property
    def listed_runs(self) -> str:
        """Its runs as the address of their list names them."""
        return ",".join(map(str, self.runs[:LISTED_RUNS]))

    @property
    def more_runs(self) -> int:
        """How many others there are."""
        return max(0, len(self.runs) - LISTED_RUNS)

    @property
    def verdict_text(self) -> str:
        """The verdict in words; empty where there is none."""
        return _(_VERDICTS[self.verdict]) if self.verdict in _VERDICTS else ""

    @property
    def swatch(self) -> str:
        """The classes of its colour."""
        return swatch(self.slot)


@dataclass(frozen=True, slots=True)
class Table:
    """A figure's title, unit and lines, and which way is better; `latency` is its second plot's."""

    title: str
    unit: ShownUnit
    better: str
    lines: tuple[Line, ...]
    has_baseline: bool
    has_intervals: bool
    latency: Table | None = None


def table(figure: Figure, *, baseline: str | None, binary: bool) -> Table:
    """The table of a figure; `binary` prefers MiB/s to MB/s."""
    unit = unit_of(figure, binary=binary)
    below = figure.latency
    latency = table(below, baseline=baseline, binary=binary) if below else None
    lines = tuple(
        _line(row, slot, unit, row.group.key == baseline)
        for row, slot in zip(figure.rows, figure.slots, strict=True)
    )
    if latency:
        both = zip(lines, latency.lines, strict=True)
        lines = tuple(replace(line, latency=beside) for line, beside in both)
    return Table(
        title=measure_title(figure.measure),
        unit=unit,
        better=_better(figure),
        lines=lines,
        has_baseline=any(row.ratio is not None for row in figure.rows),
        has_intervals=any(row.interval for row in figure.rows),
        latency=latency,
    )


def unit_of(figure: Figure, *, binary: bool) -> ShownUnit:
    """The one unit of a figure: it suits the largest median, on a log axis the smallest."""
    medians = [row.summary.median for row in figure.rows if row.summary]
    return unit_for(figure.metric, medians, figure.axis, binary=binary)


def unit_for(metric: Metric, values: list[float], axis: str, *, binary: bool = False) -> ShownUnit:
    """The one unit of an axis that shows `values`."""
    return shown_unit(metric, [_reference(values, axis)], binary=binary)


def swatch(slot: int) -> str:
    """`series-3`; after ten colours they come again with a pattern, `series-3 round-1`."""
    colour, round_ = f"series-{slot % SERIES + 1}", slot // SERIES % ROUNDS
    return f"{colour} round-{round_}" if round_ else colour


def percent_text(ratio: float) -> str:
    """0.364 as `36.4`, 0.00165 as `0.165`: a hundredth of a percent is no false precision."""
    percent = 100 * ratio
    return f"{percent:.1f}" if percent >= 10 else f"{percent:#.3g}"


def _reference(values: list[float], axis: str) -> float:
    above = [value for value in values if value > 0]
    if not above:
        return 0.0
    return min(above) if axis == "log" else max(above)


def _better(figure: Figure) -> str:
    if figure.metric.higher_is_better is None:
        return ""
    return _("higher is better") if figure.metric.higher_is_better else _("lower is better")


def _line(row: Row, slot: int, unit: ShownUnit, is_baseline: bool) -> Line:
    return Line(
        key=row.group.key,
        label=row.group.label,
        slot=slot,
        is_baseline=is_baseline,
        n=len(row.values),
        median=unit.text(row.summary.median) if row.summary else "",
        interval=_span(row.interval, unit.text),
        interval_kind=row.interval.kind if row.interval else "",
        percent=percent_text(row.ratio) if row.ratio is not None else "",
        change=f"{100 * row.ratio - 100:+.1f} %".replace("-", "−") if row.ratio is not None else "",
        percent_interval=_span(row.ratio_interval, percent_text),
        verdict=row.verdict,
        exact_median=repr(row.summary.median) if row.summary else "",
        exact_low=repr(row.interval.low) if row.interval else "",
        exact_ratio=repr(row.ratio) if row.ratio is not None else "",
        remarks=tuple(_remarks(row)),
        runs=tuple(row.values),
    )


def _span(interval: Interval | None, text: Callable[[float], str]) -> str:
    return f"{text(interval.low)} – {text(interval.high)}" if interval else ""


def _remarks(row: Row) -> Iterator[str]:
    for note, runs in row.notes.items():
        yield f"{_(note)} ({runs})" if row.values or runs > 1 else _(note)
    if not row.values and not row.notes:
        yield _("not measured")


# said by parsers, in English: noted here for the catalogue
gettext_noop("too fast to measure")
_VERDICTS = {
    "better": gettext_noop("better"),
    "worse": gettext_noop("worse"),
    "no_difference": gettext_noop("no visible difference"),
}
