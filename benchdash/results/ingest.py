"""The one door in: files to runs, for the page, the API, the command, the worker and the demo.

    outcomes = ingest([File("a.json", data)], Assignment(configuration=…), by=request.user)

One call is one transaction: all of its files are stored, or none. Bytes that were stored
before are answered with their runs; bytes that cannot be read are kept, with the reason.

Files, and the members of archives, are taken and read one by one: however many they are, the
memory is that of the largest, and of `HELD_BYTES` of others.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.parsers.unpacking import Budget
from benchdash.results.artifacts import artifacts_with_numbers, store_artifacts
from benchdash.results.assignment import Assignment
from benchdash.results.bulk import insert
from benchdash.results.models import Run, Upload
from benchdash.results.new_runs import Place, add_runs
from benchdash.results.outcomes import Outcome, name_environments, outcome_of, outcomes_of, runs_of
from benchdash.results.readings import HELD_BYTES, File, Reading, Spool, readings_of
from benchdash.results.storable import storable_sentence, storable_text
from benchdash.results.traces import (
    folder_of,
    may_be_log,
    owner_of,
    read_with_version_of,
    store_log,
    which_run,
)

_ATTEMPTS = 5
_QUICKER_TO_PARSE_BYTES = 64 * 2**10  # than to ask whether it is stored
_PLACES = 2000  # results whose rows are made at once
_LONGEST_NAME = 500
LONGEST_SENTENCE = 2000

log = logging.getLogger(__name__)


def ingest(
    files: Iterable[File],
    assignment: Assignment | Mapping[str, Assignment] | None = None,
    by: User | None = None,
    uploads: Sequence[Upload] = (),
    budget: Budget | None = None,
) -> list[Outcome]:
    """Store files and archives: one outcome a file, one for each member of an archive.

    `assignment` is that of all files, or of each by its name. `uploads` are the rows of files that
    were kept to be read later, or again; `budget` is what all files together may cost.
    """
    with Spool() as spool:
        readings = list(read(files, budget or Budget(), spool))
        return store(readings, spool, assignment or Assignment(), by, uploads)


def store(  # noqa: PLR0913 - what was read, and all that is known of it
    readings: Sequence[Reading],
    spool: Spool,
    assignment: Assignment | Mapping[str, Assignment],
    by: User | None,
    uploads: Sequence[Upload] = (),
    *,
    archive: Upload | None = None,
) -> list[Outcome]:
    """Store what was read, in one transaction; `archive` is what the files came in, if it is kept."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return _stored(Batch(readings, spool, assignment, by, archive), uploads)
        except (IntegrityError, OperationalError) as error:
            # another process stored the same just now: the next attempt finds it
            log.info("ingest tries again: %s", error)
    return _stored(Batch(readings, spool, assignment, by, archive), uploads)


def read(files: Iterable[File], budget: Budget, spool: Spool) -> Iterator[Reading]:
    """Everything, parsed and put on the spool, for `store`."""
    seen: set[str] = set()
    held: list[Reading] = []
    size = 0
    for file in files:
        for reading in readings_of(file, budget):
            held.append(reading)
            size += len(reading.data)
            if size > HELD_BYTES:
                _read_what_is_new(held, seen, budget, spool)
                yield from held
                held, size = [], 0
    _read_what_is_new(held, seen, budget, spool)
    yield from held


def _read_what_is_new(
    readings: Sequence[Reading], seen: set[str], budget: Budget, spool: Spool
) -> None:
    """Parse each content once; a large one only if it is not stored."""
    large = {each.sha256 for each in readings if len(each.data) > _QUICKER_TO_PARSE_BYTES} - seen
    seen |= artifacts_with_numbers(large).keys() if large else set()
    for reading in readings:
        if reading.sha256 not in seen:
            seen.add(reading.sha256)
            reading.read(budget)
            spool.put(reading)
        reading.data = b""


def _stored(batch: Batch, uploads: Sequence[Upload]) -> list[Outcome]:
    with transaction.atomic():
        if not all(map(still_open, uploads)):
            return outcomes_of(uploads)
        batch.store_bytes()
        batch.add_runs()
        batch.add_logs()
        return batch.store_uploads(uploads)


def still_open(upload: Upload) -> bool:
    """Lock it; False where the same message was delivered twice and the other one was quicker."""
    upload.refresh_from_db(from_queryset=Upload.objects.select_for_update())
    return upload.outcome in (Upload.Outcome.WAITING, Upload.Outcome.REFUSED)


