"""What damaged files give: the one error, or results that the whole file gives too."""

from __future__ import annotations

import time
import tracemalloc
from html import escape
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchdash import parsers
from benchdash.parsers.result import MOST_RESULTS, Parsed, ParseError
from tests.damage import damaged
from tests.fuzz_parsers import outcome
from tests.parsers.golden import samples

FILES = {f"{path.parent.name}/{path.name}": path.read_bytes() for path in samples()}


def parse(data: bytes, name: str = "") -> Parsed | None:
    try:
        return parsers.parse(data, name)
    except ParseError:
        return None


# Where a shorter file is whole as well, and says something else.
_TABLE = "a table rounds, and from 1.98 on it leaves out rates; the CSV line under it does not"
_SNAPSHOTS = "each snapshot of a run is whole until the next one comes"
_TERSE = "terse lines round; the other formats of the run do not"
_TEXT = "text before the JSON of the run rounds"
WHOLE_WHEN_SHORT = {
    "bonnie++/local-2.00a-chunk-and-sizes.txt": _TABLE,
    "bonnie++/local-2.00a-default.txt": _TABLE,
    "bonnie++/shape-1.03-links-and-chunk.txt": _TABLE,
    "bonnie++/shape-2.00-table-and-csv.txt": _TABLE,
    "fio/local-2.14-snapshots-json.txt": _SNAPSHOTS,
    "fio/local-2.2.10-snapshots-json.txt": _SNAPSHOTS,
    "fio/local-3.33-json+-terse-and-text.txt": _TERSE,
    "fio/local-3.33-snapshots-json.txt": _SNAPSHOTS,
    "fio/local-3.33-snapshots-stonewall-json.txt": _SNAPSHOTS,
    "fio/local-3.33-terse-3-snapshots-before-a-job-begins.csv": _SNAPSHOTS,
    "fio/local-3.33-terse-3-snapshots-of-three-jobs.csv": _SNAPSHOTS,
    "fio/local-3.33-terse-3-snapshots-stonewall.csv": _SNAPSHOTS,
    "fio/local-3.33-terse-3-snapshots.csv": _SNAPSHOTS,
    "fio/local-3.33-terse-and-text.txt": _TERSE,
    "fio/local-3.33-two-clients-json-and-text.txt": _TEXT,
    "fio/local-3.33-two-clients-snapshots.txt": _SNAPSHOTS,
    "fio/local-3.7-snapshots.txt": _SNAPSHOTS,
    "pgbench/local-15-aborted.txt": "the count of failures is no part of older summaries",
    "pgbench/shape-13-sql-comments.sql": "people keep one of the two rates as well as both",
}

WHOLE = {name: parsed for name, data in FILES.items() if (parsed := parse(data, name))}


def figures(parsed: Parsed) -> list[set[tuple[object, ...]]]:
    """Every number and every refusal to give one, result by result."""
    return [
        {(m.operation, m.metric, m.statistic, m.value) for m in result.measurements}
        | {(note.operation, note.metric, note.note) for note in result.notes}
        for result in parsed.results
    ]


sample_names = st.sampled_from(sorted(FILES))
seeds = st.integers(0, 2**32)


@settings(max_examples=400)
@given(sample_names, sample_names, seeds)
@example("rados/local-16.2.15-rand.txt", "bonnie++/damaged-1.03c-csv-cut.txt", 2250)
def test_damage_gives_results_or_one_sentence(name, other, seed):
    assert outcome(damaged(FILES[name], FILES[other], Random(seed)))


@settings(max_examples=200)
@given(st.binary(max_size=2000))
def test_any_bytes_give_results_or_one_sentence(data):
    assert outcome(data)


@settings(max_examples=200)
@given(st.text(max_size=1000))
def test_any_text_gives_results_or_one_sentence(text):
    assert outcome(text.encode("utf-8", "surrogatepass"))


def cut_places(data: bytes) -> st.SearchStrategy[int]:
    return st.integers(0, len(data))


@settings(max_examples=400)
@given(st.data())
def test_half_a_line_adds_nothing(data):
    """A file cut within a line gives what it gives without the line, or with all of it, or a doubt."""
    name = data.draw(st.sampled_from(sorted(WHOLE)))
    whole = FILES[name]
    cut = data.draw(cut_places(whole))
    start = whole.rfind(b"\n", 0, cut) + 1
    end = whole.find(b"\n", cut) + 1 or len(whole)
    parsed = parse(whole[:cut], name)
    known = figures(WHOLE[name])
    for part in (whole[:start], whole[:end]):
        known += figures(found) if (found := parse(part, name)) else []
    for result, values in zip(parsed.results, figures(parsed), strict=True) if parsed else ():
        assert result.doubts or values in known


