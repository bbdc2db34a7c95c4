"""What the charts of curves and courses draw: `frontend/src/charts/view.ts` is generated from these too."""

from __future__ import annotations

from msgspec import Struct

from benchdash.results.comparison.view import Scale


class PercentilePoint(Struct, frozen=True):
    """`shown` is in the unit of the axis, `text` the same in words."""

    percent: float
    shown: float
    text: str
    n: int


class PercentileRow(Struct, frozen=True):
    """The curve of one group."""

    label: str
    slot: int
    n: int
    points: tuple[PercentilePoint, ...]


class OverTimeRow(Struct, frozen=True):
    """One trace, the `nth` of its colour; a point is its time, then lowest, mean and highest.

    Times are seconds: since the run began, or since 1970 where the chart is `by_wall`; then it `began`
    at so many. `run` is where it leads to, none on the run's own page.
    """

    label: str
    run: int | None
    slot: int
    nth: int
    n: int
    points: tuple[tuple[float, float, float, float], ...]
    began: float = 0.0


class PercentileChart(Struct, frozen=True):
    """Percentiles of several groups."""

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    rows: tuple[PercentileRow, ...]


class OverTimeChart(Struct, frozen=True, omit_defaults=True):
    """Several lines over each other; values are in the unit of the axis.

    `by_wall`: by the wall clock, else from the start of each. Figures that stand below each other
    have one clock, which ends at `until` seconds. The axis of values ends at `most` where more
    cannot be. `finer` is the address of a span in finer stretches, in units of which the axis
    has one for each `factor`; none where all points are drawn.
    """

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    by_wall: bool
    rows: tuple[OverTimeRow, ...]
    until: float | None = None
    most: float | None = None
    finer: str | None = None
    factor: float = 1.0


class HistoryPoint(Struct, frozen=True):
    """One sample: when (ms since 1970), its value in the unit of the axis, its line of the table."""

    at: float
    shown: float
    row: int
    run: int
    doubted: bool


class HistoryRow(Struct, frozen=True):
    """Samples that were set up alike, the oldest first."""

    label: str
    slot: int
    n: int
    points: tuple[HistoryPoint, ...]


class HistoryMark(Struct, frozen=True):
    """A change of the environment or of the tool, in words, where it was first measured."""

    at: float
    text: str


class HistoryChart(Struct, frozen=True):
    """One measure over months."""

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    rows: tuple[HistoryRow, ...]
    marks: tuple[HistoryMark, ...]


CHARTS = (PercentileChart, OverTimeChart, HistoryChart)
