"""Rules that find what speaks against a run: in its own figures, beside its place, beside repeats.

Each gives a sentence with the figure in it. None of them leaves a run out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from statistics import fmean
from typing import Any, Protocol

from benchdash.analysis.differences import Difference, slope
from benchdash.analysis.kept import kept
from benchdash.errors import N_, Sentence, side_by_side
from benchdash.vocabulary.doubts import Doubt
from benchdash.vocabulary.hardware_limits import Limit, Limits
from benchdash.vocabulary.measures import operation_title
from benchdash.vocabulary.units import human, significant

Name = tuple[str, str, str]  # operation, metric, statistic

SHORTEST_S = 1.0
MEMORY_TIMES = 2
USABLE = 0.9  # of the memory: the kernel keeps some, and bonnie++ takes twice the rest by itself
BEYOND = 1.05  # a limit, before it is doubted: rates and speeds are rounded
OVERRUN, OVERRUN_S = 1.1, 2.0
SKEW_S = 60  # of a clock: to ask a slow machine takes seconds
UNDERRUN = 0.9
DRIFT = 0.2  # between the halves of a run
DRIFT_Z = 2.58  # two-sided 1 %
APART, APART_P = 0.02, 0.01
FEWEST_REPEATS = 5
_BINS, _FEWEST_POINTS = 20, 10
_RATES = ("throughput", "iops", "transactions", "rate")
# fio engines that read and write through the page cache unless direct I/O is asked for
_CACHED = frozenset(
    ("", "sync", "psync", "vsync", "pvsync", "pvsync2", "libaio", "posixaio", "io_uring", "mmap")
)


class Series(Protocol):
    """One measure over time, as `parsers.result.Trace`."""

    @property
    def operation(self) -> str: ...

    @property
    def metric(self) -> str: ...

    @property
    def seconds(self) -> Sequence[float]: ...

    @property
    def values(self) -> Sequence[float]: ...


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: numbers in base units, workload by axes, the tool's own details."""

    tool: str
    workload: Mapping[str, Any]
    numbers: Mapping[Name, float]
    details: Mapping[str, Any] = field(default_factory=dict)
    traces: Sequence[Series] = ()


def of_result(run: Measured) -> list[Doubt]:
    """What the result says against itself."""
    rules = (_errors, _short, _steady_state, _clock)
    return [
        *(doubt for rule in rules for doubt in rule(run)),
        *(
            each._replace(operations=_concerned(run, each.operations))
            for each in trends(run.traces)
        ),
    ]


def of_place(run: Measured, limits: Limits) -> list[Doubt]:
    """What its configuration and environment say against it."""
    return [*_too_fast(run, limits), *_cached(run, limits)]


def _concerned(run: Measured, operations: Iterable[str]) -> tuple[str, ...]:
    """In the order of the run; empty where they are all that has a rate: then it is the run."""
    wanted = set(operations)
    rated = dict.fromkeys(name[0] for name in run.numbers if name[1] in _RATES)
    return () if wanted >= rated.keys() else tuple(each for each in rated if each in wanted)


def _errors(run: Measured) -> Iterator[Doubt]:
    errors = sum(value for (_, metric, _s), value in run.numbers.items() if metric == "errors")
    if errors:
        sentence = N_("{tool} reported errors: {n}.", tool=run.tool, n=significant(errors))
        yield Doubt("errors", sentence)


def _short(run: Measured) -> Iterator[Doubt]:
    phases = {operation: seconds for operation, seconds in _phases(run) if seconds < SHORTEST_S}
    if not phases:
        return
    shortest = min(phases, key=lambda operation: phases[operation])
    sentence = N_("{operation} took only {time}, too short for a reliable rate.")
    if len(phases) > 1:
        sentence = N_("{n} phases took less than a second; the shortest, {operation}, took {time}.")
    yield Doubt(
        "short",
        Sentence(
            sentence,
            n=len(phases),
            operation=_title(shortest),
            time=human(phases[shortest], "s"),
        ),
        _concerned(run, phases),
    )


def _phases(run: Measured) -> Iterator[tuple[str, float]]:
    """(operation, seconds) of what has a rate; bonnie++ prints no times, but what it worked on."""
    whole = run.numbers.get(("run", "duration", "total"))
    amounts: dict[str, float] = {}
    if run.tool == "bonnie++":
        axes = {"throughput": "file_bytes", "rate": "files"}
        amounts = {metric: run.workload.get(axis) or 0 for metric, axis in axes.items()}
    for (operation, metric, statistic), rate in run.numbers.items():
        if metric not in _RATES or statistic != "mean" or not rate:
            continue
        seconds = run.numbers.get((operation, "duration", "total"), whole)
        if seconds is None and amounts.get(metric):
            seconds = amounts[metric] / rate
        if seconds is not None:
            yield operation, seconds


