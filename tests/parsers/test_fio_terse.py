"""What each field of fio's terse lines is called, held against its place in the HOWTO."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.fio_samples import numbers, read, results_of, text_of

V2, V3, V4, V5 = (
    text_of(name).splitlines()[0].split(";")
    for name in (
        "local-3.33-terse-2-four-jobs.csv",
        "local-3.28-terse.csv",
        "local-2.21-terse-4-four-jobs.csv",
        "local-3.41-terse-5-four-jobs.csv",
    )
)
OLD = text_of("local-1.58-terse.csv").splitlines()
PLACES = {
    "bytes.total": (0, 1024),
    "iops.mean": (2, 1),
    "duration.total": (3, 1e-3),
    "submission_latency.min": (4, 1e-6),
    "submission_latency.stddev": (7, 1e-6),
    "completion_latency.min": (8, 1e-6),
    "completion_latency.max": (9, 1e-6),
    "completion_latency.mean": (10, 1e-6),
    "completion_latency.stddev": (11, 1e-6),
    "latency.min": (32, 1e-6),
    "latency.max": (33, 1e-6),
    "latency.mean": (34, 1e-6),
    "latency.stddev": (35, 1e-6),
}


def numbered(fields, start, width):
    """The line with a number of its own in every field of its first two blocks."""
    changed = list(fields)
    for place in range(start, start + 2 * width):
        value = str(1000 + place)
        if "%=" in changed[place]:
            value = f"{changed[place].partition('=')[0]}={value}"
        changed[place] = value + "%" * (changed[place].endswith("%"))
    return changed


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize(
    ("fields", "start", "width"),
    [(V2, 4, 41), (V3, 5, 41), (V4, 5, 41), (V5, 5, 47)],
    ids=["2", "3", "4", "5"],
)
def test_each_place_has_its_name(fields, start, width, name):
    (result,) = read(";".join(numbered(fields, start, width)))
    place, unit = PLACES[name]
    found = numbers(result)
    for number, side in enumerate(("read", "write")):
        value = 1000 + start + number * width + place
        assert found[f"{side}.{name}"] == pytest.approx(value * unit)


@pytest.mark.parametrize(("fields", "start"), [(V2, 4), (V3, 5), (V5, 5)], ids=["2", "3", "5"])
def test_bandwidth_is_kib(fields, start):
    changed = [*fields]
    changed[start : start + 4] = ["0", "77", "1", "1000"]
    (result,) = read(";".join(changed))
    assert numbers(result)["read.throughput.mean"] == 77 * 1024


def test_percentiles_are_those_of_the_completion_and_fillers_are_none():
    (result,) = read(";".join(V3))
    printed = V3[5 + 12 : 5 + 32]
    assert printed[:2] != printed[2:4]
    assert printed[-1] == "0%=0"
    percent, _, value = printed[12].partition("%=")
    assert percent == "99.000000"
    assert numbers(result)["read.completion_latency.p99"] == int(value) / 1e6
    assert not any(name.startswith("read.latency.p") for name in numbers(result))
    assert sum(name.startswith("read.completion_latency.p") for name in numbers(result)) == 17


def test_version_2_of_fio_1_has_rates_of_1000_bytes_and_no_iops():
    (result,) = read("\n".join(OLD))
    (line,) = (line for line in OLD if line.startswith("2;"))
    fields = line.split(";")
    found = numbers(result)
    assert result.tool_version == "1.58"
    assert found["read.bytes.total"] == int(fields[4]) * 1024
    assert found["read.throughput.mean"] == int(fields[5]) * 1000
    assert found["read.duration.total"] == int(fields[6]) / 1000
    assert found["write.throughput.mean"] == int(fields[25]) * 1000
    assert not any("iops" in name for name in found)


def test_trims_stand_in_version_4_and_not_in_version_3():
    changed = [*V4]
    changed[5 + 82 : 5 + 86] = ["40", "4", "1", "10000"]
    (result,) = read(";".join(changed))
    assert numbers(result)["trim.bytes.total"] == 40 * 1024


def test_processor_time_is_that_of_the_job():
    (result,) = read(";".join(V3))
    user, system = V3[5 + 82 : 5 + 84]
    found = numbers(result)
    assert found["run.cpu_user.mean"] == float(user.rstrip("%")) / 100
    assert found["run.cpu_system.mean"] == float(system.rstrip("%")) / 100


def test_lines_of_four_jobs_are_four_results():
    results = results_of("local-2.2.10-terse-2-four-jobs.csv")
    lines = text_of("local-2.2.10-terse-2-four-jobs.csv").splitlines()
    amounts = [int(line.split(";")[4 + 41]) * 1024 for line in lines if line]
    assert [numbers(result)["write.bytes.total"] for result in results] == amounts


def test_a_semicolon_in_a_name_shifts_no_figure():
    (result,) = results_of("local-3.33-terse-3-odd-name.csv")
    assert result.label == "4k;random 読み込み"
    assert numbers(result)["read.bytes.total"] == 8192 * 1024
    assert numbers(result)["read.iops.mean"] == 19504


def test_a_description_after_the_disks_is_no_figure():
    (result,) = results_of("local-3.33-terse-4-described.csv")
    assert result.details["desc"] == "two; words = 5"
    assert result.details["disk_util"][0]["name"] == "vda"


def test_errors_that_were_gone_past_stand_between_disks_and_description():
    described = text_of("local-3.33-terse-4-described.csv").rstrip("\n")
    (result,) = read(described.replace(";two;", ";3;28;two;"))
    assert numbers(result)["run.errors.total"] == 3
    assert (result.details["first_error"], result.details["desc"]) == (28, "two; words = 5")


def test_unified_reporting_is_one_mixed_side():
    (result,) = results_of("local-3.33-terse-3-unified.csv")
    assert {name.split(".")[0] for name in numbers(result)} == {"mixed", "run"}


def test_of_snapshots_of_jobs_one_after_the_other_the_last_of_each_counts():
    first, second = results_of("local-3.33-terse-3-snapshots-stonewall.csv")
    lines = text_of("local-3.33-terse-3-snapshots-stonewall.csv").splitlines()
    assert (first.label, second.label) == ("one", "two")
    assert numbers(first)["read.bytes.total"] == int(lines[-2].split(";")[5]) * 1024
    assert numbers(second)["write.bytes.total"] == int(lines[-1].split(";")[46]) * 1024


def test_of_snapshots_the_last_counts():
    (result,) = results_of("local-3.33-terse-3-snapshots.csv")
    lines = text_of("local-3.33-terse-3-snapshots.csv").splitlines()
    assert numbers(result)["read.bytes.total"] == int(lines[-1].split(";")[5]) * 1024
    assert result.details["snapshots"] == len(lines)


def test_of_snapshots_of_several_jobs_alike_the_last_of_each_counts():
    results = results_of("local-3.33-terse-3-snapshots-of-three-jobs.csv")
    lines = text_of("local-3.33-terse-3-snapshots-of-three-jobs.csv").splitlines()
    amounts = [int(line.split(";")[5]) * 1024 for line in lines[-3:]]
    assert [numbers(result)["read.bytes.total"] for result in results] == amounts


def test_lines_of_jobs_that_did_no_io_yet_are_of_the_snapshots_of_their_run():
    results = results_of("local-3.33-terse-3-snapshots-before-a-job-begins.csv")
    assert "-nan%" in text_of("local-3.33-terse-3-snapshots-before-a-job-begins.csv")
    assert [result.lines[0] for result in results] == [11, 12]


def grown(fields, run_ms, kib, switches="9"):
    """A line of one read, and how far it had come."""
    changed = [*fields[:-9]]
    changed[5 : 5 + 41] = ["0"] * 41
    changed[5:9] = [str(kib), "100", "25", str(run_ms)]
    changed[5 + 12 : 5 + 32] = fields[5 + 12 : 5 + 32]
    changed[5 + 41 : 5 + 82] = [*["0"] * 12, *["0%=0"] * 20, *["0"] * 9]
    changed[5 + 84] = switches
    return ";".join(changed) + "\n"


def test_jobs_alike_of_which_one_did_a_little_more_are_no_snapshots():
    """`numjobs=3`, which end with the last of their blocks."""
    text = "".join(grown(V3, ms, kib) for ms, kib in ((1000, 400), (1030, 404), (1001, 400)))
    assert len(read(text)) == 3


def test_two_lines_alike_that_may_be_snapshots_say_so():
    first, second = grown(V3, 1000, 400), grown(V3, 1700, 700, "12")
    (result,) = read(first + second)
    assert result.doubts[0].startswith("Terse line 2 is read as a later report of the job")
    assert len(read(first + grown(V3, 1700, 700, "8"))) == 2


def test_jobs_with_the_same_figures_of_the_disk_are_no_snapshots():
    line = ";".join(V3)
    more = line.replace(";".join(V3[5:9]), f"{int(V3[5]) + 400};{V3[6]};{V3[7]};{int(V3[8]) + 500}")
    assert more != line
    assert len(read(f"{line}\n{more}\n")) == 2


def test_a_failed_job_keeps_its_numbers_and_says_so():
    good, full = results_of("local-3.33-terse-3-disk-full.csv")
    assert good.error is None
    assert full.error == {"code": 28, "message": "No space left on device"}


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (";".join(V3[:80]), "terse line 1: its 80 fields are not those of terse version 3"),
        (";".join(["9", *V3[1:]]), "terse line 1: terse version 9 is not known"),
        (",".join(V3), "terse line 1: its semicolons were turned into commas"),
        (";".join([*V3[:5], "nan", *V3[6:]]), "terse line 1: expected a number, found 'nan'"),
        (";".join([*V3[:20], *V3[21:]]), "terse line 1: its 129 fields are not those of terse"),
    ],
)
def test_damage_is_refused_with_the_line_and_the_reason(damaged, sentence):
    with pytest.raises(ParseError) as refused:
        parse(damaged.encode())
    assert refused.value.sentence.startswith(sentence)
