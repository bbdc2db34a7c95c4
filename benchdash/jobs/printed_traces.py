"""What a tool printed while it ran, kept as traces of its runs: the job's live chart, for ever."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

from benchdash.jobs.models import JobStep, LogChunk
from benchdash.parsers.live import LiveReader
from benchdash.results.models import Measurement, Trace
from benchdash.results.moments import lengths_s, moments_of, placed
from benchdash.results.traces import add_printed

_RATES = ("throughput", "iops", "rate", "transactions")
Printed = Mapping[tuple[str, str], tuple["array[float]", "array[float]"]]


def keep_printed(step: JobStep, artifact: int) -> None:
    """Make traces of a step's output, where its result has none of its own.

    What several runs did at the same time is printed as their sum, which is a trace of none.
    """
    moments = moments_of(artifact)
    runs = [run for moment in moments for run in moment.runs]
    if Trace.objects.filter(run__in=runs).exists():
        return
    printed = _printed(step)
    if not printed:
        return
    # the last line of all is often missing
    last_s = max(*(seconds[-1] for seconds, _values in printed.values()), lengths_s(moments))
    operations = _operations(runs)
    for moment, since_s, until_s in placed(moments, 0.0, last_s):
        if len(moment.runs) > 1:
            continue
        (run,) = moment.runs
        own = {
            (operation, metric): part
            for (side, metric), points in printed.items()
            if (operation := _operation(side, operations.get(run, set())))
            and (part := _between(points, since_s, until_s))
        }
        add_printed(run, own)


def _printed(step: JobStep) -> Printed:
    reader = LiveReader(step.tool)
    found: dict[tuple[str, str], tuple[array[float], array[float]]] = {}
    chunks = step.chunks.filter(stream=LogChunk.Stream.OUT).order_by("offset")
    for data in chunks.values_list("data", flat=True).iterator():
        for point in reader.feed(bytes(data)):
            key = point.operation, point.metric
            seconds, values = found.setdefault(key, (array("d"), array("d")))
            seconds.append(point.seconds)
            values.append(point.value)
    return found


def _operations(runs: list[int]) -> dict[int, set[str]]:
    """What each run measured a rate of."""
    rows = Measurement.objects.filter(run__in=runs, measure__metric__in=_RATES)
    found: dict[int, set[str]] = {}
    for run, operation in rows.values_list("run", "measure__operation"):
        found.setdefault(run, set()).add(operation)
    return found


def _operation(side: str, measured: set[str]) -> str:
    """fio prints `read` while it runs, and measures a `rand_read`; "" where it measured none."""
    own = [each for each in measured if each == side or each.endswith(f"_{side}")]
    return own[0] if len(own) == 1 else ""


def _between(
    points: tuple[array[float], array[float]], since_s: float, until_s: float
) -> tuple[array[float], array[float]] | None:
    """Those between two times, counted from the first; None where there are no two."""
    kept = [
        (at - since_s, value) for at, value in zip(*points, strict=True) if since_s < at <= until_s
    ]
    if len(kept) < 2:
        return None
    seconds, values = zip(*kept, strict=True)
    return array("d", seconds), array("d", values)
