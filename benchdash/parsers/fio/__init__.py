"""fio 1.3 to 3.x: normal text, JSON and JSON+, terse version 2 to 5, and bare logs.

Commands: `fio JOB [--output-format=normal|json|json+|terse|…]`, several formats at once, with
progress (`--eta`), snapshots (`--status-interval`) or clients (`--client`) around them. One result
is one job, or one reporting group under its first job's name; group lines are a result only where
no job is. Figures of half-second samples (`bw_mean`, `iops_mean`, …) are details: they are not the
run's rate. Each module is the manual of its part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchdash.errors import N_, side_by_side
from benchdash.parsers.fio import json_fields, json_results, logs, terse
from benchdash.parsers.fio.json_fields import Found, Piece, Problem
from benchdash.parsers.fio.snapshots import Report, newest, numbered, without_copies
from benchdash.parsers.fio.text_results import Texts
from benchdash.parsers.fio.text_results import results as results_of_runs
from benchdash.parsers.fio.text_runs import read_runs
from benchdash.parsers.result import LineReader, Parsed, ParseError, Point, Result
from benchdash.parsers.source import Source
from benchdash.parsers.text import doubt_incomplete, numbered_lines

TOOL = "fio"
VERSION = 8

_TERSE = (b";0;", b",fio-")  # a line has a hundred fields, and many are zero
_MESSAGES = (b"fio: ", b"Bad option", b"bad option")
_PROGRESS = b"Jobs: "
_MARKS = (
    *(b": (groupid=", b": (g=", b"Run status group", _PROGRESS),
    *_MESSAGES,
    *_TERSE,
    *json_fields.MARKS,
    json_fields.IN_A_STRING,
)
_PROBLEMS = 5
# `fio: pid=0, err=20/file:filesetup.c:455, func=fstat, error=Not a directory`
_FAILED = re.compile(
    r"fio: pid=-?[0-9]+, err=(-?[0-9]{1,9})/file:([^,]{1,80}), func=([^,]{0,80}), error=(.{1,300})",
    re.ASCII,
)
_COMPLAINT = re.compile(
    r"(?:fio: )?((?:failed parsing|Bad option|bad option|unrecognized option|No jobs?(?:\(s\))? "
    r"defined|job .{0,80} (?:contains|tries)|option <|engine .{1,80} not loadable|"
    r"looks like your file system does not|destination does not support|"
    r"failed to (?:open|load|setup|init)|can\'t|unable to|pid .{1,80} exit|"
    r"verify: bad |no I/O performed|No I/O performed|first direct IO errored).{0,300})"
)
_HARMLESS = ("fio: this platform does not support process shared mutexes",)
_ETA = re.compile(r"(?:Jobs|Threads): [0-9]+ \(f=")
_KEPT_LINES, _KEPT_CHARACTERS = 40, 300


def read(source: Source) -> Parsed | None:
    """All fio results of a file in reading order.

    None where no fio output stands in it; ParseError where nothing of it can be trusted.
    """
    document = json_fields.whole(source.utf8)
    if document is not None:
        return Parsed(json_results.report(document, {}).results, whole=True)
    if source.mentions(*_MARKS):
        return _read_mixture(source)
    if b"," in source.utf8 and logs.looks_like_one(source.text, source.name):
        return Parsed([logs.read_log(source.text, source.name)], whole=True)
    return None


def _read_mixture(source: Source) -> Parsed | None:
    """A file in which anything of fio may stand: documents, text, terse lines, progress, messages.

    Results of all formats in reading order; what one run printed twice counts once.
    """
    text, found, data = source.text, Found(), b""
    if source.mentions(*json_fields.MARKS):
        data = text.encode()
        found = json_fields.find(data)
        text = _without(found.pieces, data)
    texts = results_of_runs(read_runs(numbered_lines(text)))
    terses, problems = (
        terse.read_lines(numbered_lines(text)) if source.mentions(*_TERSE) else ([], [])
    )
    problems += terse.end_of(text, terses)
    messages = _Messages()
    if found.pieces or source.mentions(*_MESSAGES) or not (texts.results or terses):
        messages = _messages_in(numbered_lines(text))
    documents, refused = _of_documents(found.pieces, data, messages, keep_noise=not texts.results)
    results = documents + without_copies(documents, texts.results)
    results += without_copies(results, terses)
    damaged = found.problems + refused
    problems += [problem for _, problem in damaged] + texts.problems
    if not results:
        _refuse(messages, problems, texts)
        if (at := source.utf8.find(json_fields.IN_A_STRING)) >= 0:
            raise ParseError(
                "line {line}: fio JSON as a string within other JSON is not read: save "
                "that string as a separate file",
                line=source.utf8.count(b"\n", 0, at) + 1,
            )
        return None
    if not documents and not terses:
        problems += [
            N_("the run at line {line} ends without a result", line=line)
            for line in texts.fruitless
        ]
    if messages.failure and not any(result.error for result in results):
        problems.append(messages.sentence)
    results.sort(key=lambda result: result.lines[0])
    _doubt_last(results, damaged, data)
    return Parsed(results, _sentence(problems))


def _doubt_last(results: list[Result], damaged: list[Problem], data: bytes) -> None:
    """A document that cannot be read, behind all results, may be a later report of the last run."""
    if not damaged:
        return
    start, problem = max(damaged)
    last = results[-1]
    if data.count(b"\n", 0, start) + 1 >= last.lines[1]:
        doubt_incomplete((each for each in results if each.execution == last.execution), problem)


def _sentence(problems: list[str]) -> str | None:
    shown, more = problems[:_PROBLEMS], len(problems) - _PROBLEMS
    if more > 0:
        shown.append(N_("and {more} more places", more=more))
    return side_by_side(shown) or None


def _refuse(messages: _Messages, problems: list[str], texts: Texts) -> None:
    """ParseError with the reason, unless it was not fio's after all."""
    sentence = messages.sentence or _sentence(problems)
    if sentence:
        raise ParseError(sentence)
    if texts.reported:
        raise ParseError("fio reported no figures: no job did any I/O")
    if texts.fruitless:
        raise ParseError(
            "the fio run at line {line} ends before its first figures", line=texts.fruitless[0]
        )
    if messages.progress:
        raise ParseError(
            "only fio progress lines, no result: send the report fio prints at the end"
        )


