"""rados bench: what the summary says, what the command line adds, and what was cut."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.golden import SAMPLES

BOTH = (SAMPLES / "rados/shape-16-write-then-seq.txt").read_text()


def test_megabytes_are_binary_and_the_command_tells_the_reads():
    write, read = parse(BOTH.encode()).results
    assert write.by_name()["write", "throughput", "mean"] == 38.0951 * 2**20
    assert read.by_name()["seq_read", "iops", "mean"] == 1917


def test_reads_without_their_command_are_reads_of_no_order():
    (read,) = parse(BOTH[BOTH.index("Total time run:       1.27") :].encode()).results
    assert {name[0] for name in read.by_name()} == {"read"}


def test_a_second_in_which_nothing_was_finished_has_no_latency():
    throughput, latency = parse(BOTH.encode()).results[0].traces
    assert list(throughput.seconds) == [1, 2, 3, 4] and list(latency.seconds) == [1, 2, 4]


@pytest.mark.parametrize("cut", ["Min latency(s):", "Bandwidth (MB/sec):"])
def test_a_summary_that_ends_early_is_refused_with_its_line(cut):
    with pytest.raises(ParseError, match=r"^line \d+: .*(cut short|ends before)"):
        parse(BOTH[: BOTH.index(cut)].encode())


def test_json_that_breaks_is_refused_with_its_line():
    text = (SAMPLES / "rados/shape-12-write.json").read_text()
    with pytest.raises(ParseError, match="line 3: JSON of rados bench cannot be read"):
        parse(f"a\nb\n{text[:-9]}".encode())
