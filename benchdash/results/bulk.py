"""Many rows at once, in the way that each database is quickest at.

Statements of our own where Django's take longer to build than the database to run: an upload
is stored by five of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models import GeneratedField, Model

_COPY_LINES = 10_000
_ROWS = 1_000
# a database takes their values as they are
_PLAIN = (
    *(models.CharField, models.TextField, models.IntegerField, models.FloatField),
    *(models.BooleanField, models.ForeignKey),
)


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
    database = connections[DEFAULT_DB_ALIAS]  # its proxy takes longer than what is asked of it
    plain, others = _reading(type(rows[0]))
    values: list[Any] = []
    for row in rows:
        start = len(values)
        values += plain(row)
        for place, field in others:
            value = field.pre_save(row, add=True)
            values[start + place] = field.get_db_prep_save(value, database)
    into, holes = _insert_into(type(rows[0]))
    with database.cursor() as cursor:
        cursor.execute(f"{into} VALUES {', '.join([holes] * len(rows))} {ending}", values)
        return list(cursor.fetchall())


@cache
def _insert_into(model: type[Model]) -> tuple[str, str]:
    names = [field.attname for field in _fields(model)]
    return f"INSERT INTO {_target(model, tuple(names))}", f"({', '.join(['%s'] * len(names))})"


@cache
def _reading(model: type[Model]) -> tuple[Callable[[Model], Sequence[Any]], list[tuple[int, Any]]]:
    """What takes all values of a row at once, and where a field is that must convert its own."""
    fields = _fields(model)
    others = [pair for pair in enumerate(fields) if not isinstance(pair[1], _PLAIN)]
    return attrgetter(*(field.attname for field in fields)), others


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
