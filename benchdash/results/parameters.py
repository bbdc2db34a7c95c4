"""The names of a query string: how each is read, and what it may say."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from benchdash.errors import Refused
from benchdash.results.factors import Factor, read_factor
from benchdash.results.ids import Ranges, ranges_text, read_id, read_ids, read_ranges
from benchdash.vocabulary.measures import (
    FAMILIES,
    METRICS,
    MeasureName,
    is_operation,
    is_statistic,
)
from benchdash.vocabulary.workloads import AXES

LONGEST_TEXT = 200
MOST_RANGES = 300
SMALLEST_DELTA, LARGEST_DELTA = 0.01, 100
# how long ago: 12h, 30d, 2w
_AGO = re.compile(r"([0-9]{1,4})([hdw])", re.ASCII)
_SPANS = {"h": "hours", "d": "days", "w": "weeks"}
_PERCENT = re.compile(r"[0-9]{1,3}(\.[0-9]{1,4})?", re.ASCII)
_COLUMN = re.compile(r"-?(group|workload|n|[a-z0-9_]+\.[a-z_]+\.[a-z0-9_.]+)", re.ASCII)
SCALES = ("auto", "linear", "log")
UNITS = ("decimal", "binary")
# what courses stand over each other by: seconds since each began, or the time of day
CLOCKS = ("start", "wall")
CHARTS = ("auto", "bars", "change", "boxes", "lines", "heat")
# a second plot under the same axis, or one plot of one against the other
BESIDE_RATES = ("under", "against")
LATENCIES = (*BESIDE_RATES, "apart")
# held equal by default; the tool too: two tools don't measure the same thing
HELD = (
    {"tool": Factor("tool")}
    | {name: Factor("workload", name) for name in AXES}
    | {name: Factor(name) for name in ("beside", "options", "label")}
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One name of the query string: the field it fills, how it is read and written."""

    field: str
    read: Callable[[list[str], str], Any]
    write: Callable[[Any], Iterable[str]] = lambda value: map(str, value)

    @property
    def many(self) -> bool:
        """May it be said several times?"""
        return self.write not in (_once, _moment_texts)


def read_texts(values: list[str], name: str) -> tuple[str, ...]:
    """The different values; Refused where one is too long to be a name."""
    for value in values:
        if "\x00" in value:
            raise Refused("“{name}” contains a NUL character.", name, name=name)
        if len(value) > LONGEST_TEXT:
            raise Refused(
                "“{name}” may have at most {n} characters.", name, name=name, n=LONGEST_TEXT
            )
    return tuple(sorted(set(values)))


def _ids(values: list[str], name: str) -> tuple[int, ...]:
    values = [part.strip() for value in values for part in value.split(",") if part.strip()]
    for value in values:
        if read_id(value) is None:
            raise Refused(
                "“{value}” in “{name}” is not a record number.",
                name,
                value=value,
                name=name,
            )
    return tuple(sorted(set(read_ids(values))))


def read_uploads(values: list[str], name: str = "upload") -> Ranges:
    """Uploads by number and range, `4-13,17`; Refused where it is none, or of too many parts."""
    text = ",".join(values)
    ranges = read_ranges(text)
    if ranges is None:
        raise Refused(
            "“{value}” in “{name}” is not an upload number; write several as 4-13,17.",
            name,
            value=text[:LONGEST_TEXT],
            name=name,
        )
    if len(ranges) > MOST_RANGES:
        raise Refused(
            "“{name}” takes at most {n} ranges: choose the runs by study or tag.",
            name,
            name=name,
            n=MOST_RANGES,
        )
    return ranges


def read_ids_of(values: list[str], name: str) -> tuple[str, ...]:
    """Numbers of records, also several with commas between them, as texts; Refused for any other."""
    return tuple(map(str, _ids(values, name)))


def read_text(values: list[str], name: str) -> str:
    """The one value; Refused where there are several, or it is too long."""
    if len(set(values)) > 1:
        raise Refused(
            "“{name}” can be given only once, not as {values}.",
            name,
            name=name,
            values=", ".join(values),
        )
    return read_texts(values, name)[0]


def _word(*allowed: str) -> Callable[[list[str], str], str]:
    def read(values: list[str], name: str) -> str:
        value = read_text(values, name)
        if value not in allowed:
            raise _none_of(allowed, value, name)
        return value

    return read


def words_of(allowed: Sequence[str]) -> Callable[[list[str], str], tuple[str, ...]]:
    """Reads some of these words, in their order; Refused for any other."""

    def read(values: list[str], name: str) -> tuple[str, ...]:
        for value in values:
            if value not in allowed:
                raise _none_of(allowed, value, name)
        return tuple(word for word in allowed if word in values)

    return read


def _held(values: list[str], name: str) -> tuple[str, ...]:
    settings = sorted({value for value in values if value.startswith("setting.")})
    for value in settings:
        read_factor(value, name)
    return *words_of(tuple(HELD))([v for v in values if v not in settings], name), *settings


def held_factor(name: str) -> Factor:
    """What a name of `across` is about: that of `HELD`, else a setting."""
    return HELD.get(name) or Factor(*name.split(".", 1))


def held_name(factor: Factor) -> str:
    """The name of `across` for what is held equal: a setting's is whole, an axis has its own."""
    return factor.name if factor.kind == "workload" else str(factor)


