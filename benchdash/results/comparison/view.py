"""The view model of a comparison: one shape for its page, API, exports and charts.

It is computed once (`compare.py`) and only ever read after that. The description of the API and the
types of `frontend/src/charts/view.ts` are generated from these classes, so a field that is added
here is known everywhere. Where a field has another name in JSON, scripts know it by that one.

Numbers are in base units; `shown` of a figure is the unit that people see.

Permalinks store it, so what comes later has a default, and a word once used remains one.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field, to_builtins

from benchdash.analysis.summary import Interval
from benchdash.analysis.verdicts import Reason, Word
from benchdash.results.comparison.view_curves import Curves, OverTime
from benchdash.results.comparison.view_matrix import Matrix
from benchdash.results.comparison.view_order import Cells, Order
from benchdash.vocabulary.measures import FAMILIES
from benchdash.vocabulary.prefixes import ShownUnit, unit_beside

Chart: TypeAlias = Literal["bars", "change", "boxes", "lines", "heat"]
Scale: TypeAlias = Literal["linear", "log"]
Family: TypeAlias = Annotated[str, Meta(extra_json_schema={"enum": list(FAMILIES)})]


def as_json(part: Struct) -> Any:
    """Objects, lists, texts and numbers, as JSON has them."""
    # labels may be sentences with values, which msgspec takes for no text
    return to_builtins(part, enc_hook=str.__str__)


class GroupValue(Struct, frozen=True):
    """A group's value of a factor that is grouped by."""

    text: str
    number: float | None
    words: Annotated[
        str, Meta(description="With the factor's name where the text says little; empty elsewhere.")
    ] = ""


class RunValue(Struct, frozen=True):
    """One run."""

    run: int
    value: Annotated[float, Meta(description="In the figure's unit.")]
    doubted: Annotated[bool, Meta(description="A doubt about it stands.")] = False


class Note(Struct, frozen=True):
    """What the tool said instead of a value, and of how many runs."""

    note: str
    runs: int


class Verdict(Struct, frozen=True, kw_only=True):
    """What may be said of a group against the baseline, and what speaks against a firmer word.

    All numbers are shares: 1 is as much as the baseline. `low` and `high` are there from five
    samples on, `luck` below.
    """

    word: Word
    reason: Annotated[Reason, Meta(description="The first of them; empty: none.")]
    text: Annotated[str, Meta(description="The word as people read it.")]
    sentence: Annotated[str, Meta(description="Word, numbers and reason, for people.")]
    estimate: Annotated[
        float | None,
        Meta(description="Of geometric means, or of pairs where rounds were interleaved."),
    ]
    low: Annotated[float | None, Meta(description="The 95 % interval of the estimate.")]
    high: float | None
    per: Annotated[
        Literal["", "byte", "operation"],
        Meta(description="CPU is judged by what each byte or operation costs."),
    ]
    luck: Annotated[float | None, Meta(description="How often luck alone sets few samples apart.")]
    unnoticed: Annotated[
        float | None, Meta(description="A difference up to this would have gone unnoticed.")
    ]
    more_rounds: Annotated[int | None, Meta(description="About so many would see `delta`.")]
    delta: Annotated[float, Meta(description="The smallest difference that matters.")]
    comparisons: Annotated[int, Meta(description="That were allowed for, on the whole page.")]
    n: int
    baseline_n: int
    rounds: Annotated[int | None, Meta(description="Pairs that ran beside each other.")]
    of_blocks: Annotated[
        bool, Meta(description="`n` counts blocks: what one shares was made once for all of it.")
    ] = False


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
    modes: Annotated[
        tuple[float, ...], Meta(description="The medians of both where the samples have two modes.")
    ]
    above: Annotated[
        float | None,
        Meta(description="Operations above this percentile, in the sample that has fewest."),
    ]
    ratio: Annotated[
        float | None,
        Meta(description="To the baseline: the verdict's estimate, but for CPU not per byte."),
    ]
    ratio_interval: Annotated[
        Interval | None,
        Meta(description="95 %, from five samples on; none of CPU, which is judged by its cost."),
    ]
    verdict: Annotated[Word, Meta(description="The word of `against`.")]
    against: Annotated[
        Verdict | None,
        Meta(description="What is said against the baseline; null without one, and of itself."),
    ]
    values: tuple[RunValue, ...]
    notes: tuple[Note, ...]
    doubted: Annotated[int, Meta(description="Of n, those that a doubt stands against.")] = 0
    left_out: Annotated[
        int, Meta(description="Beside n, those that are left out for a doubt, as was asked for.")
    ] = 0
    repeats: Annotated[
        tuple[str, ...], Meta(description="What its repeats say against each other.")
    ] = ()
    more_runs: Annotated[
        dict[str, tuple[int, ...]],
        Meta(description="Of samples of several runs: the further ones, by the run of its value."),
    ] = {}


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
    parted_by: Annotated[
        tuple[int, ...],
        Meta(description="Those of a row's `at` that have a chart for each value, on one axis."),
    ] = ()
    sentence: Annotated[str, Meta(description="What it shows, in words.")]
    primary: Annotated[
        bool, Meta(description="A primary measure of its tool: others are never firm.")
    ]
    winners: Annotated[
        tuple[str, ...],
        Meta(description="Keys of the groups that may be best; none below five samples a side."),
    ]
    rows: tuple[Row, ...]

    @property
    def has_baseline(self) -> bool:
        """Whether a group is held against the baseline."""
        return any(row.ratio is not None for row in self.rows)


