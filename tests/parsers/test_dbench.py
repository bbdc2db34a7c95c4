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
    assert list(throughput.seconds) == list(latency.seconds) == [2.0, 3.0, 4.0]
    assert throughput.values[0] == 288_850_000
    assert latency.values[0] == 0.020557


def test_a_second_has_its_own_rate_and_not_the_mean_that_is_printed():
    text = (SAMPLES / "dbench/local-4.00-stopped-for-4-seconds.txt").read_text()
    throughput = read(text).results[0].traces[0]
    assert list(throughput.seconds) == [float(second) for second in range(1, 12)]
    rates = [round(value / 1e6, 1) for value in throughput.values]
    assert rates == [522.5, 548.3, 485.8, 459.3, 0.0, 0.2, 0.1, 0.3, 95.2, 95.5, 90.1]


def progress(*means, seconds=None):
    """The throughput over time of a run whose progress lines have these means."""
    lines = "".join(
        f"   4      5319   {mean} MB/sec  execute {second:3} sec  latency 9.0 ms\n"
        for second, mean in zip(seconds or range(1, 1 + len(means)), means, strict=True)
    )
    end = "Throughput 5.5 MB/sec  4 clients  4 procs  max_latency=9.0 ms\n"
    traces = {each.metric: each for each in read(lines + end).results[0].traces}
    found = traces.get("throughput")
    return dict(zip(found.seconds, found.values, strict=True)) if found else {}


def test_a_rate_that_rounding_made_negative_is_none():
    assert progress("100.00", "49.99") == {1.0: 100e6, 2.0: 0.0}


def test_a_missing_line_makes_a_longer_interval():
    assert progress("100.00", "80.00", seconds=(1, 5)) == {1.0: 100e6, 5.0: 75e6}


def test_a_second_that_is_printed_twice_has_one_rate():
    assert progress("100.00", "90.00", "80.00", seconds=(1, 1, 2)) == {1.0: 100e6, 2.0: 60e6}


def test_a_phase_that_begins_anew_begins_with_its_own_mean():
    rates = progress("100.00", "90.00", "50.00", "60.00", seconds=(1, 2, 1, 2))
    assert rates[1.0] == 50e6
    assert rates[2.0] == 70e6


def test_rates_are_kept_over_as_long_as_the_rounding_of_the_means_asks_for():
    rates = progress(*["1.00"] * 100)
    assert [*rates][:6] == [1.0, 2.0, 3.0, 4.0, 5.0, 7.0]
    assert set(rates.values()) == {1e6}
    # a run that printed 0.00 carried something that is not known
    assert progress("0.00", "0.00", "0.00") == {}


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
