"""Parser results as JSON and as a table, for `manage.py parse` and the golden samples."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from benchdash import parsers
from benchdash.parsers.archives import Member
from benchdash.parsers.result import Measurement, Note, Parsed, ParseError, Result, Trace
from benchdash.vocabulary.measures import METRICS, operation_title
from benchdash.vocabulary.units import human


def report(member: Member) -> dict[str, Any]:
    """`file`, `archive` (in archives only), `sha256`, `results`, and `error` or `incomplete`."""
    document: dict[str, Any] = {"file": member.name}
    if member.archive:
        document["archive"] = member.archive
    document["sha256"] = None if member.data is None else hashlib.sha256(member.data).hexdigest()
    return document | _outcome(member)


def _outcome(member: Member) -> dict[str, Any]:
    if member.error or member.data is None:
        return {"results": [], "error": member.error}
    try:
        return parsed_as_json(parsers.parse(member.data, member.name))
    except ParseError as error:
        return {"results": [], "error": error.sentence}


def as_json_line(document: dict[str, Any]) -> str:
    """One line, UTF-8 as it is."""
    # msgspec cannot encode a subclass of str: scripts get the text of a Sentence
    return msgspec.json.encode(document, enc_hook=str.__str__).decode()


def as_table(document: dict[str, Any]) -> str:
    """A heading for the file and for each result, and a line for each measurement."""
    lines = [document["file"]]
    for result in document["results"]:
        words = (result["label"], result["tool"], result["tool_version"], _workload(result))
        lines += ["  " + "  ".join(word for word in words if word)]
        lines += [_row(measurement) for measurement in result["measurements"]]
        lines += [
            f"    {operation_title(note['operation']):<32}{METRICS[note['metric']].title:<24}"
            f"{note['note']:>22}"
            for note in result["notes"]
        ]
    return "\n".join(lines)


def _workload(result: dict[str, Any]) -> str:
    return " ".join(f"{axis}={value}" for axis, value in result["workload"].items())


def _row(measurement: dict[str, Any]) -> str:
    metric = f"{METRICS[measurement['metric']].title} {measurement['statistic']}"
    value = human(measurement["value"], measurement["unit"])
    return f"    {operation_title(measurement['operation']):<32}{metric:<32}{value:>14}"


def parsed_as_json(parsed: Parsed) -> dict[str, Any]:
    """`{"results": […]}`, with `"incomplete"` where something was not trusted."""
    document: dict[str, Any] = {"results": [result_as_json(result) for result in parsed.results]}
    if parsed.incomplete:
        document["incomplete"] = parsed.incomplete
    return document


def result_as_json(result: Result) -> dict[str, Any]:
    """One result; `options` and `doubts` only where there are any, `error` where the tool failed."""
    document: dict[str, Any] = {
        "tool": result.tool,
        "tool_version": result.tool_version,
        "format": result.format,
        "label": result.label,
        "started_at": result.started_at.isoformat() if result.started_at else None,
        "execution": result.execution,
        "group": result.group,
        "workload": result.workload,
        "measurements": [_measurement(each) for each in result.measurements],
        "traces": [_trace(each) for each in result.traces],
        "details": result.details,
        "notes": [_note(each) for each in result.notes],
    }
    if result.options:
        document["options"] = result.options
    if result.doubts:
        document["doubts"] = result.doubts
    if result.error is not None:
        document["error"] = result.error
    return document


def _measurement(each: Measurement) -> dict[str, Any]:
    return {
        "operation": each.operation,
        "metric": each.metric,
        "statistic": each.statistic,
        "unit": each.unit,
        "value": each.value,
    }


def _trace(each: Trace) -> dict[str, Any]:
    return {
        "operation": each.operation,
        "metric": each.metric,
        "unit": each.unit,
        "points": [list(point) for point in zip(each.seconds, each.values, strict=True)],
    }


def _note(each: Note) -> dict[str, str]:
    return {"operation": each.operation, "metric": each.metric, "note": each.note}
