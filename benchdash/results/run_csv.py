"""What a run has many of, as CSV in base units: percentiles, and points over time."""

from __future__ import annotations

from benchdash.results.csv_text import csv_text
from benchdash.results.models import Run
from benchdash.results.trace_arrays import points_of
from benchdash.vocabulary.measures import METRICS, percentile

PERCENTILES = ("operation", "metric", "unit", "percent", "value")
TRACES = ("trace", "operation", "metric", "unit", "seconds", "value")


def run_percentiles_csv(run: Run) -> str:
    """One line a percentile, in rising order of percent; one query."""
    found = run.measurements.values_list(
        "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    rows = [
        (operation, metric, METRICS[metric].unit, percent, value)
        for operation, metric, statistic, value in found
        if (percent := percentile(statistic)) is not None
    ]
    return csv_text(PERCENTILES, sorted(rows))


def run_traces_csv(run: Run) -> str:
    """One line a point, however many there are; one query."""
    rows = (
        (trace.pk, trace.measure.operation, metric, METRICS[metric].unit, *point)
        for trace in run.traces.select_related("measure").order_by("pk")
        for metric in [trace.measure.metric]
        for point in zip(*points_of(trace), strict=True)
    )
    return csv_text(TRACES, rows)
