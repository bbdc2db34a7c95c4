"""The files of one transaction on their way into the database, step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchdash.accounts.models import User
from benchdash.results.artifacts import keep_artifacts, with_runs
from benchdash.results.asked import Asked
from benchdash.results.bulk import insert
from benchdash.results.logs import (
    folder_of,
    hang,
    is_log,
    may_be_log,
    owner_of,
    read_as_printed_by,
    which_run,
)
from benchdash.results.models import Run, Upload
from benchdash.results.new_runs import Place, add_runs
from benchdash.results.outcomes import Outcome, name_environments, outcome_of, runs_of
from benchdash.results.readings import Reading
from benchdash.results.storable import storable_text

_LONGEST_NAME = 500
_LONGEST_SENTENCE = 2000


@dataclass(slots=True)
class Batch:
    """`fresh` are the readings whose runs this batch adds, one a content; `runs` by artifact."""

    readings: Sequence[Reading]
    asked: Asked
    by: User | None
    artifacts: dict[str, int] = field(default_factory=dict)
    fresh: dict[str, Reading] = field(default_factory=dict)
    runs: dict[int, list[Run]] = field(default_factory=dict)
    homeless_logs: dict[str, str] = field(default_factory=dict)

    def keep_bytes(self) -> None:
        """Every content as an artifact, locked; from here on `fresh` is ours to add."""
        self.artifacts, there = keep_artifacts(self.readings)
        known = with_runs(there) if there else {}
        for reading in self.readings:
            if reading.sha256 not in known:
                self.fresh.setdefault(reading.sha256, reading)
        if known:
            self.runs |= runs_of(known.values())

    def add_runs(self) -> None:
        """The runs of all files at once."""
        places = [
            Place(self.artifacts[sha256], position, result, alone=len(reading.results) == 1)
            for sha256, reading in self.fresh.items()
            if not is_log(reading)
            for position, result in enumerate(reading.results)
        ]
        for run in add_runs(places, self.asked, self.by):
            self.runs.setdefault(run.artifact_id, []).append(run)

    def hang_logs(self) -> None:
        """fio's bare logs on the run that was named, or on the one that they lie beside."""
        for sha256, log in self.fresh.items():
            if not may_be_log(log):
                continue
            run = self.asked.run or owner_of(log.name, list(self._beside(log)))
            if run is not None:
                read_as_printed_by(run, log)
            if not log.results:
                continue
            if run is None:
                self.homeless_logs[sha256] = which_run(log)
            else:
                hang(log, self.artifacts[sha256], run)
                self.runs[self.artifacts[sha256]] = [run]

    def _beside(self, log: Reading) -> Iterator[Run]:
        found = {
            run.pk: run
            for reading in self.readings
            if folder_of(reading.name) == folder_of(log.name)
            for run in self._runs_of(reading)
        }
        yield from (run for run in found.values() if run.tool == "fio")

    def keep_uploads(self, upload: Upload | None) -> list[Outcome]:
        """What became of each file, as rows; `upload` is the row that the first one has already."""
        rows: dict[Reading, Upload] = {}
        if upload is not None:
            rows[self.readings[0]] = self._filled(upload, self.readings[0])
            upload.save()
        for inner in (False, True):  # a member needs the id of its archive
            new = {
                each: self._filled(
                    Upload(created_by=self.by, archive=rows[each.outer] if each.outer else None),
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

    def _runs_of(self, reading: Reading) -> list[Run]:
        return self.runs.get(self.artifacts[reading.sha256], [])

    def _filled(self, row: Upload, reading: Reading) -> Upload:
        row.artifact_id = self.artifacts[reading.sha256]
        row.name = storable_text(reading.name, _LONGEST_NAME)
        row.asked = self.asked.as_json()
        row.outcome, sentence = self._verdict(reading)
        row.sentence = storable_text(sentence, _LONGEST_SENTENCE)
        return row

    def _verdict(self, reading: Reading) -> tuple[Upload.Outcome, str]:
        first = self.fresh.get(reading.sha256)
        if first is None:
            return Upload.Outcome.KNOWN, ""
        if reading.is_archive and not reading.sentence:
            return Upload.Outcome.STORED, ""
        if not self._runs_of(reading):
            homeless = self.homeless_logs.get(reading.sha256, "")
            return Upload.Outcome.REFUSED, homeless or reading.sentence or first.sentence
        return (
            (Upload.Outcome.STORED, reading.sentence)
            if first is reading
            else (Upload.Outcome.KNOWN, "")
        )