def _of_documents(
    pieces: list[Piece], data: bytes, messages: _Messages, *, keep_noise: bool
) -> tuple[list[Result], list[Problem]]:
    """(results, problems) of all documents; of the snapshots of one run the last."""
    reports: list[Report] = []
    problems: list[Problem] = []
    line, position = 1, 0
    for piece in pieces:
        first = line + data.count(b"\n", position, piece.start)
        line = first + data.count(b"\n", piece.start, piece.end)
        position = piece.end
        try:
            report = json_results.report(piece.document, messages.by_code)
        except ParseError as error:
            sentence = N_("line {line}: {sentence}", line=first, sentence=error.sentence)
            problems.append((piece.start, sentence))
            continue
        for result in report.results:
            result.lines = first, line
            if keep_noise and messages.noise:
                result.details["noise"] = messages.noise
        reports.append(report)
    return numbered(newest(reports)), problems


def _without(pieces: list[Piece], data: bytes) -> str:
    """The text around the documents, on the lines where it stood."""
    parts, position = [], 0
    for _, start, end in pieces:
        parts += [data[position:start], b"\n" * data.count(b"\n", start, end)]
        position = end
    return b"".join([*parts, data[position:]]).decode()


@dataclass(slots=True)
class _Messages:
    """Failures by number, other complaints, and the first lines of the rest."""

    by_code: dict[int, str] = field(default_factory=dict)
    failure: str = ""
    complaint: str = ""
    noise: list[str] = field(default_factory=list)
    progress: bool = False

    @property
    def sentence(self) -> str:
        """ "fio failed: …", or nothing."""
        text = self.failure or self.complaint
        return N_("fio failed: {message}", message=text) if text else ""


def _messages_in(lines: Iterable[tuple[int, str]]) -> _Messages:
    """Everything that fio said in these lines."""
    messages = _Messages()
    for number, line in lines:
        text = line.strip()
        if not text:
            continue
        if failed := _FAILED.search(text):
            code, place, function, message = failed.groups()
            messages.by_code.setdefault(int(code), message)
            messages.failure = messages.failure or N_(
                "{message} (error {code} in {place}, {function}, line {line})",
                message=message,
                code=code,
                place=place,
                function=function,
                line=number,
            )
        elif not messages.complaint and (complaint := _COMPLAINT.match(text)):
            messages.complaint = N_("{message} (line {line})", message=complaint[1], line=number)
        messages.progress = messages.progress or _ETA.match(text) is not None
        if len(messages.noise) < _KEPT_LINES and not text.startswith(_HARMLESS):
            messages.noise.append(text[:_KEPT_CHARACTERS])
    return messages


_NUMBER = r"\d{1,15}(?:\.\d{1,9})?"
_WITH_ETA = re.compile(r"Jobs: \d+ \(f=\d+\).*\[eta [^\]]*\]")
_RATES = re.compile(
    rf"\[((?:[rwt]={_NUMBER}[kKMGTP]?i?B/s,?)+)\]\[((?:[rwt]={_NUMBER}[kKMGT]?,?)+) IOPS\]", re.I
)
_RATES_OF_2 = re.compile(
    rf"\[({_NUMBER}[KMGT]?B?)/({_NUMBER}[KMGT]?B?)/[^ ]* ?/s\] "
    rf"\[({_NUMBER}[KMGT]?)/({_NUMBER}[KMGT]?)/"
)
_SIDES = {"r": "read", "w": "write", "t": "trim"}
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}


def live_reader() -> LineReader:
    """The lines of `--eta=always`: fio prints one a second, and no time in it."""
    second = 0

    def read(line: str) -> Iterable[Point]:
        nonlocal second
        points = [*_points(line, second + 1)] if _WITH_ETA.search(line) else []
        second += bool(points)
        return points

    return read


def _points(line: str, second: int) -> Iterator[Point]:
    if found := _RATES.search(line):
        for rates, metric in ((found[1], "throughput"), (found[2], "iops")):
            for rate in rates.rstrip(",").split(","):
                side, _equals, amount = rate.partition("=")
                yield Point(_SIDES[side], metric, second, _amount(amount.removesuffix("/s")))
    elif old := _RATES_OF_2.search(line):
        metrics = ("throughput", "throughput", "iops", "iops")
        for side, metric, amount in zip(("read", "write") * 2, metrics, old.groups(), strict=True):
            yield Point(side, metric, second, _amount(amount, old=True))


def _amount(text: str, *, old: bool = False) -> float:
    """`44.5MiB`, `1234kB`, `11.5k`; fio 2 prints KB for 1024 bytes."""
    number, unit = re.fullmatch(r"([0-9.]+)(.*)", text).groups()  # type: ignore[union-attr]  # matched before
    is_binary = "i" in unit or (old and unit.endswith("B"))
    power = _POWERS[unit.removesuffix("B").removesuffix("i").lower()]
    return float(number) * (1024.0 if is_binary else 1000.0) ** power
