"""Many rows at once, in the way that each database is quickest at.

Statements of our own where Django's take longer to build than the database to run: an upload
is stored by five of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.models import GeneratedField, Model

from benchdash.results.models import Measure, Workload

Name = tuple[str, str, str]  # operation, metric, statistic

_NAME = ("operation", "metric", "statistic")
_MOST_WORKLOADS = 50_000
_COPY_LINES = 10_000
_ROWS = 1_000
# ids that this process knows already: measures and workloads recur with every file, and asking
# for them again made a small upload half as long again
_measures: dict[Name, int] = {}
_workloads: dict[str, int] = {}


def insert(rows: Sequence[Model]) -> None:
    """Insert unsaved rows of one model, which get their ids."""
    for chunk in _chunks(rows):
        for row, (pk,) in zip(chunk, _inserted(chunk, "RETURNING id"), strict=True):
            row.pk = pk


def insert_new(rows: Sequence[Model], unique: tuple[str, ...], where: str = "") -> None:
    """Insert those rows whose `unique` fields are not there yet: only they get their ids.

    Rows that another transaction is just committing are there too. `where` is the condition of
    a partial index. One order for everyone, so that two transactions never wait for each other.
    """
    keys = _columns(unique)
    conflict = f"ON CONFLICT ({keys}) {where} DO NOTHING RETURNING id, {keys}"
    ordered = sorted(rows, key=lambda row: [getattr(row, name) for name in unique])
    for chunk in _chunks(ordered):
        ids = {tuple(key): pk for pk, *key in _inserted(chunk, conflict)}
        for row in chunk:
            # where two rows are alike, the first one is in
            row.pk = ids.pop(tuple(getattr(row, name) for name in unique), None)


def _chunks(rows: Sequence[Model]) -> Iterator[Sequence[Model]]:
    if rows:
        holes = connections[DEFAULT_DB_ALIAS].features.max_query_params or 10**9
        size = min(_ROWS, holes // len(_fields(type(rows[0]))))
        yield from (rows[start : start + size] for start in range(0, len(rows), size))


def _inserted(rows: Sequence[Model], ending: str) -> list[tuple[Any, ...]]:
    database = connections[DEFAULT_DB_ALIAS]  # `connection` is a proxy, slower at each field
    fields = _fields(type(rows[0]))
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), database)
        for row in rows
        for field in fields
    ]
    into, holes = _insert_into(type(rows[0]))
    with database.cursor() as cursor:
        cursor.execute(f"{into} VALUES {', '.join([holes] * len(rows))} {ending}", values)
        return list(cursor.fetchall())


@cache
def _insert_into(model: type[Model]) -> tuple[str, str]:
    names = [field.attname for field in _fields(model)]
    return f"INSERT INTO {_target(model, tuple(names))}", f"({', '.join(['%s'] * len(names))})"


@cache
def _fields(model: type[Model]) -> list[Any]:
    return [
        field
        for field in model._meta.concrete_fields
        if not field.primary_key and not isinstance(field, GeneratedField)
    ]


def copy_rows(
    model: type[Model], columns: tuple[str, ...], rows: Iterable[Sequence[float]]
) -> None:
    """Insert rows of numbers: COPY on PostgreSQL, `executemany` elsewhere."""
    target = _target(model, columns)
    database = connections[DEFAULT_DB_ALIAS]
    with database.cursor() as cursor:
        if database.vendor != "postgresql":
            holes = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {target} VALUES ({holes})"  # noqa: S608 - names of our models
            cursor.executemany(statement, cast("Sequence[Sequence[float]]", rows))
            return
        lines = ("\t".join(map(repr, row)) for row in rows)
        with cursor.copy(f"COPY {target} FROM STDIN") as copy:
            while chunk := list(islice(lines, _COPY_LINES)):
                copy.write("\n".join(chunk) + "\n")


@cache
def _target(model: type[Model], columns: tuple[str, ...]) -> str:
    return f"{connection.ops.quote_name(model._meta.db_table)} ({_columns(columns)})"


@cache
def _columns(names: tuple[str, ...]) -> str:
    return ", ".join(map(connection.ops.quote_name, names))


def measure_ids(names: Iterable[Name]) -> dict[Name, int]:
    """The id of each measure, made where it is new; no query for those that this process knows."""
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
    """`{digest: id}` of `{digest: axes}`, made where it is new; no query for those that this process knows."""
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
    """Drop the remembered ids: after `flush` the same measures get other rows."""
    _measures.clear()
    _workloads.clear()