def _steady_state(run: Measured) -> Iterator[Doubt]:
    """fio prints an object as JSON, and `attained=no, bw=…, iops=…` as text."""
    found = run.details.get("steadystate")
    if isinstance(found, Mapping) and found.get("attained") == 0:
        sentence = N_(
            "The requested steady state ({goal} over {duration}) was not reached.",
            goal=str(found.get("ss", "")),
            duration=human(float(found.get("duration") or 0), "s"),
        )
        yield Doubt("steady_state", sentence)
    elif isinstance(found, str) and found.startswith("attained=no"):
        sentence = N_("The requested steady state was not reached: {found}.", found=found)
        yield Doubt("steady_state", sentence)


def _clock(run: Measured) -> Iterator[Doubt]:
    wanted = run.workload.get("duration_s")
    ran = max((v for (_, metric, _s), v in run.numbers.items() if metric == "duration"), default=0)
    if not wanted or not ran:
        return
    options = run.details.get("options") or {}
    fixed = "time_based" in options
    if ran > wanted * OVERRUN + OVERRUN_S or (fixed and ran < wanted * UNDERRUN):
        sentence = N_(
            "It ran for {ran} instead of the requested {wanted}.",
            ran=human(ran, "s"),
            wanted=human(wanted, "s"),
        )
        yield Doubt("clock", sentence)


def ran_longer_than_passed(printed_s: float, passed_s: float) -> Doubt | None:
    """A tool cannot have measured longer than its process lived, give or take a second."""
    if printed_s <= passed_s * BEYOND + 1:
        return None
    sentence = N_(
        "The tool printed a run time of {printed}, but only {passed} passed.",
        printed=human(printed_s, "s"),
        passed=human(passed_s, "s"),
    )
    return Doubt("clock", sentence)


def of_capture(unread: Mapping[str, Iterable[str]], skews_s: Mapping[str, float]) -> list[Doubt]:
    """What a capture says against its record: what was not read, and clocks that are off; by role."""
    found = [
        Doubt("unread", side_by_side([role, sentence], ": "))
        for role, sentences in unread.items()
        for sentence in sentences
    ]
    for role, skew in skews_s.items():
        if abs(skew) >= SKEW_S:
            template = N_("{role}: The clock was {time} behind when the machine was captured.")
            if skew > 0:
                template = N_("{role}: The clock was {time} ahead when the machine was captured.")
            found.append(Doubt("clock", Sentence(template, role=role, time=human(abs(skew), "s"))))
    return found


def trends(traces: Sequence[Series]) -> Iterator[Doubt]:
    """What figures over time say against their run, an operation each; a log may bring them.

    A file into which several jobs logged, one after the other, is no series.
    """
    seen = set()
    for trace in sorted(traces, key=lambda trace: trace.metric != "throughput"):
        if trace.metric not in _RATES or trace.operation in seen:
            continue
        seen.add(trace.operation)
        in_order = all(before <= after for before, after in pairwise(trace.seconds))
        share = drift(trace.values) if in_order else None
        if share is None:
            continue
        template = N_("{operation}: the second half is {percent} % slower than the first.")
        if share > 0:
            template = N_("{operation}: the second half is {percent} % faster than the first.")
        percent = significant(abs(share) * 100, 2)
        operation = _title(trace.operation)
        sentence = Sentence(template, operation=operation, percent=percent)
        yield Doubt("trend", sentence, (trace.operation,))


