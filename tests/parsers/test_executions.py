"""Which results of a file come from one execution, and which of those ran at the same time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from benchdash.parsers import parse
from tests.parsers.fio_samples import json_of, read, text_of
from tests.parsers.golden import SAMPLES


def places(printed: str | bytes) -> list[tuple[int, int]]:
    """(execution, group) of each result, in reading order."""
    data = printed.encode() if isinstance(printed, str) else printed
    return [(result.execution, result.group) for result in parse(data).results]


def of_tool(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("fio/local-2.1.3-four-jobs.json", [(0, 0)] * 4),
        ("fio/local-3.33-four-jobs.json", [(0, 0)] * 4),
        ("fio/local-3.16-three-groups.json", [(0, 0), (0, 1), (0, 2)]),
        ("fio/local-3.41-three-groups.json", [(0, 0), (0, 1), (0, 2)]),
        ("fio/local-3.33-two-runs.json", [(0, 0), (1, 0)]),
        ("fio/local-3.33-client.json", [(0, 0)] * 2),
        ("fio/local-1.58-three-groups.txt", [(0, 0), (0, 1), (0, 2)]),
        ("fio/drbd-1.58-three-with-headings.txt", [(0, 0), (1, 0), (2, 0)]),
        ("fio/local-3.33-terse-3-snapshots-stonewall.csv", [(0, 0), (0, 1)]),
        ("fio/local-3.33-json+-terse-and-text.txt", [(0, 0)]),
        ("bonnie++/local-2.00a-x3.txt", [(0, 0), (1, 0), (2, 0)]),
        ("bonnie++/drbd-1.03c-eight-runs.txt", [(n, 0) for n in range(8)]),
        ("bonnie++/local-2.00a-default.txt", [(0, 0)]),
    ],
)
def test_samples_have_these_executions_and_groups(name, expected):
    assert places(of_tool(name)) == expected


def test_outputs_of_several_tools_in_one_file_are_executions_in_reading_order():
    pasted = b"\n".join(
        of_tool(name)
        for name in (
            "dbench/local-4.00-sync-open.txt",
            "fio/local-3.33-three-groups.txt",
            "dbench/local-4.00-target-rate.txt",
            "pgbench/local-15-aborted.txt",
        )
    )
    assert places(pasted) == [(0, 0), (1, 0), (1, 1), (1, 2), (2, 0), (3, 0)]


def test_a_sample_pasted_twice_is_two_executions():
    name = "fio/local-3.33-three-groups.txt"
    assert places(of_tool(name) * 2) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def document(*jobs: dict[str, Any]) -> str:
    """A document of a fio that prints options without a value (3.41)."""
    whole = json_of("local-3.41-three-groups.json")
    one = whole["jobs"][0]
    whole["jobs"] = [one | {"job options": {"rw": "write", "bs": "128k"}} | job for job in jobs]
    return json.dumps(whole)


def job(groupid: int, name: str = "one", **options: str) -> dict[str, Any]:
    return {
        "jobname": name,
        "groupid": groupid,
        "job options": {"rw": "write", "bs": "128k"} | options,
    }


def test_a_new_group_that_waits_for_nothing_runs_beside_the_one_before():
    assert places(document(job(0), job(1, new_group=""), job(2, stonewall=""))) == [
        (0, 0),
        (0, 0),
        (0, 1),
    ]


def test_a_new_group_that_waits_does_not():
    assert places(document(job(0), job(1, new_group="", stonewall=""))) == [(0, 0), (0, 1)]
    assert places(document(job(0), job(1, "two", new_group="", wait_for="one"))) == [(0, 0), (0, 1)]


def test_a_new_group_of_which_nothing_is_printed_is_a_group_of_its_own():
    assert places(document(job(0), job(1))) == [(0, 0), (0, 1)]


def test_a_job_that_waits_for_another_of_its_group_runs_later():
    jobs = job(0), job(0, "two", wait_for="one"), job(0, "three", wait_for="one")
    assert places(document(*jobs)) == [(0, 0), (0, 1), (0, 1)]


def test_hosts_of_one_client_run_at_the_same_time_group_by_group():
    jobs = [
        job(group, **({"stonewall": ""} if group else {})) | {"hostname": host, "port": 8765}
        for host in ("node-a", "node-b")
        for group in (0, 1)
    ]
    assert places(document(*jobs)) == [(0, 0), (0, 1), (0, 0), (0, 1)]


FOUR_WITH_DISK = "local-3.41-terse-5-four-jobs.csv"
FOUR_WITHOUT = "local-3.33-terse-2-four-jobs.csv"


def terse(name: str, *jobs: tuple[str, int]) -> str:
    """The first terse line of a sample for each of these jobs: name and group."""
    line = text_of(name).splitlines()[0]
    assert line.count(";quad;0;") == 1
    return "".join(line.replace(";quad;0;", f";{job};{group};") + "\n" for job, group in jobs)


def test_terse_lines_with_the_same_figures_of_the_disk_are_of_one_execution():
    results = read(text_of(FOUR_WITH_DISK))
    assert [(r.execution, r.group) for r in results] == [(0, 0)] * 4
    assert not any(result.doubts for result in results)


def test_terse_lines_with_other_figures_of_the_disk_are_of_another_execution():
    line = text_of(FOUR_WITH_DISK).splitlines()[0]
    fields = line.split(";")
    fields[-7] = str(int(fields[-7]) + 1)
    results = read(f"{line}\n{';'.join(fields)}\n")
    assert [(r.execution, r.group) for r in results] == [(0, 0), (1, 0)]
    assert not any(result.doubts for result in results)


def test_terse_lines_that_begin_again_are_another_execution():
    jobs = ("a", 0), ("b", 1), ("a", 0), ("b", 1)
    assert places(terse(FOUR_WITHOUT, *jobs)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    jobs = ("a", 0), ("b", 0), ("a", 0), ("b", 0)
    assert places(terse(FOUR_WITHOUT, *jobs)) == [(0, 0), (0, 0), (1, 0), (1, 0)]


def test_terse_lines_that_do_not_say_whether_they_ran_together_say_so():
    results = read(text_of(FOUR_WITHOUT))
    assert [(r.execution, r.group) for r in results] == [(0, 0)] * 4
    (doubt,) = {sentence for result in results for sentence in result.doubts}
    assert doubt.startswith("Terse lines 1 to 4 do not say whether their 4 jobs ran at the")


def test_a_version_line_of_fio_1_begins_an_execution():
    once = text_of("local-1.58-terse.csv")
    assert places(once) == [(0, 0)]
    assert places(once * 3) == [(0, 0), (1, 0), (2, 0)]