@settings(max_examples=400)
@given(st.data())
def test_a_shortened_file_says_what_is_missing(data):
    """Results that are fewer numbers than those of the whole file are never called complete."""
    name = data.draw(st.sampled_from(sorted(WHOLE.keys() - WHOLE_WHEN_SHORT.keys())))
    whole = FILES[name]
    lines = whole.splitlines(keepends=True)
    parsed = parse(b"".join(lines[: data.draw(st.integers(0, len(lines)))]), name)
    if parsed and not parsed.incomplete:
        known = figures(WHOLE[name])
        assert all(result in known for result in figures(parsed))


MARGINS = (b"2024-01-02T03:04:05.1234567Z ", b"[pod/fio-0/fio] ", b"// ", b"| ", b"> ")
OF_LINES = [
    name for name in sorted(WHOLE) if FILES[name].count(b"\n") > 3 and b"\0" not in FILES[name]
]


@settings(max_examples=200)
@given(st.sampled_from(OF_LINES), st.sampled_from(MARGINS))
def test_what_a_logger_puts_before_every_line_changes_no_figure(name, margin):
    marked = b"".join(margin + line + b"\n" for line in FILES[name].rstrip(b"\n").split(b"\n"))
    assert figures(parse(marked, name)) == figures(WHOLE[name])


@settings(max_examples=200)
@given(st.sampled_from(OF_LINES), st.sampled_from([b"%6d\t", b"%6d  ", b"%d "]), st.integers(1, 99))
def test_numbers_of_the_lines_change_no_figure(name, number, first):
    lines = FILES[name].rstrip(b"\n").split(b"\n")
    counted = b"".join(number % at + line + b"\n" for at, line in enumerate(lines, first))
    assert figures(parse(counted, name)) == figures(WHOLE[name])


@pytest.mark.parametrize("name", [each for each in sorted(WHOLE) if each.endswith("-mixed.json")])
def test_json_of_fio_within_a_page_is_read(name):
    page = f"<html><body><pre>{escape(FILES[name].decode())}</pre></body></html>"
    assert figures(parse(page.encode())) == figures(WHOLE[name])


MIB = 2**20
SECONDS_A_BYTE = 2 / (10 * MIB)
# what a result may cost beside: a file holds 10,000 at most
SECONDS_A_RESULT, BYTES_A_RESULT = 50e-6, 4096
QUIET_S = 0.042
NEAR_MISSES = {
    "lines of one byte": b"1\n",
    "blank lines": b"\n",
    "one line of blanks": b" ",
    "one line of digits": b"7",
    "one line of opening brackets": b"[",
    "nested objects": b'{"jobs":[',
    "commas": b",",
    "a CSV of other figures": b"a,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25\n",
    "CSV lines of bonnie++ with a field too few": b"x,8G,1,2,3,4,5,6,7,8,9,10,1,2,16"
    + b",1" * 11
    + b"\n",
    "CSV lines of bonnie++": b"xen01,16G" + b",+++++,+++" * 6 + b",16" + b",+++++,+++" * 6 + b"\n",
    "CSV lines of bonnie++ with figures": b"xen01,16G"
    + b",1234,12" * 6
    + b",16"
    + b",1234,12" * 6
    + b"\n",
    "short CSV lines of bonnie++": b"x,1G" + b",1,2" * 6 + b",1" + b",1,2" * 6 + b"\n",
    "CSV lines of bonnie++ without files": b"x,1G" + b",1,2" * 6 + b"," * 13 + b"\n",
    "CSV lines of bonnie++ with one test": b"x,1G,1,2" + b"," * 23 + b"\n",
    "CSV lines of bonnie++ without a test": b"x,1G" + b"," * 12 + b",1" + b"," * 12 + b"\n",
    "heads of bonnie++ tables": b"Version  1.97       ------Sequential Output------ --Sequential\n",
    "heads of fio jobs": b"x: (groupid=0, jobs=1): err= 0: pid=1\n",
    "announcements of fio": b"x: (g=0): rw=read, bs=4K-4K, ioengine=psync, iodepth=1\n",
    "sides of fio": b"x: (groupid=0, jobs=1): err= 0: pid=1\n  read: IOPS=1, BW=1KiB/s (1kB/s)(1KiB/1msec)\n",
    "groups of fio": b"Run status group 0 (all jobs):\n   READ: bw=1MiB/s\n",
    "progress of fio": b"Jobs: 1 (f=1): [R(1)][1.0%][r=1MiB/s][r=1 IOPS][eta 00m:01s]\r",
    "terse lines of fio": b"3;fio-3.33;x;0;0;1;2;3\n",
    "a log of fio": b"1, 2, 0, 4096\n",
    "empty documents of fio": b'{"fio version":"fio-3.33","jobs":[]}\n',
    "documents of fio with a figure": b'{"jobs":[{"jobname":"x","read":{"iops":1}}]}\n',
    "jobs of fio without a figure": b'{"jobs":[' + b'{"jobname":"x"},' * 2000 + b"{}]}\n",
    "objects of fio without a name": b'{"jobs":[' + b"{}," * 2000 + b"{}]}\n",
    "rates of dbench": b"Throughput 1 MB/sec 1 procs\n",
    "progress of dbench": b"   1   100  1.00 MB/sec  execute   1 sec  latency 1.000 ms\n",
    "rates of pgbench": b"tps = 1.0 (without initial connection time)\n",
    "pgbench progress": b"progress: 1.0 s, 7.0 tps, lat 435.396 ms stddev 120.347\n",
    "quotations": b"> ",
    "marks before every line": b"* tps\n",
    "times before every line": b"2024-01-02T03:04:05Z tps\n",
    "names before every line": b"a| tps\n" + b"a" * 100 + b"\n",
    "signs of a patch": b"+\n",
    "tags": b"<pre><b>x</b>\n",
    "entities": b"&gt;=",
    "soft line breaks": b"=3D=\n",
    "escapes": b"\x1b[31mtps\x1b[0m\n",
    "Shift_JIS": "tps 測定\n".encode("cp932"),
    "no encoding at all": b"tps \xff\xfe\n",
    "full-width digits": "tps０\n測定\n".encode(),
    "emoji": "tps 🚀\n".encode(),
}

