"""Finds fio's JSON documents in a file, and their shape, all versions in one.

JSON begins with fio 2.0.10. What the shapes do not name is skipped undecoded, and every key may be
missing (old versions, cut fixtures). A file holds one document, several (`--status-interval`), an
array of them, or text around them: two decoders walk the bytes, one that only skips tells where a
document ends, the typed one reads it. No place is tried twice, so the time stays linear whatever
the damage.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Raw, Struct, field

from benchdash.errors import N_
from benchdash.parsers.result import ParseError
from benchdash.parsers.text import LineNumbers

# of a web page, the first of them as its source has it
MARKS = (
    *(b'"fio version"', b'"fioversion"', b'"jobs"', b'"client_stats"'),
    *(b"&quot;fio version&quot;", b"&#34;fio version&#34;"),
)
IN_A_STRING = rb"\"fio version\""  # as the output of a command in the JSON of another program
_MANY = 1000  # more bad documents than anyone would mend
# An object costs memory, however small: fio's have 60 bytes and more, without a blank between.
_OBJECTS, _BYTES_AN_OBJECT = 10_000, 48
_JOBS = 10_000
_NUL = rb"\u0000"  # no database takes it, and fio never prints it
_START = re.compile(rb'\{\s*"')
_FIRST_KEY = re.compile(rb'\{\s*"fio ?version"\s*:')
_BYTE = re.compile(r"\(byte ([0-9]+)\)")
_SKIP = msgspec.json.Decoder(msgspec.Raw)

# 64 bits are the most that fio can mean; no rate, time or amount is below zero.
Number = Annotated[float, Meta(ge=0, le=2.0**64)]


class Latency(Struct, gc=False):
    """`slat`, `clat`, `lat` (µs, up to 2.21) or `…_ns`: N from 3.18, bins in JSON+ only."""

    min: Number | None = None
    max: Number | None = None
    mean: Number | None = None
    stddev: Number | None = None
    samples: Number | None = field(default=None, name="N")
    percentile: dict[str, Number] | None = None
    bins: Raw = Raw()


class Side(Struct, gc=False):
    """`read`, `write`, `trim`, `mixed` or `sync` of a job.

    `io_bytes` is KiB before 2.21 and bytes since, when `io_kbytes` came; `bw` and `bw_min` to
    `bw_dev` are KiB/s always; `bw_bytes` is B/s (3.2); `runtime` is ms.
    """

    io_bytes: Number | None = None
    io_kbytes: Number | None = None
    bw_bytes: Number | None = None
    bw: Number | None = None
    iops: Number | None = None
    runtime: Number | None = None
    total_ios: Number | None = None
    short_ios: float | None = None
    drop_ios: float | None = None
    slat: Latency | None = None
    clat: Latency | None = None
    lat: Latency | None = None
    slat_ns: Latency | None = None
    clat_ns: Latency | None = None
    lat_ns: Latency | None = None
    bw_min: float | None = None
    bw_max: float | None = None
    bw_agg: float | None = None
    bw_mean: float | None = None
    bw_dev: float | None = None
    bw_samples: float | None = None
    iops_min: float | None = None
    iops_max: float | None = None
    iops_mean: float | None = None
    iops_stddev: float | None = None
    iops_samples: float | None = None


class Job(Struct, gc=False):
    """One job, or one reporting group under its first job's name."""

    jobname: str = ""
    groupid: int | None = None
    job_start: Number | None = None
    error: Annotated[int, Meta(gt=-(2**31), lt=2**31)] = 0
    elapsed: Number | None = None
    options: Raw = field(default=Raw(), name="job options")
    joboptions: Raw = Raw()
    read: Side | None = None
    write: Side | None = None
    trim: Side | None = None
    sync: Side | None = None
    job_runtime: Number | None = None
    usr_cpu: Number | None = None
    sys_cpu: Number | None = None
    ctx: float | None = None
    majf: float | None = None
    minf: float | None = None
    iodepth_level: dict[str, float] | None = None
    iodepth_submit: dict[str, float] | None = None
    iodepth_complete: dict[str, float] | None = None
    latency_ns: dict[str, float] | None = None
    latency_us: dict[str, float] | None = None
    latency_ms: dict[str, float] | None = None
    latency_depth: float | None = None
    latency_target: float | None = None
    latency_percentile: float | None = None
    latency_window: float | None = None
    mixed: Side | None = None
    hostname: str | None = None
    port: int | None = None
    desc: str | None = None
    total_err: Number | None = None
    first_error: float | None = None
    steadystate: dict[str, Any] | None = None


class Document(Struct, gc=False):
    """One JSON document of fio; yardstick strips the blanks from its keys."""

    version: str | None = field(default=None, name="fio version")
    fioversion: str | None = None
    timestamp: Number | None = None
    timestamp_ms: Number | None = None
    time: str | None = None
    options: Raw = field(default=Raw(), name="global options")
    globaloptions: Raw = Raw()
    jobs: list[Job] | None = None
    client_stats: list[Job] | None = None
    disk_util: list[dict[str, Any]] | None = None
    cpu_idleness: dict[str, Any] | None = None

    @property
    def number_of_jobs(self) -> int:
        return len(self.jobs or self.client_stats or [])

    @property
    def has_jobs(self) -> bool:
        """False for JSON that is not fio's: no job in it has a side or a name."""
        for job in self.jobs or self.client_stats or []:
            if job.jobname or job.read or job.write or job.trim or job.mixed:
                return True
        return False


