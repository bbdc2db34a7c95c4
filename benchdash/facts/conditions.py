"""Conditions of a run: what goes on at the machine that would disturb a measurement."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from benchdash.facts.answers import DAMAGED, answers, in_one_line
from benchdash.facts.probes import CONDITIONS
from benchdash.facts.probes.drbd import State
from benchdash.facts.probes.moment import Temperature

Said = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Condition:
    """One of them, in a sentence; `blocking` where it stops a launch unless somebody insists."""

    name: str
    sentence: str
    blocking: bool


def read_conditions(output: bytes) -> tuple[Condition, ...]:
    """Reads what `conditions_script` printed; what could not be read is a condition as well."""
    said, unread = answers(output, CONDITIONS)
    found = [Condition("unread", sentence, blocking=False) for sentence in unread]
    for judge in _JUDGES:
        try:
            found += judge(said)
        except DAMAGED:
            found.append(Condition("unread", "A part of the answer is damaged.", blocking=False))
    return tuple(replace(each, sentence=in_one_line(each.sentence)) for each in found)


def _load(said: Said) -> Iterator[Condition]:
    """High is more than half of the CPUs, over a minute and at this moment: what fades is no load."""
    load, tasks = said.get("load"), said.get("tasks")
    if load is None:
        return
    cpus = tasks.cpus if tasks and tasks.cpus else 1
    is_high = load > max(1, cpus / 2) and tasks is not None and tasks.busy > cpus / 2
    yield Condition("load", f"The load over a minute is {load:g} on {cpus} CPUs.", is_high)


def _temperature(said: Said) -> Iterator[Condition]:
    """Blocking at the limit that the sensor itself names."""
    sensors: list[Temperature] = said.get("temperatures", [])
    if sensors:
        hottest = max(sensors, key=lambda sensor: sensor.celsius)
        over = [each for each in sensors if each.critical and each.celsius >= each.critical]
        told = f"The hottest sensor reads {hottest.celsius:g} °C."
        yield Condition("temperature", told, blocking=bool(over))


def _arrays(said: Said) -> Iterator[Condition]:
    for array in said.get("mdstat", []):
        if array.action:
            done = "" if array.done is None else f", {array.done:g} % is done"
            yield Condition(
                "resync", f"{array.name} is in the middle of {array.action}{done}.", blocking=True
            )
        if array.members and array.present is not None and array.present < array.members:
            told = (
                f"{array.name} is degraded: {array.present} of {array.members} members are there."
            )
            yield Condition("degraded", told, blocking=True)


def _drbd(said: Said) -> Iterator[Condition]:
    states: dict[int, State] = said.get("drbd_status") or said.get("drbd") or {}
    for minor, state in sorted(states.items()):
        name = f"drbd{minor}"
        for peer in state.peers:
            if not peer.is_connected:
                yield Condition(
                    "drbd", f"{name} is not connected: {peer.connection}.", blocking=True
                )
            elif peer.replication not in ("Connected", "Established", "Off", ""):
                done = "" if state.done is None else f", {state.done:g} % in sync"
                yield Condition(
                    "drbd", f"{name} is in state {peer.replication}{done}.", blocking=True
                )
        disks = [(state.disk, state.is_client), *((p.disk, p.is_client) for p in state.peers)]
        if any(disk and disk != "UpToDate" and not client for disk, client in disks):
            told = "/".join(disk or "unknown" for disk, _client in disks)
            yield Condition("drbd", f"{name} is not up to date: {told}.", blocking=True)


def _ceph(said: Said) -> Iterator[Condition]:
    health = said.get("ceph_health")
    if health and health.status != "HEALTH_OK":
        told = "; ".join([health.status, *health.checks])
        yield Condition("ceph", f"Ceph is not healthy: {told}.", blocking=True)


def _benchmarks(said: Said) -> Iterator[Condition]:
    found: dict[str, list[str]] = {}
    for pid, program in said.get("benchmarks", []):
        found.setdefault(program, []).append(pid)
    for program, pids in sorted(found.items()):
        told = f"Another benchmark runs on this machine: {program} (process {', '.join(pids)})."
        yield Condition("benchmark", told, blocking=True)


_JUDGES: tuple[Callable[[Said], Iterator[Condition]], ...] = (
    _load,
    _temperature,
    _arrays,
    _drbd,
    _ceph,
    _benchmarks,
)
