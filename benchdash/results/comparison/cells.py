"""Which combinations of a sweep's factors were not run."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.names import joined
from benchdash.results.comparison.places import levels
from benchdash.results.comparison.view_order import Cells
from benchdash.results.factors import NONE, Factor

# what somebody varied; machines and versions are what there was
_VARIED = {"workload", "layer", "setting"}
MOST_NAMED = 100


def cells_of(groups: Sequence[Group], factors: Sequence[Factor]) -> Cells | None:
    """Those that were not run; None where all were, or half were not: that was no sweep.

    Nor is what several tools have in common, for each has workloads of its own, or what some
    outputs do not state: that is unknown, and no level.
    """
    own = levels(groups)
    varied = [place for place, values in enumerate(own) if len(values) > 1]
    kinds = {factors[place].kind for place in varied}
    if len(varied) < 2 or not kinds <= _VARIED:
        return None
    if "workload" in kinds and len({run.tool for group in groups for run in group.runs}) > 1:
        return None
    if any(factors[place].kind == "workload" and NONE in own[place] for place in varied):
        return None
    total = prod(len(own[place]) for place in varied)
    run = {tuple(group.at[place].key for place in varied) for group in groups}
    if not len(run) < total < 2 * len(run):
        return None
    every = product(*(own[place].items() for place in varied))
    missing = [cell for cell in every if tuple(key for key, _group in cell) not in run]
    names = (
        joined(group.words[place] for place, (_key, group) in zip(varied, cell, strict=True))
        for cell in missing[:MOST_NAMED]
    )
    return Cells(of=total, not_run=len(missing), names=tuple(names))
