"""What each number of fio's normal text is called, held against the line it came from."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.fio_samples import TEXT_OF_RUN, numbers, read, results_of, text_of


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("read: BW=404KiB/s", "rand_read.throughput.mean", 404 * 1024),
        ("read: IOPS=101", "rand_read.iops.mean", 101),
        ("read: 4040KiB", "rand_read.bytes.total", 4040 * 1024),
        ("read: 10000msec", "rand_read.duration.total", 10),
        ("issued total=1010", "rand_read.operations.total", 1010),
        ("read slat (nsec) min", "rand_read.submission_latency.min", 201e-9),
        ("read slat (nsec) max", "rand_read.submission_latency.max", 204e-9),
        ("read slat (nsec) avg", "rand_read.submission_latency.mean", 202e-9),
        ("read slat (nsec) stdev", "rand_read.submission_latency.stddev", 2.03e-9),
        ("read clat (usec) avg", "rand_read.completion_latency.mean", 302e-6),
        ("read lat (msec) avg", "rand_read.latency.mean", 402e-3),
        ("read clat percentiles (usec)", "rand_read.completion_latency.p1", 305e-6),
        ("read clat percentiles (usec)", "rand_read.completion_latency.p99.99", 306e-6),
        ("write: BW=804KiB/s", "rand_write.throughput.mean", 804 * 1024),
        ("write: IOPS=201", "rand_write.iops.mean", 201),
        ("issued total=…,2010", "rand_write.operations.total", 2010),
        ("write slat (usec) min", "rand_write.submission_latency.min", 601e-6),
        ("write clat (msec) max", "rand_write.completion_latency.max", 704e-3),
        ("write lat (nsec) avg", "rand_write.latency.mean", 802e-9),
        ("write clat percentiles (msec)", "rand_write.completion_latency.p99.99", 706e-3),
        ("cpu usr=1.50%", "run.cpu_user.mean", 0.015),
        ("cpu sys=2.50%", "run.cpu_system.mean", 0.025),
    ],
)
def test_each_figure_has_the_name_of_its_line(line, name, value):
    (result,) = read(TEXT_OF_RUN)
    assert numbers(result)[name] == pytest.approx(value, rel=1e-12), line


def test_there_is_no_number_beyond_those_of_the_lines():
    (result,) = read(TEXT_OF_RUN)
    assert len(numbers(result)) == 2 * (5 + 3 * 4 + 2) + 2


def test_figures_of_samples_are_no_rates_of_the_run():
    (result,) = read(TEXT_OF_RUN)
    assert result.details["read"] == {
        "bw_min": 501,
        "bw_max": 503,
        "bw_mean": 502,
        "bw_dev": 5.03,
        "bw_samples": 19,
        "iops_min": 125,
        "iops_max": 126,
        "iops_mean": 125.5,
        "iops_stddev": 1.25,
        "iops_samples": 19,
    }
    assert not {502 * 1024, 125.5} & set(numbers(result).values())


def test_shares_of_a_histogram_are_no_latency():
    (result,) = read(TEXT_OF_RUN)
    assert result.details["latency_us"] == {"250": 1.0, "500": 99.0}
    assert "latency.mean" not in {
        name.partition(".")[2] for name in numbers(result) if "run" in name
    }


def test_disk_statistics_are_kept_under_the_names_of_the_json():
    (result,) = read(TEXT_OF_RUN)
    assert result.details["disk_util"] == [
        {
            "name": "vda",
            "read_ios": 21,
            "write_ios": 22,
            "read_merges": 23,
            "write_merges": 24,
            "read_ticks": 25,
            "write_ticks": 26,
            "in_queue": 27,
            "util": 28.29,
        }
    ]


def test_the_group_line_counts_only_where_no_job_is():
    (job,) = read(TEXT_OF_RUN)
    (group,) = read(TEXT_OF_RUN[TEXT_OF_RUN.index("Run status") :])
    assert numbers(job)["rand_read.throughput.mean"] == 404 * 1024
    assert (group.label, numbers(group)["read.throughput.mean"]) == ("group 0", 999 * 1024)


@pytest.mark.parametrize(
    ("pattern", "read_is", "write_is"),
    [
        ("read", "seq_read", "write"),
        ("write", "read", "seq_write"),
        ("rw", "mixed_read", "mixed_write"),
        ("randread", "rand_read", "write"),
        ("randwrite", "read", "rand_write"),
        ("randrw", "rand_read", "rand_write"),
    ],
)
def test_a_side_is_called_by_the_pattern(pattern, read_is, write_is):
    (result,) = read(TEXT_OF_RUN.replace("rw=randrw", f"rw={pattern}"))
    assert numbers(result)[f"{read_is}.iops.mean"] == 101
    assert numbers(result)[f"{write_is}.iops.mean"] == 201
    assert result.workload["pattern"] == pattern


@pytest.mark.parametrize(
    ("printed", "bytes_per_s"),
    [
        ("BW=404KiB/s (414kB/s)", 404 * 1024),
        ("BW=414kB/s (404KiB/s)", 414_000),
        ("BW=1.21GiB/s (1.30GB/s)", 1.21 * 2**30),
        ("BW=3.16Mibit/s (3.31Mbit/s)", 3.16 * 2**20 / 8),
        ("BW=404Ki (414k)", 404 * 1024),
        ("BW=8183B/s (8183B/s)", 8183),
    ],
)
def test_units_of_two_and_of_ten_are_distinguished(printed, bytes_per_s):
    (result,) = read(TEXT_OF_RUN.replace("BW=404KiB/s (414kB/s)", printed))
    assert numbers(result)["rand_read.throughput.mean"] == pytest.approx(bytes_per_s)


def test_iops_of_less_than_one_a_second_follow_from_the_operations():
    slow = TEXT_OF_RUN.replace("IOPS=101,", "IOPS=0,").replace("total=1010,", "total=14,")
    slow = slow.replace("(4040KiB/10000msec)", "(56.0KiB/30000msec)").replace(
        "BW=404KiB/s (414kB/s)", "BW=1911B/s (1911B/s)"
    )
    assert numbers(read(slow)[0])["rand_read.iops.mean"] == 14 / 30
    assert numbers(read(TEXT_OF_RUN)[0])["rand_read.iops.mean"] == 101


def test_a_fraction_that_fio_lost_is_taken_from_the_other_figure():
    (result,) = read(TEXT_OF_RUN.replace("BW=404KiB/s (414kB/s)", "BW=11.0MiB/s (12.6MB/s)"))
    assert numbers(result)["rand_read.throughput.mean"] == 12_600_000


def test_kilobytes_of_fio_1_are_1024_bytes_and_minb_is_not_used():
    (result,) = results_of("drbd-1.58-local-disk.txt")
    assert "bw=31611KB/s" in text_of("drbd-1.58-local-disk.txt")
    assert numbers(result)["rand_write.throughput.mean"] == 31611 * 1024


def test_the_group_line_of_fio_1_is_1024_based_too():
    text = text_of("drbd-1.58-local-disk.txt")
    (group,) = read(text[text.index("Run status") :])
    assert "aggrb=31610KB/s, minb=32369KB/s" in text
    assert numbers(group)["write.throughput.mean"] == 31610 * 1024


def test_kb_base_1000_of_fio_2_is_found_by_the_operations():
    (result,) = results_of("local-2.14-kb-base-1000.txt")
    found = numbers(result)
    for side in ("rand_read", "rand_write"):
        rate = found[f"{side}.iops.mean"] * 4096
        assert found[f"{side}.throughput.mean"] == pytest.approx(rate, rel=0.001)


@pytest.mark.parametrize("version", ["2.14", "3.33"])
def test_rates_in_bits_become_bytes(version):
    found = numbers(results_of(f"local-{version}-bits.txt")[0])
    rate = found["rand_read.iops.mean"] * 4096
    assert found["rand_read.throughput.mean"] == pytest.approx(rate, rel=0.01)


def test_jobs_of_one_file_are_results_of_their_own():
    first, second, third = results_of("local-3.33-three-groups.txt")
    assert [first.label, second.label, third.label] == ["seqwrite", "seqread", "randread4k"]
    assert [result.details["groupid"] for result in (first, second, third)] == [0, 1, 2]


def test_a_group_of_different_jobs_has_no_pattern_and_the_sum_of_their_numbers():
    group, later = results_of("local-3.33-groups-of-different-jobs.txt")
    assert group.workload == {"queue_depth": 1, "engine": "psync", "jobs": 3}
    assert numbers(group)["rand_read.operations.total"] == 801
    assert numbers(group)["seq_write.operations.total"] == 400
    assert later.workload["pattern"] == "randrw"


@pytest.mark.parametrize(("version", "sync_s"), [("3.7", True), ("2.21", False), ("2.1.3", False)])
def test_a_sync_is_no_write(version, sync_s):
    found = numbers(results_of(f"local-{version}-fdatasync.txt")[0])
    assert ("sync.latency.mean" in found) is sync_s
    assert found["seq_write.operations.total"] == 256


def test_trims_are_neither_reads_nor_writes():
    found = numbers(results_of("local-3.33-trim.txt")[0])
    assert {name.split(".")[0] for name in found} == {"trim", "run"}
    found = numbers(results_of("local-3.33-trimwrite.txt")[0])
    assert {name.split(".")[0] for name in found} == {"trim", "seq_write", "run"}


def test_unified_reporting_is_one_mixed_side():
    found = numbers(results_of("local-3.33-unified.txt")[0])
    assert {name.split(".")[0] for name in found} == {"mixed", "run"}


def test_zeros_that_fio_prints_beside_both_sides_are_no_rate_and_their_latency_is_kept():
    found = numbers(results_of("local-3.33-unified-both.txt")[0])
    assert "mixed: IOPS=0, BW=0 (0)(0B/65msec)" in text_of("local-3.33-unified-both.txt")
    assert found["mixed.completion_latency.mean"] == 30.26e-6
    assert not {"mixed.iops.mean", "mixed.throughput.mean", "mixed.bytes.total"} & found.keys()


def test_each_kind_of_percentiles_keeps_its_kind():
    found = numbers(results_of("local-3.33-three-kinds-of-percentiles.txt")[0])
    assert found["rand_read.submission_latency.p50"] == 63e-6
    assert found["rand_read.completion_latency.p50"] == 249e-6
    assert found["rand_read.latency.p50"] == 314e-6


def test_percentiles_of_the_whole_latency_are_none_of_the_completion():
    found = numbers(results_of("local-3.33-lat-percentiles.txt")[0])
    assert "rand_read.latency.p99" in found
    assert "rand_read.completion_latency.p99" not in found


def test_percentiles_without_decimals_are_read():
    (result,) = read(TEXT_OF_RUN.replace(" 1.00th=[", " 1th=[").replace("99.99th=[", "99th=["))
    found = numbers(result)
    assert found["rand_read.completion_latency.p1"] == 305e-6
    assert found["rand_write.completion_latency.p99"] == 706e-3


@pytest.mark.parametrize(
    "damaged",
    [
        *("s0.00th=[  305]", "99.50t0.00th=[  305]", "1.00t9=[  305]", "1.00th:[  305]"),
        *("1.00th=[  3 5]", "1.00th=[  3e5]", "1.00th=[  305", "1.00th=[]", "1.00 305],"),
    ],
)
def test_damaged_percentiles_are_never_read_as_others(damaged):
    text = TEXT_OF_RUN.replace("1.00th=[  305]", damaged, 1)
    with pytest.raises(ParseError, match="percentiles of clat cannot be read"):
        read(text)


def test_percentiles_by_priority_are_not_those_of_the_job():
    text = text_of("local-3.33-priorities.txt")
    assert " 50.00th=[   92]" in text
    assert " 50.00th=[  102]" in text
    found = numbers(results_of("local-3.33-priorities.txt")[0])
    assert found["rand_read.completion_latency.p50"] == 92e-6
    assert found["rand_read.completion_latency.mean"] == 193.87e-6


def test_two_runs_in_one_container_are_no_snapshots():
    """Both have process 7, and nothing announces the second."""
    report = TEXT_OF_RUN[TEXT_OF_RUN.index("job: (groupid") : TEXT_OF_RUN.index("Disk stats")]
    shorter = report.replace("10000msec", "9000msec").replace("10000-10000", "9000-9000")
    longer = report.replace("10000msec", "11000msec").replace("10000-10000", "11000-11000")
    for other in (shorter, longer):  # of as many reads
        results = read(report + other)
        assert [result.execution for result in results] == [0, 1]


def test_jobs_that_failed_before_they_had_a_process_are_all_counted():
    failed = "job: (groupid=0, jobs=1): err= 2 (file:f.c:1, func=open, error=No such file): pid=0\n"
    parsed = parse(
        (
            TEXT_OF_RUN[: TEXT_OF_RUN.index("job: (groupid")]
            + failed * 3
            + "\nRun status group 0 (all jobs):\n"
        ).encode()
    )
    assert [result.error["code"] for result in parsed.results if result.error] == [2, 2, 2]


def test_of_snapshots_the_last_counts():
    (result,) = results_of("local-3.7-snapshots.txt")
    text = text_of("local-3.7-snapshots.txt")
    last = text[text.rindex("issued rwts: total=") :].split("total=")[1].split(",")[0]
    assert numbers(result)["rand_read.operations.total"] == int(last)


def test_a_failed_job_keeps_its_numbers_and_says_so_and_the_other_is_whole():
    good, full = results_of("local-3.33-disk-full.txt")
    assert good.error is None
    assert full.error == {"code": 28, "message": "No space left on device"}
    assert numbers(full)["seq_write.operations.total"] == 513


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("    clat (usec): min=301, max=304, avg=nan, stdev= 3.03", "line 8 cannot be read"),
        ("  read: IOPS=101, BW=404Kib/s (414kB/s)(4040KiB/?msec)", "line 6 cannot be read"),
    ],
)
def test_a_line_of_a_job_that_cannot_be_read_is_named(line, sentence):
    lines = TEXT_OF_RUN.splitlines(keepends=True)
    at = 7 if "clat" in line else 5
    lines[at] = line + "\n"
    parsed = parse(("".join(lines) + TEXT_OF_RUN.replace("pid=7", "pid=8")).encode())
    assert sentence in str(parsed.incomplete)
    assert len(parsed.results) == 1


def test_group_lines_of_an_older_snapshot_do_not_vouch_for_half_a_newer_one():
    newer = TEXT_OF_RUN[TEXT_OF_RUN.index("job: (groupid") :].replace(
        "IOPS=101, BW=404KiB", "IOPS=111, BW=444KiB"
    )
    parsed = parse((TEXT_OF_RUN + newer[: newer.rindex("at percentiles")]).encode())
    (result,) = parsed.results
    assert "cut off" in str(parsed.incomplete)
    assert numbers(result)["rand_read.throughput.mean"] == 404 * 1024


def test_a_job_without_io_is_kept_from_text_as_from_json():
    for kind in ("txt", "json"):
        _busy, idle = results_of(f"local-3.33-job-without-io.{kind}")
        assert (idle.label, idle.by_name()) == ("idle", {})
        assert [note.note for note in idle.notes] == ["no I/O was done"]
