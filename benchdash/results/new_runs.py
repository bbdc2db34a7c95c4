"""Results to rows: the run, its numbers, its traces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from benchdash.accounts.models import User
from benchdash.parsers import PARSERS
from benchdash.parsers.result import Note, Result
from benchdash.parsers.result import Trace as ParsedTrace
from benchdash.results.asked import Asked
from benchdash.results.bulk import copy_rows
from benchdash.results.duplicates import insert_runs, result_digest
from benchdash.results.interning import Name, measure_ids, workload_ids
from benchdash.results.models import Measurement, Run, Trace
from benchdash.results.storable import LONGEST_LABEL, storable_text
from benchdash.results.trace_arrays import packed
from benchdash.vocabulary.canonical import canonical, digest_of


@dataclass(frozen=True, slots=True)
class Place:
    """A result and where it stands: `position` counts from 0; `alone` has no other in its file."""

    artifact: int
    position: int
    result: Result
    alone: bool


def add_runs(places: Sequence[Place], asked: Asked, by: User | None) -> list[Run]:
    """One run a result, with its numbers and traces, in the same order."""
    if not places:
        return []
    runs = [
        Run(
            artifact_id=place.artifact,
            position=place.position,
            configuration=asked.configuration,
            environment=asked.environment,
            study=asked.study,
            created_by=by,
            **fields,
        )
        for place, fields in zip(places, fields_of(places, asked), strict=True)
    ]
    insert_runs(runs)
    results = [place.result for place in places]
    add_measurements(runs, results)
    add_traces(runs, results)
    return runs


def fields_of(places: Sequence[Place], asked: Asked) -> Iterator[dict[str, Any]]:
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
            "label": _label(place, asked.label),
            "started_at": asked.started_at or result.started_at,
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
    return storable_text(f"{tool} reported an error: {error.get('message') or error}", 300)


def add_measurements(runs: Sequence[Run], results: Sequence[Result]) -> None:
    """The numbers of saved runs."""
    ids = measure_ids(name for result in results for name in result.by_name())
    rows = (
        (run.pk, ids[name], value)
        for run, result in zip(runs, results, strict=True)
        for name, value in result.by_name().items()
    )
    copy_rows(Measurement, ("run_id", "measure_id", "value"), rows)


def add_traces(runs: Sequence[Run], results: Sequence[Result]) -> None:
    """The traces of saved runs that were read from the run's own artifact."""
    pairs = [pair for pair in zip(runs, results, strict=True) if pair[1].traces]
    if pairs:
        ids = measure_ids(trace_name(trace) for _, result in pairs for trace in result.traces)
        Trace.objects.bulk_create(
            row for run, result in pairs for row in trace_rows(run, run.artifact_id, result, ids)
        )


def trace_rows(run: Run, artifact: int, result: Result, ids: dict[Name, int]) -> Iterator[Trace]:
    """Unsaved traces of `result`, which was read from `artifact`, on `run`."""
    for trace in result.traces:
        yield Trace(
            run=run,
            artifact_id=artifact,
            measure_id=ids[trace_name(trace)],
            points=len(trace.seconds),
            seconds=packed(trace.seconds),
            values=packed(trace.values),
        )


def trace_name(trace: ParsedTrace) -> Name:
    """A point stands for what was measured since the point before: a mean."""
    return trace.operation, trace.metric, "mean"
