"""What each number of fio's JSON is called, held against the document it came from."""

from __future__ import annotations

import json

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.fio_samples import json_of, numbers, read, results_of, text_of
from tests.results.result_files import fio, fio_job

LATENCY_NAMES = {
    "slat_ns": "submission_latency",
    "clat_ns": "completion_latency",
    "lat_ns": "latency",
}


def with_options(options, under=None):
    """The document of one random read with these job options over `under`."""
    document = json_of("local-3.33-lat-percentiles.json")
    document["jobs"][0]["job options"] = options
    document["global options"] = under or {}
    return document


@pytest.mark.parametrize("side", ["read", "write"])
def test_each_key_of_a_side_has_its_name(side):
    printed = json_of("local-3.33-mixed.json")["jobs"][0][side]
    found = numbers(results_of("local-3.33-mixed.json")[0])
    assert found[f"rand_{side}.throughput.mean"] == printed["bw_bytes"]
    assert found[f"rand_{side}.iops.mean"] == printed["iops"]
    assert found[f"rand_{side}.bytes.total"] == printed["io_bytes"]
    assert found[f"rand_{side}.operations.total"] == printed["total_ios"]
    assert found[f"rand_{side}.duration.total"] == printed["runtime"] / 1000
    for key, metric in LATENCY_NAMES.items():
        for statistic in ("min", "max", "mean", "stddev") if printed[key]["max"] else ():
            name = f"rand_{side}.{metric}.{statistic}"
            assert found[name] == printed[key][statistic] / 1e9
    percentiles = printed["clat_ns"]["percentile"]
    assert found[f"rand_{side}.completion_latency.p99.9"] == percentiles["99.900000"] / 1e9


def test_iops_of_samples_are_no_rate_of_a_job():
    printed = json_of("local-3.33-mixed.json")["jobs"][0]["read"]
    (result,) = results_of("local-3.33-mixed.json")
    assert printed["iops_mean"] not in numbers(result).values()
    assert result.details["read"]["iops_mean"] == printed["iops_mean"]


def test_iops_of_a_group_are_the_sum_and_not_the_mean_of_its_jobs():
    printed = json_of("local-3.33-groups-of-different-jobs.json")["jobs"][0]
    group, _ = results_of("local-3.33-groups-of-different-jobs.json")
    assert numbers(group)["read.iops.mean"] == printed["read"]["iops"]
    assert numbers(group)["read.operations.total"] == printed["read"]["total_ios"]


def test_options_of_another_job_of_the_group_are_not_taken_for_those_of_all():
    group, later = results_of("local-3.33-groups-of-different-jobs.json")
    assert group.workload == {}
    assert later.workload["pattern"] == "randrw"


def test_one_pattern_has_one_name_whichever_of_two_the_command_used():
    """fio prints the options as they were given, and in text `rw=rw` of both."""
    for options in ({"rw": "readwrite"}, {"rw": "rw"}, {"rw": "readwrite:4"}):
        (result,) = parse(fio(fio_job(**options)).data).results
        assert result.workload["pattern"] == options["rw"].replace("readwrite", "rw")
        assert "mixed_write.throughput.mean" in numbers(result)


def test_a_latency_that_was_not_measured_is_no_zero():
    printed = json_of("local-3.33-mixed.json")["jobs"][0]["read"]["slat_ns"]
    assert printed["mean"] == 0
    found = numbers(results_of("local-3.33-mixed.json")[0])
    assert "rand_read.submission_latency.mean" not in found


def test_a_side_without_io_is_left_out():
    assert json_of("local-3.33-mixed.json")["jobs"][0]["trim"]["iops"] == 0
    found = numbers(results_of("local-3.33-mixed.json")[0])
    assert {name.split(".")[0] for name in found} == {"rand_read", "rand_write", "run"}


@pytest.mark.parametrize(("version", "factor"), [("2.1.3", 1024), ("2.8", 1024)])
def test_io_bytes_before_2_21_are_kib(version, factor):
    printed = json_of(f"local-{version}-mixed.json")["jobs"][0]["read"]
    found = numbers(results_of(f"local-{version}-mixed.json")[0])
    side = "rand_read" if "rand_read.bytes.total" in found else "read"
    assert found[f"{side}.bytes.total"] == printed["io_bytes"] * factor
    assert found[f"{side}.iops.mean"] == pytest.approx(
        found[f"{side}.bytes.total"] / 4096 / found[f"{side}.duration.total"], rel=0.001
    )


