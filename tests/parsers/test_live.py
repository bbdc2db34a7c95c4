"""Numbers for the eye while a tool runs, from lines as the tools printed them."""

from __future__ import annotations

import pytest

from benchdash.parsers.live import PROC_STAT, LiveReader
from benchdash.parsers.result import Point

FIO = (
    b"Jobs: 1 (f=0)\rJobs: 1 (f=0): [/(1)][-.-%][eta 00m:06s]\r"
    b"Jobs: 1 (f=1): [m(1)][37.5%][r=4689KiB/s,w=44.9MiB/s][r=1172,w=11.5k IOPS][eta 00m:05s]\r\n"
    b"Jobs: 2 (f=2): [r(2)][50.0%][r=41.0MiB/s][r=10.5k IOPS][eta 00m:04s]\r"
)
FIO_2 = b"Jobs: 1 (f=1): [r] [50.0% done] [97536KB/0KB/0KB /s] [24.4K/0/0 iops] [eta 00m:02s]\r"
DBENCH = (
    b"   1     57064   326.57 MB/sec  warmup   1 sec  latency 6.575 ms\n"
    b"   1    113518   315.37 MB/sec  execute   2 sec  latency 8.619 ms\n"
    b"   1  cleanup   3 sec\n"
)
PGBENCH = b"progress: 5.0 s, 1234.5 tps, lat 3.200 ms stddev 1.016, 0 failed\n"


def test_fio_tells_both_sides_each_second():
    assert LiveReader("fio").feed(FIO) == [
        Point("read", "throughput", 1, 4689 * 1024),
        Point("write", "throughput", 1, 44.9 * 2**20),
        Point("read", "iops", 1, 1172),
        Point("write", "iops", 1, 11500),
        Point("read", "throughput", 2, 41.0 * 2**20),
        Point("read", "iops", 2, 10500),
    ]


def test_fio_2_counts_in_1024s():
    points = LiveReader("fio").feed(FIO_2)
    assert points[0] == Point("read", "throughput", 1, 97536 * 1024)
    assert points[2] == Point("read", "iops", 1, 24400)


def test_dbench_and_pgbench_tell_the_time_themselves():
    assert LiveReader("dbench").feed(DBENCH) == [Point("load", "throughput", 2, 315.37e6)]
    assert LiveReader("pgbench").feed(PGBENCH) == [
        Point("transaction", "transactions", 5.0, 1234.5)
    ]


def test_dbench_tells_what_each_second_did_though_it_prints_means():
    lines = b"".join(
        b"   1   1000   %s MB/sec  execute  %d sec  latency 8.6 ms\n" % (mean, second)
        for second, mean in enumerate((b"100.00", b"100.00", b"66.67", b"50.00", b"60.00"), 1)
    )
    points = LiveReader("dbench").feed(lines)
    assert [point.seconds for point in points] == [1, 2, 3, 4, 5]
    assert [round(point.value / 1e6) for point in points] == [100, 100, 0, 0, 100]


@pytest.mark.parametrize(("tool", "text"), [("fio", FIO), ("dbench", DBENCH), ("pgbench", PGBENCH)])
def test_it_does_not_matter_where_the_pieces_are_cut(tool, text):
    whole = LiveReader(tool).feed(text)
    reader = LiveReader(tool)
    assert [p for n in range(len(text)) for p in reader.feed(text[n : n + 1])] == whole


@pytest.mark.parametrize("tool", ["bonnie++", "fio", "custom"])
def test_other_output_tells_nothing(tool):
    assert LiveReader(tool).feed(b"Writing intelligently...done\n\xff\xfe[r=1KiB/s]\n" * 3) == []


def test_the_host_tells_how_busy_its_cpus_were_between_two_looks():
    reader = LiveReader(PROC_STAT)
    assert reader.feed(b"0 cpu  100 0 100 700 100 0 0 0 50 0\n2 cpu  1") == []
    read_points = reader.feed(
        b"50 10 140 900 200 0 0 0 90 0\n4 cpu  150 10 140 900 200 0 0 0 90 0\n"
    )
    assert read_points == [Point("host", "cpu", 2.0, 0.25)]
    assert reader.feed(b"6 cpu  250 10 140 900 200\n") == [Point("host", "cpu", 6.0, 1.0)]


@pytest.mark.parametrize(
    "noise",
    [b"sh: 1: /proc/stat: not found\n", b"2 cpu  x\n", b"-2 cpu  1 2 3 4\n", b"2 cpu  0 0 0 0\n"],
)
def test_what_is_no_line_of_the_host_and_counters_that_go_back_tell_nothing(noise):
    reader = LiveReader(PROC_STAT)
    assert reader.feed(b"0 cpu  100 0 100 700 100\n" + noise) == []


def test_sysbench_prints_rates_of_both_sides_each_interval():
    lines = (
        b"[ 1s ] reads: 1.87 MiB/s writes: 1.25 MiB/s fsyncs: 2.00/s latency (ms,99%): 0.064\n"
        b"[   2s] reads: 0.00 MB/s writes: 59.50 MB/s fsyncs: 49.00/s response time: 1.2ms (95%)\n"
    )
    assert LiveReader("sysbench").feed(lines) == [
        Point("read", "throughput", 1.0, 1.87 * 2**20),
        Point("write", "throughput", 1.0, 1.25 * 2**20),
        Point("write", "throughput", 2.0, 59.5 * 2**20),
    ]


def test_rados_bench_prints_the_rate_of_each_second():
    lines = b"    2       4      1630      1626    50.806    51.125  0.00471022  0.00490513\n"
    assert LiveReader("rados").feed(lines) == [Point("load", "throughput", 2.0, 51.125 * 2**20)]


def test_rbd_bench_prints_the_operations_of_each_second():
    lines = b"    1     28896   29027.5   113 MiB/s\n    2        75     39.12  328143449.11\n"
    assert LiveReader("rbd").feed(lines) == [
        Point("load", "iops", 1.0, 29027.5),
        Point("load", "iops", 2.0, 39.12),
    ]
