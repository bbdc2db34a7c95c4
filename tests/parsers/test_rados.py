"""rados bench: what the summary says, what the command line adds, and what was cut."""

from __future__ import annotations

import json

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
    with pytest.raises(ParseError, match="line 3: rados bench JSON cannot be read"):
        parse(f"a\nb\n{text[:-9]}".encode())


def test_iops_of_less_than_one_a_second_follow_from_operations_and_time():
    assert "Average IOPS:           609" in BOTH
    assert parse(BOTH.encode()).results[0].by_name()["write", "iops", "mean"] == 609
    slow = BOTH.replace("Average IOPS:           609", "Average IOPS:           0")
    (write, _) = parse(slow.encode()).results
    assert write.by_name()["write", "iops", "mean"] == 2441 / 4.00478


def test_a_size_with_its_unit_is_in_bytes():
    (write, _) = parse(
        BOTH.replace("Write size:             65536", "Write size: 64.0 KiB").encode()
    ).results
    assert write.workload["block_bytes"] == 65536


DOCUMENT = json.loads((SAMPLES / "rados/shape-12-write.json").read_text())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("datas", 5), ("datas", {"sec": 1}), ("datas", [7]), ("datas", "abc")),
        *(("write_size", "4.0 XiB"), ("write_size", 1e300), ("object_size", "1e5")),
        *(("concurrent_ios", "many"), ("concurrent_ios", 1.5), ("concurrent_ios", True)),
        *(("bandwidth", "fast"), ("bandwidth", 1e999), ("average_iops", "x")),
        *(("seconds_to_run", "-"), ("total_writes_made", True), ("stddev_bandwidth", "x")),
    ],
)
def test_json_with_odd_values_is_refused_with_its_line(key, value):
    text = json.dumps(DOCUMENT | {key: value}).replace("Infinity", "1e999")
    with pytest.raises(ParseError, match=r"^line 1: "):
        parse(text.encode())


@pytest.mark.parametrize(
    ("key", "value"),
    [("total_time_run", None), ("max_bandwidth", []), ("hints", [[[[]]]])],
)
def test_odd_values_of_what_need_not_be_there_are_left_out(key, value):
    (result,) = parse(json.dumps(DOCUMENT | {key: value}).encode()).results
    assert result.by_name()["write", "operations", "total"] == 115


def test_json_that_is_nested_without_end_is_refused():
    deep = json.dumps(DOCUMENT).replace('"hints": "1"', '"hints": ' + "[" * 5000 + "]" * 5000)
    with pytest.raises(ParseError, match=r"line 1: .*nested"):
        parse(deep.encode())


def test_maintaining_anything_else_is_nothing_of_rados():
    with pytest.raises(ParseError, match=r"^no result found"):
        parse(b"Maintaining servers is dull.\nBandwidth (MB/sec): 10\n")
