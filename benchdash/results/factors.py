"""What runs can be chosen by, grouped by and held equal in: one word each, as in an address."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchdash.errors import N_, Refused
from benchdash.vocabulary.near import near
from benchdash.vocabulary.settings import NO_SETTING
from benchdash.vocabulary.workloads import AXES

# what a run or its records simply have
PLAIN = (
    *("configuration", "environment", "study", "tool", "version", "host", "run"),
    # what ran at the same time, the other options of the tool, and the name of a job whose output
    # does not say what it did
    *("beside", "options", "label"),
)
# words with a second one: layer.drbd.protocol, workload.block_bytes, setting.guests
NAMED = ("layer", "workload", "environment", "setting")
# the value of a run that has none: no DRBD in its stack, no queue depth in its output
NONE = NO_SETTING

_NAME = re.compile(r"[a-z0-9+_-]+(\.[a-z0-9+_-]+)*")


@dataclass(frozen=True, slots=True, order=True)
class Factor:
    """`Factor("layer", "drbd.protocol")` is `layer.drbd.protocol`; `Factor("tool")` is `tool`."""

    kind: str
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind}.{self.name}" if self.name else self.kind


def read_factor(text: str, field: str) -> Factor:
    """The factor of that name; Refused where there is none."""
    kind, _dot, name = text.partition(".")
    if not name and kind in PLAIN:
        return Factor(kind)
    if kind == "workload" and name and name not in AXES:
        sentence = N_("A workload has no “{name}”.", name=name)
        raise Refused(near(sentence, name, AXES, AXES), field)
    if kind in NAMED and _NAME.fullmatch(name):
        return Factor(kind, name)
    sentence = N_(
        "Runs cannot be compared by “{text}”: use {plain}, or a name that begins with layer., "
        "workload., setting. or environment. (layer.drbd.protocol).",
        text=text,
        plain=", ".join(PLAIN),
    )
    raise Refused(near(sentence, text, [f"workload.{axis}" for axis in AXES]), field)
