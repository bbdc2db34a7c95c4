"""CSV that a spreadsheet takes as data: every digit, points as decimal marks, no formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from benchdash.results.models import Run
from benchdash.results.traces import iter_points
from benchdash.vocabulary.measures import METRICS, percentile

PERCENTILES = ("operation", "metric", "unit", "percent", "value")
TRACES = ("trace", "operation", "metric", "unit", "seconds", "value")
# what makes a spreadsheet take a text for a formula (OWASP, CSV injection)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
_ROWS_AT_ONCE = 1000


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A line of names, then one for each row; None is an empty cell."""
    return "".join(csv_parts(columns, rows))


def csv_parts(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The same in parts, for more rows than should be in memory."""
    cells = ([_cell(value) for value in row] for row in rows)
    lines = chain([columns], cells)
    while some := list(islice(lines, _ROWS_AT_ONCE)):
        out = io.StringIO()
        csv.writer(out).writerows(some)
        yield out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return repr(value) if isinstance(value, float) else value


def run_percentiles_csv(run: Run) -> Iterator[str]:
    """One line a percentile, in rising order of percent; one query, made at once."""
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
    """One line a point, however many there are; one query, made at once.

    Of the points, only the compressed ones and those of one part are in memory.
    """
    traces = list(run.traces.select_related("measure").order_by("pk"))
    rows = (
        (trace.pk, trace.measure.operation, metric, METRICS[metric].unit, *point)
        for trace in traces
        for metric in [trace.measure.metric]
        for point in iter_points(trace)
    )
    return csv_parts(TRACES, rows)