def test_latencies_before_2_99_are_microseconds():
    printed = json_of("local-2.8-mixed.json")["jobs"][0]["read"]["clat"]
    found = numbers(results_of("local-2.8-mixed.json")[0])
    assert found["rand_read.completion_latency.mean"] == printed["mean"] / 1e6
    assert found["rand_read.completion_latency.p99"] == printed["percentile"]["99.000000"] / 1e6


def test_bandwidth_is_kib_in_every_version_and_not_cut():
    printed = json_of("local-2.8-mixed.json")["jobs"][0]["read"]
    found = numbers(results_of("local-2.8-mixed.json")[0])
    rate = found["rand_read.throughput.mean"]
    assert printed["bw"] * 1024 <= rate < (printed["bw"] + 1) * 1024
    assert rate == found["rand_read.bytes.total"] / found["rand_read.duration.total"]


def test_a_sync_is_no_write():
    printed = json_of("local-3.33-fsync.json")["jobs"][0]["sync"]
    found = numbers(results_of("local-3.33-fsync.json")[0])
    assert found["sync.latency.mean"] == printed["lat_ns"]["mean"] / 1e9
    assert found["sync.operations.total"] == printed["total_ios"]
    assert "sync.throughput.mean" not in found


def test_percentiles_stay_with_the_latency_that_they_are_of():
    found = numbers(results_of("local-3.33-lat-percentiles.json")[0])
    assert "rand_read.latency.p99" in found
    assert "rand_read.completion_latency.p99" not in found
    found = numbers(results_of("local-3.33-three-kinds-of-percentiles.json")[0])
    printed = json_of("local-3.33-three-kinds-of-percentiles.json")["jobs"][0]["read"]
    for key, metric in LATENCY_NAMES.items():
        value = printed[key]["percentile"]["99.000000"]
        assert found[f"rand_read.{metric}.p99"] == value / 1e9


def test_a_queue_depth_that_is_not_printed_is_one():
    options = json_of("local-3.33-mixed.json")["jobs"][0]["job options"]
    assert "iodepth" not in options
    assert results_of("local-3.33-mixed.json")[0].workload["queue_depth"] == 1


def test_options_of_a_job_come_before_the_global_ones():
    options = {"rw": "randread", "bs": "4k"}
    (result,) = read(with_options(options, {"bs": "64k", "ioengine": "psync"}))
    assert (result.workload["block_bytes"], result.workload["engine"]) == (4096, "psync")


@pytest.mark.parametrize(
    ("job", "under", "file_bytes"),
    [
        ({"kb_base": "1000", "size": "8m"}, {}, 8_000_000),
        ({"size": "8m", "kb_base": "1000"}, {}, 8 * 2**20),
        ({"kb_base": "1000"}, {"size": "8m"}, 8 * 2**20),
        ({"kb_base": "1000", "size": "8m"}, {"size": "4m"}, 8_000_000),
    ],
)
def test_kb_base_holds_for_the_options_after_it(job, under, file_bytes):
    (result,) = read(with_options(job | {"rw": "randread"}, under))
    assert result.workload["file_bytes"] == file_bytes


def test_kb_base_of_a_command_line_does_not_shrink_the_blocks_before_it():
    (result,) = results_of("local-3.33-kb-base-1000.json")
    assert list(result.details["options"])[-2:] == ["bs", "kb_base"]
    assert result.workload["block_bytes"] == 4096


@pytest.mark.parametrize(("reported", "jobs"), [(1, 4), (4, 1)])
def test_jobs_are_those_whose_sum_a_result_is(reported, jobs):
    document = with_options({"rw": "randread", "bs": "4k", "numjobs": "4"})
    document["jobs"] *= reported
    assert [result.workload["jobs"] for result in read(document)] == [jobs] * reported


def test_json_and_text_of_one_run_tell_the_same_workload():
    of_json, _ = results_of("local-3.33-two-block-sizes.json")
    of_text, _ = results_of("local-3.33-two-block-sizes.txt")
    assert of_text.workload.items() <= of_json.workload.items()


def test_the_cpu_of_a_group_is_that_of_all_its_jobs():
    """fio prints the mean of the jobs, our vocabulary says shares of one CPU."""
    _, grouped = results_of("local-3.33-two-runs.json")
    job = json.loads(text_of("local-3.33-two-runs.json").partition("\n{")[2].join(["{", ""]))[
        "jobs"
    ][0]
    assert job["job options"]["numjobs"] == "2"
    at_once = job["job_runtime"] / job["read"]["runtime"]
    assert 1.9 < at_once < 2
    assert numbers(grouped)["run.cpu_system.mean"] == job["sys_cpu"] / 100 * at_once


