"""What the columns of fio's bare logs are called, held against the file and its name."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.fio_samples import read, results_of, text_of


def points(trace):
    return list(zip(trace.seconds, trace.values, strict=True))


@pytest.mark.parametrize(
    ("kind", "metric", "unit"),
    [
        ("bw", "throughput", 1024),
        ("iops", "iops", 1),
        ("slat", "submission_latency", 1e-9),
        ("clat", "completion_latency", 1e-9),
        ("lat", "latency", 1e-9),
    ],
)
def test_the_name_says_which_log_it_is(kind, metric, unit):
    (result,) = read("100, 7, 0, 4096, 0\n200, 9, 0, 4096, 0\n", f"job_{kind}.1.log")
    (trace,) = result.traces
    assert (trace.operation, trace.metric) == ("read", metric)
    assert points(trace) == [(0.1, 7 * unit), (0.2, 9 * unit)]
    assert result.label == "job"


def test_each_direction_is_a_trace():
    (result,) = read("1, 5, 0, 0, 0\n1, 6, 1, 0, 0\n1, 7, 2, 0, 0\n", "x_iops.log")
    assert [(trace.operation, list(trace.values)) for trace in result.traces] == [
        ("read", [5]),
        ("write", [6]),
        ("trim", [7]),
    ]


def test_a_log_has_no_numbers_but_those_of_its_traces():
    for kind in ("bw", "iops", "clat", "lat"):
        (result,) = results_of(f"local-3.33_{kind}.1.log")
        assert result.measurements == []
        lines = text_of(f"local-3.33_{kind}.1.log").splitlines()
        assert sum(len(trace.values) for trace in result.traces) == len(lines)


def test_unix_times_begin_at_the_first_of_them_which_is_the_start():
    text = "1795664413500, 7, 0, 0, 0\n1795664413250, 8, 1, 0, 0\n1795664414500, 9, 0, 0, 0\n"
    (result,) = read(text, "job_bw.1.log")
    reads, writes = result.traces
    assert (list(reads.seconds), list(writes.seconds)) == ([0.25, 1.25], [0.0])
    assert result.started_at == datetime(2026, 11, 26, 3, 40, 13, 250000, tzinfo=UTC)


def test_a_unix_time_beyond_all_calendars_is_refused():
    with pytest.raises(ParseError, match="is not a date"):
        read("999999999999999, 7, 0, 0, 0\n", "job_bw.1.log")


def test_an_offset_column_is_no_priority_and_means_nanoseconds():
    (result,) = results_of("local-3.33-offsets_lat.1.log")
    assert text_of("local-3.33-offsets_lat.1.log").startswith("0, 22974, 1, 4096, 61440, 0\n")
    assert points(result.traces[0])[0] == (0.0, 22974e-9)


@pytest.mark.parametrize(
    ("name", "seconds"), [("fio-2.16_lat.log", 7e-6), ("fio-3.1_lat.log", 7e-9)]
)
def test_a_version_in_the_name_tells_micro_from_nanoseconds(name, seconds):
    (result,) = read("100, 7, 0, 4096\n", name)
    assert points(result.traces[0]) == [(0.1, pytest.approx(seconds))]


@pytest.mark.parametrize(
    ("text", "name", "sentence"),
    [
        ("100, 7, 0, 4096, 0\n" * 2, "values.log", "the bare columns of a fio log do not say"),
        ("100, 7, 0, 4096\n", "job_lat.1.log", "the latencies in this fio log are in ns if fio 3"),
        ("100, 7, 0, 4096, 0\n", "x_clat_hist.1.log", "a fio latency histogram log (clat_hist)"),
        ("1, 7, 0, 4096, 0\n" * 10 + "1, x\n", "x_bw.1.log", "line 11 is not a line of a fio log"),
        (
            "1, 7, 0, 4096, 0\n" * 10 + "1, 7, 9, 0\n",
            "x_bw.1.log",
            "line 11 is not a line of a fio log",
        ),
    ],
)
def test_what_a_log_does_not_say_is_requested(text, name, sentence):
    with pytest.raises(ParseError) as refused:
        parse(text.encode(), name)
    assert refused.value.sentence.startswith(sentence)
