"""The public JSON form of what a parser returned: `parse --json` and the golden samples."""

from __future__ import annotations

from typing import Any

from benchdash.parsers.result import Measurement, Note, Parsed, Result, Trace


def parsed_as_json(parsed: Parsed) -> dict[str, Any]:
    """`{"results": […]}`, with `"incomplete"` where something was not trusted."""
    document: dict[str, Any] = {"results": [result_as_json(result) for result in parsed.results]}
    if parsed.incomplete:
        document["incomplete"] = parsed.incomplete
    return document


def result_as_json(result: Result) -> dict[str, Any]:
    """One result; `error` only where the tool failed."""
    document = {
        "tool": result.tool,
        "tool_version": result.tool_version,
        "format": result.format,
        "label": result.label,
        "started_at": result.started_at.isoformat() if result.started_at else None,
        "workload": result.workload,
        "measurements": [_measurement(each) for each in result.measurements],
        "traces": [_trace(each) for each in result.traces],
        "details": result.details,
        "notes": [_note(each) for each in result.notes],
    }
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
