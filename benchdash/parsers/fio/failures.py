"""What fio said of itself beside its figures: failures, and lines worth keeping."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

# `fio: pid=0, err=20/file:filesetup.c:455, func=fstat, error=Not a directory`
_FAILED = re.compile(
    r"fio: pid=-?[0-9]+, err=(-?[0-9]{1,9})/file:([^,]{1,80}), func=([^,]{0,80}), error=(.{1,300})",
    re.ASCII,
)
_SAID = re.compile(
    r"(?:fio: )?((?:failed parsing|Bad option|bad option|unrecognized option|No jobs?(?:\(s\))? "
    r"defined|job .{0,80} (?:contains|tries)|option <|engine .{1,80} not loadable|"
    r"looks like your file system does not|destination does not support|"
    r"failed to (?:open|load|setup|init)|can\'t|unable to|pid .{1,80} exit|"
    r"verify: bad |no I/O performed|No I/O performed|first direct IO errored).{0,300})"
)
_WARNINGS = ("fio: this platform does not support process shared mutexes",)
_ETA = re.compile(r"(?:Jobs|Threads): [0-9]+ \(f=")
_KEPT_LINES, _KEPT_CHARACTERS = 40, 300


@dataclass(slots=True)
class Said:
    """Failures by number, other complaints, and the first lines of the rest."""

    messages: dict[int, str] = field(default_factory=dict)
    failure: str = ""
    complaint: str = ""
    noise: list[str] = field(default_factory=list)
    progress: bool = False

    @property
    def sentence(self) -> str:
        """ "fio failed: …", or nothing."""
        text = self.failure or self.complaint
        return f"fio failed: {text}" if text else ""


def listen(lines: Iterable[tuple[int, str]]) -> Said:
    """Everything that fio said in these lines."""
    said = Said()
    for number, line in lines:
        text = line.strip()
        if not text:
            continue
        if failed := _FAILED.search(text):
            code, place, function, message = failed.groups()
            said.messages.setdefault(int(code), message)
            said.failure = said.failure or (
                f"{message} (error {code} in {place}, {function}, line {number})"
            )
        elif not said.complaint and (complaint := _SAID.match(text)):
            said.complaint = f"{complaint[1]} (line {number})"
        said.progress = said.progress or _ETA.match(text) is not None
        if len(said.noise) < _KEPT_LINES and not text.startswith(_WARNINGS):
            said.noise.append(text[:_KEPT_CHARACTERS])
    return said
