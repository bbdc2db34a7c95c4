"""A comparison as JSON: what `GET /api/v1/compare/` answers and what the page's charts draw."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from benchdash.analysis.intervals import Interval
from benchdash.results.comparison.compare import Comparison, Section
from benchdash.results.comparison.figures import Figure, Row
from benchdash.results.comparison.grouping import Group
from benchdash.results.comparison.likeness import Crossing, Held
from benchdash.results.comparison.sentences import sentences
from benchdash.results.comparison.tables import unit_of
from benchdash.results.comparison.traces import Drawn, OverTime
from benchdash.results.words import measure_title
from benchdash.vocabulary.measures import METRICS


def answer(comparison: Comparison, *, binary: bool) -> dict[str, Any]:
    """The whole comparison. Values are in base units; `shown` is the unit that people see."""
    return {
        "query": comparison.criteria.query(),
        "runs": comparison.runs,
        "aside": comparison.aside,
        "group": [str(factor) for factor in comparison.factors],
        "groups": [_group(group, comparison.baseline) for group in comparison.groups],
        "baseline": comparison.baseline,
        "percent": comparison.criteria.percent,
        "shared": [_held(held) for held in comparison.shared],
        "unmeasured": list(comparison.unmeasured),
        "varying": [str(factor) for factor in comparison.varying],
        "differences": [
            {"factor": str(line.factor), "title": line.title, "texts": list(line.texts)}
            for line in comparison.differences
        ],
        "in_common": [{"title": title, "text": text} for title, text in comparison.in_common],
        "offered": [
            {
                "measure": str(offer.measure),
                "title": measure_title(offer.measure),
                "family": METRICS[offer.measure.metric].family,
                "runs": offer.runs,
            }
            for offer in comparison.offers
        ],
        "sections": [
            _section(section, comparison.baseline, binary=binary) for section in comparison.sections
        ],
    }


def figure_answer(figure: Figure, baseline: str | None, *, binary: bool) -> dict[str, Any]:
    """One figure: all that its chart needs, and its second plot."""
    latency = figure.latency and _figure(figure.latency, baseline, binary=binary)
    return _figure(figure, baseline, binary=binary) | {"latency": latency}


def _figure(figure: Figure, baseline: str | None, *, binary: bool) -> dict[str, Any]:
    unit = unit_of(figure, binary=binary)
    return {
        "measure": str(figure.measure),
        "title": measure_title(figure.measure),
        "family": figure.metric.family,
        "unit": figure.metric.unit,
        "shown": {"name": unit.name, "factor": unit.factor},
        "higher_is_better": figure.metric.higher_is_better,
        "axis": figure.axis,
        "chart": figure.chart,
        "along": figure.along,
        "sentence": sentences(figure, baseline=baseline, binary=binary),
        "rows": [_row(row, slot) for row, slot in zip(figure.rows, figure.slots, strict=True)],
    }


def _section(section: Section, baseline: str | None, *, binary: bool) -> dict[str, Any]:
    return {
        "apart": [_held(held) for held in section.apart],
        "crossings": [_crossing(crossing) for crossing in section.crossings],
        "figures": [figure_answer(one, baseline, binary=binary) for one in section.figures],
        "percentiles": [asdict(curves) for curves in section.curves],
        "over_time": [_over_time(figure) for figure in section.over_time],
    }


def _over_time(figure: OverTime) -> dict[str, Any]:
    return {
        "operation": figure.operation,
        "metric": figure.metric,
        "left_out": figure.left_out,
        "lines": [
            {"label": line.label, "slot": line.slot, "run": line.run, **_drawn(line.drawn)}
            for line in figure.lines
        ],
    }


def _drawn(drawn: Drawn) -> dict[str, Any]:
    stretches = [stretch._asdict() for stretch in drawn.stretches]
    return drawn._asdict() | {"stretches": stretches}


def _group(group: Group, baseline: str | None) -> dict[str, Any]:
    return {
        "key": group.key,
        "label": group.label,
        "slot": group.slot,
        "is_baseline": group.key == baseline,
        "runs": [run.id for run in group.runs],
        "pools": group.pools,
    }


def _held(held: Held) -> dict[str, Any]:
    return {"name": held.name, "value": held.value, "title": held.title, "text": held.text}


def _crossing(crossing: Crossing) -> dict[str, Any]:
    values = [{"text": text, "groups": list(labels)} for text, labels in crossing.values]
    return {"name": crossing.name, "title": crossing.title, "values": values}


def _row(row: Row, slot: int) -> dict[str, Any]:
    summary = row.summary
    return {
        "group": row.group.key,
        "label": row.group.label,
        "slot": slot,
        "at": [{"text": value.text, "number": value.number} for value in row.group.at],
        "n": len(row.values),
        "median": summary and summary.median,
        "mean": summary and summary.mean,
        "low": summary and summary.low,
        "high": summary and summary.high,
        "lower_quartile": summary and summary.lower_quartile,
        "upper_quartile": summary and summary.upper_quartile,
        "interval": _interval(row.interval),
        "ratio": row.ratio,
        "ratio_interval": _interval(row.ratio_interval),
        "verdict": row.verdict,
        "values": [{"run": run, "value": value} for run, value in row.values.items()],
        "notes": [{"note": note, "runs": runs} for note, runs in row.notes.items()],
    }


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    if interval is None:
        return None
    return {"low": interval.low, "high": interval.high, "kind": str(interval.kind)}
