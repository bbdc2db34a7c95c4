"""A capture: a machine's facts, what is good to know, and the storage under a path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchdash.errors import Refused
from benchdash.facts.answers import DAMAGED, answers, in_one_line
from benchdash.facts.frames import frames
from benchdash.facts.layers.disks import machine_disks
from benchdash.facts.layers.layer import Tree
from benchdash.facts.probes import CAPTURED
from benchdash.facts.probes.block import blocks
from benchdash.facts.probes.drbd_peers import unasked
from benchdash.facts.probes.moment import hottest
from benchdash.facts.probes.network import cards
from benchdash.facts.script import PATH
from benchdash.facts.stack import stack_under
from benchdash.vocabulary import machines

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Capture:
    """What a machine said of itself.

    `machine` and `aside` are words of vocabulary.machines (`aside`: outside the digest), `stack` a
    tree of vocabulary.storage in its normal form, `unread` a sentence for what is missing; `peers`
    are addresses and names of DRBD's peers that were not asked.
    """

    machine: Facts = field(default_factory=dict)
    aside: Facts = field(default_factory=dict)
    stack: Tree | None = None
    unread: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()


def read_capture(output: bytes, *, at: float | None = None, peers: Iterable[bytes] = ()) -> Capture:
    """Reads what `capture_script` printed; damage costs facts, never more.

    `at` is our own clock (Unix time) when it was asked, to tell how far the machine's is off.
    `peers` is what other machines printed, DRBD's peers among them: only they know their legs.
    """
    said, unread = answers(output, CAPTURED)
    others = [answers(each, CAPTURED)[0] for each in peers]
    machine, aside = _valid(_facts(said, unread) | _aside(said, at), unread)
    stack = None
    if asked := frames(output).by_name.get(PATH):
        path = "".join(asked.lines[:1])
        try:
            stack = stack_under(path, said, unread, others)
        except DAMAGED:
            unread.append(f"The storage under “{path}” could not be told.")
    told = tuple(dict.fromkeys(map(in_one_line, unread)))
    return Capture(machine, aside, stack, told, unasked(said, others))


def _facts(said: Mapping[str, Any], unread: list[str]) -> Facts:
    facts: Facts = {}
    for name in ("dmidecode", "model", "virtualization", "os", "cpuinfo", "lscpu"):
        facts = said.get(name, {}) | facts
    facts |= said.get("system", {}).get("facts", {})
    modules = dict(said.get("modules", {}))
    seen = said.get("meminfo", {}).get("MemTotal", 0)
    total = modules.pop("total", 0) or _rounded(seen)
    facts |= modules | {"memory_bytes": total or None}
    facts["versions"] = said.get("versions", {}) | said.get("drivers", {})
    try:
        facts |= {"disks": machine_disks(blocks(said)), "nics": cards(said)}
    except DAMAGED:
        unread.append("Disks and network cards could not be told.")
    return facts


def _rounded(size: int) -> int:
    """To a 64th of its power of two: what the kernel keeps for itself differs from boot to boot."""
    step: int = 1 << max(0, size.bit_length() - 7)
    return round(size / step) * step


def _aside(said: Mapping[str, Any], at: float | None) -> Facts:
    clock = said.get("system", {}).get("clock")
    return {
        "uptime_s": said.get("uptime"),
        "load_1m": said.get("load"),
        "memory_available_bytes": said.get("meminfo", {}).get("MemAvailable"),
        "temperature_c": hottest(said.get("temperatures", [])),
        "clock_skew_s": None if at is None or clock is None else round(clock - at, 1),
    }


def _valid(facts: Facts, unread: list[str]) -> tuple[Facts, Facts]:
    """In canonical form, word by word: one that is not possible is left out with a sentence."""
    machine: Facts = {}
    aside: Facts = {}
    for name, value in facts.items():
        for each in _singly(value):
            try:
                content, known = machines.normalised({name: each})
            except Refused as refused:
                unread.append(f"{refused.sentence}")
                continue
            aside |= known
            machine = _joined(machine, content)
    return machines.normalised(machine)[0], aside


def _singly(value: object) -> list[object]:
    """The parts of a list and the versions one by one, so that one bad one costs no other."""
    if isinstance(value, list):
        return [[part] for part in value]
    if isinstance(value, dict):
        return [{tool: version} for tool, version in value.items()]
    return [value]


def _joined(machine: Facts, content: Facts) -> Facts:
    for name, value in content.items():
        known = machine.get(name)
        if isinstance(known, list):
            machine[name] = known + value
        else:
            machine[name] = known | value if isinstance(known, dict) else value
    return machine
