"""What the matrices of a comparison mean: the effects of factors, scaling, what nothing beats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchdash.results.comparison.groups import Grouping
from benchdash.results.comparison.judging import Page, Part
from benchdash.results.comparison.likeness import LikeRuns
from benchdash.results.comparison.matrix import find_matrices
from benchdash.results.comparison.matrix_best import front_of
from benchdash.results.comparison.matrix_effects import effects_in
from benchdash.results.comparison.matrix_scaling import scalings_in
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.view_matrix import HeldEqual, Matrix


def matrices_of(  # noqa: PLR0913 - the comparison, as far as it was made
    likes: Sequence[LikeRuns],
    parts: Sequence[Part],
    page: Page,
    *,
    grouping: Grouping,
    records: Records,
    numbers: Numbers,
    intended: Sequence[str],
    delta: float,
    binary: bool,
) -> tuple[Matrix, ...]:
    """Those that say something; `likes` and `parts` are the same groups, judged on `page`."""
    starts: Mapping[int, float] = parts[0].starts if parts else {}
    matrices = list(find_matrices(likes, grouping, records, intended, starts))
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
