"""What groups are called beside each other: the shortest words that tell them apart."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import gettext as _

from benchdash.results.comparison.values import Value
from benchdash.results.factors import NAMED, NONE, Factor
from benchdash.results.titles import factor_title

# a name for each row of values that the factors have
Named = Callable[[Sequence[Sequence[Value]], Sequence[Factor]], list[str]]

MOST_WORDS = 3  # of a name; a pointer on it, or its opening, tells the others
MOST_NEEDED = 5  # where fewer do not tell all groups apart
# digits, which may be those of anything: 4, 70 %, 30 s, 2.6.18, 64K
_BARE = re.compile(r"\d[\d.,-]*( ?%| s|[KMGTP])?")
_SWITCHED = ("yes", "no", "true", "false")
# of a workload they are its block size; an option of a layer may be anything: 128 KiB, 2 MB/s
_SIZE = re.compile(r"\d+ [KMGTP]?i?B(/s)?", re.IGNORECASE)
# axes that say how long or how much, rather than what was done
_SECONDARY = (
    "duration_s",
    "ramp_s",
    "file_bytes",
    "files",
    "scale",
    "fsync_every",
    "read_fraction",
)
_ENVIRONMENT = Factor("environment")
_VERSION = Factor("version")
_BETWEEN = " · "


def short_names(rows: Sequence[Sequence[Value]], factors: Sequence[Factor]) -> list[str]:
    """A name for each group by what it has of the factors, no two alike.

    Of more than three words it has those that people ask for first, of these such as part most of
    the groups; a fourth and a fifth where three do not tell all groups apart.
    """
    stated = _without_unknown_versions([_stated(row, factors) for row in rows], rows, factors)
    if max(map(len, stated), default=0) > MOST_WORDS:
        cuts = (_cut(rows, stated, factors, most) for most in range(MOST_WORDS, MOST_NEEDED + 1))
        names: list[str] = []
        for names in cuts:
            if len(set(names)) == len(names):
                break
        return _numbered(names)
    short = [joined(own.values()) for own in stated]
    used = Counter(short)
    return [
        one if used[one] == 1 else joined(map(named, row, factors))
        for one, row in zip(short, rows, strict=True)
    ]


def whole_name(label: str, row: Sequence[Value], factors: Sequence[Factor]) -> str:
    """The name of a group that `short_names` cut to `label`, however long; empty where it did not."""
    if len(factors) <= MOST_WORDS:
        return ""
    words = list(_stated(row, factors).values())
    return joined(words) if {*label.split(_BETWEEN)} < {*words} else ""


def joined(words: Iterable[str]) -> str:
    """A name of some words."""
    return _BETWEEN.join(words)


def named(value: Value, factor: Factor) -> str:
    """Its text, with the name of the factor before what says little: `Queue depth 4`."""
    if value.key == NONE:
        # "no environment" has its own
        has_title = factor.kind in (*NAMED, "options") and factor != Factor("environment")
        return f"{factor_title(factor)} {value.text}" if has_title else value.text
    if factor.kind == "version":
        tool, _space, number = value.text.partition(" ")
        if not number:
            return tool
        return _("%(tool)s version %(version)s") % {"tool": tool, "version": number}
    needs_title = (
        _BARE.fullmatch(value.text)
        or value.text == "none"
        or (factor.kind in NAMED and value.key in _SWITCHED)
        or (factor.kind == "layer" and _SIZE.fullmatch(value.text))
    )
    return f"{factor_title(factor)} {value.text}" if needs_title else value.text


def _stated(row: Sequence[Value], factors: Sequence[Factor]) -> dict[int, str]:
    """By place; an axis that a pattern does not have is no part of its name.

    Nor is a record that it does not have ("no configuration") where there are too many words.
    """
    words = {
        place: named(value, factor)
        for place, (value, factor) in enumerate(zip(row, factors, strict=True))
        if value.key != NONE or factor.kind not in ("workload", "label", "host")
    }
    versions = [row[place].text for place in words if factors[place].kind == "version"]
    tools = {version.partition(" ")[0] for version in versions}
    words = {  # a version names its tool
        place: word
        for place, word in words.items()
        if word not in tools or factors[place].kind == "version"
    }
    environments = [row[place].text for place in words if factors[place] == _ENVIRONMENT]
    words = {  # one without a name has its hosts
        place: word
        for place, word in words.items()
        if factors[place].kind != "host"
        or not any(text.startswith(f"{word} #") for text in environments)
    }
    if len(words) > MOST_WORDS:
        words = {
            place: word
            for place, word in words.items()
            if row[place].key != NONE or factors[place].name
        }
    return words or {0: named(row[0], factors[0])}


def _without_unknown_versions(
    stated: Sequence[dict[int, str]], rows: Sequence[Sequence[Value]], factors: Sequence[Factor]
) -> list[dict[int, str]]:
    """Less the name of the one tool where it stands for a version that was not printed."""
    place = factors.index(_VERSION) if _VERSION in factors else None
    tools = {row[place].text.partition(" ")[0] for row in rows} if place is not None else set()
    if len(tools) != 1:
        return list(stated)
    return [
        {one: word for one, word in own.items() if word not in tools or len(own) == 1}
        for own in stated
    ]


def _cut(
    rows: Sequence[Sequence[Value]],
    stated: Sequence[dict[int, str]],
    factors: Sequence[Factor],
    most: int,
) -> list[str]:
    """Each with its first words, as many as `most`, in the order in which they part all groups, or else its namesakes."""
    names = _first_words(range(len(rows)), rows, stated, factors, most)
    alike: dict[str, list[int]] = defaultdict(list)
    for number, name in names.items():
        alike[name].append(number)
    for namesakes in alike.values():
        if len(namesakes) > 1:
            names |= _first_words(namesakes, rows, stated, factors, most)
    return [names[number] for number in range(len(rows))]


def _first_words(
    numbers: Sequence[int],
    rows: Sequence[Sequence[Value]],
    stated: Sequence[dict[int, str]],
    factors: Sequence[Factor],
    most: int,
) -> dict[int, str]:
    order = _most_telling([rows[number] for number in numbers], factors)
    found = {}
    for number in numbers:
        own = stated[number]
        kept = [place for place in order if place in own][:most]
        found[number] = joined(own[place] for place in sorted(kept))
    return found


def _most_telling(rows: Sequence[Sequence[Value]], factors: Sequence[Factor]) -> list[int]:
    """The places, that first which parts the rows into most, then that which parts these most.

    What few people ask for comes last, and what parts nothing further behind it.
    """
    left = list(range(len(rows[0])))
    order: list[int] = []
    before = 1
    while left:
        parts = {
            place: len({tuple(row[one].key for one in (*order, place)) for row in rows})
            for place in left
        }
        order.append(
            max(
                left,
                key=lambda place: (
                    parts[place] > before,
                    not _is_secondary(factors[place]),
                    parts[place],
                    -place,
                ),
            )
        )
        before = parts[order[-1]]
        left.remove(order[-1])
    return order


def _is_secondary(factor: Factor) -> bool:
    return factor.kind in ("options", "version") or factor.name in _SECONDARY


def _numbered(names: Sequence[str]) -> list[str]:
    """Those that are alike even so are counted."""
    used, nth = Counter(names), Counter[str]()
    found = []
    for name in names:
        nth[name] += 1
        found.append(name if used[name] == 1 else f"{name} ({nth[name]})")
    return found
