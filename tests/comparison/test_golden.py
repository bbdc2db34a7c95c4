"""Pages, API, exports and permalinks of comparisons answer what they answered before.

`REGOLDEN=1 pytest tests/comparison` writes the answers anew, to be read by eye.
"""

from __future__ import annotations

import json
import math
import os
from typing import Any

import pytest

from tests.comparison.golden import ADDRESSES, FOLDER, beside, build_records, faces, text_of

# ids are part of addresses: they begin at one here
pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)


def test_every_face_of_a_comparison_is_as_it_was(client, settings):
    settings.PUBLIC_READ = True
    build_records()
    changed = {}
    for name in (*ADDRESSES, "beside"):
        path = FOLDER / f"{name}.json"
        # as the file would read it back: tuples are lists there
        now = json.loads(text_of(faces(name, client) if name in ADDRESSES else beside()))
        if "REGOLDEN" in os.environ:
            path.write_text(text_of(now), encoding="utf-8")
        golden = json.loads(path.read_text(encoding="utf-8"))
        changed |= {
            (name, face): (golden.get(face), now.get(face))
            for face in golden.keys() | now.keys()
            if not alike(golden.get(face), now.get(face))
        }
    assert not changed, [f"{name}: {face}" for name, face in changed]


def alike(one: Any, other: Any) -> bool:
    """Equal but for the last digits of a number, which follow the processor that solved a model."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return type(one) is type(other) and one == other
