"""What each number of pgbench is called, held against the text it came from."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.parsers.result import ParseError
from tests.parsers.golden import SAMPLES

RUN_15 = (SAMPLES / "pgbench/local-15-tpcb-time.txt").read_text()
RUN_90 = (SAMPLES / "pgbench/shape-9.0.txt").read_text()
SCRIPTS = (SAMPLES / "pgbench/local-15-multi.txt").read_text()


def read(text):
    return parse(text.encode())


def numbers(result):
    return {(m.metric, m.statistic): m.value for m in result.measurements}


def test_the_rate_without_connection_time_is_the_rate_and_the_other_a_detail():
    (result,) = read(RUN_90).results
    assert numbers(result)["transactions", "mean"] == 301.510476
    assert result.details["transactions_including_connecting"] == 301.454305


def test_a_rate_with_connection_time_counts_where_it_alone_was_kept():
    (result,) = read("tps = 85.184871 (including connections establishing)\nthe end\n").results
    assert numbers(result) == {("transactions", "mean"): 85.184871}


def test_rates_of_single_scripts_are_details_and_never_the_total():
    (result,) = read(SCRIPTS).results
    assert numbers(result)["transactions", "mean"] == 4182.503539
    assert [script["transactions_per_s"] for script in result.details["scripts"]] == [
        825.415037,
        3357.088502,
    ]
    assert numbers(result)["operations", "total"] == 12526


def test_several_scripts_and_their_weights_are_an_option():
    (result,) = read(SCRIPTS).results
    assert result.options["scripts"] == "TPC-B (sort of)@2, select only@8"
    other = SCRIPTS.replace("<builtin: select only>", "/home/ann/reads.sql")
    assert read(other).results[0].options["scripts"] == "TPC-B (sort of)@2, reads.sql@8"
    assert "scripts" not in read(RUN_15).results[0].options


def test_a_run_that_was_held_to_a_rate_says_so():
    text = (SAMPLES / "pgbench/local-15-rate-and-limit.txt").read_text()
    (result,) = read(text).results
    assert result.options["rate-limited"] == "1"
    assert "held to a rate (-R)" in result.doubts[0]
    assert not read(RUN_15).results[0].doubts


@pytest.mark.parametrize("count", ["9" * 30, ",".join(["999"] * 9)])
@pytest.mark.parametrize(
    "line", ["number of clients: 4", "actually processed: 4015", "scaling factor: 2"]
)
def test_a_count_beyond_all_counting_is_refused_with_its_line(line, count):
    damaged = RUN_15.replace(line, line.rpartition(" ")[0] + f" {count}")
    assert damaged != RUN_15
    with pytest.raises(ParseError, match=r"^line \d+: [9,]+ is more than pgbench can count"):
        read(damaged)


def test_the_version_of_the_server_stands_behind_that_of_the_package():
    banner = "pgbench (15.20 (Debian 15.20-0+deb12u1), server 14.2 (Debian 14.2-1))"
    text = RUN_15.replace(RUN_15[: RUN_15.index("\n")], banner)
    (result,) = read(text).results
    assert (result.tool_version, result.details["server_version"]) == ("15.20", "14.2")


def test_milliseconds_become_seconds():
    (result,) = read(RUN_15).results
    assert numbers(result)["latency", "mean"] == 0.003
    assert result.details["initial_connection_s"] == 0.006901


def test_what_was_requested_is_the_workload():
    assert read(RUN_15).results[0].workload == {
        "jobs": 2,
        "clients": 4,
        "duration_s": 3.0,
        "scale": 2,
        "script": "TPC-B (sort of)",
    }


def test_builtin_scripts_have_one_name_in_all_versions():
    old = read(RUN_90.replace("TPC-B (sort of)", "SELECT only")).results[0]
    new = read(RUN_15.replace("TPC-B (sort of)", "select only")).results[0]
    assert old.workload["script"] == new.workload["script"] == "select only"


def test_runs_are_distinguished_by_the_order_of_their_lines():
    result_lines = [line for line in RUN_15.splitlines() if line.startswith(("latency", "tps"))]
    results = read(
        "\n".join([result_lines[1], *result_lines, result_lines[0], result_lines[1]]) + "\n"
    ).results
    assert [("latency", "mean") in numbers(result) for result in results] == [False, True, True]


def test_progress_is_a_trace_of_its_own_run():
    text = "progress: {}.0 s, {}.5 tps, lat 2.000 ms stddev 0.100\n"
    run = "".join(text.format(n, n) for n in (1, 2)) + RUN_15
    first, second = read(run * 2).results
    for result in (first, second):
        rates, latencies = result.traces
        assert (list(rates.seconds), list(rates.values)) == ([1.0, 2.0], [1.5, 2.5])
        assert list(latencies.values) == [0.002, 0.002]


def test_an_aborted_run_keeps_its_numbers_and_says_so():
    result = parse((SAMPLES / "pgbench/local-15-partly-aborted.txt").read_bytes()).results[0]
    assert result.error is not None
    assert result.error["message"] == "Run was aborted; the above results are incomplete."
    assert numbers(result)["operations", "total"] == 22


@pytest.mark.parametrize(
    ("printed", "value"),
    [("15,000.412140", 15000.41214), ("398,049726", 398.049726), ("4,500,000.5", 4500000.5)],
)
def test_commas_are_read_where_they_can_mean_one_thing(printed, value):
    (result,) = read(RUN_15.replace("1333.324478", printed)).results
    assert numbers(result)["transactions", "mean"] == value


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (
            RUN_15.replace("1333.324478", "1,333"),
            "line 14: expected the rate from pgbench, found '1,333'",
        ),
        (
            RUN_15.replace("1333.324478", "nan"),
            "line 14: expected the rate from pgbench, found 'nan'",
        ),
        (RUN_15[: RUN_15.index("tps")], "line 13: a pgbench summary without its tps line"),
        (RUN_90[: RUN_90.rindex("tps")], "line 9: a pgbench summary without its tps line"),
        ("progress: 1.0 s, 7.0 tps\n", "line 1: pgbench progress without its summary"),
        ("pgbench: fatal: no such database\n", "line 1: pgbench failed: no such database"),
        ("creating tables...\n100 of 100 tuples (100%) done\n", "not a disk result: pgbench -i"),
    ],
)
def test_damage_is_refused_with_the_line_and_the_reason(damaged, sentence):
    with pytest.raises(ParseError) as refused:
        read(damaged)
    assert refused.value.sentence.startswith(sentence)


def test_runs_below_headings_are_called_as_these_are():
    text = f"# Pools\n\n## PgBouncer ##\n\n{RUN_15}\n### PgCat\n{RUN_15}{RUN_15}"
    assert [result.label for result in read(text).results] == ["PgBouncer", "PgCat", "PgCat"]
    assert [result.label for result in read(f"## pgbench\n{RUN_15}{RUN_15}").results] == ["", ""]
