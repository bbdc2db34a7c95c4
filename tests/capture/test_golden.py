"""Whole answers of real machines, compared entirely: one fact too many fails as one too few."""

from __future__ import annotations

import json

import pytest

from tests.capture.golden import document_of, golden_of, samples


@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.name)
def test_an_answer_gives_exactly_what_was_reviewed(sample):
    golden = golden_of(sample)
    assert golden.exists(), f"write it with: python -m tests.capture.regolden {sample}"
    assert json.loads(json.dumps(document_of(sample))) == json.loads(golden.read_text("utf-8"))
