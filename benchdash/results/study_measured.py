"""What was measured for a study, with the raw outputs beside its file: stored, and written out again.

Outputs keep where they belong, what the tool was told, their round and their start, which of them
are one sample, and what the host said against them. They are stored at once, however many.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Any

from django.db.models import F, Q

from benchdash.accounts.models import User
from benchdash.errors import N_
from benchdash.inventory.models import Configuration, Environment
from benchdash.parsers.archives import is_junk, shown_name
from benchdash.parsers.unpacking import Budget
from benchdash.recipes.document import Part
from benchdash.results.annotations import tag_runs
from benchdash.results.assignment import Assignment
from benchdash.results.dismissals import dismiss, doubts_of_samples
from benchdash.results.doubts import note_doubts
from benchdash.results.ingest import read, store
from benchdash.results.joined import join_over_hosts
from benchdash.results.models import Doubt, Run, Study, Trace, Upload
from benchdash.results.models.run import LIVING
from benchdash.results.outcomes import Outcome
from benchdash.results.readings import File, Reading, Spool
from benchdash.results.run_actions import assign, count_as_repeats
from benchdash.results.study_outputs import Measured, Output

_UNSAFE = re.compile(r"^[.-]|[^\w.+=,@%()~#&!-]")
_LONGEST = 80  # characters of a file's name: 255 bytes are the most that filesystems take

Remark = Callable[[str], object]  # what is called with each sentence for who imports or exports
_Found = tuple[Part, str, Assignment]  # where a file is named, its name, and where its runs belong


class Outputs:
    """The raw outputs that a study's file names, read and not yet stored: that takes long."""

    def __init__(
        self,
        folder: Path | None,
        spool: Spool,
        by: User | None,
        archive: Upload | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._folder = folder
        self._spool = spool
        self._by = by
        self.archive = archive
        self._budget = budget
        self._readings: dict[str, list[Reading]] = {}

    def read(self, named: Iterable[tuple[Part, str]]) -> None:
        """Each file beside the study's own, one after the other; Refused where there is none."""
        for part, name in named:
            if name not in self._readings:
                file = File(name, _bytes(self._folder, part, name))
                budget = self._budget or Budget()
                self._readings[name] = list(read([file], budget, self._spool))

    def store(
        self, names: Iterable[str], to: Assignment | Mapping[str, Assignment]
    ) -> list[Outcome]:
        """What became of these files."""
        readings = [reading for name in names for reading in self._readings[name]]
        return store(readings, self._spool, to, self._by, archive=self.archive)


def store_outputs(
    outputs: Outputs, found: Sequence[_Found], *, remark: Remark
) -> dict[str, list[Run]]:
    """The runs of each file; those that were stored before and belong nowhere are assigned too.

    Refused with the line that names a file which has no result, or is named twice.
    """
    parts: dict[str, Part] = {}
    for part, name, _assignment in found:
        if name in parts:  # its results belong to one place
            part.refuse(N_("this output is listed twice"))
        parts[name] = part
    by_name = {name: assignment for _part, name, assignment in found}
    runs: dict[str, list[Run]] = defaultdict(list)
    for outcome in outputs.store(by_name, by_name):
        outer = outcome.upload.archive  # an output may be an archive itself
        name = outer.name if outer and outer != outputs.archive else outcome.upload.name
        if not outcome.runs:
            parts[name].refuse(outcome.sentence.rstrip("."))
        assignment = by_name[name]
        elsewhere = [run for run in outcome.runs if not _may_belong(run, assignment)]
        if elsewhere:
            remark(N_("The runs of {file} already existed and stay where they belong.", file=name))
        unassigned = [r.pk for r in outcome.runs if not r.study_id and r not in elsewhere]
        if unassigned:
            assign(unassigned, assignment)
        runs[name] += outcome.own_runs
    return runs


def _may_belong(run: Run, assignment: Assignment) -> bool:
    """Whether nothing that is known of the run is another than it is to have."""
    return all(
        here is None or (wanted is not None and here == wanted.pk)
        for here, wanted in (
            (run.study_id, assignment.study),
            (run.configuration_id, assignment.configuration),
            (run.environment_id, assignment.environment),
        )
    )


def store_measured(  # noqa: PLR0913 - the parts of a study's file
    outputs: Outputs,
    measured: Sequence[Measured],
    study: Study,
    configurations: Mapping[str, Configuration],
    environments: Mapping[str, Environment],
    *,
    remark: Remark,
) -> None:
    """The outputs of all cells; what began together is one sample."""
    found = [
        (
            output.part,
            output.file,
            Assignment(
                configuration=configurations.get(cell.configuration),
                environment=environments.get(cell.environment),
                study=study,
                label=output.label,
                started_at=output.started_at,
                settings=cell.settings,
                round=cell.round,
                workload=dict(cell.workload),
                command=output.command,
            ),
        )
        for cell in measured
        for output in cell.outputs
    ]
    runs = store_outputs(outputs, found, remark=remark)
    for cell in measured:
        own = [runs[output.file] for output in cell.outputs]
        if len(own) > 1:
            join_over_hosts([run.artifact_id for each in own for run in each[:1]])
        for output in cell.outputs:
            for log in output.logs:
                _store_log(outputs, log, runs[output.file])
            _annotate([run.pk for run in runs[output.file]], output)


def _store_log(outputs: Outputs, log: tuple[Part, str, int], runs: Sequence[Run]) -> None:
    """A log of fio's, as points over time of the result at a place, from 1, of its output."""
    part, name, place = log
    if not 0 < place <= len(runs):
        part.refuse(N_("the output has {n} results", n=len(runs)))
    (outcome,) = outputs.store([name], Assignment(run=runs[place - 1]))
    if outcome.upload.outcome == Upload.Outcome.REFUSED:
        part.refuse(outcome.sentence.rstrip("."))


def _annotate(runs: list[int], output: Output) -> None:
    """Store the doubts, dismissals and tags that the file has for these runs."""
    note_doubts(runs, output.doubts)
    for kind, reason in output.dismissed:
        dismiss(doubts_of_samples(runs, kind), reason, by=None)
    if output.repeat:
        count_as_repeats(runs, repeats=True)
    if output.tags:
        tag_runs(runs, output.tags)


def _bytes(folder: Path | None, part: Part, name: str) -> bytes:
    if folder is None:
        part.refuse(N_("raw outputs are files beside the study's own: upload them separately"))
    path = folder / name
    if path.name != name or not path.is_file():
        part.refuse(N_("there is no file “{name}” beside it", name=name))
    return path.read_bytes()


class Written:
    """The outputs of a study's counted runs as its file names them.

    `outputs` are the artifacts by the names of their files; `plain` are names by configuration and environment of what was uploaded by itself for one of the
    study's `conditions`, which are pairs of these; `cells` is what stands below `measured`.
    `configurations` and `environments` are the records of the latter. `remarks` say what the file
    cannot have.
    """

    def __init__(self, study: Study, conditions: Collection[tuple[int, int | None]]) -> None:
        self.remarks: list[str] = []
        self._conditions = conditions
        self.plain: dict[tuple[int, int | None], list[str]] = defaultdict(list)
        self.cells: list[dict[str, Any]] = []
        self.outputs: dict[str, int] = {}
        self._runs: dict[int, list[Run]] = defaultdict(list)
        runs = Run.objects.filter(LIVING, study=study, set_aside_reason="")
        # without the bytes: they are read one by one when the files are written
        own = (
            runs.select_related("artifact", "execution")
            .defer("artifact__compressed", "details", "conditions", "notes")
            .annotate(is_purged=Q(artifact__purge__isnull=False))
            .prefetch_related("doubts", "tags")
        )
        purged = set()
        for run in own.order_by("measured_at", "artifact__sha256", "position"):
            if run.is_purged:
                purged.add(run.artifact.sha256)
            else:
                self._runs[run.artifact_id].append(run)
        self.remarks += [
            N_("The bytes of {file} were purged: it is left out.", file=one[:12])
            for one in sorted(purged)
        ]
        first = [own[0] for own in self._runs.values()]
        self.configurations = Configuration.objects.select_related("stack").in_bulk(
            {run.configuration_id for run in first if run.configuration_id}
        )
        self.environments = Environment.objects.prefetch_related(
            "names", "parts__snapshot"
        ).in_bulk({run.environment_id for run in first if run.environment_id})
        uploads = Upload.objects.filter(artifact__in=self._runs).order_by("-pk")
        self._uploads = {
            one.artifact_id: one for one in uploads.exclude(outcome=Upload.Outcome.KNOWN)
        }
        # those of no artifact are what a tool printed while it ran
        traces = Trace.objects.filter(run__artifact__in=self._runs, artifact__isnull=False).exclude(
            artifact=F("run__artifact")
        )
        self._logs: dict[int, list[int]] = defaultdict(list)
        pairs = traces.filter(artifact__purge=None).order_by("run", "artifact")
        for owner, artifact in pairs.values_list("run", "artifact").distinct():
            self._logs[owner].append(artifact)
        found = Upload.objects.filter(artifact__in=traces.values("artifact")).order_by("-pk")
        self._names_of_logs = {one.artifact_id: one.name for one in found.only("artifact", "name")}

    def write(self, name_of: Callable[[Environment], str]) -> None:
        """Name every output, and gather what the study's file says of it."""
        cells: dict[str, dict[str, Any]] = {}
        for artifacts in self._together():
            run = self._runs[artifacts[0]][0]
            given = self._uploads[run.artifact_id].assignment
            entry = [self._entry(artifact) for artifact in artifacts]
            condition = run.configuration_id or 0, run.environment_id
            is_plain = not (
                len(entry) > 1 or run.settings or run.execution.round or len(entry[0]) > 1
            )
            if is_plain and condition in self._conditions:
                self.plain[condition].append(entry[0]["file"])
                continue
            place: dict[str, Any] = {}
            if run.configuration_id:
                place["configuration"] = self.configurations[run.configuration_id].name
            if run.environment_id:
                place["environment"] = name_of(self.environments[run.environment_id])
            if run.settings:
                place["settings"] = {name: run.settings[name] for name in sorted(run.settings)}
            if workload := given.get("workload"):
                place["workload"] = {name: workload[name] for name in sorted(workload)}
            cell = cells.setdefault(repr(place), {**place, "outputs": []})
            number = {"round": run.execution.round} if run.execution.round else {}
            one = {"together": entry} if len(entry) > 1 else entry[0]
            cell["outputs"].append(number | one)
        self.cells = list(cells.values())

    def _together(self) -> Iterator[list[int]]:
        """Artifacts in the order of their starts; those that share a sample are one."""
        by_sample: dict[int, list[int]] = {}
        groups: dict[int, list[int]] = {}
        for artifact, runs in self._runs.items():
            group = next(
                (by_sample[r.sample_id] for r in runs if r.sample_id in by_sample), [artifact]
            )
            if artifact not in group:
                group.append(artifact)
            for run in runs:
                by_sample[run.sample_id] = group
            groups[group[0]] = group
        yield from groups.values()

    def _entry(self, artifact: int) -> dict[str, Any]:
        """An output as the file has it; what is empty is left out."""
        runs, upload = self._runs[artifact], self._uploads[artifact]
        given = upload.assignment
        entry: dict[str, Any] = {"file": self._named(artifact, upload.name, runs[0].tool)}
        entry |= {name: given[name] for name in ("label", "started_at") if name in given}
        places = {(r.configuration_id, r.environment_id, repr(r.settings)) for r in runs}
        if len(places) > 1:
            self.remarks.append(
                N_(
                    "The runs of {file} have several configurations, environments or settings: the "
                    "study's file has those of the first.",
                    file=entry["file"],
                )
            )
        if command := given.get("command"):
            entry["command"] = shlex.join(command["argv"])
            entry |= {"files": command["files"]} if command["files"] else {}
        further = _annotations_of(runs) | {"logs": list(self._logs_of(runs))}
        return entry | {name: one for name, one in further.items() if one}

    def _logs_of(self, runs: Sequence[Run]) -> Iterator[str | dict[str, Any]]:
        """The logs of an output's runs; those that were purged are left out."""
        for place, run in enumerate(runs, 1):
            for artifact in self._logs.get(run.pk, ()):
                given = PurePosixPath(self._names_of_logs.get(artifact, "fio_log.log")).name
                # its measure is known by the end of its name alone
                name = given.replace(" ", "_")
                name = self._free(name if _travels(name) else _UNSAFE.sub("_", name)[-_LONGEST:])
                self.outputs[name] = artifact
                yield name if place == 1 else {"file": name, "result": place}

    def _named(self, artifact: int, name: str, tool: str) -> str:
        """A name that no other has; those of jobs are numbered in the order of their starts."""
        own = PurePosixPath(name).name
        plain = own if _travels(own) else f"{tool.rstrip('+')}{_suffix(own)}"
        plain = self._free(plain, numbered=plain != own)
        self.outputs[plain] = artifact
        return plain

    def _free(self, name: str, *, numbered: bool = False) -> str:
        """The name, with a number before it where another file has it."""
        if not numbered and name not in self.outputs and name != "study.yaml":
            return name
        names = (f"{number:03}-{name}" for number in count(len(self.outputs) + 1))
        return next(each for each in names if each not in self.outputs)


def _travels(name: str) -> bool:
    """Whether a file has the same name in a folder, in an archive and after unpacking it elsewhere."""
    is_plain = not _UNSAFE.search(name) and len(name) <= _LONGEST
    return is_plain and shown_name(name) == name and not is_junk(name)


def _suffix(name: str) -> str:
    suffix = PurePosixPath(name).suffix
    return suffix if _travels(f"a{suffix}") else ""


def _annotations_of(runs: Sequence[Run]) -> dict[str, Any]:
    """Doubts, dismissals and tags of an output's runs that parsing it again does not give."""
    doubts = [doubt for run in runs for doubt in run.doubts.all()]
    standing = {doubt.kind for doubt in doubts if doubt.dismissed_at is None}
    return {
        "doubts": [_written_doubt(each) for each in runs[0].doubts.all() if each.noted],
        "dismissed": [
            {kind: reason}
            for kind, reason in {
                each.kind: each.dismissed_reason for each in doubts if each.dismissed_at
            }.items()
            if kind not in standing
        ],
        "repeat": any(run.is_repeat for run in runs),
        "tags": sorted({tag.name for run in runs for tag in run.tags.all()}),
    }


def _written_doubt(doubt: Doubt) -> dict[str, Any]:
    concerned = {"operations": [*doubt.operations]} if doubt.operations else {}
    return {doubt.kind: str(doubt.sentence)} | concerned
