"""fio's bare logs (`write_bw_log` …): points without a result, which hang on a run."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from benchdash.results.interning import measure_ids
from benchdash.results.models import Run, Trace
from benchdash.results.new_runs import trace_name, trace_rows
from benchdash.results.readings import Reading

# PREFIX_bw.log up to fio 2.1, PREFIX_bw.JOB.log since; jobs count from 1
_LOG_NAME = re.compile(r"(?P<prefix>.*)_(?:bw|iops|slat|clat|lat)(?:\.(?P<job>\d+))?\.log", re.I)
_OPTIONS = ("write_bw_log", "write_iops_log", "write_lat_log")


def is_log(reading: Reading) -> bool:
    """True for a file whose results are points over time and nothing else."""
    return bool(reading.results) and all(
        each.traces and not each.by_name() for each in reading.results
    )


def may_be_log(reading: Reading) -> bool:
    """True also for one that could not be read as long as nobody knew which fio wrote it."""
    name = PurePosixPath(reading.name).name
    unread = not reading.results and not reading.is_archive
    return is_log(reading) or (unread and _LOG_NAME.fullmatch(name) is not None)


def read_as_printed_by(run: Run, log: Reading) -> None:
    """Latencies are ns since fio 2.99 and µs before: the run knows, where the columns do not say."""
    if not log.results and run.tool_version:
        log.read_as(f"fio-{run.tool_version}_{PurePosixPath(log.name).name}")


def folder_of(name: str) -> str:
    """Where a file lay in what was brought: a log and its result lie side by side."""
    return str(PurePosixPath(name).parent)


def owner_of(log: str, runs: Sequence[Run]) -> Run | None:
    """The one run of `runs` (fio's, brought beside the log) that it belongs to without doubt."""
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
    values = {options[name] or run.label for name in _OPTIONS if name in options}
    return prefix in {PurePosixPath(str(value)).name for value in values}


def _of_job(runs: Iterable[Run], job: int) -> list[Run]:
    """fio numbers processes: they are the jobs in their order only where each is one process."""
    options = [run.details.get("options") or {} for run in runs]
    if any("numjobs" in each or "group_reporting" in each for each in options):
        return []
    return [run for run in runs if run.position == job - 1]


def hang(reading: Reading, artifact: int, run: Run) -> None:
    """Store the points of a log as traces of `run`."""
    names = {trace_name(trace) for result in reading.results for trace in result.traces}
    ids = measure_ids(names)
    Trace.objects.bulk_create(
        row for result in reading.results for row in trace_rows(run, artifact, result, ids)
    )


def which_run(reading: Reading) -> str:
    """The sentence for a log that nobody said a run for."""
    measures = sorted({trace.metric for result in reading.results for trace in result.traces})
    return (
        f"A log of {' and '.join(measures)} hangs on a run, and none is named or lies beside it:"
        " say which run it belongs to."
    )
