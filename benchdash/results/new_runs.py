"""Results to rows: the run and its numbers, and which of two equal runs counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchdash.accounts.models import User
from benchdash.errors import N_
from benchdash.parsers import PARSERS
from benchdash.parsers.result import Note, Result
from benchdash.results.assignment import Assignment
from benchdash.results.bulk import copy_rows, insert, insert_new, measure_ids, workload_ids
from benchdash.results.models import Measurement, Run
from benchdash.results.models.run import LIVING
from benchdash.results.storable import LONGEST_LABEL, storable_sentence, storable_text
from benchdash.results.traces import add_traces
from benchdash.vocabulary.canonical import canonical, digest_of

# the condition of the index `one_first_per_result`
_AMONG_FIRSTS = "WHERE deleted_at IS NULL AND withdrawn_at IS NULL AND same_as_id IS NULL"


@dataclass(frozen=True, slots=True)
class Place:
    """A result and where it stands: `position` counts from 0; `alone` has no other in its file."""

    artifact: int
    position: int
    result: Result
    alone: bool


def add_runs(places: Sequence[Place], assignment: Assignment, by: User | None) -> list[Run]:
    """One run a result, with its numbers and traces, in the same order."""
    if not places:
        return []
    runs = [
        Run(
            artifact_id=place.artifact,
            position=place.position,
            configuration=assignment.configuration,
            environment=assignment.environment,
            study=assignment.study,
            created_by=by,
            **fields,
        )
        for place, fields in zip(places, fields_of(places, assignment), strict=True)
    ]
    insert_runs(runs)
    results = [place.result for place in places]
    add_measurements(runs, results)
    add_traces(runs, results)
    return runs


def fields_of(places: Sequence[Place], assignment: Assignment) -> Iterator[dict[str, Any]]:
    """The fields of each run that come out of its artifact: a better parser may change them.

    A label and a start that a person gave win.
    """
    texts = [canonical(place.result.workload) for place in places]
    digests = [digest_of(text) for text in texts]
    workloads = workload_ids(
        {digest: place.result.workload for digest, place in zip(digests, places, strict=True)}
    )
    versions = {parser.TOOL: parser.VERSION for parser in PARSERS}
    for place, text, digest in zip(places, texts, digests, strict=True):
        result = place.result
        yield {
            "lines": list(result.lines),
            "tool": result.tool,
            "tool_version": result.tool_version,
            "format": result.format,
            "parser_version": versions[result.tool],
            "label": _label(place, assignment.label),
            "started_at": assignment.started_at or result.started_at,
            "workload_id": workloads[digest],
            "digest": result_digest(result, text, f"{place.artifact} {place.position}"),
            "details": result.details,
            "notes": [_note(each) for each in result.notes],
            "error": result.error,
            "set_aside_reason": failure(result.tool, result.error),
        }


def _label(place: Place, given: str) -> str:
    """The label that a person gave tells the results of one file apart by what they printed."""
    printed = place.result.label
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


def result_digest(result: Result, workload: str, place: str) -> str:
    """sha256 over tool, workload and numbers; a result without a number is like no other.

    `workload` is its canonical form, `place` (artifact and position) stands in for the numbers
    that are not there.
    """
    numbers = sorted(f"{' '.join(name)} {value!r}" for name, value in result.by_name().items())
    content = [result.tool, workload, *(numbers or [place])]
    return digest_of("\n".join(content))


def first_runs(digests: Iterable[str]) -> dict[str, int]:
    """`{digest: id of the run that counts for it}` among living runs."""
    firsts = Run.objects.filter(LIVING, same_as=None, digest__in=set(digests))
    return dict(firsts.values_list("digest", "pk"))


def insert_runs(runs: Sequence[Run]) -> None:
    """Insert unsaved runs; those whose numbers are stored, or came before in `runs`, name the first."""
    # the partial index tells which of them are the first, also where another process stores them now
    insert_new(runs, ("digest",), _AMONG_FIRSTS)
    copies = [run for run in runs if run.pk is None]
    if copies:
        stored = first_runs(run.digest for run in copies)
        for run in copies:
            run.same_as_id = stored[run.digest]
        insert(copies)
