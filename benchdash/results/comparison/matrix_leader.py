"""The leading combination of a matrix in one measure, and those that cannot be told from it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from msgspec.structs import replace

from benchdash.analysis.cells import leading_cell, meet_in_rounds
from benchdash.analysis.verdicts import ENOUGH
from benchdash.results.comparison import matrix_sentences as words
from benchdash.results.comparison.judging import Judged
from benchdash.results.comparison.matrix import Varying
from benchdash.results.comparison.matrix_table import Cell, Table, cell_means, labels_of
from benchdash.results.comparison.view_matrix import LeadingCell, MeasureEffects


def leader_of(
    shown: MeasureEffects, judged: Judged, table: Table, varying: Varying
) -> LeadingCell | None:
    """The leading cell and those that it is not told from.

    Where the figure says which groups may be best, it is these; else by the noise of all cells.
    """
    means, counts = cell_means(table)
    labels = labels_of(table, varying)
    may_be_best = _may_be_best(labels, judged, varying)
    together = not table.rounds or meet_in_rounds(table.cells, table.rounds)
    sign = 1 if shown.higher_is_better else -1
    if may_be_best:
        first, *near = sorted(may_be_best, key=lambda cell: -sign * means[cell])
        firm = not near
    else:
        found = leading_cell(
            table.values,
            table.cells,
            table.rounds if together else None,
            higher=sign > 0,
            delta=math.log1p(judged.delta),
        )
        if found is None:
            return None
        first, near = found.cell, list(found.near)
        firm = (
            together
            and not near
            and found.fewest >= ENOUGH
            and _may_be_firm(judged, table, varying)
        )
    leader = LeadingCell(
        label=labels[first],
        value=math.exp(means[first]),
        n=counts[first],
        near=tuple(labels[cell] for cell in near),
        firm=firm,
        sentence="",
    )
    return replace(leader, sentence=words.of_leader(leader, shown))


def _may_be_best(labels: Mapping[Cell, str], judged: Judged, varying: Varying) -> list[Cell]:
    """The cells that the figure says may be best, where its groups are the cells."""
    if len(varying.parts) > 1:
        return []
    best = {g.label for g in varying.groups if g.key in judged.extremes.best}
    cells = [cell for cell, label in labels.items() if label in best]
    return cells if len(cells) == len(best) else []


def _may_be_firm(judged: Judged, table: Table, varying: Varying) -> bool:
    """Of cells of several figures, where no figure speaks of all: in rounds that are over, once."""
    several = len(varying.parts) > 1 and table.rounds is not None
    return several and judged.primary and varying.looks == 1 and varying.is_over