# with a number in every line, so that no two are alike
NUMBERED = {
    "CSV lines of bonnie++ from as many machines": b"%06d,1G,1,1" + b"," * 23 + b"\n",
    "CSV lines of bonnie++ that started at as many times": b"1.97,1.97,x,1,15180%05d,1G,,1,1"
    + b"," * 39
    + b"\n",
    "numbers before every line": b"%06d tps\n",
}


def large(unit: bytes, size: int) -> bytes:
    return unit * (size // len(unit))


def near_miss(kind: str, size: int) -> bytes:
    line = NUMBERED.get(kind)
    if line is None:
        return large(NEAR_MISSES[kind], size)
    return b"".join(line % number for number in range(size // len(line % 0)))


def reference_s() -> float:
    """Plain work that a quiet machine of this kind does in QUIET_S: how slow is it just now?"""
    started = time.process_time()
    sum(number * number for number in range(1_000_000))
    return time.process_time() - started


def results_of(data: bytes, parsed: Parsed | None) -> int:
    """How many results were made, also of a file that was then refused for holding too many."""
    if parsed:
        return len(parsed.results)
    try:
        parsers.parse(data)
    except ParseError as error:
        return MOST_RESULTS if f"more than {MOST_RESULTS} " in error.sentence else 0
    return 0


def in_time(data: bytes, name: str) -> bool:
    """A busy machine makes one try slow, a bad parser each: held against work of the same run."""
    for _ in range(5):
        before = reference_s()
        started = time.process_time()
        parsed = parse(data, name)
        taken = time.process_time() - started
        slow = max(1.0, (before + reference_s()) / 2 / QUIET_S)
        allowed = SECONDS_A_BYTE * len(data) + SECONDS_A_RESULT * results_of(data, parsed)
        if taken < allowed * slow:
            return True
    return False


@pytest.mark.parametrize("kind", [*NEAR_MISSES, *NUMBERED])
def test_no_input_takes_two_seconds_for_ten_megabytes_and_what_its_results_take(kind):
    assert in_time(near_miss(kind, 2 * MIB), "x_lat.log")


@pytest.mark.parametrize("kind", [*NEAR_MISSES, *NUMBERED])
def test_no_input_takes_eight_times_its_size_in_memory_and_what_its_results_take(kind):
    data = near_miss(kind, MIB)
    parse(b"tps")  # what is loaded and compiled once is not the input's
    tracemalloc.start()
    parsed = parse(data, "x_lat.log")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 * len(data) + BYTES_A_RESULT * results_of(data, parsed)


def of_each_format() -> list[str]:
    """The shortest sample of each format, of which most fit in a file, and the longest."""
    by_format: dict[str, list[str]] = {}
    for name in sorted(WHOLE, key=lambda name: len(FILES[name])):
        for made in {result.format for result in WHOLE[name].results}:
            by_format.setdefault(made, []).append(name)
    return sorted({name for own in by_format.values() for name in (own[0], own[-1])})


@pytest.mark.parametrize("name", of_each_format())
def test_a_file_of_many_samples_keeps_to_the_same_limits(name):
    assert in_time(large(FILES[name] + b"\n", MIB), name)
