"""Finds the figures in a text that the numbers of a result were read from, where that is certain.

A figure is linked to a number where both are equal up to a unit, and where the number follows when
the figure is changed and the text is parsed again, twice. A number that was computed from several
figures follows none of them exactly, and is not linked.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isclose

from benchdash.parsers import parse
from benchdash.parsers.result import Name, ParseError

MOST_CHARACTERS = 256 * 1024
MOST_FIGURES = 3000
MOST_ALIKE = 200
# some 0.2 s for the slowest format
MOST_READ_CHARACTERS = 2**20
MOST_READINGS = 40
# what parsers multiply a printed figure by
_FACTORS = (
    *(10.0**power for power in range(-9, 13)),
    *(1024.0, 1024.0**2, 1024.0**3, 1024.0**4),
    *(60.0, 3600.0, 512.0),
)
# no part of a word or a date, and no key of a JSON object
_FIGURE = re.compile(r"(?<![\w.+-])\d+(?:\.\d+)?(?![\d.]|\"\s*:)")

Numbers = Mapping[Name, float]
Read = Callable[[str], Numbers]


@dataclass(frozen=True, slots=True)
class Printed:
    """`text[start:end]` is the number of that name, as the tool printed it."""

    start: int
    end: int
    name: Name


@dataclass(frozen=True, slots=True)
class _Figure:
    start: int
    end: int
    digits: str
    names: tuple[Name, ...]  # of numbers that it may be


def printed_numbers(
    text: str, numbers: Numbers, position: int, lines: tuple[int, int] = (0, 0)
) -> list[Printed]:
    """The numbers of result `position` of `text` that certainly stand somewhere, in text order.

    `numbers` are those stored of it, `lines` the first and last it was read from, (0, 0) where
    lines mean nothing. Reads some text up to 40 times, none that is longer than 256 KiB.
    """
    start, end = _span(text, lines)
    for first, last, place in ((start, end, 0), (0, len(text), position)):
        read = _reader(place)
        part = text[first:last]
        if len(part) <= MOST_CHARACTERS and _alike(read(part), numbers):
            within = (start - first, end - first)
            found = _certain(part, _figures(part, within, numbers), numbers, read)
            return [Printed(one.start + first, one.end + first, one.name) for one in found]
    return []


def _span(text: str, lines: tuple[int, int]) -> tuple[int, int]:
    """The offsets of those lines, of the whole text where they mean nothing."""
    if not lines[1]:
        return 0, len(text)
    ends = [0, *(match.end() for match in re.finditer("\n", text)), len(text)]
    last = len(ends) - 1
    return ends[min(max(lines[0] - 1, 0), last)], ends[min(lines[1], last)]


def _reader(position: int) -> Read:
    def read(text: str) -> Numbers:
        try:
            results = parse(text.encode()).results
        except ParseError:
            return {}
        return results[position].by_name() if position < len(results) else {}

    return read


def _alike(one: Numbers, other: Numbers) -> bool:
    return bool(one) and one.keys() == other.keys() and all(one[n] == other[n] for n in one)


def _figures(text: str, within: tuple[int, int], numbers: Numbers) -> list[_Figure]:
    """The figures that equal a number up to a unit."""
    names = defaultdict(list)
    for name, value in numbers.items():
        for key in {_key(value / factor) for factor in _FACTORS}:
            names[key].append(name)
    figures = []
    for match in _FIGURE.finditer(text, *within):
        possible = names.get(_key(float(match[0])))
        if possible:
            figures.append(_Figure(match.start(), match.end(), match[0], tuple(possible)))
    alike = Counter(one.digits for one in figures)
    return [one for one in figures if alike[one.digits] <= MOST_ALIKE][:MOST_FIGURES]


def _key(value: float) -> str:
    return f"{value:.9e}"


def _certain(text: str, figures: Sequence[_Figure], numbers: Numbers, read: Read) -> list[Printed]:
    """Change all figures at once; what does not follow is looked at in halves."""
    found: dict[Name, Printed] = {}
    waiting, readings = [list(figures)], 0
    most = min(MOST_READINGS, MOST_READ_CHARACTERS // len(text))
    while waiting and readings < most:
        some = [one for one in waiting.pop(0) if any(name not in found for name in one.names)]
        if not some:
            continue
        readings += 2
        following = [_following(text, some, numbers, read, turn) for turn in (0, 1)]
        for figure, name in following[0] & following[1]:
            found.setdefault(name, Printed(figure.start, figure.end, name))
        if len(some) > 1:
            half = len(some) // 2
            waiting += [some[:half], some[half:]]
    return sorted(found.values(), key=lambda one: (one.start, one.name))


def _following(
    text: str, figures: Sequence[_Figure], numbers: Numbers, read: Read, turn: int
) -> set[tuple[_Figure, Name]]:
    """The figures whose numbers change just as they do."""
    others = _others(figures, turn)
    now = read(_with(text, zip(figures, others, strict=True)))
    return {
        (figure, name)
        for figure, other in zip(figures, others, strict=True)
        for name in figure.names
        if name in now and _follows(figure, float(other), numbers[name], now[name])
    }


def _follows(figure: _Figure, other: float, before: float, now: float) -> bool:
    if before:
        return isclose(now, before / float(figure.digits) * other, rel_tol=1e-9)
    return any(isclose(now, other * factor, rel_tol=1e-9) for factor in _FACTORS)


def _others(figures: Iterable[_Figure], turn: int) -> list[str]:
    """Another figure of the same shape for each, different for all that look alike."""
    used: dict[str, set[str]] = defaultdict(set)
    others = []
    for figure in figures:
        taken = used[figure.digits]
        other = next(each for each in _shaped(figure.digits, turn) if each not in taken)
        taken.add(other)
        others.append(other)
    return others


def _shaped(digits: str, turn: int) -> Iterable[str]:
    """Figures like this one but for the last three digits, then longer ones."""
    whole, point, part = digits.partition(".")
    figure = whole + part
    kept, tail = figure[:-3], figure[-3:]
    size = 10 ** len(tail)
    # a step without a common divisor of 10 meets each number once
    step = 3 if turn else 7
    for count in range(1, size):
        # downwards: 98 % may become 95 %, and 101 % may be damage
        other = (int(tail) - count * step) % size
        if other:
            every = f"{kept}{other:0{len(tail)}}"
            yield every[: len(whole)] + point + every[len(whole) :] if point else str(int(every))
    for count in range(1, 10 * MOST_ALIKE):
        # no zero at the beginning: that is no number in JSON
        yield f"{digits if point else int(digits) or 1}{count * step}"


def _with(text: str, changes: Iterable[tuple[_Figure, str]]) -> str:
    parts, end = [], 0
    for figure, other in changes:
        parts += [text[end : figure.start], other]
        end = figure.end
    return "".join([*parts, text[end:]])
