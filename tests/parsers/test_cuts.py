"""What a file gives that was cut inside a number: nothing wrong without a word."""

from __future__ import annotations

import itertools

import pytest

from benchdash.parsers import parse
from tests.cut_parsers import places, silent_cuts
from tests.parsers.golden import SAMPLES, samples

# all cuts take minutes: `make cuts`
_AT_THE_END = 60
_ELSEWHERE = 61


@pytest.mark.parametrize("sample", samples(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_no_cut_within_a_number_changes_a_value_in_silence(sample):
    data = sample.read_bytes()
    at = list(places(data))
    some = [*at[:-_AT_THE_END:_ELSEWHERE], *at[-_AT_THE_END:]]
    assert list(itertools.islice(silent_cuts(data, sample.name, some), 3)) == []


CSV = (
    b"xen01,16G,72087,89,87962,17,38257,5,83055,90,85773,5,178.8,0,16,"
    b"95510,100,+++++,+++,108221,100,98191,100,85476,99,111761,100"
)


def test_a_last_line_without_newline_whose_last_figure_is_stored_is_doubted():
    for data, figure in ((CSV, "100"), (CSV[:-1], "10")):
        (result,) = parse(data).results
        assert parse(data).incomplete is None
        assert result.by_name()["rand_delete", "cpu", "mean"] == float(figure) / 100
        (doubt,) = result.doubts
        assert doubt == (
            f"The file ends without a newline, and its last figure ({figure}) is one of these "
            "numbers: it may have been cut. Compare it with the original file."
        )


def test_a_doubt_of_the_last_figure_is_of_its_own_result_only():
    first, last = parse(CSV + b"\n" + CSV.replace(b"xen01", b"xen02")).results
    assert not first.doubts and last.doubts


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\nthe last of 3", b"\n\n# 12"])
def test_a_last_figure_that_is_not_stored_is_no_doubt(end):
    (result,) = parse(CSV + end).results
    assert not result.doubts


NAMES = [
    "dbench/local-4.00-sync-open.txt",
    "fio/local-3.28-mixed.txt",
    "fio/local-3.33-mixed.json",
    "fio/local-3.33-terse-and-text.txt",
    "fio/local-1.58-mixed.txt",
    "pgbench/local-15-aborted.txt",
    "bonnie++/drbd-1.03c-condition-1.txt",
    "sysbench/local-1.0.20-rndrw-direct.txt",
]


@pytest.mark.parametrize("name", NAMES)
def test_a_complete_file_without_its_last_newline_is_read_as_before(name):
    data = (SAMPLES / name).read_bytes()
    whole, without = parse(data), parse(data.rstrip(b"\n"))
    assert [r.by_name() for r in without.results] == [r.by_name() for r in whole.results]
    assert without.incomplete == whole.incomplete
    assert not any(result.doubts for result in without.results)


def test_a_report_of_fio_that_ends_within_its_closing_lines_is_doubted():
    data = (SAMPLES / "fio/local-3.7-snapshots.txt").read_bytes()
    last = parse(data).results[0].by_name()
    for end in (b"READ: bw=5", b"  vda: ios=13"):
        (result,) = parse(data[: data.index(end) + len(end)]).results
        assert result.by_name() != last
        assert result.doubts[0].startswith("The text ends within line ")