def _none_of(allowed: Sequence[str], value: str, name: str) -> Refused:
    return Refused(
        "“{name}” must be one of {allowed}, not “{value}”.",
        name,
        name=name,
        allowed=", ".join(allowed),
        value=value,
    )


def read_moment(values: list[str], name: str) -> date | datetime:
    """A day, a time (UTC where no zone is given), or how long ago: `30d` is a day, `12h` a time."""
    value = read_text(values, name)
    try:
        if ago := _AGO.fullmatch(value):
            moment = datetime.now(UTC) - timedelta(**{_SPANS[ago[2]]: int(ago[1])})
            return moment if ago[2] == "h" else moment.date()
        with suppress(ValueError):
            # the day after it must be one too
            return date.fromisoformat(value) + timedelta(days=1) - timedelta(days=1)
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(
            "“{value}” is neither a day nor a time; write 2026-01-31, "
            "2026-01-31T08:00:00Z, or 30d for the last thirty days.",
            name,
            value=value,
        ) from None


def _moment_texts(moment: date | datetime) -> Iterable[str]:
    # Z, because a + would have to be escaped in an address
    return [moment.isoformat().replace("+00:00", "Z")]


def _switch(values: list[str], name: str) -> bool:
    return _word("1", "0")(values, name) == "1"


def _measures(values: list[str], name: str) -> tuple[MeasureName, ...]:
    return tuple(dict.fromkeys(read_measure(value, name) for value in values))


def read_measure(text: str, field: str = "measure") -> MeasureName:
    """`rand_read.completion_latency.p99.9` as its three words; Refused where one is unknown."""
    operation, _dot, rest = text.partition(".")
    metric, _dot, statistic = rest.partition(".")
    if not (is_operation(operation) and metric in METRICS and is_statistic(statistic)):
        raise Refused(
            "“{text}” is not a measure; an example is seq_write.throughput.mean.", field, text=text
        )
    return MeasureName(operation, metric, statistic)


def _group(values: list[str], name: str) -> tuple[Factor, ...]:
    words = [word for value in values for word in value.split(",") if word]
    return tuple(dict.fromkeys(read_factor(word, name) for word in words))


def _facet(values: list[str], name: str) -> Factor:
    return read_factor(read_text(values, name), name)


def _deltas(values: list[str], name: str) -> tuple[tuple[str, float], ...]:
    """`2`, or `latency:5` for one metric."""
    found: dict[str, float] = {}
    for value in values:
        metric, _colon, percent = value.rpartition(":")
        if metric and metric not in METRICS:
            raise _none_of(tuple(METRICS), metric, name)
        number = float(percent) if _PERCENT.fullmatch(percent) else 0.0
        if not SMALLEST_DELTA <= number <= LARGEST_DELTA:
            raise Refused(
                "“{value}” in “{name}” is not a percentage between {low} and {high}; write 2, "
                "or latency:5 for one metric.",
                name,
                value=value,
                name=name,
                low=SMALLEST_DELTA,
                high=LARGEST_DELTA,
            )
        if found.setdefault(metric, number) != number:
            raise Refused("“{name}” can be given once for each metric.", name, name=name)
    return tuple(sorted(found.items()))


def _delta_texts(deltas: Iterable[tuple[str, float]]) -> Iterable[str]:
    return (f"{metric}:{percent:g}" if metric else f"{percent:g}" for metric, percent in deltas)


def _column(values: list[str], name: str) -> str:
    """A column of the overview; with a - the largest, or Z, first."""
    text = read_text(values, name)
    if not _COLUMN.fullmatch(text):
        raise Refused(
            "“{value}” is not a column of the overview: group, workload, n or a measure.",
            name,
            value=text,
        )
    return text


def _once(value: Any) -> Iterable[str]:
    return ["1" if value is True else str(value)]


PARAMETERS = {
    "study": Parameter("studies", read_texts),
    "configuration": Parameter("configurations", _ids),
    "environment": Parameter("environments", _ids),
    "run": Parameter("runs", _ids),
    "execution": Parameter("executions", _ids),
    "upload": Parameter("uploads", read_uploads, lambda ranges: [ranges_text(ranges)]),
    "tool": Parameter("tools", read_texts),
    "version": Parameter("versions", read_texts),
    "host": Parameter("hosts", read_texts),
    "tag": Parameter("tags", read_texts),
    "since": Parameter("since", read_moment, _moment_texts),
    "until": Parameter("until", read_moment, _moment_texts),
    "text": Parameter("text", read_text, _once),
    "measure": Parameter("measures", _measures),
    "family": Parameter("families", words_of(tuple(FAMILIES))),
    "group": Parameter("group", _group, lambda factors: [",".join(map(str, factors))]),
    "like": Parameter("like", _word("1", "0"), _once),
    "facet": Parameter("facet", _facet, _once),
    "across": Parameter("across", _held),
    "baseline": Parameter("baseline", read_text, _once),
    "delta": Parameter("deltas", _deltas, _delta_texts),
    "percent": Parameter("percent", _switch, _once),
    "chart": Parameter("chart", _word(*CHARTS), _once),
    "latency": Parameter("latency", _word(*LATENCIES), _once),
    "axis": Parameter("axis", _word(*SCALES), _once),
    "doubts": Parameter("doubts", _word("include", "exclude"), _once),
    "clock": Parameter("clock", _word(*CLOCKS), _once),
    "sort": Parameter("sort", _column, _once),
    "units": Parameter("units", _word(*UNITS), _once),
}
