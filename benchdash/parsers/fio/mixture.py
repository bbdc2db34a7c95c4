"""A file in which anything of fio may stand: documents, text, terse lines, progress, complaints."""

from __future__ import annotations

from benchdash.parsers.fio import failures, json_documents, json_results, terse
from benchdash.parsers.fio.failures import Said
from benchdash.parsers.fio.json_documents import Found, Piece
from benchdash.parsers.fio.once import Report, Snapshots, without_copies
from benchdash.parsers.fio.text_reader import read_runs
from benchdash.parsers.fio.text_results import Texts
from benchdash.parsers.fio.text_results import results as results_of_runs
from benchdash.parsers.lines import numbered_lines
from benchdash.parsers.result import Parsed, ParseError, Result
from benchdash.parsers.source import Source

_TERSE = (b";0;", b",fio-")  # a line has a hundred fields, and many are zero
_SAID = (b"fio: ", b"Bad option", b"bad option")
_PROGRESS = b"Jobs: "
MARKS = (
    *(b": (groupid=", b": (g=", b"Run status group", _PROGRESS),
    *_SAID,
    *_TERSE,
    *json_documents.MARKS,
)
_PROBLEMS = 5


def read(source: Source) -> Parsed | None:
    """Results of all formats in reading order; what one run printed twice counts once."""
    text, found, data = source.text, Found(), b""
    if source.mentions(*json_documents.MARKS):
        data = text.encode()
        found = json_documents.find(data)
        text = _without(found.pieces, data)
    texts = results_of_runs(read_runs(numbered_lines(text)))
    terses, problems = (
        terse.read_lines(numbered_lines(text)) if source.mentions(*_TERSE) else ([], [])
    )
    said = Said()
    if found.pieces or source.mentions(*_SAID) or not (texts.results or terses):
        said = failures.listen(numbered_lines(text))
    documents, doubts = _of_documents(found.pieces, data, said, keep_noise=not texts.results)
    results = documents + without_copies(documents, texts.results)
    results += without_copies(results, terses)
    problems += found.problems + doubts + texts.problems
    if not results:
        _refuse(said, problems, texts)
        return None
    if not documents and not terses:
        problems += [f"the run of line {line} ends without a result" for line in texts.fruitless]
    if said.failure and not any(result.error for result in results):
        problems.append(said.sentence)
    results.sort(key=lambda result: result.first_line)
    return Parsed(results, _sentence(problems))


def _sentence(problems: list[str]) -> str | None:
    rest = [f"and {len(problems) - _PROBLEMS} more places"] if len(problems) > _PROBLEMS else []
    return "; ".join(problems[:_PROBLEMS] + rest) or None


def _refuse(said: Said, problems: list[str], texts: Texts) -> None:
    """ParseError with the reason, unless it was not fio's after all."""
    sentence = said.sentence or _sentence(problems)
    if sentence:
        raise ParseError(sentence)
    if texts.reported:
        raise ParseError("fio reported no figures: no job did any I/O")
    if texts.fruitless:
        raise ParseError(f"the fio run of line {texts.fruitless[0]} ends before its first figures")
    if said.progress:
        raise ParseError("only progress lines of fio, no result")


def _of_documents(
    pieces: list[Piece], data: bytes, said: Said, *, keep_noise: bool
) -> tuple[list[Result], list[str]]:
    """(results, problems) of all documents; of the snapshots of one run the last."""
    snapshots, problems = Snapshots(), []
    line, position = 1, 0
    for piece in pieces:
        began = json_results.began_at(piece.document)
        first = line + data.count(b"\n", position, piece.start)
        line = first + data.count(b"\n", piece.start, piece.end)
        position = piece.end
        try:
            results = json_results.results(piece.document, said.messages)
        except ParseError as error:
            problems.append(f"line {first}: {error.sentence}")
            continue
        for result in results:
            result.lines = first, line
            if keep_noise and said.noise:
                result.details["noise"] = said.noise
        snapshots.add(Report(results, began))
    return snapshots.results, problems


def _without(pieces: list[Piece], data: bytes) -> str:
    """The text around the documents, on the lines where it stood."""
    parts, position = [], 0
    for _, start, end in pieces:
        parts += [data[position:start], b"\n" * data.count(b"\n", start, end)]
        position = end
    return b"".join([*parts, data[position:]]).decode()
