"""The few numbers of a run that people look for first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from benchdash.results.models import Measurement, Run
from benchdash.vocabulary.tools import TOOLS

_RANKS = {
    name: {measure: rank for rank, measure in enumerate(tool.headlines)}
    for name, tool in TOOLS.items()
}
_OPERATIONS = {operation for ranks in _RANKS.values() for operation, _metric in ranks}
_METRICS = {metric for ranks in _RANKS.values() for _operation, metric in ranks}


@dataclass(frozen=True, slots=True)
class Headline:
    """One number: what was done, what was measured, its mean in base units."""

    operation: str
    metric: str
    value: float


def headlines(runs: Iterable[Run], count: int) -> dict[int, list[Headline]]:
    """Up to `count` means for each run id, in the order of its tool; one query for all runs."""
    ranks = {run.pk: _RANKS.get(run.tool, {}) for run in runs}
    rows = Measurement.objects.filter(
        run__in=list(ranks),
        measure__statistic="mean",
        measure__metric__in=_METRICS,
        measure__operation__in=_OPERATIONS,
    ).values_list("run_id", "measure__operation", "measure__metric", "value")
    found = defaultdict(list)
    for run_id, operation, metric, value in rows:
        if (operation, metric) in ranks[run_id]:
            found[run_id].append(Headline(operation, metric, value))
    return {run_id: _first(lines, ranks[run_id], count) for run_id, lines in found.items()}


def _first(lines: list[Headline], ranks: dict[tuple[str, str], int], count: int) -> list[Headline]:
    return sorted(lines, key=lambda line: ranks[line.operation, line.metric])[:count]
