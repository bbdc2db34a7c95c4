"""One pass of bonnie++ in two files, its table and its CSV line: both get one digest.

By that they are the same result, as two that print equal numbers are: one counts, the other names
it and takes its place where it is deleted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import itemgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

from benchdash.parsers import bonnie
from benchdash.parsers.bonnie.likeness import Likeness, is_same, is_table, likenesses, rarest
from benchdash.parsers.bonnie.record import Record, cells_of
from benchdash.parsers.result import Name, Result

_AXES = ("file_bytes", "files", "concurrency")
_TRIES = 8  # results in the other form that are alike to the letter
_MOST_STORED = 200  # that have the rarest number, and four more for each that is read
# Django takes longer to make this than to store the file
_NUMBERS = """
SELECT measure.operation, measure.metric, measure.statistic, number.value,
       run.id, run.artifact_id, run.digest, run.format, run.tool_version, run.label,
       workload.file_bytes, workload.files, workload.concurrency
FROM results_measurement number
JOIN results_measure measure ON measure.id = number.measure_id
JOIN results_run run ON run.id = number.run_id
JOIN results_workload workload ON workload.id = run.workload_id
WHERE run.id IN (
    SELECT run_id FROM results_measurement WHERE {} ORDER BY run_id DESC LIMIT %s
) AND run.tool = %s
"""
# one measure, so that the index of numbers is asked
_HAVING = """(measure_id = (
    SELECT id FROM results_measure WHERE operation = %s AND metric = %s AND statistic = %s
) AND value IN ({}))"""


@dataclass(frozen=True, slots=True)
class Read:
    """A result of `artifact`, its own digest, and the label that its run will have."""

    artifact: int
    result: Result
    digest: str
    label: str


def shared_digests(read: Collection[Read]) -> list[str]:
    """The digest of each: its own, or the one that the same result has in its other form.

    One query, and none where nothing is bonnie++'s.
    """
    digests = [each.digest for each in read]
    ours = [
        (_as_printed(each.result), place, each)
        for place, each in enumerate(read)
        if each.result.tool == bonnie.TOOL
    ]
    if not ours:
        return digests
    known = _Known()
    before: dict[Any, str] = {}  # of what is read again
    artifacts = {each.artifact for _, _, each in ours}
    for artifact, record, digest in _stored(ours):
        if artifact not in artifacts:
            known.add(record, digest)
        elif not is_table(record):
            before[_all_of(record)] = digest
    for record, place, each in sorted(ours, key=lambda one: is_table(one[0])):
        found = known.digest_of(record) or known.digest_of(replace(record, name=each.label))
        # of two that were stored as two, the table follows, whichever is read again first
        if found and before.get(_all_of(record), found) == found:
            digests[place] = found
        known.add(record, digests[place])
    return digests


@dataclass(slots=True)
class _Known:
    """The results that others may be the same as."""

    equal: dict[tuple[Any, ...], str] = field(default_factory=dict)
    alike: dict[Likeness, dict[str, Record]] = field(default_factory=lambda: defaultdict(dict))
    forms: dict[str, set[bool]] = field(default_factory=lambda: defaultdict(set))

    def add(self, record: Record, digest: str) -> None:
        self.equal.setdefault(_all_of(record), digest)
        self.forms[digest].add(is_table(record))
        for key in likenesses(record):
            before = self.alike[key].get(digest)
            # where there is a CSV line, it alone says what else is the same
            if before is None or is_table(before):
                self.alike[key][digest] = record

    def digest_of(self, record: Record) -> str | None:
        equal = self.equal.get(_all_of(record))
        if equal and len(self.forms[equal]) > 1:
            return equal
        for key in likenesses(record):
            for digest, other in islice(self.alike.get(key, {}).items(), _TRIES):
                table, row = (record, other) if is_table(record) else (other, record)
                if is_table(table) and not is_table(row) and is_same(table, row):
                    return digest
        return None


def _all_of(record: Record) -> tuple[Any, ...]:
    axes = record.size, record.concurrency, record.files
    return is_table(record), *axes, *record.cells


def _as_printed(result: Result) -> Record:
    axes = (result.workload.get(name) for name in _AXES)
    names = result.format, result.tool_version, result.label
    return _record(names, axes, result.by_name())


def _record(
    names: Iterable[str], axes: Iterable[int | None], numbers: Mapping[Name, float]
) -> Record:
    form, version, label = names
    size, files, concurrency = (str(axis or "") for axis in axes)
    return Record(form, version, label, size, files, cells_of(numbers), concurrency)


def _stored(ours: Collection[tuple[Record, int, Read]]) -> Iterator[tuple[int, Record, str]]:
    """Stored results that have the rarest number of one of ours: artifact, result, digest.

    Also those that are deleted or withdrawn: they may come back.
    """
    wanted: dict[Name, set[float]] = defaultdict(set)
    for record, _, each in ours:
        if name := rarest(record):
            wanted[name].add(each.result.by_name()[name])
    numbers: dict[tuple[Any, ...], dict[Name, float]] = defaultdict(dict)
    for row in _numbers(wanted, 4 * len(ours)):
        operation, metric, statistic, value = row[:4]
        numbers[row[4:]][operation, metric, statistic] = value
    for run in sorted(numbers, key=itemgetter(0)):
        _, artifact, digest, *known = run
        yield artifact, _record(known[:3], known[3:], numbers[run]), digest


def _numbers(wanted: Mapping[Name, set[float]], most: int) -> list[tuple[Any, ...]]:
    """All numbers of the newest runs that have one of these, each with what is known of its run."""
    if not wanted:
        return []
    having: list[str] = []
    params: list[Any] = []
    for name, values in wanted.items():
        having.append(_HAVING.format(", ".join(["%s"] * len(values))))
        params += [*name, *values]
    statement = _NUMBERS.format(" OR ".join(having))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement, [*params, _MOST_STORED + most, bonnie.TOOL])
        return list(cursor.fetchall())
