"""What the matrices of a comparison mean: the effects of factors, scaling, what nothing beats."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from benchdash.results.comparison.groups import Grouping
from benchdash.results.comparison.judging import JudgedParts, Part
from benchdash.results.comparison.likeness import LikeRuns, differing_names
from benchdash.results.comparison.matrix import Varying, find_matrices
from benchdash.results.comparison.matrix_best import front_of
from benchdash.results.comparison.matrix_effects import effects_in
from benchdash.results.comparison.matrix_scaling import scalings_in
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.view_matrix import HeldEqual, Matrix
from benchdash.results.factors import Factor
from benchdash.results.parameters import held_factor


def matrices_of(  # noqa: PLR0913 - the comparison, as far as it was made
    likes: Sequence[LikeRuns],
    parts: Sequence[Part],
    page: JudgedParts,
    *,
    grouping: Grouping,
    across: Collection[str],
    records: Records,
    numbers: Numbers,
    intended: Sequence[str],
    delta: float,
    binary: bool,
) -> tuple[Matrix, ...]:
    """Those that say something; `likes` and `parts` are the same groups, judged on `page`.

    `across` names what somebody mixes on purpose.
    """
    starts: Mapping[int, float] = parts[0].starts if parts else {}
    matrices = [
        varying
        for varying in find_matrices(likes, grouping, records, intended, starts)
        if _is_alike(varying, across, records)
    ]
    found = []
    for varying, effects in zip(
        matrices, effects_in(matrices, numbers, page, binary=binary), strict=True
    ):
        first = varying.parts[0]
        front = (
            front_of(parts[first].groups, numbers, parts[first].primary, delta, binary=binary)
            if len(varying.parts) == 1
            else None
        )
        scalings = scalings_in(varying, numbers, binary=binary)
        # one group that is ahead in everything is what the figures show
        chosen = front and sum(point.place == "front" for point in front.points) > 1
        if effects or scalings or chosen:
            found.append(
                Matrix(
                    differs_by=tuple(HeldEqual(one.title, one.text) for one in varying.differs_by),
                    factors=tuple(str(one.factor) for one in varying.factors),
                    titles=tuple(one.title for one in varying.factors),
                    cells=len(varying.cells),
                    possible=varying.possible,
                    effects=effects,
                    scalings=scalings,
                    front=front,
                )
            )
    return tuple(found)


def _is_alike(varying: Varying, across: Collection[str], records: Records) -> bool:
    """Whether nothing that was measured differs but the factors: else it may be why, not they."""
    known = {one for varied in varying.factors for one in (varied.factor, *varied.stands_for)}
    # several hosts together have as many more jobs
    known |= {Factor("workload", "jobs"), *map(held_factor, across)}
    return all(
        held_factor(name) in known for name in differing_names(varying.runs, records.workloads)
    )
