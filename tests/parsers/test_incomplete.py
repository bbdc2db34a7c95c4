"""What is left of a run whose output breaks off says so itself, not only its file."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from tests.parsers.golden import SAMPLES
from tests.results.result_files import bonnie_row

SNAPSHOTS = (SAMPLES / "fio/local-3.33-snapshots-json.txt").read_text()
FIO = (SAMPLES / "fio/local-3.33-three-groups.txt").read_text()
TERSE = (SAMPLES / "fio/local-3.33-terse-3-groups-of-different-jobs.csv").read_text()
BONNIE = (SAMPLES / "bonnie++/local-2.00a-default.txt").read_text()
SCRIPTS = (SAMPLES / "pgbench/local-15-multi.txt").read_text()
ROW = bonnie_row()


def until(text, mark, nth=1):
    """`text` before the `nth` mark."""
    return mark.join(text.split(mark)[:nth])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SNAPSHOTS[: len(SNAPSHOTS) * 9 // 10], "fio JSON ends too early at line"),
        (until(FIO, "cpu   ", 2), "the text ends after line"),
        (TERSE[:-400], "are not those of terse version 3"),
        (until(BONNIE, "Version", 2), "the text ends before the end of"),
        (until(BONNIE, "1.98,2.00a") + "1.98,2.00a,loc", "the text ends within the CSV line"),
        (until(BONNIE, "+++++,+++,", 2), "a CSV line of bonnie++ 2.00a has 50 fields"),
        (ROW.rpartition(",")[0] + ",", "the text ends within the CSV line of bonnie++"),
        (
            until(SCRIPTS, "9.7% of total, tps = ") + "9.7% of total, tps = 8",
            "the text ends within",
        ),
    ],
    ids=["json", "text", "terse", "table", "name", "csv-line", "csv-field", "pgbench"],
)
def test_the_run_that_breaks_off_is_doubted(text, sentence):
    parsed = parse(text.encode())
    assert sentence in parsed.incomplete
    (doubt,) = parsed.results[-1].doubts
    assert doubt.startswith("The output is incomplete: ")


@pytest.mark.parametrize("whole", [SNAPSHOTS, FIO, TERSE, BONNIE, SCRIPTS, ROW, ROW * 3])
def test_what_is_whole_is_not(whole):
    parsed = parse(whole.encode())
    assert not parsed.incomplete
    assert not any(result.doubts for result in parsed.results)


def test_a_whole_run_is_not_doubted_because_the_next_one_breaks_off():
    first, second = parse((FIO + until(FIO, "cpu   ", 2)).encode()).results[-4::3]
    assert not first.doubts
    assert second.doubts