class Figure(PlainFigure, frozen=True, kw_only=True):
    """One measure, and along a number the latency of the same groups, which shares its axis."""

    latency: PlainFigure | None


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
    """A factor that differs within a section, the rarest value first: not held equal."""

    name: str
    title: str
    values: tuple[MixedValue, ...]


class Section(Struct, frozen=True):
    """Figures over runs that are alike."""

    differs_by: Annotated[
        tuple[FactorValue, ...], Meta(description="What sets them off from other sections.")
    ] = field(name="apart")
    mixed: tuple[MixedFactor, ...] = field(name="crossings")
    order: Order
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
    samples: int = 0
    whole: Annotated[
        str, Meta(description="All that tells it apart, where the label has only some of it.")
    ] = ""


class OfferedMeasure(Struct, frozen=True):
    """A measure that some of the samples have, and how many of them."""

    measure: str
    title: str
    family: Family
    samples: int = field(name="runs")


class Difference(Struct, frozen=True):
    """A factor in which the groups differ, and its text for each of them, in their order."""

    factor: str
    title: str
    texts: tuple[str, ...]


class CommonFact(Struct, frozen=True):
    """A layer option or fact that all runs share."""

    title: str
    text: str


class OverviewColumn(Struct, frozen=True, kw_only=True):
    """One kind of number: of one operation, or of each row's own."""

    measures: tuple[str, ...]
    title: str
    unit: str
    shown: Annotated[
        ShownUnit | None, Meta(description="Null where values are too far apart for one unit.")
    ]
    higher_is_better: bool | None
    best: Annotated[
        float | None, Meta(description="The value furthest to the better side, of all rows.")
    ]

    @property
    def unit_beside_title(self) -> str:
        """The name of the unit; empty where there is none, or the title says it: IOPS."""
        return unit_beside(self.title, self.shown.name) if self.shown else ""


class OverviewValue(Struct, frozen=True, kw_only=True):
    """A median over n samples, and its share of the baseline's value within like runs."""

    measure: str
    value: float
    n: int
    share: float | None
    modes: Annotated[
        tuple[float, ...], Meta(description="The medians of both where the samples have two modes.")
    ]
    doubted: int
    of_best: Annotated[
        float | None,
        Meta(
            description="Without a baseline, its share of the best value of its measure within like runs."
        ),
    ] = None


class OverviewCell(Struct, frozen=True):
    """What a row has of a column: nothing, a value, or one for each of several operations."""

    values: tuple[OverviewValue, ...]
    notes: Annotated[
        tuple[Note, ...], Meta(description="What the tool printed in place of further values.")
    ] = ()


class OverviewRow(Struct, frozen=True, kw_only=True):
    """A group, among like runs; a cell for each column."""

    differs_by: tuple[FactorValue, ...] = field(name="apart")
    group: Annotated[str, Meta(description="Key of the group.")]
    label: str
    slot: int
    runs: tuple[int, ...]
    n: Annotated[int, Meta(description="Samples.")]
    doubted: Annotated[int, Meta(description="Of n, those that have a doubt.")]
    cells: tuple[OverviewCell, ...]


class Overview(Struct, frozen=True, kw_only=True):
    """The headline numbers of all groups; `left_out` counts the rows beyond the first 400."""

    columns: tuple[OverviewColumn, ...]
    rows: tuple[OverviewRow, ...]
    left_out: int = 0


class ComparisonView(Struct, frozen=True, kw_only=True):
    """The whole comparison."""

    query: str
    runs: Annotated[int, Meta(description="Counted ones.")]
    samples: Annotated[
        int, Meta(description="Runs at the same time with the same parameters are one.")
    ] = 0
    not_counted: Annotated[
        dict[str, int], Meta(description="Samples that match and are not counted, by reason.")
    ] = field(name="aside")
    group: tuple[str, ...]
    groups: tuple[GroupView, ...]
    baseline: str | None
    delta: Annotated[
        float,
        Meta(description="The smallest difference that matters, as a share, if not by metric."),
    ]
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
    overview: Overview | None = None
    cells: Annotated[
        Cells | None, Meta(description="Combinations of a sweep that were not run; null: none.")
    ] = None
    like: Annotated[
        bool, Meta(description="Whether what was measured is held equal: like with like.")
    ] = True
    intended: Annotated[
        tuple[str, ...], Meta(description="Factors that the studies say they vary.")
    ] = ()
    matrices: Annotated[
        tuple[Matrix, ...],
        Meta(description="What factors do, how rates scale, what nothing beats."),
    ] = ()
    unrecorded: Annotated[
        tuple[str, ...],
        Meta(
            description="Groups of several samples of which nothing says where they were measured."
        ),
    ] = ()

    @property
    def is_single(self) -> bool:
        """Whether no group has more than one sample: then nothing tells noise from a difference."""
        return all((group.samples or len(group.runs)) == 1 for group in self.groups)
