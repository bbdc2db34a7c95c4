"""A comparison that stands still: written down whole, laid out again from what was written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchdash.analysis.decimation import Stretch
from benchdash.results.comparison.compare import Comparison, lay_out, over_time
from benchdash.results.comparison.measured import Numbers, Values
from benchdash.results.comparison.selection import SelectedRun
from benchdash.results.comparison.traces import Course, Drawn
from benchdash.results.criteria import read_query
from benchdash.results.models import Permalink, Run
from benchdash.results.parameters import MeasureName

# of a run that counted these say nothing
_COUNTED: dict[str, Any] = {"counted": True, "withdrawn_at": None, "set_aside_reason": ""}


def written_down(comparison: Comparison) -> dict[str, Any]:
    """`{"baseline", "aside", "runs", "values", "beside", "courses"}` for JSON.

    Each run has its columns, its parser's version and the digest of its numbers; values are
    `[[measure, {run: value}], …]`, courses `[[run, operation, metric, drawn or null], …]`.
    """
    runs = {run.id: run for group in comparison.groups for run in group.runs}
    pins = Run.objects.filter(pk__in=runs).values_list("pk", "parser_version", "digest")
    pinned = {pk: {"parser_version": version, "digest": digest} for pk, version, digest in pins}
    return {
        "baseline": comparison.baseline,
        "aside": comparison.aside,
        "runs": [_columns(run) | pinned[run.id] for run in sorted(runs.values())],
        "values": _pairs(_values(comparison)),
        "beside": _pairs(comparison.beside),
        "courses": comparison.courses,
    }


def frozen(permalink: Permalink) -> Comparison:
    """The comparison as it was shown; Refused where its address no longer makes sense."""
    shown = permalink.shown
    numbers = Numbers(values_shown(permalink), values_beside(permalink))
    criteria = read_query(permalink.query)
    # "" is no baseline, None would be the one that the study has by now
    pinned = criteria.changed(baseline=shown["baseline"] or "")
    laid = lay_out(pinned, _runs(shown), numbers, aside=shown["aside"])
    comparison = over_time(laid, _courses_shown(shown))
    # conditions that the study got since were not missing then
    return replace(comparison, criteria=criteria, unmeasured=())


def values_shown(permalink: Permalink) -> Values:
    """The values that the permalink keeps, in the order of its figures."""
    return _from_pairs(permalink.shown["values"])


def values_beside(permalink: Permalink) -> Values:
    """Those behind its percentile curves and second plots."""
    return _from_pairs(permalink.shown.get("beside", []))


def _courses_shown(shown: dict[str, Any]) -> list[Course]:
    return [
        Course(run, operation, metric, drawn and _drawn(*drawn))
        for run, operation, metric, drawn in shown.get("courses", [])
    ]


def _drawn(*numbers: Any) -> Drawn:
    written = Drawn(*numbers)
    return written._replace(stretches=tuple(Stretch(*each) for each in written.stretches))


def _pairs(values: Values) -> list[list[Any]]:
    return [
        [str(measure), {str(run): value for run, value in own.items()}]
        for measure, own in values.items()
    ]


def _from_pairs(pairs: list[list[Any]]) -> Values:
    return {
        MeasureName(*name.split(".", 2)): {int(run): value for run, value in values.items()}
        for name, values in pairs
    }


def _columns(run: SelectedRun) -> dict[str, Any]:
    return {name: value for name, value in run._asdict().items() if name not in _COUNTED}


def _runs(shown: dict[str, Any]) -> list[SelectedRun]:
    kept = [name for name in SelectedRun._fields if name not in _COUNTED]
    return [SelectedRun(**{name: run[name] for name in kept}, **_COUNTED) for run in shown["runs"]]


def _values(comparison: Comparison) -> Values:
    """By measure, in the comparison's order; a figure of remarks alone has a measure without values."""
    figures = [figure for section in comparison.sections for figure in section.figures]
    values: Values = {
        measure: {}
        for measure in comparison.measures
        if any(figure.measure == measure for figure in figures)
    }
    for figure in figures:
        for row in figure.rows:
            values[figure.measure] |= row.values
    return values
