"""A probe: one read-only question to a machine, and how its answer is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

Files = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Probe:
    """Asks with `command`, POSIX sh text run on its own, or reads the files of `paths` (globs).

    `$AT` is the path that was asked about. `read` makes a value of the command's output, or of
    `{path: content}`; it may fail in any of the ways of damaged text. `about` is what people miss
    without it, to begin a sentence; "" where it is never missed. A command with `only_if` (sh, best
    of builtins alone) is left out where that is not true. `layers` are the options of layers that it
    alone knows, as patterns (`lvm.stripes`, `md.*`), `disk.below` for what stands below one.
    """

    name: str
    about: str
    read: Callable[[Any], Any]
    command: str = ""
    paths: tuple[str, ...] = ()
    seconds: int = 5
    only_if: str = ""
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """What of the layers was not read, as patterns like those of a probe, and why.

    `is_passing` where the next capture may well read it: an answer that did not come in time.
    """

    layers: tuple[str, ...]
    sentence: str
    is_passing: bool = False


def of_one(read: Callable[[str], Any]) -> Callable[[Files], Any]:
    """`read` for a probe of one file; None where the file is not there."""
    return lambda files: next((read(text) for text in files.values()), None)


def by_path(output: str) -> dict[str, str]:
    """`{path: content}` of `path:line` lines, as `grep -H` prints them."""
    found: dict[str, list[str]] = {}
    for line in output.splitlines():
        path, colon, content = line.partition(":")
        if colon:
            found.setdefault(path, []).append(content)
    return {path: "\n".join(lines) for path, lines in found.items()}


def chosen(text: str) -> str:
    """The word in brackets of `always [madvise] never`; the only word where there is one.

    So /sys shows a setting that takes one of several words.
    """
    words = text.split()
    return next((word.strip("[]") for word in words if word.startswith("[")), "".join(words[:1]))