@pytest.mark.parametrize("version", ["2.2.10", "2.14", "3.33"])
def test_of_snapshots_the_last_counts(version):
    name = f"local-{version}-snapshots-json.txt"
    (result,) = results_of(name)
    text = text_of(name)
    last = json.loads(text[text.rindex('{\n  "fio version"') :])["jobs"][0]
    assert numbers(result)["run.cpu_user.mean"] == last["usr_cpu"] / 100


@pytest.mark.parametrize("version", ["2.2.10", "2.14", "3.33"])
def test_of_two_runs_with_snapshots_each_counts_with_its_last(version):
    one = text_of(f"local-{version}-snapshots-json.txt")
    (last,) = read(one)
    assert [numbers(result) for result in read(one + one)] == [numbers(last)] * 2


def test_jobs_that_begin_late_or_have_ended_are_of_the_snapshots_of_their_run():
    one, two = results_of("local-3.33-snapshots-stonewall-json.txt")
    text = text_of("local-3.33-snapshots-stonewall-json.txt")
    last = json.loads(text[text.rindex('{\n  "fio version"') :])["jobs"]
    assert numbers(one)["seq_read.bytes.total"] == last[0]["read"]["io_bytes"]
    assert numbers(two)["seq_write.bytes.total"] == last[1]["write"]["io_bytes"]


@pytest.mark.parametrize("elapsed", [1, 60])
def test_two_short_runs_one_after_the_other_are_both_read(elapsed):
    document = json_of("local-3.33-lat-percentiles.json")
    (job,) = document["jobs"]
    job["elapsed"] = elapsed
    later = json.loads(json.dumps(document))
    later["timestamp"] += elapsed
    later["jobs"][0]["read"]["runtime"] += 30
    assert len(read(json.dumps(document) + json.dumps(later))) == 2


def test_two_documents_of_two_runs_are_both_read():
    first, second = results_of("local-3.33-two-runs.json")
    assert [first.label, second.label] == ["first", "second"]
    assert second.workload["jobs"] == 2


@pytest.mark.parametrize(
    "name",
    [
        *("local-2.21-json-and-text.txt", "local-3.41-json-and-text.txt"),
        *("local-3.33-json+-terse-and-text.txt", "local-3.33-terse-and-text.txt"),
        "local-3.33-unified-both-json-and-text.txt",
    ],
)
def test_one_run_in_several_formats_counts_once(name):
    assert len(results_of(name)) == 1


def test_jobs_that_failed_in_two_formats_count_once():
    results = results_of("local-3.33-three-jobs-failed-json-and-text.txt")
    assert [result.error["code"] for result in results if result.error] == [28] * 3


@pytest.mark.parametrize("key", ["jobs", "fio version", "result"])
def test_documents_within_the_json_of_another_program_are_read(key):
    one, two = json_of("local-3.33-mixed.json"), json_of("local-3.33-lat-percentiles.json")
    around = {"host": "a", key: {"first": one, "more": [two]}, "size": 1}
    parsed = parse(json.dumps(around, indent=1).encode())
    assert parsed.incomplete is None
    expected = [
        *results_of("local-3.33-mixed.json"),
        *results_of("local-3.33-lat-percentiles.json"),
    ]
    assert [numbers(r) for r in parsed.results] == [numbers(r) for r in expected]
    assert parsed.results[0].lines[0] > 1


def test_a_document_in_a_string_of_other_json_is_refused_with_its_line():
    around = {"rc": 0, "stdout": text_of("local-3.33-mixed.json")}
    with pytest.raises(ParseError, match=r"^line 3: fio JSON as a string within other JSON"):
        parse(json.dumps(around, indent=1).encode())


def test_words_before_the_json_are_kept_as_noise():
    (result,) = results_of("local-3.33-note-then-json.txt")
    (line,) = result.details["noise"]
    assert line == text_of("local-3.33-note-then-json.txt").splitlines()[0]


def test_a_failed_job_says_so_in_the_words_of_fio():
    good, full = results_of("local-3.33-disk-full.json")
    assert good.error is None
    assert full.error == {"code": 28, "message": "No space left on device"}
    (failed,) = results_of("local-3.33-failed-open.json")
    assert (failed.error, numbers(failed)) == ({"code": 20, "message": "Not a directory"}, {})


