"""What pages ask of the database, as one would write it by hand: the same rows, and nothing else.

Ids of what people named are looked up beforehand, and each question names its columns and its index
by itself. Answers are fetched, and not read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db import connection

from benchmarks.within import sql_by_hand as sql


class ByHand:
    """Each page's questions; lists are narrowed by `host` and `since`, search looks for the host."""

    def __init__(self, host: str, since: str) -> None:
        self.host = host
        self.ids: dict[str, Any] = {
            "since": since,
            "environments": _column(
                "SELECT environment_id FROM inventory_environmentmachine AS part"
                " JOIN inventory_machinesnapshot AS machine ON machine.id = part.snapshot_id"
                " JOIN inventory_host AS host ON host.id = machine.host_id WHERE host.name = %s",
                host,
            ),
            "workloads": _column(
                "SELECT id FROM results_workload WHERE pattern = 'randwrite' AND block_bytes = 4096"
            ),
        }
        self.targets = _column(
            "SELECT target.id FROM jobs_target AS target"
            " JOIN inventory_host AS host ON host.id = target.host_id WHERE host.name = %s",
            host,
        )
        self.iops = _column(
            "SELECT id FROM results_measure WHERE metric = 'iops' AND statistic = 'mean'"
            " AND operation IN ('seq_write', 'seq_read', 'rand_write', 'rand_read', 'rand_seek')"
            " ORDER BY array_position(ARRAY['seq_write', 'seq_read', 'rand_write', 'rand_read'],"
            " operation::text)"
        )
        self.means = _column("SELECT id FROM results_measure WHERE statistic = 'mean'")

    def listed(self) -> None:
        """The newest runs with their numbers, tags and doubts, and how many there are."""
        self._list("")

    def listed_narrowed(self) -> None:
        """Those on the host, of one pattern and block size, since a day."""
        self._list(sql.ON_HOST + sql.OF_WORKLOADS + sql.SINCE)

    def listed_sorted(self) -> None:
        """Those of the most IOPS, whichever operation comes first in what they measured."""
        parts = (
            sql.OF_ONE_MEASURE.format(measure=measure, better=self.iops[:place])
            for place, measure in enumerate(self.iops)
        )
        self._sorted(sql.SORTED.format(parts=" UNION ALL ".join(parts)))

    def listed_by_configuration(self) -> None:
        """The newest of the configurations whose names come first."""
        self._sorted(sql.BY_CONFIGURATION)

    def _sorted(self, statement: str) -> None:
        self.ids["sorted"] = _column(statement)
        self._list(" AND run.id = ANY(%(sorted)s)", counted="")

    def _list(self, narrowed: str, counted: str | None = None) -> None:
        _person()
        keys = [row[0] for row in _rows(sql.RUNS.format(narrowed=narrowed), self.ids)]
        _rows(sql.NUMBERS, [keys])
        _rows("SELECT id, sample_id, label FROM results_run WHERE sample_id = ANY(%s)", [keys])
        _rows(sql.TAGS, [keys])
        _rows(sql.DOUBTS, [keys])
        _rows(sql.COUNT.format(narrowed=narrowed if counted is None else counted), self.ids)
        for statement in sql.COLUMNS_OFFERED:
            _rows(statement, [keys])

    def counted_narrowed(self) -> None:
        """Each column with the conditions of the others; names and layer options; ages."""
        _person()
        for column in sql.COLUMNS:
            conditions = {
                "environment_id": sql.OF_WORKLOADS + sql.SINCE,
                "workload_id": sql.ON_HOST + sql.SINCE,
            }
            narrowed = conditions.get(column, sql.ON_HOST + sql.OF_WORKLOADS + sql.SINCE)
            _rows(sql.BY.format(column=column, narrowed=narrowed), self.ids)
        _rows(sql.COUNT.format(narrowed=sql.ON_HOST + sql.OF_WORKLOADS), self.ids)
        every = sql.ON_HOST + sql.OF_WORKLOADS + sql.SINCE
        _rows(sql.BY.format(column="settings", narrowed=every), self.ids)
        for statement in (sql.PLANS, sql.TAGS_OF, sql.DOUBTS_OF):
            _rows(statement.format(narrowed=every), self.ids)
        for statement in sql.WORDS:
            _rows(statement)

    def host_found(self) -> None:
        """Search for the host: runs and jobs by what they point at."""
        self._search(self.host, {"targets": self.targets, **self.ids})

    def nothing_found(self) -> None:
        """Search for a word that is nowhere."""
        self._search("nosuchword", {"targets": [], "environments": []})

    def _search(self, word: str, ids: dict[str, list[int]]) -> None:
        _person()
        values = {"like": f"%{word.upper()}%", "word": word.upper(), **ids}
        _rows(sql.POINTED_AT, values)
        for statement in sql.FOUND.values():
            _rows(statement, values)
        _rows(sql.DOUBTS, [[row[0] for row in _rows(sql.RUNS_FOUND, values)]])
        _rows(sql.JOBS_FOUND, values)

    def studies(self) -> None:
        """The list of studies: a card each, with the numbers of its newest runs."""
        _person()
        studies = [row[0] for row in _rows(sql.CARDS)][:24]
        _rows(sql.CONDITIONS, [studies])
        runs = [row[0] for row in _rows(sql.NEWEST_OF_STUDIES, [studies])]
        _rows(sql.MEANS_THERE)
        _rows(sql.MEANS, [runs, self.means])
        _rows(sql.DOUBTS, [runs])
        _rows(sql.WORKLOADS)

    def compare_form(self) -> None:
        """All that a comparison can be narrowed by."""
        _person()
        for statement in (sql.IN_SHORT, sql.NEWEST_TAGGED, *sql.CHOICES):
            _rows(statement)

    def study(self, slug: str) -> Callable[[], None]:
        """What its page needs: its runs, all numbers that its charts may show, and its words."""
        (pk,) = _column("SELECT id FROM results_study WHERE slug = %s", slug)

        def run() -> None:
            _person()
            for statement in sql.WORDS_OF_STUDY:
                _rows(statement, [pk])
            runs = [row[0] for row in _rows(sql.OF_STUDY, [pk])]
            _rows(sql.LOOKS, [runs])
            _rows(sql.DOUBTS, [runs])
            measures = [row[0] for row in _rows(sql.MEASURES_OF, [runs])]
            _rows(sql.MEANS, [runs, measures])
            _rows(sql.TRACES, [runs])
            _rows(sql.WORKLOADS)

        return run

    def comparison(self, slug: str) -> Callable[[], None]:
        """The same with the form above it."""
        study = self.study(slug)

        def run() -> None:
            study()
            self.compare_form()

        return run


def _person() -> None:
    _rows("SELECT session_data FROM django_session LIMIT 1")
    _rows("SELECT * FROM accounts_user WHERE id = 1")
    _rows("SELECT group_id FROM accounts_user_groups WHERE user_id = 1")
    _rows("SELECT name, query FROM results_savedfilter WHERE person_id = 1")


def _column(statement: str, *values: Any) -> list[int]:
    return [row[0] for row in _rows(statement, values)]


def _rows(statement: str, values: Any = None) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
