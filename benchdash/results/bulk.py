"""Many rows at once, in the way that each database is quickest at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, cast

from django.db import connection
from django.db.models import Field, Model

_COPY_LINES = 10_000


def insert_new(rows: Sequence[Model], unique: tuple[str, ...]) -> dict[tuple[Any, ...], int]:
    """Insert the rows whose `unique` fields are not there yet: `{values of unique: new id}`.

    Rows that are there, also those that another transaction is just committing, are left out
    of the answer. One order for everyone, so that two transactions cannot wait for each other.
    """
    if not rows:
        return {}
    ordered = sorted(rows, key=lambda row: [getattr(row, name) for name in unique])
    fields = [field for field in ordered[0]._meta.concrete_fields if not field.primary_key]
    size = max(1, (connection.features.max_query_params or 50_000) // len(fields))
    inserted: dict[tuple[Any, ...], int] = {}
    for start in range(0, len(ordered), size):
        inserted |= _insert_chunk(ordered[start : start + size], fields, unique)
    return inserted


def _insert_chunk(
    rows: Sequence[Model], fields: Sequence[Field[Any, Any]], unique: tuple[str, ...]
) -> dict[tuple[Any, ...], int]:
    keys = _columns(unique)
    one = f"({', '.join(['%s'] * len(fields))})"
    target = f"{_table(type(rows[0]))} ({_columns(field.attname for field in fields)})"
    statement = (
        f"INSERT INTO {target} VALUES {', '.join([one] * len(rows))}"  # noqa: S608 - names of our models
        f" ON CONFLICT ({keys}) DO NOTHING RETURNING id, {keys}"
    )
    values = [
        field.get_db_prep_save(field.pre_save(row, add=True), connection)
        for row in rows
        for field in fields
    ]
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return {tuple(key): number for number, *key in cursor.fetchall()}


def copy_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[float]]) -> None:
    """Insert rows of numbers: COPY on PostgreSQL, `executemany` elsewhere."""
    target = f"{_table(model)} ({_columns(columns)})"
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            holes = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {target} VALUES ({holes})"  # noqa: S608 - names of our models
            cursor.executemany(statement, cast("Sequence[Sequence[float]]", rows))
            return
        lines = ("\t".join(map(repr, row)) for row in rows)
        with cursor.copy(f"COPY {target} FROM STDIN") as copy:
            while chunk := list(islice(lines, _COPY_LINES)):
                copy.write("\n".join(chunk) + "\n")


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _columns(names: Iterable[str]) -> str:
    return ", ".join(connection.ops.quote_name(name) for name in names)
