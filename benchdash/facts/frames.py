"""The framed output of a script, taken apart again; damaged frames lose only themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from benchdash.facts.script import LONGEST_OUTPUT

LATE = "late"
KILLED = ("124", "137", "143")


@dataclass(slots=True)
class Frame:
    """One probe's answer; `status` is None where the frame has no end."""

    lines: list[str] = field(default_factory=list)
    status: str | None = None
    said: str = ""

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
    """Never fails: what stands outside of frames (a banner, a motd) is passed over."""
    lines = output.decode("utf-8", "replace").split("\n")
    return Frames(dict(_frames(lines)), any(line.rstrip() == "@." for line in lines[-5:]))


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
            frame.said = " ".join(rest.split())
