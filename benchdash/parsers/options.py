"""Other options: those that can change a number and that no workload axis holds.

Two runs have the same parameters where axes and options are equal, so that equal things must be written
alike; what is not known to be harmless is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

LONGEST = 200
MOST = 100
SWITCHED_ON = "1"
# fio's, whose values are commands and paths
_PRIVATE = frozenset(
    (
        "exec_prerun",
        "exec_postrun",
        "read_iolog",
        "merge_blktrace_file",
        "replay_redirect",
        "cgroup",
    )
)


def canonical(options: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Options by name, sorted, each in one line of at most 200 characters, at most 100 of them.

    Visitors see options, but neither paths nor commands: these are represented by their digest.

    What is left out of a long value or list is represented by its digest, so that options are
    equal only where all of them are.
    """
    lines = {_bounded(name): _public(name, value) for name, value in sorted(options)}
    names = sorted(lines)
    kept = {name: lines[name] for name in names[:MOST]}
    if rest := [f"{name}={lines[name]}" for name in names[MOST:]]:
        kept["…"] = f"{len(rest)} more ({_digest(chr(10).join(rest))})"
    return kept


def _public(name: str, value: str) -> str:
    private = name in _PRIVATE or value.lstrip().startswith(("/", "~", "./"))
    return f"… ({_digest(value)})" if private else _bounded(value)


def _bounded(text: str) -> str:
    line = " ".join(text.split())
    line = "".join(character if character.isprintable() else "\ufffd" for character in line)
    if len(line) <= LONGEST:
        return line
    return f"{line[: LONGEST - 20]}… ({_digest(line)})"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def without_defaults(options: Mapping[str, str], defaults: Mapping[str, str]) -> dict[str, str]:
    """`options` less those that say what the tool does anyway."""
    return {name: value for name, value in options.items() if defaults.get(name) != value}


def words_after(argv: Sequence[str], program: str) -> Sequence[str] | None:
    """The arguments of `program` in a command that may have wrappers before it; None without it."""
    for place, word in enumerate(argv):
        if word.rpartition("/")[2] == program:
            return argv[place + 1 :]
    return None
