"""Machines described by themselves: the scripts to run there, and how their output is read.

Text in, values out: who runs the script, and how, is not known here.
"""

from __future__ import annotations

from benchdash.capture.conditions import (
    Condition,
    conditions_during,
    read_conditions,
    read_kernel_log,
)
from benchdash.capture.counters import Counters, read_counters
from benchdash.capture.machine import Capture, read_capture
from benchdash.capture.probe import Gap
from benchdash.capture.probes.identity import NAMES_COMMAND, machine_names
from benchdash.capture.script import capture_script, conditions_script

__all__ = [
    "NAMES_COMMAND",
    "Capture",
    "Condition",
    "Counters",
    "Gap",
    "capture_script",
    "conditions_during",
    "conditions_script",
    "machine_names",
    "read_capture",
    "read_conditions",
    "read_counters",
    "read_kernel_log",
]
