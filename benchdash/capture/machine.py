"""A capture: a machine's facts, what is good to know, and the storage under a path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from benchdash.capture.answers import DAMAGED, answers, frames, in_one_line
from benchdash.capture.layer import Tree
from benchdash.capture.probe import Gap
from benchdash.capture.probes import CAPTURED
from benchdash.capture.probes.block_devices import blocks, machine_disks
from benchdash.capture.probes.drbd_setup import unread_peers
from benchdash.capture.probes.network import cards
from benchdash.capture.script import PATH
from benchdash.capture.stack import stack_under
from benchdash.errors import N_, Refused
from benchdash.vocabulary import machines
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.storage.stack import walk

Facts = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Capture:
    """A machine as it describes itself.

    `machine` and `good_to_know` (outside the digest) are facts of vocabulary.machines, `stack` is a
    tree of vocabulary.storage in its normal form, `unread` has a sentence for each thing that is
    missing, `unread_facts` those of them that are not about storage; `peers` are addresses and names of DRBD's peers that were not asked, `gaps` what of the
    stack was not read.
    """

    machine: Facts = field(default_factory=dict)
    good_to_know: Facts = field(default_factory=dict)
    stack: Tree | None = None
    unread: tuple[str, ...] = ()
    unread_facts: tuple[str, ...] = ()
    peers: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()


def read_capture(output: bytes, *, at: float | None = None, peers: Iterable[bytes] = ()) -> Capture:
    """Reads what `capture_script` printed; damage costs facts, never more.

    `at` is our own clock (Unix time) when it was asked, to tell how far the machine's is off.
    `peers` is what other machines printed, DRBD's peers among them: only they know their legs.
    """
    values, unread, gaps = answers(output, CAPTURED)
    others = [answers(each, CAPTURED).values for each in peers]
    machine, good_to_know = _valid(_facts(values, unread) | _good_to_know(values, at), unread)
    facts = list(map(in_one_line, unread))
    stack = None
    if frame := frames(output).by_name.get(PATH):
        path = "".join(frame.lines[:1])
        try:
            stack = stack_under(path, values, unread, others, gaps)
        except DAMAGED:
            unread.append(N_("The storage under “{path}” could not be determined.", path=path))
    sentences = tuple(dict.fromkeys(map(in_one_line, unread)))
    of_storage = {gap.sentence for gap in gaps}
    missing = tuple(dict.fromkeys(each for each in facts if each not in of_storage))
    alone = unread_peers(values, others)
    gaps += [
        Gap(("drbd.below",), N_("The DRBD peer {name} was not queried.", name=name))
        for name in alone
    ]
    return Capture(
        machine, good_to_know, stack, sentences, missing, alone, _of_the_stack(gaps, stack)
    )


def _of_the_stack(gaps: Iterable[Gap], stack: Tree | None) -> tuple[Gap, ...]:
    """Those that leave something of its layers out, or layers as a whole."""
    kinds = {layer.kind.name for layer in walk(stack)} if stack else set()
    whole = set(KINDS) if any("*.below" in gap.layers for gap in gaps) and stack else kinds
    return tuple(
        gap
        for gap in dict.fromkeys(gaps)
        if any(fnmatchcase(kind, name.partition(".")[0]) for kind in whole for name in gap.layers)
    )


def _facts(values: Mapping[str, Any], unread: list[str]) -> Facts:
    facts: Facts = {}
    # each fact from the first probe that knows it
    for name in ("dmidecode", "model", "virtualization", "os", "cpuinfo", "lscpu"):
        facts = values.get(name, {}) | facts
    facts |= values.get("system", {}).get("facts", {})
    modules = dict(values.get("modules", {}))
    usable = values.get("meminfo", {}).get("MemTotal", 0)
    total = modules.pop("total", 0) or _rounded(usable)
    facts |= modules | {"memory_bytes": total or None}
    facts["versions"] = values.get("versions", {}) | values.get("drivers", {})
    try:
        facts |= {"disks": machine_disks(blocks(values)), "nics": cards(values)}
    except DAMAGED:
        unread.append(N_("Disks and network cards could not be determined."))
    return facts


def _rounded(size: int) -> int:
    """To a 64th of its power of two: what the kernel keeps for itself differs from boot to boot."""
    step: int = 1 << max(0, size.bit_length() - 7)
    return round(size / step) * step


def _good_to_know(values: Mapping[str, Any], at: float | None) -> Facts:
    clock = values.get("system", {}).get("clock")
    return {
        "uptime_s": values.get("uptime"),
        "load_1m": values.get("load"),
        "memory_available_bytes": values.get("meminfo", {}).get("MemAvailable"),
        "temperature_c": max(
            (sensor.celsius for sensor in values.get("temperatures", [])), default=None
        ),
        "clock_skew_s": None if at is None or clock is None else round(clock - at, 1),
    }


def _valid(facts: Facts, unread: list[str]) -> tuple[Facts, Facts]:
    """In canonical form, word by word: one that is not possible is left out with a sentence."""
    machine: Facts = {}
    good_to_know: Facts = {}
    for name, value in facts.items():
        for each in _singly(value):
            try:
                content, known = machines.normalised({name: each})
            except Refused as refused:
                unread.append(refused.sentence)
                continue
            good_to_know |= known
            machine = _joined(machine, content)
    return machines.normalised(machine)[0], good_to_know


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