_TYPED = msgspec.json.Decoder(Document)


class Piece(NamedTuple):
    """A document and the bytes it was read from."""

    document: Document
    start: int
    end: int


Problem = tuple[int, str]


@dataclasses.dataclass(slots=True)
class Found:
    """The documents in order; (offset, clause) of each that cannot be read."""

    pieces: list[Piece] = dataclasses.field(default_factory=list)
    problems: list[Problem] = dataclasses.field(default_factory=list)


def mentioned(data: bytes) -> bool:
    """The cheap look: could this hold fio JSON?"""
    return any(mark in data for mark in MARKS)


def whole(data: bytes) -> Document | None:
    """The document that fills the file from end to end, the usual case; None for any other."""
    if data.lstrip()[:1] != b"{" or (b"\\" in data and _NUL in data):
        return None
    if len(data) > _OBJECTS:
        _must_be_plausible(data)
    try:
        document = _TYPED.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    _must_be_few(document.number_of_jobs)
    return document if document.has_jobs else None


def find(data: bytes) -> Found:
    """All fio documents of UTF-8 `data`."""
    _must_be_plausible(data)
    found, lines = Found(), LineNumbers(data)
    jobs = 0
    for start, end in _documents(data, found.problems, lines):
        problem = _read(data, start, end, found.pieces, lines)
        if not problem:
            jobs += found.pieces[-1].document.number_of_jobs
            _must_be_few(jobs)
        elif mentioned(data[start:end]):
            found.problems.append((start, problem))
            if len(found.problems) > _MANY:
                raise ParseError(
                    "{sentence}, as in {many} earlier places", sentence=problem, many=_MANY
                )
    return found


def _must_be_plausible(data: bytes) -> None:
    """ParseError where so many objects stand that hardly any can hold figures."""
    objects = data.count(b"{")
    if objects > _OBJECTS + len(data) // _BYTES_AN_OBJECT and mentioned(data):
        raise ParseError(
            "JSON of {objects} objects in {size} bytes is not fio's",
            objects=objects,
            size=len(data),
        )


def _must_be_few(jobs: int) -> None:
    if jobs > _JOBS:
        raise ParseError("more than {most} fio jobs: split the file", most=_JOBS)


def _objects(data: bytes, problems: list[Problem], lines: LineNumbers) -> Iterator[tuple[int, int]]:
    """(start, end) of each JSON object of the top level; of damaged ones a clause."""
    position = 0
    while match := _START.search(data, position):
        start = match.start()
        position, broken = _end(data, start, lines)
        if not broken:
            yield start, position
        elif mentioned(data[start:position]):
            problems.append((start, broken))


def _documents(
    data: bytes, problems: list[Problem], lines: LineNumbers
) -> Iterator[tuple[int, int]]:
    """The same; of an object around documents of fio, as other programs store them, these."""
    for start, end in _objects(data, problems, lines):
        inner = _FIRST_KEY.search(data, start + 1, end)
        if inner is None or _FIRST_KEY.match(data, start):
            yield start, end
        while inner and not _FIRST_KEY.match(data, start):
            position, broken = _end(data, inner.start(), lines)
            if not broken:
                yield inner.start(), position
            inner = _FIRST_KEY.search(data, max(position, inner.end()), end)


def _end(data: bytes, start: int, lines: LineNumbers) -> tuple[int, str]:
    """Where the object ends or breaks, and in the second case how."""
    try:
        _SKIP.decode(memoryview(data)[start:])
    except msgspec.DecodeError as error:
        at = _BYTE.search(str(error))
        if at is None:
            return len(data), N_(
                "fio JSON ends too early at line {line}", line=lines.at(len(data.rstrip()))
            )
        end = start + int(at[1])
        if "trailing characters" in str(error):
            return end - 1, ""  # msgspec counts the character that it could not use
        word = data[end : end + 20].decode("utf-8", "replace").split(maxsplit=1)[:1]
        text = repr(word[0]) if word else "what follows"
        return max(end, start + 1), N_(
            "fio JSON breaks at line {line}, before {text}", line=lines.at(end), text=text
        )
    except RecursionError:
        return len(data), N_("JSON is nested too deeply at line {line}", line=lines.at(start))
    return len(data), ""


def _read(data: bytes, start: int, end: int, pieces: list[Piece], lines: LineNumbers) -> str:
    """Add the document to `pieces`; else say why not."""
    try:
        document = _TYPED.decode(memoryview(data)[start:end])
    except msgspec.DecodeError as error:
        return _refusal(str(error), lines.at(start))
    except UnicodeDecodeError:
        return N_("fio JSON at line {line} is not UTF-8", line=lines.at(start))
    if data.find(_NUL, start, end) >= 0:
        return N_("fio JSON at line {line} contains a NUL character", line=lines.at(start))
    if not document.has_jobs:
        return N_("fio JSON without jobs at line {line}", line=lines.at(start))
    pieces.append(Piece(document, start, end))
    return ""


def _refusal(error: str, line: int) -> str:
    text, _, path = error.partition(" - at `$.")
    place = path.rstrip("`")
    if place in ("jobs", "client_stats", ""):
        return N_("fio JSON without jobs at line {line}", line=line)
    return N_(
        "fio JSON at line {line}: {place} cannot be measured ({why})",
        line=line,
        place=place,
        why=text.replace("`", ""),
    )
