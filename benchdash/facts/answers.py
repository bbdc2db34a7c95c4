"""What a machine answered, read: values by the name of their probe, and sentences for the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate
from typing import Any

from benchdash.facts.frames import KILLED, LATE, Frame, frames
from benchdash.facts.probe import Probe, by_path
from benchdash.facts.script import FILES

# Every way in which reading damaged text fails: never more than the one fact is lost.
DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
# What shells and dumpe2fs say before they say what is wrong.
_PREAMBLE = re.compile(r"^(?:\S*sh: (?:line )?(?:\d+: )?|dumpe2fs [\d.]+ \([\w-]+\) )")
_LONGEST_SENTENCE = 500
_REASONS: dict[str | None, str] = {
    None: "the answer breaks off",
    LATE: "there was no time left to ask",
    **dict.fromkeys(KILLED, "no answer within {seconds} s"),
}


def answers(output: bytes, probes: Sequence[Probe]) -> tuple[dict[str, Any], list[str]]:
    """(values, sentences): what is None or could not be read is not among the values."""
    framed = frames(output)
    files = by_path(framed.by_name[FILES].output) if FILES in framed.by_name else {}
    values: dict[str, Any] = {}
    unread: list[str] = []
    for probe in probes:
        sentence = ""
        frame = framed.by_name.get(probe.name)
        said: Any = _of(files, probe) if probe.paths else frame and frame.output
        if probe.paths or frame:
            sentence = "" if frame is None else _failure(probe, frame)
            sentence = _read(probe, said, values) or sentence
        if sentence and probe.about:
            unread.append(sentence)
    if not framed.complete:
        last = list(framed.by_name)[-1:] or ["the beginning"]
        unread.append(f"The answer breaks off at {last[0]}: what comes behind it was not read.")
    return values, unread


def in_one_line(sentence: str) -> str:
    """For people: without line breaks and control characters, and of a readable length."""
    line = "".join(each if each.isprintable() else " " for each in sentence)
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST_SENTENCE else f"{line[:_LONGEST_SENTENCE]} …."


def _of(files: dict[str, str], probe: Probe) -> dict[str, str]:
    wanted = re.compile("|".join(map(translate, probe.paths)))
    return {path: text for path, text in files.items() if wanted.match(path)}


def _read(probe: Probe, said: Any, values: dict[str, Any]) -> str:
    """A sentence where it could not be read; nothing said is nothing known."""
    if not said:
        return f"{probe.about} could not be read: the files are not there." if probe.paths else ""
    try:
        value = probe.read(said)
    except DAMAGED:
        return f"{probe.about} could not be read: the answer is damaged or of an unknown form."
    if value is not None:
        values[probe.name] = value
    return ""


def _failure(probe: Probe, frame: Frame) -> str:
    reason = _PREAMBLE.sub("", frame.said) or f"exit status {frame.status}"
    if frame.status in _REASONS:
        reason = _REASONS[frame.status].format(seconds=probe.seconds)
    if frame.status == "0":
        return f"{probe.about} may be incomplete: the answer is too long." if frame.is_cut else ""
    return f"{probe.about} could not be read: {reason.rstrip('.')}."
