"""What each number of dbench is called, held against the text it came from."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.golden import SAMPLES

RUN = (SAMPLES / "dbench/local-4.00-sync-open.txt").read_text()


def read(text):
    return parse(text.encode())


def numbers(result):
    return {(m.operation, m.metric, m.statistic): m.value for m in result.measurements}


def test_megabytes_are_a_million_bytes_and_latencies_milliseconds():
    found = numbers(read(RUN).results[0])
    assert found["load", "throughput", "mean"] == 281_050_000
    assert found["load", "latency", "max"] == 0.023239
    assert found["load_writex", "operations", "total"] == 20148
    assert found["load_writex", "latency", "mean"] == 0.000662
    assert found["load_writex", "latency", "max"] == 0.032879


def test_the_workload_says_clients_seconds_warm_up_and_sync():
    assert read(RUN).results[0].workload == {
        "clients": 4,
        "duration_s": 5.0,
        "ramp_s": 1.0,
        "sync": True,
    }


def test_warm_up_and_clean_up_stay_out_of_the_traces():
    text = RUN.replace("execute   1 sec", "warmup   1 sec")
    throughput, latency = read(text).results[0].traces
    assert list(throughput.seconds) == [2.0, 3.0, 4.0]
    assert throughput.values[0] == 288_850_000
    assert latency.values[0] == 0.020557


def test_tables_of_single_clients_are_no_rows_of_the_sum():
    text = (SAMPLES / "dbench/local-4.00-per-client-then-sync-dirs.txt").read_text()
    first, second = read(text).results
    assert numbers(first)["load_ntcreatex", "operations", "total"] == 5314
    assert (first.workload["clients"], first.details["processes"]) == (2, 1)
    assert second.details["sync_dirs"] is True


@pytest.mark.parametrize(
    ("line", "format_", "clients"),
    [
        ("Throughput 5.5 MB/sec (NB=6.8 MB/sec  55 MBit/sec)  16 procs", "dbench/text-1", 16),
        ("Throughput 5.5 MB/sec (NB=6.8 MB/sec  55 MBit/sec) (sync mode)", "dbench/text-1", None),
        ("Throughput 5.5 MB/sec (sync open) (sync dirs) 4 procs", "dbench/text-3", 4),
        ("Throughput 5.5 MB/sec  8 clients  4 procs  max_latency=1.5 ms", "dbench/text-4", 8),
        (
            "run.log:Throughput 5.5 MB/sec  8 clients  4 procs  max_latency=1.5 ms",
            "dbench/text-4",
            8,
        ),
    ],
)
def test_the_throughput_line_of_each_generation(line, format_, clients):
    (result,) = read(f"dbench says\n{line}\n").results
    assert result.format == format_
    assert result.workload.get("clients") == clients
    assert numbers(result)["load", "throughput", "mean"] == 5_500_000


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        ("tbench 4 host\n" + RUN, "line 32: tbench is a network test, not a disk result"),
        (RUN[: RUN.index("Throughput")], "line 29: a dbench run without its Throughput line"),
        (RUN[: RUN.index("max_lat")], "line 31: the Throughput line of dbench is cut off"),
        (RUN.replace("0.662", "-nan"), "line 31: expected a latency from dbench, found '-nan'"),
        (
            RUN.replace(" Close ", " NTCreateX "),
            "line 31: one result has load_ntcreatex operations total twi",
        ),
    ],
)
def test_damage_is_refused_with_the_line_and_the_reason(damaged, sentence):
    with pytest.raises(ParseError) as refused:
        read(damaged)
    assert refused.value.sentence.startswith(sentence)


def test_a_run_that_was_stopped_is_named_and_the_next_is_kept():
    parsed = read(RUN[: RUN.index(" Operation")] + RUN)
    assert len(parsed.results) == 1
    assert parsed.incomplete == (
        "line 10: a dbench run without its Throughput line: it was cut short"
    )
