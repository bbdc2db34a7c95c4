"""What a script printed, taken apart again: values by the name of their probe, and sentences.

script.py describes the frames. A damaged frame loses only itself, and what stands outside of
frames (a banner, a motd) is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import translate
from typing import Any, NamedTuple

from benchdash.capture.probe import Gap, Probe, by_path
from benchdash.capture.script import FILES, LONGEST_OUTPUT
from benchdash.errors import N_, cleaned

# Every way in which reading damaged text fails: never more than the one fact is lost.
DAMAGED = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError)
# What shells and dumpe2fs print before they come to what is wrong.
_PREAMBLE = re.compile(r"^(?:\S*sh: (?:line )?(?:\d+: )?|dumpe2fs [\d.]+ \([\w-]+\) )")
_LONGEST_SENTENCE = 500
_LATE = "late"
# Of timeout(1), and of a shell whose child was ended by SIGKILL or SIGTERM.
_KILLED = ("124", "137", "143")
_REASONS: dict[str | None, str] = {
    None: N_("the answer breaks off"),
    _LATE: N_("there was no time left to ask"),
    **dict.fromkeys(_KILLED, N_("no answer within {seconds} s")),
}


@dataclass(slots=True)
class Frame:
    """One probe's answer; `status` is None where the frame has no end."""

    lines: list[str] = field(default_factory=list)
    status: str | None = None
    stderr: str = ""

    @property
    def output(self) -> str:
        return "\n".join(self.lines)

    @property
    def is_cut(self) -> bool:
        return sum(len(line) + 1 for line in self.lines) >= LONGEST_OUTPUT - 1


@dataclass(slots=True)
class Frames:
    """Frames by the name of their probe; `complete` where the end of all was seen."""

    by_name: dict[str, Frame]
    complete: bool


def frames(output: bytes) -> Frames:
    """The frames in what a script printed; never fails."""
    lines = output.decode("utf-8", "replace").split("\n")
    return Frames(dict(_frames(lines)), any(line.rstrip() == "@." for line in lines[-5:]))


class Answers(NamedTuple):
    """What is None or could not be read is not among the values, but a sentence."""

    values: dict[str, Any]
    unread: list[str]
    gaps: list[Gap]


def answers(output: bytes, probes: Sequence[Probe]) -> Answers:
    """What the probes answered, and what is missing of it."""
    framed = frames(output)
    files = by_path(framed.by_name[FILES].output) if FILES in framed.by_name else {}
    reached = max((n for n, probe in enumerate(probes) if probe.name in framed.by_name), default=-1)
    values: dict[str, Any] = {}
    unread: list[str] = []
    gaps: list[Gap] = []
    for n, probe in enumerate(probes):
        named = probe if probe.about else replace(probe, about=probe.name)
        frame = framed.by_name.get(FILES if probe.paths else probe.name)
        if frame is None and not probe.paths:
            if n > reached and not framed.complete:
                gaps.append(Gap(probe.layers, _failure(named, Frame()), is_passing=True))
            continue  # else its `only_if` was not true
        text: Any = _files_of(probe, files) if probe.paths else frame and frame.output
        damage = _read(named, text, values)
        failure = _failure(named, frame) if frame else ""
        sentence = damage if probe.paths else damage or failure
        if sentence and probe.about:
            unread.append(sentence)
        if failure or (damage and text):
            is_passing = frame is not None and frame.status in _REASONS
            gaps.append(Gap(probe.layers, in_one_line(failure or damage), is_passing))
    if not framed.complete:
        last = list(framed.by_name)[-1:] or ["the beginning"]
        unread.append(
            N_("The answer breaks off at {name}: nothing after it was read.", name=last[0])
        )
    return Answers(values, unread, [gap for gap in gaps if gap.layers])


def in_one_line(sentence: str) -> str:
    """For people: without line breaks and control characters, and of a readable length."""
    return cleaned(sentence, _in_one_line)


def _in_one_line(text: str) -> str:
    line = "".join(each if each.isprintable() else " " for each in text)
    line = " ".join(line.split())
    return line if len(line) <= _LONGEST_SENTENCE else f"{line[:_LONGEST_SENTENCE]} …."


def _frames(lines: list[str]) -> Iterator[tuple[str, Frame]]:
    frame = Frame()
    for line in lines:
        mark, rest = line[:2], line[2:].strip()
        if mark == "@@":
            frame = Frame()
            yield rest, frame
        elif line.startswith("|"):
            frame.lines.append(line[1:])
        elif mark == "@=":
            frame.status = rest
        elif mark == "@!":
            frame.stderr = " ".join(rest.split())


def _files_of(probe: Probe, files: dict[str, str]) -> dict[str, str]:
    wanted = re.compile("|".join(map(translate, probe.paths)))
    return {path: text for path, text in files.items() if wanted.match(path)}


def _read(probe: Probe, text: Any, values: dict[str, Any]) -> str:
    """A sentence where it could not be read; no output is nothing known."""
    if not text:
        return (
            N_("{about} could not be read: the files are not there.", about=probe.about)
            if probe.paths
            else ""
        )
    try:
        value = probe.read(text)
    except DAMAGED:
        return N_(
            "{about} could not be read: the answer is damaged or in an unknown format.",
            about=probe.about,
        )
    if value is not None:
        values[probe.name] = value
    return ""


def _failure(probe: Probe, frame: Frame) -> str:
    reason = _PREAMBLE.sub("", frame.stderr) or N_("exit status {status}", status=frame.status)
    if frame.status in _REASONS:
        reason = N_(_REASONS[frame.status], seconds=probe.seconds)
    if frame.status == "0":
        return (
            N_("{about} may be incomplete: the answer is too long.", about=probe.about)
            if frame.is_cut
            else ""
        )
    return N_(
        "{about} could not be read: {reason}.",
        about=probe.about,
        reason=cleaned(reason, lambda text: text.rstrip(".")),
    )
