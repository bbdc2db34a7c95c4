"""Words that recur with every file, as the ids of their one row."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from django.db import transaction

from benchdash.results.bulk import insert_new
from benchdash.results.models import Measure, Workload
from benchdash.vocabulary import canonical
from benchdash.vocabulary.workloads import typed

Name = tuple[str, str, str]  # operation, metric, statistic

_NAME = ("operation", "metric", "statistic")
_measures: dict[Name, int] = {}


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
    # the ids of a transaction that is rolled back must not be remembered
    transaction.on_commit(partial(_measures.update, found))
    return _measures | found


def _found_measures(names: set[Name]) -> dict[Name, int]:
    operations = {operation for operation, _, _ in names}
    rows = Measure.objects.filter(operation__in=operations).values_list(*_NAME, "pk")
    found = {(operation, metric, statistic): pk for operation, metric, statistic, pk in rows}
    return {name: pk for name, pk in found.items() if name in names}


def forget_measures(**_signal: Any) -> None:
    """Drop the remembered ids: after `flush` the same words get other rows."""
    _measures.clear()


def workload_digest(workload: dict[str, Any]) -> str:
    """One content, one digest."""
    return canonical.digest(typed(workload))


def workload_ids(workloads: Iterable[dict[str, Any]]) -> dict[str, int]:
    """`{digest: id}` of each workload, made where it is new."""
    wanted = {workload_digest(workload): typed(workload) for workload in workloads}
    found = _found_workloads(wanted.keys())
    missing = wanted.keys() - found.keys()
    if missing:
        insert_new([Workload(digest=each, **wanted[each]) for each in missing], ("digest",))
        found |= _found_workloads(missing)
    return found


def _found_workloads(digests: Iterable[str]) -> dict[str, int]:
    return dict(Workload.objects.filter(digest__in=set(digests)).values_list("digest", "pk"))
