"""fio 1.3 to 3.x: normal text, JSON and JSON+, terse version 2 to 5, and bare logs.

Commands: `fio JOB [--output-format=normal|json|json+|terse|…]`, several formats at once, with
progress (`--eta`), snapshots (`--status-interval`) or clients (`--client`) around them. One result
is one job, or one reporting group under its first job's name; group lines are a result only where
no job is. Figures of half-second samples (`bw_mean`, `iops_mean`, …) are details: they are not the
run's rate. Each module is the manual of its part.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchdash.parsers.fio import failures, json_documents, json_results, logs, terse
from benchdash.parsers.fio.once import began_together, goes_on, without_copies
from benchdash.parsers.fio.text_reader import read_runs
from benchdash.parsers.fio.text_results import results as results_of_runs
from benchdash.parsers.fio.text_runs import Run
from benchdash.parsers.result import Parsed, ParseError, Result
from benchdash.parsers.source import Source

TOOL = "fio"
VERSION = 1

_MARKS = (
    *(b": (g=", b": (groupid=", b"Run status group", b"Jobs: ", b"fio: ", b",fio-", b"Bad option"),
    *json_documents.MARKS,
)
_TERSE = re.compile(rb"^[ \t]*[0-9]{1,2};[^;\n]*;[^;\n]*;", re.MULTILINE)


def read(source: Source) -> Parsed | None:
    """All fio results of a file in reading order.

    None where no fio output stands in it; ParseError where nothing of it can be trusted.
    """
    piece = json_documents.whole(source.utf8)
    if piece is not None:
        return Parsed(_of_documents([piece], source.utf8, {}), whole=True)
    if source.mentions(*_MARKS) or _TERSE.search(source.utf8):
        return _mixture(source)
    return _log(source)


def _log(source: Source) -> Parsed | None:
    if b"," not in source.utf8 or not logs.looks_like_one(source.text, source.name):
        return None
    return Parsed([logs.read_log(source.text, source.name)], whole=True)


def _mixture(source: Source) -> Parsed | None:
    """Documents, text and terse lines in one file; what one run printed twice counts once."""
    data = source.text.encode()
    found = json_documents.find(data)
    rest = _without(found.pieces, data)
    said = failures.listen(_lines(rest))
    runs = read_runs(_lines(rest))
    documents = _of_documents(found.pieces, data, said.messages)
    texts, text_problems = results_of_runs(runs)
    terses, terse_problems = terse.read_lines(_lines(rest))
    if documents and said.noise and not texts:
        for result in documents:
            result.details["noise"] = said.noise
    texts = without_copies(documents, texts)
    terses = without_copies(documents + texts, terses)
    results = sorted(documents + texts + terses, key=lambda result: result.lines)
    problems = found.problems + text_problems + terse_problems
    if not results:
        _refuse(said, problems, runs)
        return None
    if not documents and not terses:
        problems += [
            f"the run of line {run.first_line} ends without a result"
            for run in runs
            if run.heads and not run.reported
        ]
    if said.failure and not any(result.error for result in results):
        problems.append(said.sentence)
    return Parsed(results, "; ".join(problems) or None)


def _refuse(said: failures.Said, problems: list[str], runs: list[Run]) -> None:
    """ParseError with the reason, unless it was not fio's after all."""
    if said.sentence:
        raise ParseError(said.sentence)
    if problems:
        raise ParseError("; ".join(problems[:5]))
    if any(run.reported for run in runs):
        raise ParseError("fio reported no figures: no job did any I/O")
    announced = next((run for run in runs if run.heads or run.started), None)
    if announced is not None:
        raise ParseError(
            f"the fio run of line {announced.first_line} ends before its first figures"
        )
    if said.progress:
        raise ParseError("only progress lines of fio, no result")


def _of_documents(
    pieces: list[json_documents.Piece], data: bytes, messages: dict[int, str]
) -> list[Result]:
    """Results of all documents; of the snapshots of one run the last."""
    kept: list[list[Result]] = []
    last = None
    for piece in pieces:
        results = json_results.results(piece.document, messages)
        first = data.count(b"\n", 0, piece.start) + 1
        lines = first, first + data.count(b"\n", piece.start, piece.end)
        for result in results:
            result.lines = lines
        began = json_results.began_at(piece.document)
        if kept and goes_on(kept[-1], results, clocks_agree=began_together(last, began)):
            kept.pop()
        kept.append(results)
        last = began
    return [result for results in kept for result in results]


def _without(pieces: list[json_documents.Piece], data: bytes) -> str:
    """The text around the documents, on the lines where it stood."""
    if not pieces:
        return data.decode()
    parts, position = [], 0
    for _, start, end in pieces:
        parts += [data[position:start], b"\n" * data.count(b"\n", start, end)]
        position = end
    return b"".join([*parts, data[position:]]).decode()


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """(number from 1, line), without a list of them all."""
    start, number = 0, 1
    while (end := text.find("\n", start)) >= 0:
        yield number, text[start:end]
        start, number = end + 1, number + 1
    yield number, text[start:]
