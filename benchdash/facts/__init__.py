"""What a machine says of itself: scripts to ask it with, and how their output is read.

Text in, values out: who runs the script, and how, is not known here.
"""

from __future__ import annotations

from benchdash.facts.capture import Capture, read_capture
from benchdash.facts.conditions import Condition, read_conditions
from benchdash.facts.script import capture_script, conditions_script

__all__ = [
    "Capture",
    "Condition",
    "capture_script",
    "conditions_script",
    "read_capture",
    "read_conditions",
]
