"""Words that recur with every file, as the ids of their one row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from django.db import transaction

from benchdash.results.bulk import insert_new
from benchdash.results.models import Measure, Workload

Name = tuple[str, str, str]  # operation, metric, statistic

_NAME = ("operation", "metric", "statistic")
_MOST_WORKLOADS = 50_000
_measures: dict[Name, int] = {}
_workloads: dict[str, int] = {}


def measure_ids(names: Iterable[Name]) -> dict[Name, int]:
    """The id of each measure, made where it is new; no query for those met before."""
    missing = set(names) - _measures.keys()
    if not missing:
        return _measures
    found = _found_measures(missing)
    if found.keys() != missing:
        new = [Measure(**dict(zip(_NAME, name, strict=True))) for name in missing - found.keys()]
        insert_new(new, _NAME)
        found = _found_measures(missing)
    _remember(_measures, found)
    return _measures | found


def _found_measures(names: set[Name]) -> dict[Name, int]:
    operations = {operation for operation, _, _ in names}
    rows = Measure.objects.filter(operation__in=operations).values_list(*_NAME, "pk")
    found = {(operation, metric, statistic): pk for operation, metric, statistic, pk in rows}
    return {name: pk for name, pk in found.items() if name in names}


def workload_ids(workloads: Mapping[str, dict[str, Any]]) -> dict[str, int]:
    """`{digest: id}` of `{digest: axes}`, made where it is new; no query for those met before."""
    missing = workloads.keys() - _workloads.keys()
    if not missing:
        return _workloads
    found = _found_workloads(missing)
    if found.keys() != missing:
        new = missing - found.keys()
        insert_new([Workload(digest=each, **workloads[each]) for each in new], ("digest",))
        found = _found_workloads(missing)
    if len(_workloads) > _MOST_WORKLOADS:
        _workloads.clear()
    _remember(_workloads, found)
    return _workloads | found


def _found_workloads(digests: Iterable[str]) -> dict[str, int]:
    return dict(Workload.objects.filter(digest__in=set(digests)).values_list("digest", "pk"))


def _remember(ids: dict[Any, int], found: dict[Any, int]) -> None:
    """After the commit: the ids of a transaction that is rolled back mean nothing."""
    transaction.on_commit(partial(ids.update, found))


def forget(**_signal: Any) -> None:
    """Drop the remembered ids: after `flush` the same words get other rows."""
    _measures.clear()
    _workloads.clear()
