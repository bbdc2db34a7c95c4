"""The view model of a comparison: one shape for its page, API, exports and charts.

It is computed once (`compare.py`) and only ever read after that. The description of the API and the
types of `frontend/src/charts/view.ts` are generated from these classes, so a field that is added
here is known everywhere. Where a field has another name in JSON, scripts know it by that one.

Numbers are in base units; `shown` of a figure is the unit that people see.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field, to_builtins

from benchdash.analysis.summary import Interval
from benchdash.vocabulary.measures import FAMILIES
from benchdash.vocabulary.prefixes import ShownUnit

Chart: TypeAlias = Literal["bars", "change", "boxes", "lines", "heat"]
Scale: TypeAlias = Literal["linear", "log"]
Family: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(FAMILIES)})]
Verdict: TypeAlias = Literal["better", "worse", "no_difference", "unknown"]


def as_json(part: Struct) -> Any:
    """Objects, lists, texts and numbers, as JSON has them."""
    # labels may be sentences with values, which msgspec takes for no text
    return to_builtins(part, enc_hook=str.__str__)


class GroupValue(Struct, frozen=True):
    """A group's value of a factor that is grouped by."""

    text: str
    number: float | None


class RunValue(Struct, frozen=True):
    """One run."""

    run: int
    value: Annotated[float, Meta(description="In the figure's unit.")]


class Note(Struct, frozen=True):
    """What the tool said instead of a value, and of how many runs."""

    note: str
    runs: int


class Row(Struct, frozen=True, kw_only=True):
    """One group in one figure: its single values, what they amount to, and against the baseline."""

    group: Annotated[str, Meta(description="Key of the group.")]
    label: str
    slot: Annotated[int, Meta(description="Its colour.")]
    at: tuple[GroupValue, ...]
    n: int
    median: Annotated[float | None, Meta(description="In the figure's unit.")]
    mean: float | None
    low: float | None
    high: float | None
    lower_quartile: float | None
    upper_quartile: float | None
    interval: Interval | None
    ratio: Annotated[float | None, Meta(description="To the baseline's median.")]
    ratio_interval: Interval | None
    verdict: Verdict
    values: tuple[RunValue, ...]
    notes: tuple[Note, ...]


class PlainFigure(Struct, frozen=True, kw_only=True):
    """One measure over groups of like runs."""

    measure: str
    title: str
    family: Family
    unit: str
    shown: ShownUnit
    higher_is_better: bool | None
    axis: Scale
    chart: Chart
    along: Annotated[
        int | None,
        Meta(description="Which of a row's `at` is the number that lines run along."),
    ]
    sentence: Annotated[str, Meta(description="What it shows, in words.")]
    rows: tuple[Row, ...]

    @property
    def has_baseline(self) -> bool:
        """Whether a group is held against the baseline."""
        return any(row.ratio is not None for row in self.rows)


class Figure(PlainFigure, frozen=True, kw_only=True):
    """One measure, and the latency of the same groups where `latency` asks for it."""

    latency: PlainFigure | None


class Percentile(Struct, frozen=True):
    """The median, over n runs, of one percentile (0 to 100)."""

    percent: float
    value: Annotated[float, Meta(description="In seconds.")]
    n: int


class Curve(Struct, frozen=True):
    """The percentiles of one group, in rising order."""

    label: str
    slot: int
    points: tuple[Percentile, ...]

    @property
    def n(self) -> int:
        """The runs of its best measured point."""
        return max(point.n for point in self.points)


class Curves(Struct, frozen=True):
    """The tail of one latency; `left_out` counts the groups beyond the twelfth."""

    operation: str
    metric: str
    curves: tuple[Curve, ...]
    left_out: int = 0


class TraceStretch(Struct, frozen=True):
    """Points next to each other, and the mean of their seconds since the start."""

    seconds: float
    lowest: float
    mean: float
    highest: float


class TraceLine(Struct, frozen=True):
    """One run over time: what all its points amount to, and at most 200 stretches of them."""

    label: str
    slot: int
    run: int
    points: int
    seconds: float
    lowest: float
    mean: float
    highest: float
    stretches: tuple[TraceStretch, ...]


class OverTime(Struct, frozen=True):
    """One measure of several runs over time; `left_out` counts the traces beyond the twelfth."""

    operation: str
    metric: str
    lines: tuple[TraceLine, ...]
    left_out: int


class FactorValue(Struct, frozen=True):
    """A factor, most often an axis of the workload or the tool, and what it was."""

    name: str
    value: Annotated[Any, Meta(description="A number, a text, true or false, or null.")]
    title: str
    text: str


class MixedValue(Struct, frozen=True):
    """One value of a factor that is mixed, and the labels of the groups that have it."""

    text: str
    groups: tuple[str, ...]


class MixedFactor(Struct, frozen=True):
    """A factor that differs within a section, the rarest value first: not like with like."""

    name: str
    title: str
    values: tuple[MixedValue, ...]


class Section(Struct, frozen=True):
    """Figures over runs that are alike."""

    differs_by: Annotated[
        tuple[FactorValue, ...], Meta(description="What sets them off from other sections.")
    ] = field(name="apart")
    mixed: tuple[MixedFactor, ...] = field(name="crossings")
    figures: tuple[Figure, ...]
    percentiles: tuple[Curves, ...]
    over_time: tuple[OverTime, ...]


class GroupView(Struct, frozen=True):
    """Runs that stand together; `pools` counts what differs within."""

    key: str
    label: str
    slot: int
    is_baseline: bool
    runs: tuple[int, ...]
    pools: dict[str, int]


class OfferedMeasure(Struct, frozen=True):
    """A measure that some of the runs have."""

    measure: str
    title: str
    family: Family
    runs: int


class Difference(Struct, frozen=True):
    """A factor in which the groups differ, and its text for each of them, in their order."""

    factor: str
    title: str
    texts: tuple[str, ...]


class CommonFact(Struct, frozen=True):
    """A layer option or fact that all runs share."""

    title: str
    text: str


class ComparisonView(Struct, frozen=True, kw_only=True):
    """The whole comparison."""

    query: str
    runs: Annotated[int, Meta(description="Counted ones.")]
    not_counted: Annotated[
        dict[str, int], Meta(description="Runs that match and are not counted, by reason.")
    ] = field(name="aside")
    group: tuple[str, ...]
    groups: tuple[GroupView, ...]
    baseline: str | None
    percent: bool
    shared: tuple[FactorValue, ...]
    unmeasured: Annotated[
        tuple[str, ...], Meta(description="Conditions of the study without a run.")
    ]
    varying: tuple[str, ...]
    differences: tuple[Difference, ...]
    in_common: tuple[CommonFact, ...]
    offered: tuple[OfferedMeasure, ...]
    sections: tuple[Section, ...]

    @property
    def is_single(self) -> bool:
        """Whether no group has more than one run: then nothing tells noise from a difference."""
        return all(len(group.runs) == 1 for group in self.groups)
