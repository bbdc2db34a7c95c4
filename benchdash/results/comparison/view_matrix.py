"""The part of the view model that says what a matrix means: effects, scaling, what nothing beats."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from benchdash.vocabulary.prefixes import ShownUnit

Finding = Annotated[
    Literal["firm", "leans", "small", "unseen"],
    Meta(
        description="Whether an effect is there: firmly, by a leaning, but below delta, or not seen."
    ),
]


class Share(Struct, frozen=True):
    """A ratio with its 95 % interval: 1 is as much."""

    value: float
    low: float
    high: float


class MatrixLevel(Struct, frozen=True):
    """One level of a factor, over all levels of the others."""

    text: str
    number: float | None
    n: int
    times: Annotated[Share, Meta(description="Of the geometric mean of all levels.")]


class FactorEffect(Struct, frozen=True, kw_only=True):
    """What one factor does, averaged over all others; `changes_with` are factors that it stands for."""

    factor: str
    title: str
    changes_with: tuple[str, ...]
    explained: Annotated[
        float,
        Meta(description="Its share of the variance of logarithms within rounds, less noise."),
    ]
    finding: Finding
    reason: Annotated[
        str, Meta(description="What speaks against a firmer finding; empty: nothing.")
    ]
    highest: str
    lowest: str
    apart: Annotated[
        Share, Meta(description="Highest over lowest level; the interval allows for all pairs.")
    ]
    unnoticed: Annotated[
        float | None,
        Meta(
            description="A difference between levels below this may have gone unnoticed, a share."
        ),
    ]
    levels: tuple[MatrixLevel, ...]
    of_blocks: Annotated[
        bool, Meta(description="`n` counts blocks: what one shares was made once for all of it.")
    ] = False
    sentence: str


class CrossedCell(Struct, frozen=True):
    """Two levels that met: the mean of all samples there, in the unit of the measure."""

    texts: tuple[str, ...]
    n: int
    value: float
    low: float
    high: float
    times: Annotated[
        Share, Meta(description="Of what both factors give where neither depends on the other.")
    ]


class PairEffect(Struct, frozen=True, kw_only=True):
    """Whether what one factor does depends on another."""

    factors: tuple[str, ...]
    titles: tuple[str, ...]
    explained: float
    finding: Finding
    reason: str
    unnoticed: float | None
    cells: tuple[CrossedCell, ...]
    of_blocks: bool = False
    sentence: str


class LeadingCell(Struct, frozen=True, kw_only=True):
    """The combination furthest to the better side, and those that it is not told from."""

    label: str
    value: Annotated[
        float,
        Meta(
            description="Its geometric mean without the effects of rounds, in the measure's unit."
        ),
    ]
    n: int
    near: tuple[str, ...]
    firm: Annotated[
        bool, Meta(description="Whether it may be called best: enough samples, and none near.")
    ]
    sentence: str


class MeasureEffects(Struct, frozen=True, kw_only=True):
    """One measure over a matrix. `refused` says why there are no effects, where there are none."""

    measure: str
    title: str
    unit: str
    shown: ShownUnit
    higher_is_better: bool | None
    primary: bool
    n: int
    cells: int
    rounds: int | None
    noise: Annotated[
        float | None, Meta(description="The standard deviation of a sample, as a share.")
    ]
    doubted: Annotated[int, Meta(description="How many of its samples are doubted.")] = 0
    blocks: Annotated[
        int | None,
        Meta(description="Where a factor is judged by blocks, each of which counts once."),
    ] = None
    factors: tuple[FactorEffect, ...] = ()
    pairs: tuple[PairEffect, ...] = ()
    unexplained: float | None = None
    leader: LeadingCell | None = None
    remarks: tuple[str, ...] = ()
    sentence: str = ""
    refused: str = ""


class ScalingPlace(Struct, frozen=True):
    """What was measured at one N: the geometric mean, and the lowest and highest sample."""

    count: float
    n: int
    value: float
    low: float
    high: float


class Estimate(Struct, frozen=True):
    """A number with its 95 % interval."""

    value: float
    low: float
    high: float


class CurvePoint(Struct, frozen=True):
    """The throughput of a law at N = `count`."""

    count: float
    value: float


class ScalingLine(Struct, frozen=True, kw_only=True):
    """How throughput grows along a number; `law` is empty where none fits, and `sentence` says why.

    X(N) = one · N / (1 + alpha (N − 1) + beta N (N − 1)), by Amdahl without beta. `ceiling` is the
    highest throughput: at the `peak`, or the limit. `knee` is where growth without loss reaches it.
    """

    label: str
    slot: int
    places: tuple[ScalingPlace, ...]
    law: Literal["", "amdahl", "usl"]
    one: Estimate | None = None
    alpha: Estimate | None = None
    beta: Estimate | None = None
    peak: Estimate | None = None
    ceiling: float | None = None
    knee: float | None = None
    curve: tuple[CurvePoint, ...] = ()
    sentence: str = ""


class Scaling(Struct, frozen=True, kw_only=True):
    """One rate along guests, clients, jobs or queue depth; `left_out` counts lines beyond the eighth."""

    measure: str
    title: str
    unit: str
    shown: ShownUnit
    along: str
    along_title: str
    lines: tuple[ScalingLine, ...]
    left_out: int = 0


class FrontMeasure(Struct, frozen=True):
    """One respect in which groups are held against each other."""

    measure: str
    title: str
    unit: str
    shown: ShownUnit
    higher_is_better: bool


class FrontPoint(Struct, frozen=True):
    """A group by the medians of all measures; `near` is within delta of the front."""

    group: str
    label: str
    slot: int
    n: int
    values: tuple[float, ...]
    place: Literal["front", "near", "behind"]


class Front(Struct, frozen=True):
    """What no other group beats in every measure at once (Pareto)."""

    measures: tuple[FrontMeasure, ...]
    points: tuple[FrontPoint, ...]
    sentence: str


class HeldEqual(Struct, frozen=True):
    """Something that was measured, in words, which all samples of a matrix share."""

    title: str
    text: str


class Matrix(Struct, frozen=True, kw_only=True):
    """Samples that were measured alike while factors were varied; `differs_by` tells it from others.

    `cells` of `possible` combinations were measured.
    """

    differs_by: tuple[HeldEqual, ...]
    factors: tuple[str, ...]
    titles: tuple[str, ...]
    cells: int
    possible: int
    effects: tuple[MeasureEffects, ...] = ()
    scalings: tuple[Scaling, ...] = ()
    front: Front | None = None
