"""Numbers are a cache of the artifacts: read them again with a better parser.

Runs keep their ids and addresses. A result that vanished is withdrawn, a new one is added.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from benchdash.parsers.result import Result
from benchdash.parsers.unpacking import Budget
from benchdash.results.artifacts import content_of, purge_of, purged_sentence
from benchdash.results.assignment import Assignment, assignment_from_json
from benchdash.results.bulk import Name
from benchdash.results.doubts import find_again
from benchdash.results.executions import add_executions, add_samples
from benchdash.results.joined import join_numbers
from benchdash.results.models import Artifact, Run, Sample, Trace, Upload
from benchdash.results.new_runs import (
    Place,
    add_measurements,
    add_runs,
    failure,
    failure_beside,
    fields_of,
    first_runs,
    own_digest,
    parts_of,
)
from benchdash.results.readings import Reading
from benchdash.results.run_actions import promote_copies
from benchdash.results.traces import add_traces, read_with_version_of, store_log

Fields = dict[str, Any]

_OUT_OF_THE_WAY = 1_000_000  # positions are unique in a file while its runs change places
# the same numbers; else the same place in the text; else the next one of that tool and label
_KEYS: tuple[Callable[[Fields], Hashable], ...] = (
    lambda fields: fields["digest"],
    lambda fields: tuple(fields["lines"]) if any(fields["lines"]) else None,
    lambda fields: (fields["tool"], fields["label"]),
)


@dataclass(slots=True)
class Changes:
    """What a second reading of one artifact changed.

    `skipped` where there are no bytes to read. `numbers` is `{run id: {name: (before, now)}}`, None where there is no such number.
    """

    name: str
    sentence: str = ""
    skipped: bool = False
    numbers: dict[int, dict[Name, tuple[float | None, float | None]]] = field(default_factory=dict)
    added: list[int] = field(default_factory=list)
    withdrawn: list[int] = field(default_factory=list)


@transaction.atomic
def reparse(artifact_id: int) -> Changes:
    """Read one artifact again: its runs are those that it gives now, and withdrawn ones."""
    artifact = Artifact.objects.select_for_update().get(pk=artifact_id)
    upload = artifact.uploads.exclude(outcome=Upload.Outcome.KNOWN).earliest("pk")
    purge = purge_of(artifact)
    if purge is not None:
        return Changes(upload.name, purged_sentence(purge), skipped=True)
    reading = Reading(upload.name, artifact.sha256, content_of(artifact))
    reading.read(Budget())
    hangs_on = Run.objects.filter(traces__artifact=artifact).exclude(artifact=artifact).first()
    if hangs_on is not None:
        read_with_version_of(hangs_on, reading)
    changes = Changes(upload.name, reading.sentence)
    if hangs_on is not None and reading.is_log:
        Trace.objects.filter(artifact=artifact).delete()
        store_log(reading, artifact.pk, hangs_on)
    elif not reading.is_log:
        _replace(artifact, reading.results, assignment_from_json(upload.assignment), changes)
    return changes


def _replace(
    artifact: Artifact, results: Sequence[Result], assignment: Assignment, changes: Changes
) -> None:
    runs = list(artifact.runs.order_by("position"))
    alone = len(results) == 1
    places = [
        Place(artifact.pk, artifact.created_at, *each, alone, assignment)
        for each in enumerate(results)
    ]
    fields = list(fields_of(places))
    found = _matched(runs, fields)
    reasons = _reasons(runs)
    artifact.runs.update(position=F("position") + _OUT_OF_THE_WAY)
    for run, place, values in zip(found, places, fields, strict=True):
        if run is not None:
            if run.set_aside_reason != reasons[run.pk]:
                del values["set_aside_reason"]  # a person decided
            changed = _read_again(run, place, values)
            changes.numbers |= {run.pk: changed} if changed else {}
    now = _as_assigned(runs, assignment)
    new = [
        replace(place, assignment=now)
        for place, run in zip(places, found, strict=True)
        if run is None
    ]
    added = add_runs(new, runs[0].created_by if runs else None)
    changes.added = [run.pk for run in added]
    new_runs = iter(added)
    _sample_again([run or next(new_runs) for run in found], places)
    kept = {run.pk for run in found if run}
    changes.withdrawn = _withdraw([run for run in runs if run.pk not in kept], len(places))
    promote_copies(run.pk for run in runs)
    join_numbers(list(artifact.runs.values_list("sample", flat=True).distinct().order_by()))


def _sample_again(runs: Sequence[Run], places: Sequence[Place]) -> None:
    """Executions and samples as they are read now; a sample that spans hosts stays one."""
    parts = parts_of(places)
    executions = add_executions(parts)
    samples = add_samples(parts, [run.sample_id for run in runs])
    for run, execution, sample in zip(runs, executions, samples, strict=True):
        if (run.execution_id, run.sample_id) != (execution, sample):
            Run.objects.filter(pk=run.pk).update(execution=execution, sample=sample)
    left = {run.sample_id for run in runs} - set(samples)
    Sample.objects.filter(pk__in=left, runs=None).delete()


def _as_assigned(runs: Sequence[Run], assignment: Assignment) -> Assignment:
    """New results belong where the others of their file are by now."""
    if not runs:
        return assignment
    first = runs[0]
    return replace(
        assignment,
        configuration=first.configuration,
        environment=first.environment,
        study=first.study,
        settings=first.settings,
    )


def _reasons(runs: Iterable[Run]) -> dict[int, str]:
    """By run why it was set aside when it was read before, "" where it was not."""
    beside: dict[int, str] = {}
    for run in runs:
        if run.error is not None:
            beside.setdefault(run.sample_id, failure_beside(run.label or run.tool))
    return {run.pk: failure(run.tool, run.error) or beside.get(run.sample_id, "") for run in runs}


def _read_again(
    run: Run, place: Place, values: dict[str, Any]
) -> dict[Name, tuple[float | None, float | None]]:
    """Bring one run up to date; what changed of its numbers."""
    values = values | {"position": place.position, "withdrawn_at": None}
    if run.digest != values["digest"] or run.withdrawn_at:
        values["same_as"] = first_runs([values["digest"]]).get(values["digest"])
    Run.objects.filter(pk=run.pk).update(**values)
    run.traces.filter(artifact=place.artifact).delete()
    add_traces([run], [place.result])
    find_again(run, place.result)
    # one that it shares with the other form of the result says nothing of its own numbers
    shared = values["digest"] != own_digest(place)
    return _new_numbers(run, place.result) if shared or run.digest != values["digest"] else {}


def _new_numbers(run: Run, result: Result) -> dict[Name, tuple[float | None, float | None]]:
    stored = run.measurements.values_list(
        "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    before: dict[Name, float] = {(o, m, s): value for o, m, s, value in stored}
    now = result.by_name()
    if before == now:
        return {}
    run.measurements.all().delete()
    add_measurements([run], [result])
    return {
        name: (before.get(name), now.get(name))
        for name in before | now
        if before.get(name) != now.get(name)
    }


def _withdraw(runs: Iterable[Run], position: int) -> list[int]:
    """Vanished results stay at their address, behind those that are there."""
    withdrawn = []
    for place, run in enumerate(runs, position):
        at = run.withdrawn_at or timezone.now()
        Run.objects.filter(pk=run.pk).update(position=place, withdrawn_at=at)
        if run.withdrawn_at is None:
            withdrawn.append(run.pk)
    return withdrawn


def _matched(runs: Sequence[Run], results: Sequence[Fields]) -> list[Run | None]:
    """For each result (fields as `fields_of` gives them) its run, or None where it is new."""
    found: list[Run | None] = [None] * len(results)
    for key in _KEYS:
        taken = {run.pk for run in found if run}
        waiting: dict[Hashable, deque[Run]] = defaultdict(deque)
        for run in runs:
            if run.pk not in taken:
                waiting[key(vars(run))].append(run)
        for index, fields in enumerate(results):
            value = key(fields)
            if found[index] is None and value is not None and waiting[value]:
                found[index] = waiting[value].popleft()
    return found
