"""Printed figures and the numbers that they are: linked where certain, else not."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchdash.parsers import parse
from benchdash.parsers import printed as module
from benchdash.parsers.printed import printed_numbers
from benchdash.parsers.source import Source

SAMPLES = Path(__file__).parent.parent / "samples"
INPUTS = Path(__file__).parents[2] / "benchmarks" / "inputs"


def found(path, place=0):
    """The numbers of one result of a file, and `{name: what is printed}`."""
    data = path.read_bytes()
    text = Source(data).text
    result = parse(data, path.name).results[place]
    numbers = result.by_name()
    links = printed_numbers(text, numbers, place, result.lines)
    return numbers, {one.name: text[one.start : one.end] for one in links}


@pytest.mark.parametrize(
    "path",
    [
        SAMPLES / "bonnie++/drbd-1.03c-condition-1.txt",
        SAMPLES / "bonnie++/local-2.00a-c4.csv",
        SAMPLES / "bonnie++/local-2.00a-default.txt",
        SAMPLES / "pgbench/local-15-selectonly.txt",
        SAMPLES / "nasty/bonnie-semicolon.csv",
        SAMPLES / "nasty/json-utf16le.json",
        INPUTS / "fio.json",
    ],
    ids=lambda path: path.name,
)
def test_every_number_is_found_where_it_is_printed(path):
    numbers, links = found(path)
    assert links.keys() == numbers.keys()


def test_dbench_rows_are_found():
    numbers, links = found(next((SAMPLES / "dbench").glob("local-*.txt")))
    assert len(links) > len(numbers) * 0.9


def test_the_printed_figure_is_the_number_up_to_its_unit():
    _numbers, links = found(SAMPLES / "bonnie++/drbd-1.03c-condition-7.txt")
    numbers, _links = found(SAMPLES / "bonnie++/drbd-1.03c-condition-7.txt")
    assert (
        float(links["seq_write", "throughput", "mean"]) * 1024
        == numbers["seq_write", "throughput", "mean"]
    )
    assert float(links["seq_write", "cpu", "mean"]) / 100 == numbers["seq_write", "cpu", "mean"]


def test_what_was_computed_is_not_linked():
    """fio's text rounds the rate of few operations; the parser divides these by the run time."""
    data = (INPUTS / "fio.txt").read_bytes()
    numbers, links = found(INPUTS / "fio.txt")
    assert 0 < len(links) < len(numbers)
    assert b"bw=" in data
    assert ("rand_read", "throughput", "mean") not in links


def test_each_result_of_a_file_finds_its_own_figures():
    path = SAMPLES / "bonnie++/drbd-1.03c-eight-runs.txt"
    text = Source(path.read_bytes()).text
    results = parse(path.read_bytes()).results
    assert len(results) == 8
    for place, result in enumerate(results):
        links = printed_numbers(text, result.by_name(), place, result.lines)
        assert len(links) == len(result.by_name())
        first, last = result.lines
        lines = {text.count("\n", 0, one.start) + 1 for one in links}
        assert min(lines) >= first
        assert max(lines) <= last


def test_numbers_that_the_text_does_not_give_are_not_looked_for():
    numbers = {("seq_write", "throughput", "mean"): 90073088.0}
    path = SAMPLES / "bonnie++/drbd-1.03c-condition-1.txt"
    assert printed_numbers(Source(path.read_bytes()).text, numbers, 0, (1, 9)) == []


def test_the_work_is_bounded(monkeypatch):
    read = []
    honest = module.parse
    monkeypatch.setattr(module, "parse", lambda data: read.append(len(data)) or honest(data))
    zeros = b'{"fio version": "fio-3.1", "jobs": [' + b'{"a": 0},' * 20_000 + b'{"a": 0}]}'
    printed_numbers(zeros.decode(), {("run", "errors", "total"): 0.0}, 0)
    found(INPUTS / "fio-plus.json")
    assert sum(read) < module.MOST_READ_CHARACTERS * 2
    assert printed_numbers("1 " * 2**19, {("run", "errors", "total"): 1.0}, 0) == []
