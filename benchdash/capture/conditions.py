"""Conditions of a measurement: what goes on at a machine that would disturb it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchdash.capture.answers import DAMAGED, answers, in_one_line
from benchdash.capture.probes import CONDITIONS
from benchdash.capture.probes.activity import Temperature
from benchdash.capture.probes.drbd import State, with_client
from benchdash.capture.probes.kernel_log import KERNEL_LOG, Counted, KernelLog
from benchdash.capture.spans import Span, joined, sentence_of
from benchdash.capture.states import read_states
from benchdash.errors import N_, side_by_side

Answers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Condition:
    """One of them, in a sentence; a `blocking` one has a job wait unless somebody insists."""

    name: str
    sentence: str
    blocking: bool


def read_conditions(output: bytes, *, with_clients: bool = False) -> tuple[Condition, ...]:
    """Reads what `conditions_script` printed; what could not be read is a condition as well.

    `with_clients` where a diskless client of DRBD is meant to be measured.
    """
    values, unread, _gaps = answers(output, CONDITIONS)
    if with_clients:
        for name in ("drbd", "drbd_status"):
            volumes = values.get(name) or {}
            values[name] = {minor: with_client(state) for minor, state in volumes.items()}
    found = [Condition("unread", sentence, blocking=False) for sentence in unread]
    for judge in _JUDGES:
        try:
            found += judge(values)
        except DAMAGED:
            found.append(Condition("unread", N_("Part of the answer is damaged."), blocking=False))
    return tuple(replace(each, sentence=in_one_line(each.sentence)) for each in found)


def read_kernel_log(output: bytes) -> KernelLog | None:
    """What the kernel wrote, of the same script; None where it is not shown or has no times."""
    values = answers(output, (KERNEL_LOG,)).values
    log: KernelLog | None = values.get(KERNEL_LOG.name)
    return log


def conditions_during(
    log: KernelLog | None, newest_s: float | None, states: Sequence[bytes] = ()
) -> tuple[Condition, ...]:
    """What went wrong while a job ran, healed or not; one condition for each name that it befell.

    Of what the kernel wrote since its newest line was of `newest_s`, and of the `states` that each
    measured step kept.
    """
    seen = [span for each in states for span in read_states(each)]
    logged, counted = [], []
    if log is not None and newest_s is not None:
        logged, counted = log.links_lost(newest_s), list(log.counted(newest_s))
    by_name: dict[str, list[Span]] = {}
    for span in joined(logged, seen):
        by_name.setdefault(span.name, []).append(span)
    of_arrays = [each for each in counted if each.array in by_name]
    found = [
        ("storage_changed", side_by_side([sentence_of(spans), *_disks_lost(name, of_arrays)], " "))
        for name, spans in by_name.items()
    ]
    found += [(each.kind, each.sentence) for each in counted if each not in of_arrays]
    return tuple(Condition(kind, in_one_line(text), blocking=True) for kind, text in found)


def _disks_lost(array: str, counted: Sequence[Counted]) -> Iterator[str]:
    """What the kernel said of an array whose states were seen; that it resynced, these tell."""
    return (each.sentence for each in counted if each.array == array and not each.is_resync)


def _load(values: Answers) -> Iterator[Condition]:
    """High is more than half of the CPUs, both over a minute and now: a load that has ended is none.

    One task beside our own look is none either: on one CPU that is the server of our connection.
    """
    load, tasks = values.get("load"), values.get("tasks")
    if load is None:
        return
    cpus = tasks.cpus if tasks and tasks.cpus else 1
    is_high = load > max(1, cpus / 2) and tasks is not None and tasks.busy > max(1, cpus / 2)
    yield Condition(
        "load",
        N_("The one-minute load average is {load} on one CPU.", load=f"{load:g}")
        if cpus == 1
        else N_(
            "The one-minute load average is {load} on {cpus} CPUs.", load=f"{load:g}", cpus=cpus
        ),
        is_high,
    )


def _temperature(values: Answers) -> Iterator[Condition]:
    """Blocking at the limit that the sensor itself names."""
    sensors: list[Temperature] = values.get("temperatures", [])
    if sensors:
        hottest = max(sensors, key=lambda sensor: sensor.celsius)
        over = [each for each in sensors if each.critical and each.celsius >= each.critical]
        sentence = N_("The hottest sensor reads {celsius} °C.", celsius=f"{hottest.celsius:g}")
        yield Condition("temperature", sentence, blocking=bool(over))


def _arrays(values: Answers) -> Iterator[Condition]:
    for array in values.get("mdstat", []):
        if array.action:
            sentence = (
                N_("{name} is running a {action}.", name=array.name, action=array.action)
                if array.done is None
                else N_(
                    "{name} is running a {action}, {done} % is done.",
                    name=array.name,
                    action=array.action,
                    done=f"{array.done:g}",
                )
            )
            yield Condition("resync", sentence, blocking=True)
        if array.members and array.present is not None and array.present < array.members:
            sentence = N_(
                "{name} is degraded: {present} of {members} members are present.",
                name=array.name,
                present=array.present,
                members=array.members,
            )
            yield Condition("degraded", sentence, blocking=True)


def _drbd(values: Answers) -> Iterator[Condition]:
    volumes: dict[int, State] = values.get("drbd_status") or values.get("drbd") or {}
    for minor, state in sorted(volumes.items()):
        name = f"drbd{minor}"
        for peer in state.peers:
            if not peer.is_connected:
                yield Condition(
                    "drbd",
                    N_(
                        "{name} is not connected: {connection}.",
                        name=name,
                        connection=peer.connection,
                    ),
                    blocking=True,
                )
            elif peer.replication not in ("Connected", "Established", "Off", ""):
                sentence = (
                    N_("{name} is in state {replication}.", name=name, replication=peer.replication)
                    if state.done is None
                    else N_(
                        "{name} is in state {replication}, {done} % in sync.",
                        name=name,
                        replication=peer.replication,
                        done=f"{state.done:g}",
                    )
                )
                yield Condition("drbd", sentence, blocking=True)
        disks = [(state.disk, state.is_client), *((p.disk, p.is_client) for p in state.peers)]
        if any(disk and disk != "UpToDate" and not client for disk, client in disks):
            states = "/".join(disk or "unknown" for disk, _client in disks)
            yield Condition(
                "drbd",
                N_("{name} is not up to date: {states}.", name=name, states=states),
                blocking=True,
            )


def _ceph(values: Answers) -> Iterator[Condition]:
    health = values.get("ceph_health")
    if health and health.status != "HEALTH_OK":
        checks = "; ".join([health.status, *health.checks])
        yield Condition("ceph", N_("Ceph is not healthy: {checks}.", checks=checks), blocking=True)


def _benchmarks(values: Answers) -> Iterator[Condition]:
    found: dict[str, list[str]] = {}
    for pid, program in values.get("benchmarks", []):
        found.setdefault(program, []).append(pid)
    for program, pids in sorted(found.items()):
        sentence = N_(
            "Another benchmark is running on this machine: {program} (process {processes}).",
            program=program,
            processes=", ".join(pids),
        )
        yield Condition("benchmark", sentence, blocking=True)


_JUDGES: tuple[Callable[[Answers], Iterator[Condition]], ...] = (
    _load,
    _temperature,
    _arrays,
    _drbd,
    _ceph,
    _benchmarks,
)
