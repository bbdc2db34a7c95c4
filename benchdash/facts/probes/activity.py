"""What else goes on: arrays that resync, other benchmarks, runnable tasks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchdash.facts.probe import Probe, of_one

TOOLS = ("fio", "bonnie\\+\\+", "dbench", "pgbench")
# Ours carry BENCHDASH_STEP. What another user runs shows no environment and is not ours.
_BENCHMARKS = (
    rf"grep -slE '^[0-9]+ \(({'|'.join(TOOLS)})\) [^ZX]' /proc/[0-9]*/stat | while read -r stat; do "
    "pid=${stat#/proc/}; pid=${pid%/stat}; "
    "tr '\\000' '\\n' 2>/dev/null <\"/proc/$pid/environ\" | grep -q '^BENCHDASH_STEP=' && continue; "
    'sed -n "s/^\\([0-9]*\\) (\\(.*\\)).*/\\1 \\2/p" "$stat"; done 2>/dev/null; :'
)


@dataclass(frozen=True, slots=True)
class Array:
    """An md array; `action` is resync, recovery, check or reshape while one runs."""

    name: str
    members: int | None = None
    present: int | None = None
    action: str = ""
    done: float | None = None


@dataclass(frozen=True, slots=True)
class Tasks:
    """CPUs, and the tasks that run or wait for a disk at this moment."""

    cpus: int
    busy: int


def _mdstat(output: str) -> list[Array]:
    found = []
    for block in re.split(r"\n(?=md)", "\n" + output)[1:]:
        name = block.split(" ")[0]
        count = re.search(r"\[(\d{1,4})/(\d{1,4})\]", block)
        action = re.search(r"(resync|recovery|check|reshape|repair) *= *([\d.]{1,8})%", block)
        delayed = re.search(r"(resync|recovery|check|reshape)=DELAYED", block)
        found.append(
            Array(
                name,
                int(count[1]) if count else None,
                int(count[2]) if count else None,
                action[1] if action else delayed[1] if delayed else "",
                float(action[2]) if action else None,
            )
        )
    return found


def _benchmarks(output: str) -> list[tuple[str, str]]:
    """(process id, program)."""
    return re.findall(r"^(\d{1,10}) (\S+)$", output, re.MULTILINE)


def _tasks(output: str) -> Tasks:
    """/proc/stat; the one that reads it is not counted."""
    said = dict(re.findall(r"^procs_(running|blocked) (\d{1,9})$", output, re.MULTILINE))
    cpus = len(re.findall(r"^cpu\d+ ", output, re.MULTILINE))
    return Tasks(cpus, max(0, int(said["running"]) - 1) + int(said["blocked"]))


PROBES = (
    Probe("mdstat", "", of_one(_mdstat), paths=("/proc/mdstat",)),
    Probe("tasks", "How busy it is", of_one(_tasks), paths=("/proc/stat",)),
    Probe("benchmarks", "Which benchmarks run", _benchmarks, _BENCHMARKS),
)
