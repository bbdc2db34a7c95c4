"""Golden pairs: `tests/samples/capture/NAME` and beside it `NAME.json`, everything it must give."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from benchdash.capture import read_capture, read_conditions
from benchdash.vocabulary.storage.notation import print_stack

SAMPLES = Path(__file__).parents[1] / "samples" / "capture"
CAPTURED_AT = 1_800_000_000.0


def samples() -> list[Path]:
    """Every answer of a machine."""
    return sorted([*SAMPLES.glob("*.capture"), *SAMPLES.glob("*.conditions")])


def golden_of(sample: Path) -> Path:
    """The golden beside a sample, there or not."""
    return sample.with_name(sample.name + ".json")


def document_of(sample: Path) -> dict[str, Any]:
    """What a sample gives; the stack in the notation, a line a layer."""
    if sample.suffix == ".conditions":
        found = read_conditions(sample.read_bytes())
        return {"conditions": [dataclasses.asdict(condition) for condition in found]}
    capture = read_capture(sample.read_bytes(), at=CAPTURED_AT)
    return {
        "machine": capture.machine,
        "good_to_know": capture.good_to_know,
        "stack": print_stack(capture.stack).splitlines() if capture.stack else None,
        "unread": list(capture.unread),
    }
