"""A comparison that stands still: written down whole, laid out again from what was written."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from benchdash.results.comparison.compare import Comparison, lay_out
from benchdash.results.comparison.measured import Values
from benchdash.results.comparison.selection import SelectedRun
from benchdash.results.criteria import read_query
from benchdash.results.models import Permalink, Run
from benchdash.results.parameters import MeasureName

# of a run that counted these say nothing
_COUNTED: dict[str, Any] = {"counted": True, "withdrawn_at": None, "set_aside_reason": ""}


def written_down(comparison: Comparison) -> dict[str, Any]:
    """`{"baseline", "aside", "runs": [{…}], "values": [[measure, {run: value}], …]}` for JSON.

    Each run has its columns, its parser's version and the digest of its numbers.
    """
    runs = {run.id: run for group in comparison.groups for run in group.runs}
    pins = Run.objects.filter(pk__in=runs).values_list("pk", "parser_version", "digest")
    pinned = {pk: {"parser_version": version, "digest": digest} for pk, version, digest in pins}
    return {
        "baseline": comparison.baseline,
        "aside": comparison.aside,
        "runs": [_columns(run) | pinned[run.id] for run in sorted(runs.values())],
        "values": [
            [str(measure), {str(run): value for run, value in values.items()}]
            for measure, values in _values(comparison).items()
        ],
    }


def frozen(permalink: Permalink) -> Comparison:
    """The comparison as it was shown; Refused where its address no longer makes sense."""
    shown = permalink.shown
    values = values_shown(permalink)
    criteria = read_query(permalink.query)
    # "" is no baseline, None would be the one that the study has by now
    pinned = criteria.changed(baseline=shown["baseline"] or "")
    comparison = lay_out(pinned, _runs(shown), values, aside=shown["aside"])
    # conditions that the study got since were not missing then
    return replace(comparison, criteria=criteria, unmeasured=())


def values_shown(permalink: Permalink) -> Values:
    """The values that the permalink keeps, in the order of its figures."""
    return {
        MeasureName(*name.split(".", 2)): {int(run): value for run, value in values.items()}
        for name, values in permalink.shown["values"]
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
