"""Results to rows: the run, its execution and sample, its numbers; which of two equal runs counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from benchdash.accounts.models import User
from benchdash.errors import N_
from benchdash.parsers import PARSERS
from benchdash.parsers.commands import options_of_command
from benchdash.parsers.result import Note, Result
from benchdash.results.assignment import Assignment
from benchdash.results.bulk import copy_rows, insert, insert_new, measure_ids, workload_ids
from benchdash.results.doubts import add_doubts
from benchdash.results.executions import Part, add_executions, add_samples
from benchdash.results.joined import join_numbers
from benchdash.results.models import Measurement, Run, Workload
from benchdash.results.models.run import LIVING
from benchdash.results.moments import is_rough
from benchdash.results.printed_twice import Read, shared_digests
from benchdash.results.storable import LONGEST_LABEL, storable_sentence, storable_text
from benchdash.results.traces import add_traces
from benchdash.vocabulary.canonical import canonical, digest_of
from benchdash.vocabulary.settings import with_settings

# the condition of the index `one_first_per_result`
_AMONG_FIRSTS = "WHERE deleted_at IS NULL AND withdrawn_at IS NULL AND same_as_id IS NULL"


@dataclass(frozen=True, slots=True)
class Place:
    """A result and where it stands: `position` counts from 0; `alone` has no other in its file.

    `assignment` is that of its file, which came `stored_at`.
    """

    artifact: int
    stored_at: datetime
    position: int
    result: Result
    alone: bool
    assignment: Assignment


def add_runs(places: Sequence[Place], by: User | None) -> list[Run]:
    """One run a result, with its numbers, traces and doubts, in the same order."""
    if not places:
        return []
    parts = parts_of(places)
    executions = add_executions(parts)
    samples = add_samples(parts)
    runs = [
        Run(
            artifact_id=place.artifact,
            position=place.position,
            execution_id=execution,
            sample_id=sample,
            configuration=place.assignment.configuration,
            environment=place.assignment.environment,
            study=place.assignment.study,
            settings=with_settings({}, place.assignment.settings),
            created_by=by,
            **fields,
        )
        for place, execution, sample, fields in zip(
            *(places, executions, samples, fields_of(places)), strict=True
        )
    ]
    insert_runs(runs)
    results = [place.result for place in places]
    add_measurements(runs, results)
    join_numbers([sample for sample, count in Counter(samples).items() if count > 1])
    add_traces(runs, results)
    add_doubts(runs, results)
    return runs


def parts_of(places: Iterable[Place]) -> list[Part]:
    """The places as far as samples go.

    Where no pattern is printed, jobs of other names may have done something else.
    """
    return [
        Part(
            artifact=place.artifact,
            execution=place.result.execution,
            group=place.result.group,
            parameters=(
                place.result.tool,
                _workload_key(place),
                ""
                if "pattern" in place.result.workload
                else place.result.label.partition(" @ ")[0],
            ),
            workload=place.result.workload,
            round=place.assignment.round,
        )
        for place in places
    ]


def _workload_key(place: Place) -> str:
    """Axes, and other options where they are known, in canonical form."""
    return canonical(_workload_fields(place))


def _workload_fields(place: Place) -> dict[str, Any]:
    """As it was printed, else as we said it to the tool.

    An output that prints no options at all leaves open what else that was.
    """
    result, assignment = place.result, place.assignment
    workload = {**assignment.workload, **result.workload}
    command = assignment.command
    if "options" in result.details:  # fio's JSON, which prints all of them
        return {**workload, "options": result.options}
    if command is not None:
        options = options_of_command(
            result.tool, command.argv, workload, command.files, result.label
        )
        return {**workload, "options": options | result.options}
    return {**workload, "options": result.options} if result.options else workload


def fields_of(places: Sequence[Place]) -> Iterator[dict[str, Any]]:
    """The fields of each run that come out of its artifact: a better parser may change them.

    A label and a start that a person gave win.
    """
    of_workloads = [digest_of(_workload_key(place)) for place in places]
    fields = {
        digest: _workload_fields(place) for digest, place in zip(of_workloads, places, strict=True)
    }
    ids = workload_ids(fields)
    workloads = {
        digest: Workload(pk=ids[digest], digest=digest, **axes) for digest, axes in fields.items()
    }
    failed = _failed_beside(places)
    alike: Counter[tuple[int, int, str]] = Counter()
    versions = {parser.TOOL: parser.VERSION for parser in PARSERS}
    of_results = _digests(places)
    for place, workload, own in zip(places, of_workloads, of_results, strict=True):
        result = place.result
        alike[place.artifact, result.execution, own] += 1
        count = alike[place.artifact, result.execution, own]
        moment = place.artifact, result.execution, result.group
        yield {
            "lines": list(result.lines),
            "tool": result.tool,
            "tool_version": result.tool_version,
            "format": result.format,
            "parser_version": versions[result.tool],
            "label": _label(place),
            "started_at": place.assignment.started_at or _start(place),
            "workload": workloads[workload],
            # jobs that ran beside each other may well print the same numbers
            "digest": own if count == 1 else digest_of(f"{own} {count}"),
            "details": result.details,
            "notes": [_note(each) for each in result.notes],
            "error": result.error,
            "set_aside_reason": failure(result.tool, result.error) or failed.get(moment, ""),
        }


def _digests(places: Sequence[Place]) -> list[str]:
    return shared_digests(
        [Read(place.artifact, place.result, own_digest(place), _label(place)) for place in places]
    )


def _start(place: Place) -> datetime | None:
    """When it began, as far as its output tells: of a report, its run time before."""
    result, at = place.result, place.result.started_at
    if at is None or (at > place.stored_at and is_rough(result.tool, result.tool_version, at)):
        return None
    if not result.timed_at_end:
        return at
    durations = (
        value for (_, metric, _s), value in result.by_name().items() if metric == "duration"
    )
    try:
        return at - timedelta(seconds=max(durations, default=0))
    except OverflowError:  # a damaged run time
        return at


def _failed_beside(places: Iterable[Place]) -> dict[tuple[int, int, int], str]:
    """Why what ran beside a job that failed does not count either."""
    found: dict[tuple[int, int, int], str] = {}
    for place in places:
        result = place.result
        if result.error is not None:
            moment = place.artifact, result.execution, result.group
            found.setdefault(moment, failure_beside(result.label or result.tool))
    return found


def failure_beside(job: str) -> str:
    """Why a run stays out of statistics beside one that its tool reports as failed."""
    return storable_sentence(N_("{job} ran beside it and failed.", job=job), 300)


def _label(place: Place) -> str:
    """The label that a person gave tells the results of one file apart by what they printed."""
    given, printed = place.assignment.label, place.result.label
    if not given or place.alone:
        return storable_text(given or printed, LONGEST_LABEL)
    return storable_text(f"{given}: {printed}" if printed else given, LONGEST_LABEL)


def _note(note: Note) -> dict[str, str]:
    return {"operation": note.operation, "metric": note.metric, "note": note.note}


def failure(tool: str, error: dict[str, Any] | None) -> str:
    """Why a run that its tool reports as failed stays out of statistics until a person decides."""
    if error is None:
        return ""
    message = error.get("message") or error
    return storable_sentence(
        N_("{tool} reported an error: {message}", tool=tool, message=message), 300
    )


def add_measurements(runs: Sequence[Run], results: Sequence[Result]) -> None:
    """The numbers of saved runs."""
    ids = measure_ids(name for result in results for name in result.by_name())
    rows = (
        (run.pk, ids[name], value)
        for run, result in zip(runs, results, strict=True)
        for name, value in result.by_name().items()
    )
    copy_rows(Measurement, ("run_id", "measure_id", "value"), rows)


def own_digest(place: Place) -> str:
    """sha256 over tool, workload and numbers; a result without a number is like no other."""
    result = place.result
    numbers = sorted(f"{' '.join(name)} {value!r}" for name, value in result.by_name().items())
    where = f"{place.artifact} {place.position}"
    content = [result.tool, canonical(result.workload), *(numbers or [where])]
    return digest_of("\n".join(content))


def first_runs(digests: Iterable[str]) -> dict[str, int]:
    """`{digest: id of the run that counts for it}` among living runs."""
    firsts = Run.objects.filter(LIVING, same_as=None, digest__in=set(digests))
    return dict(firsts.values_list("digest", "pk"))


def insert_runs(runs: Sequence[Run]) -> None:
    """Insert unsaved runs; those whose numbers are stored, or came before in `runs`, name the first."""
    # of a table and its CSV line, which has more, the latter goes first
    ordered = sorted(runs, key=lambda run: "/table-" in run.format)
    # the partial index tells which of them are the first, also where another process stores them now
    insert_new(ordered, ("digest",), _AMONG_FIRSTS)
    copies = [run for run in runs if run.pk is None]
    if copies:
        stored = first_runs(run.digest for run in copies)
        for run in copies:
            run.same_as_id = stored[run.digest]
        insert(copies)
