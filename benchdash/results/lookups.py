"""Conditions that Django has no lookup for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Exists, F, Func, IntegerField, Lookup, OuterRef, Q, QuerySet, Subquery
from django.db.models.sql.compiler import SQLCompiler


class _OneOfFound(Lookup):
    lookup_name = "one_of_found"

    def as_postgresql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, list[Any]]:
        return self._sql(compiler, connection, "{} = ANY(ARRAY{})")

    def as_sqlite(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper
    ) -> tuple[str, list[Any]]:
        return self._sql(compiler, connection, "{} IN {}")

    def _sql(
        self, compiler: SQLCompiler, connection: BaseDatabaseWrapper, text: str
    ) -> tuple[str, list[Any]]:
        column, its_params = self.process_lhs(compiler, connection)
        found, params = self.process_rhs(compiler, connection)
        return text.format(column, found), [*its_params, *params]


def one_of_found(column: str, found: QuerySet[Any, Any]) -> Lookup:
    """Whether a key is among the few of a query with one column, which is asked once and beforehand.

    PostgreSQL looks each of them up in an index, also within OR; of IN it makes a join with
    millions of rows, or a condition that no index helps.
    """
    return _OneOfFound(F(column), found.order_by().query)


def number_of(rows: QuerySet[Any, Any]) -> Func:
    """How many `rows` there are for each record that their `OuterRef` looks up."""
    template = "(SELECT count(*) FROM %(expressions)s AS own)"
    return Func(Subquery(rows), template=template, output_field=IntegerField())


def looked_up(condition: Q) -> Q:
    """The same with the ids that `one_of_found` would find, for a condition that is asked many times.

    PostgreSQL plans with the number of runs that have them. One query each.
    """
    children = [
        looked_up(each)
        if isinstance(each, Q)
        else _ids_of(each)
        if isinstance(each, _OneOfFound)
        else each
        for each in condition.children
    ]
    return Q(*children, _connector=condition.connector, _negated=condition.negated)


# columns that point at records of which there are few, however many runs
_FEW = ("environment", "configuration", "workload", "study")
_MOST_IDS = 1_000  # of others: beyond, asking again costs less than so many numbers in each query


def _ids_of(lookup: _OneOfFound) -> tuple[str, list[Any]] | _OneOfFound:
    found = lookup.rhs.chain().get_compiler(DEFAULT_DB_ALIAS).results_iter()
    most = None if lookup.lhs.name in _FEW else _MOST_IDS + 1
    ids = {pk for (pk,) in islice(found, most)}
    if most and len(ids) > _MOST_IDS:
        return lookup
    return f"{lookup.lhs.name}__in", sorted(ids - {None})


@dataclass(frozen=True, slots=True)
class Meaning:
    """A condition as it is asked of a few records, and as an index answers it for very many."""

    one_by_one: Q
    by_index: Q

    def __or__(self, other: Meaning) -> Meaning:
        return Meaning(self.one_by_one | other.one_by_one, self.by_index | other.by_index)


def always(condition: Q) -> Meaning:
    """A condition that is asked of many as of few."""
    return Meaning(condition, condition)


def pointed_at(column: str, records: QuerySet[Any], key: str) -> Meaning:
    """One of very many records points there: each is looked up, or all are beforehand."""
    # said twice: of a mere = PostgreSQL makes a hash of all of them, for the few that are asked
    its_own = {key: OuterRef(column), f"{key}__gte": OuterRef(column)}
    return Meaning(
        Q(Exists(records.filter(**its_own))), Q(one_of_found(column, records.values(key)))
    )
