"""Queries whose SQL is made once: Django takes longer for that than the database for the answer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Generic, NamedTuple, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet
from django.db.models.sql import Query

Row = TypeVar("Row", bound=tuple[Any, ...])


class _Made(NamedTuple):
    """A statement, and how Django turns its columns into values."""

    sql: str
    params: tuple[Any, ...]
    holes: dict[str, int]  # the place of what a call gives, by the parameter that stands for it
    converters: Any
    query: Query


class Prepared(Generic[Row]):
    """`values_list` of a query that differs from call to call by numbers in its `OneOf` alone.

    Only the statement is kept, by kind of database; each call asks anew.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Row]]) -> None:
        self.query = query
        self._made: dict[str, _Made] = {}

    def __call__(self, *given: Collection[int]) -> list[Row]:
        """The rows for these numbers, none where a list of them is empty; one query."""
        if not all(given):
            return []
        database = connections[DEFAULT_DB_ALIAS]
        made = self._made.get(database.vendor)
        if made is None:
            made = self._made[database.vendor] = self._make(len(given))
        # as OneOf has them: an array or JSON; psycopg takes ten times as long to write a list
        written = "{{{}}}" if database.vendor == "postgresql" else "[{}]"
        lists = [written.format(",".join(map(str, one))) for one in given]
        params = [
            lists[made.holes[key]] if (key := str(param)) in made.holes else param
            for param in made.params
        ]
        with database.cursor() as cursor:
            cursor.execute(made.sql, params)
            rows: list[Row] = cursor.fetchall()
        if not made.converters:
            return rows
        convert = made.query.get_compiler(DEFAULT_DB_ALIAS).apply_converters
        return [tuple(row) for row in convert(rows, made.converters)]  # type: ignore[misc]

    def _make(self, count: int) -> _Made:
        holes = [[-(2**62) - place] for place in range(count)]  # no id is like that
        query = self.query(*holes).query
        compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        sql, params = compiler.as_sql()
        columns = [column for column, *_rest in compiler.select[: compiler.col_count]]
        return _Made(
            sql,
            tuple(params),
            {str(hole): place for place, hole in enumerate(holes)},
            compiler.get_converters(columns),
            query,
        )
