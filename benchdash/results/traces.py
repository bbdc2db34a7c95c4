"""Points over time: how they are stored, and which run the points of a log belong to.

fio's bare logs (`write_bw_log` …) hold points without a result, so they are stored as traces of a run.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

import zstandard

from benchdash.analysis.doubts import trends
from benchdash.errors import N_
from benchdash.parsers.result import Result
from benchdash.parsers.result import Trace as ParsedTrace
from benchdash.results.bulk import Name, measure_ids
from benchdash.results.doubts import note_doubts
from benchdash.results.models import Run, Trace
from benchdash.results.readings import Reading

_PART_BYTES = 2**16
# PREFIX_bw.log up to fio 2.1, PREFIX_bw.JOB.log since; jobs count from 1
_LOG_NAME = re.compile(r"(?P<prefix>.*)_(?:bw|iops|slat|clat|lat)(?:\.(?P<job>\d+))?\.log", re.I)
_LOG_OPTIONS = ("write_bw_log", "write_iops_log", "write_lat_log")


def packed(values: array[float]) -> bytes:
    """Doubles as they are stored: little-endian, zstd."""
    plain = array("d", values)
    if sys.byteorder == "big":
        plain.byteswap()
    return zstandard.compress(plain.tobytes(), 3)


def points_of(trace: Trace) -> tuple[array[float], array[float]]:
    """(seconds since the start, values in the metric's unit)."""
    return _unpacked(bytes(trace.seconds)), _unpacked(bytes(trace.values))


def iter_points(trace: Trace) -> Iterator[tuple[float, float]]:
    """The same as pairs, some thousands at once in memory."""
    return zip(_in_turn(bytes(trace.seconds)), _in_turn(bytes(trace.values)), strict=True)


def _in_turn(data: bytes) -> Iterator[float]:
    with zstandard.ZstdDecompressor().stream_reader(data) as plain:
        while part := plain.read(_PART_BYTES):
            yield from _doubles(part)


def _unpacked(data: bytes) -> array[float]:
    return _doubles(zstandard.decompress(data))


def _doubles(data: bytes) -> array[float]:
    plain = array("d")
    plain.frombytes(data)
    if sys.byteorder == "big":
        plain.byteswap()
    return plain


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


def add_printed(
    run: int, series: Mapping[tuple[str, str], tuple[array[float], array[float]]]
) -> None:
    """Traces of no file: what a tool printed while it ran, by operation and metric."""
    names: dict[tuple[str, str], Name] = {key: (*key, "mean") for key in series}
    ids = measure_ids(names.values())
    Trace.objects.bulk_create(
        Trace(
            run_id=run,
            measure_id=ids[names[key]],
            points=len(seconds),
            seconds=packed(seconds),
            values=packed(values),
        )
        for key, (seconds, values) in series.items()
    )


def trace_name(trace: ParsedTrace) -> Name:
    """A point stands for what was measured since the point before: a mean."""
    return trace.operation, trace.metric, "mean"


def may_be_log(reading: Reading) -> bool:
    """True for a log, and for one that could not be read as long as nobody knew which fio wrote it."""
    name = PurePosixPath(reading.name).name
    unread = not reading.count and not reading.is_archive
    return reading.is_log or (unread and _LOG_NAME.fullmatch(name) is not None)


def read_with_version_of(run: Run, log: Reading) -> None:
    """Latencies are ns since fio 2.99 and µs before: the run's version decides where the columns don't."""
    if not log.results and run.tool_version:
        log.read_as(f"fio-{run.tool_version}_{PurePosixPath(log.name).name}")


def folder_of(name: str) -> str:
    """The folder that a file lay in: a log and its result lie side by side."""
    return str(PurePosixPath(name).parent)


def owner_of(log: str, runs: Sequence[Run]) -> Run | None:
    """The one run of `runs` (fio's, uploaded beside the log) that it belongs to without doubt."""
    name = PurePosixPath(log).name
    match = _LOG_NAME.fullmatch(name)
    named = [run for run in runs if match and _writes(run, match["prefix"])]
    pool = named or list(runs)
    if match and match["job"] and len(pool) > 1:
        pool = _of_job(pool, int(match["job"]))
    return pool[0] if len(pool) == 1 else None


def _writes(run: Run, prefix: str) -> bool:
    """An option without a value means the name of the job."""
    options = run.details.get("options") or {}
    values = {options[name] or run.label for name in _LOG_OPTIONS if name in options}
    return prefix in {PurePosixPath(str(value)).name for value in values}


def _of_job(runs: Iterable[Run], job: int) -> list[Run]:
    """fio numbers processes: they are the jobs in their order only where each is one process."""
    options = [run.details.get("options") or {} for run in runs]
    if any("numjobs" in each or "group_reporting" in each for each in options):
        return []
    return [run for run in runs if run.position == job - 1]


def store_log(reading: Reading, artifact: int, run: Run) -> None:
    """Store the points of a log as traces of `run`, and what they say against it."""
    names = {trace_name(trace) for result in reading.results for trace in result.traces}
    ids = measure_ids(names)
    Trace.objects.bulk_create(
        row for result in reading.results for row in trace_rows(run, artifact, result, ids)
    )
    doubts = (doubt for result in reading.results for doubt in trends(result.traces))
    note_doubts([run.pk], doubts)


def which_run(reading: Reading) -> str:
    """Why a log for which no run was named or found is refused."""
    measures = sorted({trace.metric for result in reading.results for trace in result.traces})
    return N_(
        "A log of {measures} belongs to a run, but none is named or found beside it: say "
        "which run it belongs to.",
        measures=" and ".join(measures),
    )
