"""What the matrices of a comparison mean: the effects of factors, scaling, what nothing beats."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from benchdash.results.comparison.judging import JudgedParts
from benchdash.results.comparison.laid_out import LaidOut
from benchdash.results.comparison.likeness import differing_names
from benchdash.results.comparison.matrix import Varying, find_matrices
from benchdash.results.comparison.matrix_best import front_of
from benchdash.results.comparison.matrix_effects import Modelled, effects_on
from benchdash.results.comparison.matrix_scaling import scalings_in
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.view_matrix import HeldEqual, Matrix, MeasureEffects
from benchdash.results.factors import Factor
from benchdash.results.parameters import held_factor


def matrices_of(page: Sequence[LaidOut], judged: Sequence[JudgedParts]) -> list[tuple[Matrix, ...]]:
    """Of each comparison of a page those that say something; their effects are judged together."""
    varying = [_varying(one) for one in page]
    effects = effects_on(
        [
            Modelled(own, one.counted, one.doubted, parts, one.binary)
            for one, own, parts in zip(page, varying, judged, strict=True)
        ]
    )
    return [tuple(_shown(*each)) for each in zip(page, varying, effects, strict=True)]


def _varying(laid: LaidOut) -> list[Varying]:
    """The matrices in which nothing else differs."""
    records, across = laid.grouped.records, laid.criteria.across
    found = find_matrices(
        laid.grouped.parts, laid.grouped.grouping, records, laid.intended, laid.starts
    )
    return [varying for varying in found if _is_alike(varying, across, records)]


def _shown(
    laid: LaidOut,
    matrices: Sequence[Varying],
    effects_of: Sequence[tuple[MeasureEffects, ...]],
) -> Iterator[Matrix]:
    numbers, delta, binary = laid.counted, laid.deltas[""], laid.binary
    for varying, effects in zip(matrices, effects_of, strict=True):
        first = laid.parts[varying.parts[0]]
        front = (
            front_of(first.groups, numbers, first.primary, delta, binary=binary)
            if len(varying.parts) == 1
            else None
        )
        scalings = scalings_in(varying, numbers, binary=binary)
        # one group that is ahead in everything is what the figures show
        chosen = front and sum(point.place == "front" for point in front.points) > 1
        if effects or scalings or chosen:
            yield Matrix(
                differs_by=tuple(HeldEqual(one.title, one.text) for one in varying.differs_by),
                factors=tuple(str(one.factor) for one in varying.factors),
                titles=tuple(one.title for one in varying.factors),
                cells=len(varying.cells),
                possible=varying.possible,
                effects=effects,
                scalings=scalings,
                front=front,
            )


def _is_alike(varying: Varying, across: Collection[str], records: Records) -> bool:
    """Whether nothing that was measured differs but the factors: else it may be why, not they."""
    known = {one for varied in varying.factors for one in (varied.factor, *varied.stands_for)}
    # several hosts together have as many more jobs
    known |= {Factor("workload", "jobs"), *map(held_factor, across)}
    return all(
        held_factor(name) in known for name in differing_names(varying.runs, records.workloads)
    )
