"""Queries whose SQL is made once: Django takes longer for that than the database for the answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any, Generic, NamedTuple, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Lookup, QuerySet
from django.db.models.sql import Query
from django.db.models.sql.compiler import SQLCompiler

Row = TypeVar("Row", bound=tuple[Any, ...])
# above these a kept plan is the slower one (measured: half to nine tenths of the time at 120 ids,
# equal at about 200, up to 1.3 times as slow at 384)
_FEW = 150


@contextmanager
def planned_anew() -> Iterator[None]:
    """PostgreSQL plans each statement in here by its values, however often it was asked before.

    For those whose best plan hangs on them: words of which nobody knows how many records have
    them. A plan that is kept for all values reads a million rows where an index has none.
    """
    database = connections[DEFAULT_DB_ALIAS]
    database.ensure_connection()
    threshold = getattr(database.connection, "prepare_threshold", None)  # SQLite has none
    if threshold is None:
        yield
        return
    database.connection.prepare_threshold = None
    try:
        yield
    finally:
        database.connection.prepare_threshold = threshold


_ANSWERS: ContextVar[dict[Any, Any] | None] = ContextVar("answers", default=None)


@contextmanager
def asked_once() -> Iterator[None]:
    """What is asked again in here has the answer that it had: charts of a page are of the same runs."""
    known = _ANSWERS.get()
    token = _ANSWERS.set({} if known is None else known)
    try:
        yield
    finally:
        _ANSWERS.reset(token)


class _Made(NamedTuple):
    """A statement, and how Django turns its columns into values."""

    sql: str
    params: tuple[Any, ...]
    holes: dict[str, int]  # the place of what a call gives, by the parameter that stands for it
    converters: Any
    query: Query


class Prepared(Generic[Row]):
    """`values_list` of a query that differs from call to call by numbers in its `OneOf` alone.

    Only the statement is kept, by kind of database, and by which lists have one number: PostgreSQL
    plans a list of one at each call, and a number once. Each call asks anew, but for `asked_once`.
    """

    def __init__(self, query: Callable[..., QuerySet[Any, Row]]) -> None:
        self.query = query
        self._made: dict[tuple[str, tuple[bool, ...]], _Made] = {}

    def __call__(self, *given: Collection[int]) -> list[Row]:
        """The rows for these numbers, none where a list of them is empty; one query."""
        if not all(given):
            return []
        if (answers := _ANSWERS.get()) is None:
            return self._ask(given)
        key = self, *map(frozenset, given)
        if key not in answers:
            answers[key] = self._ask(given)
        found: list[Row] = answers[key]
        return found

    def _ask(self, given: Sequence[Collection[int]]) -> list[Row]:
        database = connections[DEFAULT_DB_ALIAS]
        ones = tuple(len(numbers) == 1 for numbers in given)
        made = self._made.get((database.vendor, ones))
        if made is None:
            made = self._made[database.vendor, ones] = self._make(ones)
        # as OneOf has them: an array or JSON; psycopg takes ten times as long to write a list
        written = "{{{}}}" if database.vendor == "postgresql" else "[{}]"
        lists = [
            next(iter(numbers)) if is_one else written.format(",".join(map(str, numbers)))
            for numbers, is_one in zip(given, ones, strict=True)
        ]
        params = [
            lists[made.holes[key]] if (key := str(param)) in made.holes else param
            for param in made.params
        ]
        # a plan for all lists is made for ten numbers
        is_long = max(map(len, given), default=0) > _FEW
        with planned_anew() if is_long else nullcontext(), database.cursor() as cursor:
            cursor.execute(made.sql, params)
            rows: list[Row] = cursor.fetchall()
        if not made.converters:
            return rows
        convert = made.query.get_compiler(DEFAULT_DB_ALIAS).apply_converters
        return [tuple(row) for row in convert(rows, made.converters)]  # type: ignore[misc]

    def _make(self, ones: Sequence[bool]) -> _Made:
        numbers = [-(2**62) - place for place in range(len(ones))]  # no id is like that
        holes = [each if is_one else [each] for each, is_one in zip(numbers, ones, strict=True)]
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


class OneOf(Lookup):
    """Whether a number is one of many, as one parameter: IN has one for each, which takes 4 µs.

    Or whether it is the one that is given in place of a list.
    """

    lookup_name = "one_of"
    prepare_rhs = False

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, list[Any]]:
        """An array."""
        column, params = self._column(compiler, connection)
        if isinstance(self.rhs, int):
            return f"{column} = %s", [*params, self.rhs]
        return f"{column} = ANY(%s::bigint[])", [*params, self.rhs]

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, list[Any]]:
        """A list in JSON."""
        column, params = self._column(compiler, connection)
        if isinstance(self.rhs, int):
            return f"{column} = %s", [*params, self.rhs]
        sql = f"{column} IN (SELECT value FROM json_each(%s))"  # noqa: S608 - a column's name
        return sql, [*params, json.dumps(self.rhs)]

    def _column(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, Sequence[Any]]:
        if not self.rhs:  # as IN has it: then nothing is asked
            raise EmptyResultSet
        return self.process_lhs(compiler, connection)
