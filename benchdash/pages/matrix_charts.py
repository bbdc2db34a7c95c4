"""What the charts of a matrix draw: `frontend/src/charts/view.ts` is generated from these classes too."""

from __future__ import annotations

from msgspec import Struct

from benchdash.results.comparison.view import Scale


class EffectRow(Struct, frozen=True):
    """One level of a factor, in percent of the mean of all levels; `slot` is the factor's colour."""

    label: str
    factor: str
    slot: int
    n: int
    shown: float
    low: float
    high: float
    text: str


class EffectsChart(Struct, frozen=True):
    """The levels of all factors of one measure, below each other."""

    measure: str
    axis: Scale
    axis_title: str
    rows: tuple[EffectRow, ...]


class CrossedPoint(Struct, frozen=True):
    """Where two levels met, in the unit of the axis; `place` counts along the first factor."""

    place: int
    shown: float
    low: float
    high: float
    text: str


class CrossedRow(Struct, frozen=True):
    """One level of the second factor."""

    label: str
    slot: int
    n: int
    points: tuple[CrossedPoint, ...]


class CrossedChart(Struct, frozen=True):
    """What one factor does at each level of another: parallel lines depend on nothing."""

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    places: tuple[str, ...]
    rows: tuple[CrossedRow, ...]


class ScalingPoint(Struct, frozen=True):
    """What was measured at one place, in the unit of the axis, with its lowest and highest sample."""

    at: float
    shown: float
    low: float
    high: float
    text: str


class ScalingMark(Struct, frozen=True):
    """A peak or a knee on the curve."""

    at: float
    shown: float
    text: str


class ScalingRow(Struct, frozen=True):
    """One line: what was measured, and the curve of its law where one fits."""

    label: str
    slot: int
    n: int
    points: tuple[ScalingPoint, ...]
    curve: tuple[tuple[float, float], ...]
    marks: tuple[ScalingMark, ...]


class ScalingChart(Struct, frozen=True):
    """One rate along a number, with the curves of laws."""

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    along_axis: Scale
    rows: tuple[ScalingRow, ...]


class FrontRow(Struct, frozen=True):
    """One group by two measures, in the units of the axes; `front` are those that none is ahead of."""

    label: str
    slot: int
    n: int
    x: float
    y: float
    front: bool
    text: str


class FrontChart(Struct, frozen=True):
    """Groups by two measures; `axis` is that of `y`."""

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    along_axis: Scale
    rows: tuple[FrontRow, ...]


CHARTS = (EffectsChart, CrossedChart, ScalingChart, FrontChart)