@dataclass
class Batch:
    """`fresh` are the readings whose runs this batch adds, one a content; `runs` by artifact."""

    readings: Sequence[Reading]
    spool: Spool
    assignment: Assignment | Mapping[str, Assignment]
    by: User | None
    archive: Upload | None = None
    artifacts: dict[str, int] = field(default_factory=dict)
    fresh: dict[str, Reading] = field(default_factory=dict)
    runs: dict[int, list[Run]] = field(default_factory=dict)
    logs_without_run: dict[str, str] = field(default_factory=dict)

    def store_bytes(self) -> None:
        """Every content as an artifact, locked; from here on `fresh` is ours to add."""
        self.artifacts, there = store_artifacts(self.readings, self.spool)
        known = artifacts_with_numbers(there) if there else {}
        for reading in self.readings:
            if reading.sha256 not in known:
                self.fresh.setdefault(reading.sha256, reading)
        if known:
            self.runs |= runs_of(known.values())

    def add_runs(self) -> None:
        """The runs of all files at once, as long as they are few."""
        with_results = [each for each in self.fresh.values() if each.count and not each.is_log]
        now = timezone.now()
        for portion in self.spool.portions(with_results):
            places: list[Place] = []
            for each in portion:
                # the results of a file share its executions: they are added together
                if places and len(places) + each.count > _PLACES:
                    self._add(places)
                    places = []
                places += (
                    Place(
                        self.artifacts[each.sha256],
                        now,
                        position,
                        result,
                        each.count == 1,
                        self._assignment(each),
                    )
                    for position, result in enumerate(each.results)
                )
            self._add(places)

    def _add(self, places: Sequence[Place]) -> None:
        for run in add_runs(places, self.by):
            self.runs.setdefault(run.artifact_id, []).append(run)

    def add_logs(self) -> None:
        """fio's bare logs, as traces of the run that was named or of the one that they lie beside."""
        for sha256, log in self.fresh.items():
            if not may_be_log(log):
                continue
            run = self._assignment(log).run or owner_of(
                log.name, self._fio_runs[folder_of(log.name)]
            )
            with self.spool.loaded([log]):
                if run is not None:
                    read_with_version_of(run, log)
                if not log.results:
                    continue
                if run is None:
                    self.logs_without_run[sha256] = which_run(log)
                else:
                    store_log(log, self.artifacts[sha256], run)
                    self.runs[self.artifacts[sha256]] = [run]

    @cached_property
    def _fio_runs(self) -> Mapping[str, list[Run]]:
        """fio's runs by the folder that their files lie in, each once."""
        found: dict[str, dict[int, Run]] = defaultdict(dict)
        for reading in self.readings:
            for run in self._runs_of(reading):
                if run.tool == "fio":
                    found[folder_of(reading.name)][run.pk] = run
        return defaultdict(list, {name: list(runs.values()) for name, runs in found.items()})

    def store_uploads(self, uploads: Sequence[Upload]) -> list[Outcome]:
        """What became of each file, as rows; `uploads` are those that the files have already."""
        rows: dict[Reading, Upload] = {}
        files = [reading for reading in self.readings if reading.outer is None]
        for upload, reading in zip(uploads, files if uploads else [], strict=True):
            rows[reading] = self._filled(upload, reading)
            upload.save()
        for inner in (False, True):  # a member needs the id of its archive
            new = {
                each: self._filled(
                    Upload(
                        created_by=self.by,
                        archive=rows[each.outer] if each.outer else self.archive,
                    ),
                    each,
                )
                for each in self.readings
                if each not in rows and (each.outer is not None) is inner
            }
            insert(list(new.values()))
            rows |= new
        name_environments(run for runs in self.runs.values() for run in runs)
        return [
            outcome_of(rows[reading], reading.sha256, self._runs_of(reading))
            for reading in self.readings
            if reading.sentence or not reading.is_archive
        ]

    def _assignment(self, reading: Reading) -> Assignment:
        """Where it belongs; the member of an archive where that does."""
        if isinstance(self.assignment, Assignment):
            return self.assignment
        return self.assignment[(reading.outer or reading).name]

    def _runs_of(self, reading: Reading) -> list[Run]:
        return self.runs.get(self.artifacts[reading.sha256], [])

    def _filled(self, row: Upload, reading: Reading) -> Upload:
        row.artifact_id = self.artifacts[reading.sha256]
        row.name = storable_text(reading.name, _LONGEST_NAME)
        row.assignment = self._assignment(reading).as_json()
        row.outcome, sentence = self._outcome(reading)
        row.sentence = storable_sentence(sentence, LONGEST_SENTENCE)
        return row

    def _outcome(self, reading: Reading) -> tuple[Upload.Outcome, str]:
        first = self.fresh.get(reading.sha256)
        if first is None:
            return Upload.Outcome.KNOWN, ""
        if reading.is_archive and not reading.sentence:
            return Upload.Outcome.STORED, ""
        if not self._runs_of(reading):
            no_run = self.logs_without_run.get(reading.sha256, "")
            return Upload.Outcome.REFUSED, no_run or reading.sentence or first.sentence
        return (
            (Upload.Outcome.STORED, reading.sentence)
            if first is reading
            else (Upload.Outcome.KNOWN, "")
        )
