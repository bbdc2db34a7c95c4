"""What groups are called beside each other, where all that tells them apart would be too long."""

from __future__ import annotations

from itertools import product

from benchdash.results.comparison.names import short_names, whole_name
from benchdash.results.comparison.values import Value
from benchdash.results.factors import NONE, Factor

CLIENTS, DURATION = Factor("workload", "clients"), Factor("workload", "duration_s")
OPTIONS, VERSION, HOST = Factor("options"), Factor("version"), Factor("host")


def row(*texts):
    return [Value(text, text, (1, text)) if text else Value(NONE, "none", (2,)) for text in texts]


def test_what_people_ask_for_first_is_never_cut_off():
    factors = (DURATION, OPTIONS, VERSION, CLIENTS)
    rows = [
        row(f"{seconds} s", f"max-tries={seconds}", f"pgbench 1{seconds}", clients)
        for seconds, clients in ((1, "4"), (2, "4"), (3, "8"), (4, "8"))
    ]
    assert [name.rpartition("Clients ")[2] for name in short_names(rows, factors)] == [
        *("4", "4", "8", "8")
    ]


def test_four_factors_that_are_all_needed_are_all_named():
    factors = tuple(
        Factor("layer", name)
        for name in ("disk.scheduler", "ext4.data", "md.chunk_bytes", "md.level")
    )
    rows = [
        row(*texts)
        for texts in product(("none", "bfq"), ("ordered", "journal"), ("64K", "1M"), "56")
    ]
    names = short_names(rows, factors)
    assert len(set(names)) == 16
    assert names[0] == "disk scheduler none · ordered · md chunk 64K · md level 5"
    assert whole_name(names[0], rows[0], factors) == ""
    assert not [name for name in names if "…" in name]


def test_a_version_that_was_not_printed_is_no_word_where_there_is_one_tool():
    rows = [row("4", "pgbench "), row("8", "pgbench 15.4")]
    assert short_names(rows, (CLIENTS, VERSION)) == [
        *("Clients 4", "Clients 8 · pgbench version 15.4")
    ]
    both = [row("4", "pgbench "), row("", "fio 3.33")]
    assert short_names(both, (CLIENTS, VERSION)) == ["Clients 4 · pgbench", "fio version 3.33"]


def test_a_machine_that_no_output_names_is_no_word():
    rows = [row("azure", "4"), row("", "8")]
    assert short_names(rows, (HOST, CLIENTS)) == ["azure · Clients 4", "Clients 8"]


def test_an_environment_that_is_called_by_its_hosts_does_not_have_them_twice():
    factors = [Factor("host"), Factor("environment")]
    rows = [
        [Value("store-1", "store-1", (1,)), Value("17", "store-1 #17", (1,))],
        [Value("store-1", "store-1", (1,)), Value("21", "Rack 7", (1,))],
    ]
    assert short_names(rows, factors) == ["store-1 #17", "store-1 · Rack 7"]