def drift(values: Sequence[float]) -> float | None:
    """How far the mean of the second half lies above that of the first, as a share of that.

    None where it is less than DRIFT, or may be chance (Mann 1945, Kendall 1975, on means of up to
    20 stretches).
    """
    n = min(_BINS, len(values))
    if len(values) < _FEWEST_POINTS:
        return None
    edges = [len(values) * place // n for place in range(n + 1)]
    means = [fmean(values[start:end]) for start, end in pairwise(edges)]
    first, second = fmean(means[: n // 2]), fmean(means[-(n // 2) :])
    if first <= 0 or abs(second / first - 1) <= DRIFT:
        return None
    score = sum((later > earlier) - (later < earlier) for earlier, later in combinations(means, 2))
    error = math.sqrt(n * (n - 1) * (2 * n + 5) / 18)
    return second / first - 1 if (abs(score) - 1) / error > DRIFT_Z else None


def _too_fast(run: Measured, limits: Limits) -> Iterator[Doubt]:
    """The one that is furthest beyond a limit."""
    found = [
        (value / limit.bytes_s, operation, value, limit)
        for (operation, metric, statistic), value in run.numbers.items()
        if metric == "throughput" and statistic == "mean"
        for limit in _limits_of(operation, limits)
        if value > limit.bytes_s * BEYOND
    ]
    if found:
        _times, operation, value, limit = max(found, key=lambda each: each[0])
        sentence = N_(
            "{operation}: {value} exceeds the {limit} that {of} can carry.",
            operation=_title(operation),
            value=human(value, "B/s"),
            limit=human(limit.bytes_s, "B/s"),
            of=Sentence(limit.of),
        )
        yield Doubt("too_fast", sentence, _concerned(run, {name for _t, name, _v, _l in found}))


def _limits_of(operation: str, limits: Limits) -> Iterable[Limit]:
    if "write" in operation:  # seq_rewrite reads as well
        return limits.writes
    return limits.reads if "read" in operation else ()


def _cached(run: Measured, limits: Limits) -> Iterator[Doubt]:
    size = run.workload.get("file_bytes")
    memory = limits.memory_bytes
    if not size or not memory or not _uses_page_cache(run):
        return
    options = run.details.get("options") or {}
    jobs = str(options.get("numjobs", ""))
    n = max(run.workload.get("jobs") or 1, int(jobs) if jobs.isdecimal() and len(jobs) < 7 else 1)
    if size * n < MEMORY_TIMES * USABLE * memory:
        sentence = N_(
            "{size} of files is less than twice the {memory} of memory, and direct I/O was not "
            "used.",
            size=human(size * n, "B", binary=True),
            memory=human(memory, "B", binary=True),
        )
        # how many files are made a second has nothing to do with how large one is
        data = {name[0] for name in run.numbers if name[1] in ("throughput", "iops")}
        yield Doubt("cached", sentence, _concerned(run, data))


def _uses_page_cache(run: Measured) -> bool:
    """Where it is certain: fio prints every option that was given, and its default is buffered."""
    if run.tool == "bonnie++":
        return True
    direct = run.workload.get("direct")
    if run.workload.get("sync") and not any("read" in name[0] for name in run.numbers):
        return False
    if direct is None:
        direct = run.tool != "fio" or not run.details.get("options")
    return not direct and run.workload.get("engine", "") in _CACHED


@kept
def of_repeats(values: Sequence[float]) -> tuple[str, ...]:
    """What the repeats of one measure, in the order of their start, say against each other.

    Computed with the view: it changes with every further repeat.
    """
    if len(values) < FEWEST_REPEATS or min(values) <= 0:
        return ()
    logs = [math.log(value) for value in values]
    first, over = first_apart(logs), slope(logs)
    whole = over.estimate * (len(logs) - 1)
    if abs(first.estimate) > APART and first.p() < APART_P:
        template = N_("The first of {n} repeats is {percent} % below the others.")
        if first.estimate > 0:
            template = N_("The first of {n} repeats is {percent} % above the others.")
        return (_of_company(template, len(values), first.estimate),)
    if abs(whole) > APART and over.p() < APART_P:
        template = N_("Over its {n} repeats it falls by {percent} %.")
        if whole > 0:
            template = N_("Over its {n} repeats it rises by {percent} %.")
        return (_of_company(template, len(values), whole),)
    return ()


def first_apart(values: Sequence[float]) -> Difference:
    """The first value less the mean of the others, with the error of a prediction from those."""
    first, rest = values[0], values[1:]
    mean = fmean(rest)
    freedom = len(rest) - 1
    square = math.fsum((each - mean) ** 2 for each in rest) / freedom
    return Difference(first - mean, math.sqrt(square * (1 + 1 / len(rest))), freedom)


def _of_company(template: str, n: int, logarithm: float) -> str:
    return Sentence(template, n=n, percent=significant(abs(math.expm1(logarithm)) * 100, 2))


def _title(operation: str) -> Sentence:
    """A title that is translated, also where it is one word."""
    title = operation_title(operation)
    return title if isinstance(title, Sentence) else Sentence(title)
