"""The few numbers of a run that people look for first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from benchdash.results.models import Measurement, Run

# by metric first: what a tool was made to measure stands before what it says beside it
_METRICS = ("transactions", "throughput", "iops", "rate", "latency", "completion_latency")
_OPERATIONS = (
    *("transaction", "load", "seq_write", "seq_read", "rand_write", "rand_read"),
    *("mixed_write", "mixed_read", "write", "read", "mixed", "seq_rewrite", "rand_seek"),
    *("seq_create", "rand_create", "seq_delete", "rand_delete", "trim"),
)
_RANK = {metric: rank for rank, metric in enumerate(_METRICS)}
_PLACE = {operation: place for place, operation in enumerate(_OPERATIONS)}


@dataclass(frozen=True, slots=True)
class Headline:
    """One number: what was done, what was measured, its mean in base units."""

    operation: str
    metric: str
    value: float


def headlines(runs: Iterable[Run], count: int) -> dict[int, list[Headline]]:
    """Up to `count` means for each run id, the most telling first; one query for all runs."""
    rows = Measurement.objects.filter(
        run__in=[run.pk for run in runs],
        measure__statistic="mean",
        measure__metric__in=_METRICS,
        measure__operation__in=_OPERATIONS,
    ).values_list("run_id", "measure__operation", "measure__metric", "value")
    found = defaultdict(list)
    for run_id, operation, metric, value in rows:
        found[run_id].append(Headline(operation, metric, value))
    return {run_id: _first(lines, count) for run_id, lines in found.items()}


def _first(lines: list[Headline], count: int) -> list[Headline]:
    return sorted(lines, key=lambda line: (_RANK[line.metric], _PLACE[line.operation]))[:count]
