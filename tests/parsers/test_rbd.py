"""rbd bench: plain and rounded bytes, reads and writes apart, and what was cut."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.golden import SAMPLES

PLAIN = (SAMPLES / "rbd/shape-12-write-plain-bytes.txt").read_text()
MIXED = (SAMPLES / "rbd/shape-16-rw-rand.txt").read_text()


def numbers(text):
    (result,) = parse(text.encode()).results
    return result.by_name()


def test_plain_bytes_are_taken_and_rounded_ones_worked_out():
    assert numbers(PLAIN)["seq_write", "throughput", "mean"] == 15320268.80
    assert numbers(MIXED)["mixed", "throughput", "mean"] == 5461.33 * 4096


def test_reads_and_writes_of_rw_have_numbers_of_their_own():
    found = numbers(MIXED)
    assert found["rand_read", "iops", "mean"] == 3824.67
    assert found["rand_write", "operations", "total"] == 2455


@pytest.mark.parametrize("cut", ["bytes/sec: 153", "elapsed:"])
def test_a_run_that_was_cut_is_refused_with_its_line(cut):
    end = PLAIN.index(cut) + len(cut)
    with pytest.raises(ParseError, match=r"^line \d: .*cut"):
        parse(PLAIN[:end].encode())


@pytest.mark.parametrize(
    "figure", ["read_ops: 5737", "read_ops/sec: 3824.67", "elapsed: 1", "ops/sec: 5461.33"]
)
def test_a_figure_without_bounds_is_refused_with_its_line(figure):
    assert figure in " ".join(MIXED.split())
    text = "\n".join(" ".join(line.split()) for line in MIXED.splitlines()) + "\n"
    damaged = text.replace(figure, figure.rpartition(" ")[0] + " 1e999")
    with pytest.raises(ParseError, match=r"^line \d"):
        parse(damaged.encode())


def test_each_run_of_a_log_is_a_result():
    assert len(parse((PLAIN + MIXED + PLAIN).encode()).results) == 3
