"""The rows of generated files on their way into PostgreSQL: COPY, table by table, batch by batch.

Ids are given here, counted from those that are there; the sequences follow at the end.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.db import connection, transaction
from django.db.models import GeneratedField, Max, Model

from benchdash.jobs.models import Job, JobNode, JobStep, Plan
from benchdash.results.models import (
    Artifact,
    Doubt,
    Execution,
    Measurement,
    Run,
    Sample,
    Upload,
)
from benchdash.vocabulary.doubts import KINDS, OF_RUNS
from benchmarks.within.named_things import Named

RECIPE = Path("benchdash/recipes/builtin/10-fio.yaml")
_BATCH = 20_000
_JOBS_A_PLAN, _CELLS = 96, 12
_FORMER = 2_000  # the results that may come in a second time
_EMPTY = r"\x28b52ffd2000010000"  # zstd of nothing
_NOISE = 4096


@dataclass(frozen=True, slots=True)
class Kind:
    """What a file of a tool is stored as: `numbers` are (measure id, value), all in one direction."""

    tool: str
    version: str
    format: str
    parser_version: int
    workload: int
    numbers: Sequence[tuple[int, float]]
    details: str
    notes: str
    label: str
    is_dated: bool


@dataclass(frozen=True, slots=True)
class GeneratedFile:
    """A file with `count` results: one after the other, or `beside` each other as one sample.

    `speed` is a factor on the numbers of its kind, `host` counts the hosts; the rest are ids.
    """

    kind: Kind
    speed: float
    count: int
    beside: bool
    host: int
    configuration: int | None
    environment: int | None
    study: int | None
    settings: dict[str, Any]


class Table:
    """Lines for one table; `constant` are the columns that all rows share.

    Those that are neither varying nor constant have the default of their field.
    """

    def __init__(self, model: type[Model], varying: str, **constant: Any) -> None:
        self.model, self.lines = model, list[str]()
        self.varying = varying.split()
        defaults = {
            field.column: field.get_default()
            for field in model._meta.concrete_fields
            if not isinstance(field, GeneratedField) and field.column not in self.varying
        }
        assert constant.keys() <= defaults.keys(), constant.keys() - defaults.keys()
        given = {**defaults, **constant}
        self.columns = [*self.varying, *given]
        self.rest = "".join(f"\t{_text(value)}" for value in given.values()) + "\n"
        self.next = 0
        if "id" in self.varying:
            self.next = (model._default_manager.aggregate(last=Max("pk"))["last"] or 0) + 1

    def add(self, *values: object) -> int:
        """A row; its id, which comes before the values."""
        pk = self.next
        self.next += 1
        self.lines.append("\t".join([str(pk), *map(_text, values)]) + self.rest)
        return pk

    def copy(self) -> None:
        """Into the database, and forget them."""
        names = ", ".join(map(connection.ops.quote_name, self.columns))
        target = f"{connection.ops.quote_name(self.model._meta.db_table)} ({names})"
        with connection.cursor() as cursor, cursor.copy(f"COPY {target} FROM STDIN") as copy:
            copy.write("".join(self.lines))
        self.lines.clear()


def _text(value: object) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, dict | list):
        value = json.dumps(value)
    elif isinstance(value, datetime):
        return value.isoformat()
    text = str(value)
    return text.replace("\\", r"\\").replace("\n", r"\n").replace("\t", r"\t")


class Rows:
    """Takes files in the order of their upload; a context, which writes what is left at its end."""

    def __init__(
        self, named: Named, *, since: datetime, whole: timedelta, runs: int, seed: int
    ) -> None:
        self.named, self.since, self.whole, self.runs, self.seed = named, since, whole, runs, seed
        self.chance = Random(f"rows {seed}")
        self.noise = [self.chance.lognormvariate(0, 0.03) for _ in range(_NOISE)]
        self.done = self.files = 0
        self.former: list[tuple[int, str]] = []
        self.plan = 0
        person = named.person.pk
        recipe = RECIPE.read_text(encoding="utf-8")
        self.artifacts = Table(Artifact, "id sha256 created_at", size_bytes=7289, compressed=_EMPTY)
        self.uploads = Table(
            Upload,
            "id artifact_id name created_at",
            outcome="stored",
            sentence="",
            assignment={},
            attempts=1,
            created_by_id=person,
            put_aside_reason="",
        )
        self.plans = Table(
            Plan,
            "id title created_at launched_at seed",
            recipe_name="fio",
            recipe=recipe,
            parameters={"rw": "randwrite"},
            factors={"bs": ["4K", "16K", "64K"], "iodepth": [1, 4, 8, 32]},
            axes=[["bs", [4096, 16384, 65536]], ["iodepth", [1, 4, 8, 32]]],
            nodes=[],
            reaches=[],
            key="0" * 32,
            cell_count=12,
            to_make=0,
            stopped_reason="",
            rounds_planned=8,
            looks=1,
            confirmed=[],
            whatever_conditions=False,
            wait_minutes=60,
            priority=0,
            created_by_id=person,
            launched_by_id=person,
        )
        self.jobs = Table(
            Job,
            "id plan_id position token cell round environment_id configuration_id"
            " state_at queued_at started_at ended_at created_at",
            title="bs=4K iodepth=8",
            values={"bs": "4K", "iodepth": 8},
            attempt=1,
            state="done",
            reason="",
            outcome="done",
            outcome_reason="",
            whatever_conditions=False,
            priority=0,
            expected_s=40,
            fence=6,
            conditions=[],
        )
        self.nodes = Table(
            JobNode, "id job_id target_id", role="node-a", folder="/var/tmp/benchdash"
        )
        self.steps = Table(
            JobStep,
            "id job_id artifact_id started_at ended_at tool",
            position=1,
            phase="measure",
            node="node-a",
            name="measure",
            folder="01-measure",
            argv=[],
            command="fio --name=fio --output-format=json",
            files={},
            root=False,
            timeout_s=600,
            expected_s=40,
            estimated=False,
            together=False,
            result="",
            touches=[],
            state="done",
            reason="",
            identity={},
            beside_data=False,
            exit_code=0,
            received={"out": 7289},
        )
        self.executions = Table(Execution, "id artifact_id number round")
        self.samples = Table(Sample, "id", beside="")
        self.results = Table(
            Run,
            "id artifact_id position execution_id sample_id tool tool_version format parser_version"
            " label started_at workload_id configuration_id environment_id study_id settings digest"
            " same_as_id details notes set_aside_reason withdrawn_at deleted_at created_at"
            " created_by_id",
            lines=[],
            is_repeat=False,
            conditions=[],
        )
        self.numbers = Table(Measurement, "run_id measure_id value")
        self.doubts = Table(
            Doubt,
            "id run_id kind sentence found_at dismissed_at dismissed_by_name dismissed_reason",
            operations=[],
        )
        self.tags = Table(Run.tags.through, "id run_id tag_id")  # type: ignore[attr-defined]
        self.tables = [
            *(self.artifacts, self.uploads, self.plans, self.jobs, self.nodes, self.steps),
            *(self.executions, self.samples, self.results, self.numbers, self.doubts, self.tags),
        ]

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, kind: object, *_rest: object) -> None:
        if kind is None:
            self._write()
            with connection.cursor() as cursor:
                cursor.execute("SET session_replication_role = origin")
                for table in self.tables:
                    if table.next:
                        sequence = f"pg_get_serial_sequence('{table.model._meta.db_table}', 'id')"
                        cursor.execute(f"SELECT setval({sequence}, %s, false)", [table.next])

    def trust_keys(self) -> None:
        """Foreign keys are not looked up row by row: a million rows take a third of the time."""
        with connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")

    @property
    def share_done(self) -> float:
        """Between 0 and 1, of time as of runs."""
        return self.done / self.runs

    def add_file(self, file: GeneratedFile) -> None:
        """Its rows, and those of the job or the upload that brought it."""
        chance = self.chance
        stored_at = self.since + self.whole * ((self.done + chance.random()) / self.runs)
        is_late = chance.random() < 0.05
        began = stored_at - (
            timedelta(days=chance.uniform(5, 300)) if is_late else timedelta(minutes=7)
        )
        artifact = self.artifacts.add(self._hash("file", self.files), stored_at)
        self.files += 1
        is_of_job = not is_late and (file.study is not None or chance.random() < 0.6)
        round_number = None
        if is_of_job:
            round_number = self._job(file, artifact, began, stored_at)
        else:
            name = f"{file.kind.label or file.kind.tool}-{self.files}.json"
            self.uploads.add(artifact, name, stored_at)
        started_at = began if file.kind.is_dated or is_of_job else None
        sample = execution = 0
        for position in range(file.count):
            if not (execution and file.beside):
                execution = self.executions.add(artifact, position, round_number)
                sample = self.samples.add()
            start = started_at and started_at + position * timedelta(seconds=30)
            self._run(file, (artifact, position, execution, sample), start, stored_at)
        if len(self.results.lines) >= _BATCH:
            self._write()

    def _job(self, file: GeneratedFile, artifact: int, began: datetime, ended: datetime) -> int:
        """The job that measured it, in a plan of 12 cells and 8 rounds; its round."""
        place = (self.jobs.next - 1) % _JOBS_A_PLAN
        target = self.named.targets[file.host]
        if place == 0 or not self.plan:
            title = f"{file.kind.tool} on {target.host.name}, {began:%Y-%m-%d}"
            self.plan = self.plans.add(title, began, began, self.plans.next % 10**6)
        round_number = place // _CELLS + 1
        job = self.jobs.add(
            *(self.plan, place + 1, self._hash("job", self.jobs.next)[:32]),
            *(place % _CELLS + 1, round_number, file.environment, file.configuration),
            *(ended, began, began, ended, began),
        )
        self.nodes.add(job, target.pk)
        self.steps.add(job, artifact, began, ended, file.kind.tool)
        return round_number

    def _run(
        self,
        file: GeneratedFile,
        place: tuple[int, int, int, int],
        started_at: datetime | None,
        stored_at: datetime,
    ) -> None:
        chance, fate, kind = self.chance, self.chance.random(), file.kind
        digest, same_as = self._hash("run", self.done), None
        if fate < 0.01 and len(self.former) == _FORMER:
            same_as, digest = self.former[chance.randrange(_FORMER)]
        gone_at = stored_at + timedelta(hours=2)
        pk = self.results.add(
            *place,
            *(kind.tool, kind.version, kind.format, kind.parser_version, kind.label, started_at),
            *(kind.workload, file.configuration, file.environment, file.study, file.settings),
            *(digest, same_as, kind.details, kind.notes),
            "The array was rebuilding." if 0.01 <= fate < 0.02 else "",
            gone_at if 0.02 <= fate < 0.023 else None,
            gone_at if 0.023 <= fate < 0.025 else None,
            stored_at,
            self.named.person.pk,
        )
        if fate >= 0.025 and len(self.former) < _FORMER:
            self.former.append((pk, digest))
        self.done += 1
        start = chance.randrange(_NOISE - 64)
        self.numbers.lines += [
            f"{pk}\t{measure}\t{value * file.speed * noise:.7g}\n"
            for (measure, value), noise in zip(kind.numbers, self.noise[start:], strict=False)
        ]
        if fate > 0.96:
            self._doubt(pk, stored_at)
        elif 0.5 <= fate < 0.52:
            self.tags.add(pk, self.named.tags[chance.randrange(len(self.named.tags))].pk)

    def _doubt(self, run: int, at: datetime) -> None:
        kind = OF_RUNS[self.chance.randrange(len(OF_RUNS))]
        is_dismissed = self.chance.random() < 0.1
        why = ("reader", "Known, and of no account here.") if is_dismissed else ("", "")
        self.doubts.add(run, kind, KINDS[kind].title, at, at if is_dismissed else None, *why)

    def _hash(self, kind: str, number: int) -> str:
        return hashlib.sha256(f"{self.seed} {kind} {number}".encode()).hexdigest()

    def _write(self) -> None:
        with transaction.atomic():
            for table in self.tables:
                table.copy()
