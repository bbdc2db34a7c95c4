"""sysbench fileio: sides by the printed mode, totals of old versions, and what is refused."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.golden import SAMPLES

REPORT = (SAMPLES / "sysbench/local-1.0.20-rndrw-2-threads.txt").read_text()
OLD = (SAMPLES / "sysbench/shape-0.4.12-rndrw.txt").read_text()


def numbers(text):
    (result,) = parse(text.encode()).results
    return result.by_name()


@pytest.mark.parametrize(
    ("mode", "operations"),
    [
        ("random r/w", {"rand_read", "rand_write"}),
        ("sequential rewrite", {"read", "seq_rewrite"}),
        ("random write", {"read", "rand_write"}),
    ],
)
def test_the_printed_mode_names_the_sides(mode, operations):
    found = numbers(REPORT.replace("random r/w", mode))
    assert {name[0] for name in found} - {"run", "sync"} == operations


def test_megabytes_are_binary_and_latencies_milliseconds():
    found = numbers(OLD)
    assert found["run", "throughput", "mean"] == 5.2431 * 2**20
    assert found["run", "latency", "p95"] == 118.92 / 1000
    assert not {name for name in found if name[0] not in ("run", "sync")}


def test_the_rates_of_1_1_stand_on_a_line_of_each_side():
    start, end = REPORT.index("File operations:"), REPORT.index("General statistics:")
    new = (
        "Throughput:\n"
        "         read:  IOPS=59214.88 925.23 MiB/s (970.17 MB/s)\n"
        "         write: IOPS=39476.59 616.82 MiB/s (646.78 MB/s)\n"
        "         fsync: IOPS=3951.66\n\n"
    )
    assert numbers(REPORT[:start] + new + REPORT[end:]) == numbers(REPORT)


@pytest.mark.parametrize(
    ("flags", "direct", "sync", "options"),
    [
        ("0", None, None, {}),
        ("16384", True, None, {}),
        ("65536", True, None, {}),
        ("1052672", None, True, {}),
        ("4096", None, None, {"file-extra-flags": "4096"}),
    ],
)
def test_0_4_12_prints_open_flags_as_a_number(flags, direct, sync, options):
    (result,) = parse(OLD.replace("open flags: 0", f"open flags: {flags}").encode()).results
    assert (result.workload.get("direct"), result.workload.get("sync")) == (direct, sync)
    assert result.options == options


def test_a_limit_of_the_rate_is_an_option():
    threads = "Number of threads: 2\n"
    assert threads in REPORT
    text = REPORT.replace(threads, threads + "Target transaction rate: 500/sec\n")
    (result,) = parse(text.encode()).results
    assert result.options["rate"] == "500"


def test_each_run_of_a_log_is_a_result():
    assert len(parse((REPORT + OLD + REPORT).encode()).results) == 3


@pytest.mark.parametrize("line", ["    fsyncs/s:", "    read, MiB/s:", "         max:"])
def test_a_report_that_lacks_a_line_is_refused_with_its_place(line):
    text = "".join(each for each in REPORT.splitlines(True) if not each.startswith(line))
    with pytest.raises(ParseError, match=r"line \d+: a sysbench fileio run without its"):
        parse(text.encode())


def test_a_run_that_failed_keeps_what_it_printed_and_says_so():
    (result,) = parse((SAMPLES / "sysbench/shape-0.4.12-failed.txt").read_bytes()).results
    assert result.error and "Failed to read file!" in result.error["message"]
    assert ("run", "latency", "min") not in result.by_name()
