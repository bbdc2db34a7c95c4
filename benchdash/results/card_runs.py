"""What the cards of studies draw from: newest runs and their headline numbers, for all at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from benchdash.results.models import Measurement, Run, Study
from benchdash.results.parameters import MeasureName
from benchdash.vocabulary.measures import OPERATIONS
from benchdash.vocabulary.workloads import AXES

# of each study the newest: a card shall not cost more where a study has thousands
_NEWEST_RUNS = 200


class CardRun(NamedTuple):
    """A counted run; `told` is what held runs equal, in the order of `HELD`."""

    id: int
    study: int
    configuration: int
    environment: int | None
    name: str
    told: tuple[Any, ...]


def newest_runs(studies: Sequence[Study]) -> list[CardRun]:
    """Those that belong to a configuration, oldest first; one query."""
    newest = Window(RowNumber(), partition_by="study", order_by=F("pk").desc())
    rows = (
        Run.objects.filter(study__in=studies, counted=True, configuration__isnull=False)
        .annotate(nth=newest)
        .filter(nth__lte=_NEWEST_RUNS)
        .order_by("pk")
        .values_list(
            *("pk", "study", "configuration", "environment", "configuration__name", "tool"),
            *(f"workload__{axis}" for axis in AXES),
        )
    )
    return [CardRun(row[0], row[1], row[2], row[3], row[4], row[5:]) for row in rows]


def headline_values(runs: Iterable[int]) -> dict[int, dict[MeasureName, float]]:
    """By run its means, in base units; one query."""
    rows = Measurement.objects.filter(
        run__in=list(runs), measure__statistic="mean", measure__operation__in=list(OPERATIONS)
    ).values_list("run", "measure__operation", "measure__metric", "value")
    found: dict[int, dict[MeasureName, float]] = {}
    for run, operation, metric, value in rows:
        found.setdefault(run, {})[MeasureName(operation, metric, "mean")] = value
    return found
