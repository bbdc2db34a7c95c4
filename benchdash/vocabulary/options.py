"""A typed field of a record: its type, unit and allowed values, and how people write them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from benchdash.errors import N_
from benchdash.vocabulary.units import bits_from, bits_text, bytes_from, bytes_shown, bytes_text

Value = bool | int | float | str
Type = Literal["switch", "integer", "number", "bytes", "bits", "seconds", "choice", "text"]

LONGEST_TEXT = 200
DECIMALS = 9
LARGEST = 2**53  # what a double, and so a facet's number, holds exactly
_SWITCH = {"yes": True, "on": True, "true": True, "1": True}
_SWITCH |= {"no": False, "off": False, "false": False, "0": False}
_SINGULAR = {"nodes": "node"}
_SECONDS = re.compile(rf"(\d{{1,16}}(?:\.\d{{1,{DECIMALS}}})?) ?(us|ms|s|)")
_NUMBER = re.compile(rf"-?\d{{1,16}}(\.\d{{1,{DECIMALS}}})?")
_SECOND_FACTORS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "": 1.0}


@dataclass(frozen=True, slots=True)
class Option:
    """A typed option.

    `default` is what the kernel or the tool uses where nothing is given: shown, never filled in.
    `example` is a value as it is typed. `aliases` are other names, with the unit of a bare number
    under each (mdadm's `chunk` counts KiB, so 1024). `flags` are words without a value
    (`nobarrier`), with the value that they set. `follows`: another option usually decides it, as the
    chunk of an array does the stride; where both differ, the other one is named.
    """

    name: str
    type: Type
    help: str
    unit: str = ""
    choices: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    multiple_of: int = 1
    default: str = ""
    example: str = ""
    aliases: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, Value] = field(default_factory=dict)
    follows: bool = False

    def read(self, raw: object, factor: int = 1) -> Value | None:
        """`raw` (a value, or text that somebody typed) as a value; None where it is not allowed.

        A bare number is multiplied by `factor`.
        """
        if self.type == "switch":
            return _switch(raw)
        if self.type == "choice":
            return self._choice(_spelled(str(raw)))
        if self.type == "text":
            return _text(raw)
        number = self._number(raw, factor)
        return number if number is not None and self._in_range(number) else None

    @property
    def default_value(self) -> Value | None:
        """What it is where nothing is given; None where that is not known."""
        return self.read(self.default) if self.default else None

    def text(self, value: Value) -> str:
        """The value as it is typed and as a facet stores it: `128K`, `yes`, `writeback`."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if self.type == "bytes" and isinstance(value, int):
            return bytes_text(value)
        if self.type == "bits" and isinstance(value, int):
            return bits_text(value)
        if isinstance(value, float):
            return f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
        return str(value)

    def shown(self, value: Value) -> str:
        """The value for reading, with its unit: `128 KiB`, `5 s`, `yes`."""
        if isinstance(value, str):  # has no unit, or the unit is part of the text
            return value
        if self.type == "bytes" and isinstance(value, int):
            return bytes_shown(value) + self.unit.removeprefix("B")
        if self.type == "bits" and isinstance(value, int):
            return f"{bits_text(value, blank=' ')}bit/s"
        unit = _SINGULAR.get(self.unit, self.unit) if value == 1 else self.unit
        return f"{self.text(value)} {unit}".rstrip()

    @property
    def allowed(self) -> str:
        """What the option accepts, to end a sentence: "one of A, B", "a size such as 128K, at most 1G"."""
        if self.type == "switch":
            return N_("yes or no")
        if self.type == "choice":
            choices = ", ".join(self.choices)
            return N_("one of {choices}", choices=choices)
        if self.type == "text":
            return N_("text of up to {most} characters", most=LONGEST_TEXT)
        return self._with_bounds(NOUNS[self.type])

    def _choice(self, word: str) -> Value | None:
        spellings = {_spelled(choice): choice for choice in self.choices}
        return spellings.get(word, self.flags.get(word))

    def _number(self, raw: object, factor: int) -> int | float | None:
        if isinstance(raw, bool) or (isinstance(raw, int) and abs(raw) > LARGEST):
            return None
        if self.type in ("bytes", "bits"):
            return _size(raw, factor, bytes_from if self.type == "bytes" else bits_from)
        value = _seconds(raw) if self.type == "seconds" else _plain_number(raw)
        if value is None or not math.isfinite(value):
            return None
        if self.type == "integer":
            return int(value) if float(value).is_integer() else None
        return round(float(value), DECIMALS)

    def _in_range(self, number: float) -> bool:
        if self.multiple_of > 1 and number % self.multiple_of:
            return False
        low = self.minimum if self.minimum is not None else -LARGEST
        return low <= number <= (self.maximum if self.maximum is not None else LARGEST)

    def _with_bounds(self, words: str) -> str:
        """The same, with the bounds where there are any."""
        if least := self._bound(self.minimum):
            words = N_("{sentence}, at least {least}", sentence=words, least=least)
        if most := self._bound(self.maximum):
            words = N_("{sentence}, at most {most}", sentence=words, most=most)
        if self.multiple_of > 1:
            of = self.text(self.multiple_of)
            words = N_("{sentence}, a multiple of {of}", sentence=words, of=of)
        return words

    def _bound(self, bound: float | None) -> str:
        if bound is None:
            return ""
        return self.text(int(bound) if float(bound).is_integer() else bound)


def option(name: str, kind: Type, help_text: str, /, **rest: Any) -> Option:
    """An option; sizes and times are never negative, `also` are aliases in the same unit."""
    if kind in _UNITS:
        rest = {"minimum": 0, "unit": _UNITS[kind]} | rest
    also = dict.fromkeys(rest.pop("also", ()), 1)
    return Option(name, kind, help_text, aliases=also | rest.pop("aliases", {}), **rest)


_UNITS = {"bytes": "B", "bits": "bit/s", "seconds": "s"}
NOUNS = {
    "integer": N_("a whole number"),
    "number": N_("a number"),
    "bytes": N_("a size such as 128K"),
    "bits": N_("a speed such as 10Gbit/s"),
    "seconds": N_("a time such as 5s or 500ms"),
}


def _spelled(word: str) -> str:
    return word.strip().casefold().replace("-", "_")


def _switch(raw: object) -> bool | None:
    return raw if isinstance(raw, bool) else _SWITCH.get(_spelled(str(raw)))


def _text(raw: object) -> str | None:
    text = " ".join(str(raw).split()) if isinstance(raw, str | int | float) else ""
    return text if text.isprintable() and 0 < len(text) <= LONGEST_TEXT else None


def _size(raw: object, factor: int, read: Callable[[str], int | None]) -> int | None:
    if isinstance(raw, float) and raw.is_integer():
        raw = int(raw)
    if isinstance(raw, int) or str(raw).strip().isdecimal():
        return int(str(raw)) * factor if len(str(raw)) <= 18 else None
    return read(str(raw))


def _plain_number(raw: object) -> int | float | None:
    if isinstance(raw, int | float):
        return raw
    match = _NUMBER.fullmatch(str(raw).strip())
    if match is None:
        return None
    return float(match[0]) if match[1] else int(match[0])


def _seconds(raw: object) -> float | None:
    if isinstance(raw, int | float):
        return float(raw)
    match = _SECONDS.fullmatch(str(raw).strip())
    return float(match[1]) * _SECOND_FACTORS[match[2]] if match else None