def test_bins_of_json_plus_are_details():
    (result,) = results_of("local-3.16-json+-fdatasync.json")
    bins = json_of("local-3.16-json+-fdatasync.json")["jobs"][0]["write"]["clat_ns"]["bins"]
    histogram = result.details["bins"]["seq_write completion_latency"]
    assert dict(zip(histogram["bins"], histogram["counts"], strict=True)) == {
        int(ns): count for ns, count in bins.items()
    }


@pytest.mark.parametrize("code", [-(2**31), 2**31, 1e300, "5"])
def test_an_error_that_is_no_number_of_one_is_refused_with_its_place(code):
    document = json_of("local-3.33-lat-percentiles.json")
    document["jobs"][0]["error"] = code
    with pytest.raises(ParseError, match=r"^fio JSON at line 1: jobs\[0\]\.error cannot be"):
        read(document)


def test_of_a_key_that_stands_twice_the_last_counts():
    text = text_of("local-3.33-mixed.json").replace('"iops" :', '"iops" : 1, "iops" :', 1)
    assert numbers(read(text)[0]) == numbers(results_of("local-3.33-mixed.json")[0])


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (text_of("local-3.33-mixed.json")[:-3], "fio JSON ends too early at line"),
        (text_of("local-3.33-mixed.json").replace('"bw" : ', '"bw" : -', 1), "fio JSON at line 1"),
        (text_of("local-3.33-mixed.json").replace('"bw" : ', '"bw" : n', 1), "fio JSON breaks at"),
        ('{"fio version" : "fio-3.33", "jobs" : []}', "fio JSON without jobs at line 1"),
        (
            f'{{"jobs":[{",".join(["{}"] * 20_000)}]}}',
            "JSON of 20001 objects in 60010 bytes is not fio's",
        ),
        (
            f'{{"jobs":[{",".join([json.dumps({"jobname": "x" * 60})] * 10_001)}]}}',
            "more than 10000 fio jobs: split the file",
        ),
    ],
)
def test_damage_is_refused_with_the_line_and_the_reason(damaged, sentence):
    with pytest.raises(ParseError) as refused:
        parse(damaged.encode())
    assert refused.value.sentence.startswith(sentence)


def test_damage_of_one_document_is_named_with_its_line_and_the_others_are_read():
    whole = text_of("local-3.33-mixed.json")
    damaged = whole.replace('"99.000000"', '"199.000000"', 1)
    parsed = parse(f"{damaged}\n{whole}".encode())
    assert [numbers(result) for result in parsed.results] == [numbers(read(whole)[0])]
    assert parsed.incomplete == (
        "line 1: job 1 ('mixed') in the fio JSON: '199.000000' is not a valid fio percentile"
    )


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        (
            "iodepth_level",
            {"1": "all"},
            "fio JSON at line 1: jobs[0].iodepth_level[...] cannot be measured",
        ),
        (
            "job options",
            ["rw=read"],
            "job 1 ('mixed') in the fio JSON: its options cannot be read",
        ),
    ],
)
def test_what_is_read_later_than_the_rest_is_refused_by_name(key, value, sentence):
    document = json_of("local-3.33-mixed.json")
    document["jobs"][0][key] = value
    with pytest.raises(ParseError) as refused:
        read(document)
    assert refused.value.sentence.startswith(sentence)


def _with_bins(bins):
    latency = {"min": 1, "max": 2, "mean": 1.5, "stddev": 0.5, "N": 3, "bins": bins}
    side = {"io_bytes": 4096, "iops": 1.0, "runtime": 1000, "total_ios": 1, "clat_ns": latency}
    return {"fio version": "fio-3.33", "jobs": [{"jobname": "x", "read": side}]}


def test_bins_are_kept_as_two_lists():
    (result,) = read(_with_bins({"64": 5, "128": 6}))
    assert result.details["bins"] == {
        "read completion_latency": {"bins": [64, 128], "counts": [5, 6]}
    }


@pytest.mark.parametrize("bins", [{"64": "1"}, {"1": "2,3,4"}, {"1": [2]}, [1, 2], {"64": 1.5}])
def test_bins_that_are_none_are_refused(bins):
    with pytest.raises(ParseError, match="bins cannot be read"):
        read(_with_bins(bins))


@pytest.mark.parametrize("name", ["1,28", "1:2,3", "1 28"])
def test_a_damaged_name_of_a_bin_is_never_read_as_another_bin(name):
    (result,) = read(_with_bins({name: 5, "64": 1}))
    assert result.details["bins"]["read completion_latency"] == {
        "bins": [name, "64"],
        "counts": [5, 1],
    }
