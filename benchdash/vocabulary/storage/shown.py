"""Layers in the words of pages: `8 × disk`, `cloud volume`, `raid6`, `block 4 KiB`, `mq-deadline`.

What is read here is not the notation yet: a value stands behind the words of its option, without
an equals sign, or names its option by itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from benchdash.vocabulary.options import Option
from benchdash.vocabulary.storage import KIND_WORDS, Kind

_UNITS_IN_NAMES = ("_bytes_s", "_bytes", "_us", "_s")
_MOST_WORDS = 4  # of a name
_NUMBERED = re.compile(r"([a-z_]+?)_?\d+")


def spelled(*words: str) -> str:
    """Words as names of kinds and options are written: `dm-crypt` is `dm_crypt`."""
    return "_".join(words).casefold().replace("-", "_").replace(" ", "_")


def option_words(option: Option) -> str:
    """The name of an option without the unit that its value shows: `chunk_bytes` is `chunk`."""
    ending = next((unit for unit in _UNITS_IN_NAMES if option.name.endswith(unit)), "")
    return option.name.removesuffix(ending).replace("_", " ")


def kind_at(words: Sequence[str]) -> tuple[Kind | None, int]:
    """The kind that the first words name, and how many they are; `raid6` leaves its level to be read."""
    for count in range(1, min(_MOST_WORDS, len(words)) + 1):
        if kind := KIND_WORDS.get(spelled(*words[:count])):
            return kind, count
    first = spelled(*words[:1])
    numbered = _NUMBERED.fullmatch(first)
    kind = KIND_WORDS.get(numbered[1]) if numbered else None
    return (kind, 0) if kind and first in kind.flags else (None, 0)


def option_at(kind: Kind, words: Sequence[str]) -> tuple[str, str, int] | None:
    """Name, value and number of the words that give an option: `block 4 KiB` are three."""
    for count in range(min(_MOST_WORDS, len(words) - 1), 0, -1):
        name = spelled(*words[:count])
        read = [(*_value(kind, one, words[count:]), one) for one in _options(kind, name)]
        # two options can be shown alike: `read ahead yes`, `read ahead 128 KiB`
        value, used, option = max(read, key=lambda found: found[1], default=("", 0, None))
        if option and used:
            is_typed = name in kind.words and kind.words[name][0] is option
            return name if is_typed else option.name, value, count + used
    return None


def options_with(kind: Kind, value: str) -> list[Option]:
    """The options that a value alone can mean: `mq-deadline` is a scheduler."""
    choices = [option for option in kind.options.values() if option.type == "choice"]
    found = [option for option in choices if option.read(value) is not None]
    return [option for option in found if option in kind.own] or found


def _options(kind: Kind, name: str) -> list[Option]:
    """The options of that name, as it is typed and as it is shown."""
    typed = [kind.words[name][0]] if name in kind.words else []
    shown = _as_shown(kind.name).get(name, ())
    return [*typed, *(one for one in shown if one not in typed)]


@cache
def _as_shown(kind_name: str) -> Mapping[str, Sequence[Option]]:
    """The options of a kind by their names on pages, which is asked for every word of a stack."""
    found: dict[str, list[Option]] = {}
    for option in KIND_WORDS[kind_name].options.values():
        found.setdefault(spelled(option_words(option)), []).append(option)
    return found


def _value(kind: Kind, option: Option, words: Sequence[str]) -> tuple[str, int]:
    """The value that the words begin with, and how many they are: none where there is none."""
    others = (n for n, word in enumerate(words) if word[0] == "@" or "=" in word.partition('"')[0])
    end = next(others, len(words))
    if option.type == "text":
        count = next((n for n in range(1, end) if _begins(kind, words[n:end])), end)
        return " ".join(words[:count]), count
    for count in range(_MOST_WORDS, 0, -1):
        text = _without_unit(option, " ".join(words[:count]).rstrip(","))
        if count <= end and option.read(text) is not None:
            return text, count
    return (words[0], 1) if end and option.type != "switch" else ("", 0)


def _begins(kind: Kind, words: Sequence[str]) -> bool:
    """Whether another option begins here."""
    sizes = range(1, min(_MOST_WORDS, len(words)) + 1)
    return spelled(words[0]) in kind.flags or any(
        _options(kind, spelled(*words[:size])) for size in sizes
    )


def _without_unit(option: Option, text: str) -> str:
    """The text without a unit that is only shown: `256 bit`, `100 MiB/s`, `1 node`."""
    if option.type in ("bits", "seconds"):
        return text
    if option.type == "bytes":
        return text.removesuffix(option.unit.removeprefix("B"))
    number, _blank, unit = text.partition(" ")
    return number if unit and unit in (option.unit, option.unit.removesuffix("s")) else text
