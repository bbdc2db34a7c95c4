"""What goes on at this moment: load, temperature, runnable tasks, resyncs, other benchmarks.

LOAD and TEMPERATURES are read with each capture and before and after each job, the rest of
DISTURBANCES for jobs alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchdash.capture.probe import Files, Probe, of_one
from benchdash.errors import N_
from benchdash.vocabulary.tools import TOOLS

_PROGRAMS = "|".join(re.escape(tool.process) for tool in TOOLS.values())
# Our own steps carry BENCHDASH_STEP in their environment. That of another user's process is not
# readable, and such a process is not ours.
_BENCHMARKS = (
    rf"grep -slE '^[0-9]+ \(({_PROGRAMS})\) [^ZX]' /proc/[0-9]*/stat | while read -r stat; do "
    "pid=${stat#/proc/}; pid=${pid%/stat}; "
    "tr '\\000' '\\n' 2>/dev/null <\"/proc/$pid/environ\" | grep -q '^BENCHDASH_STEP=' && continue; "
    'sed -n "s/^\\([0-9]*\\) (\\(.*\\)).*/\\1 \\2/p" "$stat"; done 2>/dev/null; :'
)
_HOTTEST_C = 200.0  # what is above is a sensor that is not connected


@dataclass(frozen=True, slots=True)
class Temperature:
    """A sensor in °C, and the limit it names itself."""

    celsius: float
    critical: float | None


@dataclass(frozen=True, slots=True)
class Array:
    """An md array; `action` is resync, recovery, check or reshape while one runs.

    `done` is its share in percent; None where it waits for another, or states.sh left it out.
    """

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


def _first(output: str) -> float:
    """The first number of /proc/uptime and /proc/loadavg."""
    return float(output.split(maxsplit=1)[0])


def _temperatures(files: Files) -> list[Temperature]:
    """Thermal zones and hwmon's inputs, in 1/1000 °C."""
    found = []
    for path, text in files.items():
        if path.endswith(("_input", "/temp")):
            celsius, limit = (
                _celsius(text),
                _celsius(files.get(path.replace("_input", "_crit"), "")),
            )
            if celsius is not None:
                found.append(Temperature(celsius, limit if path.endswith("_input") else None))
    return found


def _celsius(text: str) -> float | None:
    if not re.fullmatch(r"-?\d{1,7}", text):
        return None
    celsius = int(text) / 1000
    return celsius if 0 < celsius < _HOTTEST_C else None


def _mdstat(output: str) -> list[Array]:
    found = []
    for block in re.split(r"\n(?=md)", "\n" + output)[1:]:
        name = block.split(" ")[0]
        count = re.search(r"\[(\d{1,4})/(\d{1,4})\]", block)
        action = re.search(
            r"(resync|recovery|check|reshape|repair) *=(?: *([\d.]{1,8})%|$)", block, re.M
        )
        delayed = re.search(r"(resync|recovery|check|reshape)=DELAYED", block)
        found.append(
            Array(
                name,
                int(count[1]) if count else None,
                int(count[2]) if count else None,
                action[1] if action else delayed[1] if delayed else "",
                float(action[2]) if action and action[2] else None,
            )
        )
    return found


def _benchmarks(output: str) -> list[tuple[str, str]]:
    """(process id, program)."""
    return re.findall(r"^(\d{1,10}) (\S+)$", output, re.MULTILINE)


def _tasks(output: str) -> Tasks:
    """/proc/stat; the one that reads it is not counted."""
    procs = dict(re.findall(r"^procs_(running|blocked) (\d{1,9})$", output, re.MULTILINE))
    cpus = len(re.findall(r"^cpu\d+ ", output, re.MULTILINE))
    return Tasks(cpus, max(0, int(procs["running"]) - 1) + int(procs["blocked"]))


LOAD = Probe("load", N_("The load"), of_one(_first), paths=("/proc/loadavg",))
TEMPERATURES = Probe(
    "temperatures",
    "",
    _temperatures,
    paths=(
        "/sys/class/thermal/thermal_zone*/temp",
        "/sys/class/hwmon/hwmon*/temp*_input",
        "/sys/class/hwmon/hwmon*/temp*_crit",
        "/sys/class/hwmon/hwmon*/device/temp*_input",
    ),
)
UPTIME = Probe("uptime", N_("Uptime"), of_one(_first), paths=("/proc/uptime",))
MDSTAT = Probe("mdstat", "", of_one(_mdstat), paths=("/proc/mdstat",))
PROBES = (UPTIME, LOAD, TEMPERATURES)
DISTURBANCES = (
    LOAD,
    TEMPERATURES,
    MDSTAT,
    Probe("tasks", N_("How busy it is"), of_one(_tasks), paths=("/proc/stat",)),
    Probe("benchmarks", N_("Which benchmarks run"), _benchmarks, _BENCHMARKS),
)
