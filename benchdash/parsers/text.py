"""Lines of a text, their numbers, and the findings in them, for all parsers of text formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from benchdash.errors import N_
from benchdash.parsers.result import MOST_RESULTS, Parsed, ParseError, Result

_PIECE = 2**14
_MOST_PROBLEMS = 1000  # more damage than anyone would mend


def lines_from(text: str, offset: int = 0) -> Iterator[tuple[int, str]]:
    """(offset, line without its end) of every line from the one that begins at `offset`."""
    while True:
        end = text.find("\n", offset)
        if end < 0:
            yield offset, text[offset:]
            return
        yield offset, text[offset:end]
        offset = end + 1


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """(number from 1, line without its end) of every line.

    A piece of the text at a time: ten megabytes are never held a second time as a list.
    """
    number, start = 1, 0
    while start < len(text):
        end = text.find("\n", start + _PIECE)
        end = len(text) if end < 0 else end
        lines = text[start:end].split("\n")
        yield from enumerate(lines, number)
        number += len(lines)
        start = end + 1


def unended_line(text: str) -> str:
    """The last line of a text that ends without a newline: the text may have been cut in it."""
    return text[text.rfind("\n") + 1 :]


def doubt_incomplete(results: Iterable[Result], problem: str) -> None:
    """Let results say that the output of their run breaks off or is damaged."""
    doubt = N_("The output is incomplete: {problem}.", problem=problem)
    for result in results:
        result.doubts.append(doubt)


class LineNumbers:
    """Offsets of one text to line numbers (from 1), for offsets that only grow."""

    def __init__(self, text: str | bytes) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def at(self, offset: int) -> int:
        """The number of the line that holds `offset`."""
        if isinstance(self._text, str):
            self._line += self._text.count("\n", self._offset, offset)
        else:
            self._line += self._text.count(b"\n", self._offset, offset)
        self._offset = offset
        return self._line


class Findings:
    """The results of one tool in one file, and the problems by line."""

    def __init__(self, tool: str) -> None:
        self.results: list[Result] = []
        self._tool = tool
        self.problems: list[tuple[int, str]] = []

    def add(self, result: Result) -> None:
        """Keep a result, an execution of its own; ParseError where a file may not hold more."""
        if len(self.results) >= MOST_RESULTS:
            raise ParseError(
                "line {line}: more than {most} {tool} runs: split the file",
                line=result.lines[0],
                most=MOST_RESULTS,
                tool=self._tool,
            )
        result.execution = len(self.results)
        self.results.append(result)

    def complain(self, line: int, sentence: str) -> None:
        """Record a problem in a line; ParseError where there are too many."""
        self.problems.append((line, sentence))
        if len(self.problems) > _MOST_PROBLEMS:
            first, sentence = self.problems[0]
            raise ParseError(
                "line {line}: {sentence}, as in {many} later places",
                line=first,
                sentence=sentence,
                many=_MOST_PROBLEMS,
            )

    def parsed(self) -> Parsed | None:
        """Results and problems, None where nothing was found; ParseError where there are only problems."""
        problem = None
        if self.problems:
            line, sentence = min(self.problems)
            rest = len(self.problems) - 1
            problem = N_("line {line}: {sentence}", line=line, sentence=sentence)
            if rest:
                problem = N_("{sentence}, and {more} more places", sentence=problem, more=rest)
        if self.results:
            return Parsed(self.results, problem)
        if problem:
            raise ParseError(problem)
        return None
