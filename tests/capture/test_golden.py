"""Whole answers of real machines, compared entirely: one fact too many fails as one too few."""

from __future__ import annotations

import json

import pytest

from benchdash.capture import read_conditions
from tests.capture.golden import SAMPLES, document_of, golden_of, samples


@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.name)
def test_an_answer_gives_exactly_what_was_reviewed(sample):
    golden = golden_of(sample)
    assert golden.exists(), f"write it with: python -m tests.capture.regolden {sample}"
    assert json.loads(json.dumps(document_of(sample))) == json.loads(golden.read_text("utf-8"))


def kinds_of(sample, **options):
    return {condition.name for condition in read_conditions(sample, **options)}


@pytest.mark.parametrize("name", ["diskless-client", "peer-of-client"])
def test_a_diskless_client_of_drbd_8_has_nobody_wait_where_one_is_measured(name):
    sample = (SAMPLES / f"drbd-8.4-{name}.conditions").read_bytes()
    assert "drbd" in kinds_of(sample)
    assert "drbd" not in kinds_of(sample, with_clients=True)
    # a secondary without a disk is no client
    turned = sample.replace(b"Primary/Secondary ds:D", b"Secondary/Primary ds:D")
    turned = turned.replace(b"Secondary/Primary ds:U", b"Primary/Secondary ds:U")
    assert "drbd" in kinds_of(turned, with_clients=True)
