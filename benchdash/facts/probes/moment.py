"""What differs at each look: time, load, memory, temperature."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchdash.facts.probe import Files, Probe, of_one

_HOTTEST_C = 200.0


@dataclass(frozen=True, slots=True)
class Temperature:
    """A sensor in °C, and the limit it names itself."""

    celsius: float
    critical: float | None


def _first(output: str) -> float:
    """The first number of /proc/uptime and /proc/loadavg."""
    return float(output.split(maxsplit=1)[0])


def _temperatures(said: Files) -> list[Temperature]:
    """Thermal zones and hwmon's inputs, in 1/1000 °C."""
    found = []
    for path, text in said.items():
        if path.endswith(("_input", "/temp")):
            celsius, limit = _celsius(text), _celsius(said.get(path.replace("_input", "_crit"), ""))
            if celsius is not None:
                found.append(Temperature(celsius, limit if path.endswith("_input") else None))
    return found


def hottest(temperatures: list[Temperature]) -> float | None:
    """The highest of them in °C."""
    return max((each.celsius for each in temperatures), default=None)


def _celsius(text: str) -> float | None:
    if not re.fullmatch(r"-?\d{1,7}", text):
        return None
    celsius = int(text) / 1000
    return celsius if 0 < celsius < _HOTTEST_C else None


LOAD = Probe("load", "The load", of_one(_first), paths=("/proc/loadavg",))
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
PROBES = (
    Probe("uptime", "Uptime", of_one(_first), paths=("/proc/uptime",)),
    LOAD,
    TEMPERATURES,
)
