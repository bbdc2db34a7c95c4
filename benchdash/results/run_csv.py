"""What a run has many of, as CSV in base units: percentiles, and points over time."""

from __future__ import annotations

from collections.abc import Iterator

from benchdash.results.csv_text import csv_parts
from benchdash.results.models import Run
from benchdash.results.trace_arrays import points_in_turn
from benchdash.vocabulary.measures import METRICS, percentile

PERCENTILES = ("operation", "metric", "unit", "percent", "value")
TRACES = ("trace", "operation", "metric", "unit", "seconds", "value")


def run_percentiles_csv(run: Run) -> Iterator[str]:
    """One line a percentile, in rising order of percent; one query, asked at once."""
    found = run.measurements.values_list(
        "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    rows = [
        (operation, metric, METRICS[metric].unit, percent, value)
        for operation, metric, statistic, value in found
        if (percent := percentile(statistic)) is not None
    ]
    return csv_parts(PERCENTILES, sorted(rows))


def run_traces_csv(run: Run) -> Iterator[str]:
    """One line a point, however many there are; one query, asked at once.

    Of the points, only the compressed ones and those of one part are in memory.
    """
    traces = list(run.traces.select_related("measure").order_by("pk"))
    rows = (
        (trace.pk, trace.measure.operation, metric, METRICS[metric].unit, *point)
        for trace in traces
        for metric in [trace.measure.metric]
        for point in points_in_turn(trace)
    )
    return csv_parts(TRACES, rows)
