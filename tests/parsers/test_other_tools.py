"""Other tools are refused by name, told by what only their results hold."""

from __future__ import annotations

import pytest

from benchdash import parsers
from benchdash.parsers.result import ParseError

RESULTS = {
    "iozone": [
        "\tIozone: Performance Test of File I/O\n\t        Version $Revision: 3.489 $\n",
        "              kB  reclen    write  rewrite    read    reread\n  4096  1  14065  24650\n",
        "\tChildren see throughput for  4 initial writers \t=   35936.13 kB/sec\n",
        "iozone test complete.\n",
    ],
    "ioping": [
        "4 KiB <<< . (ext4 /dev/sda 252.0 GiB): request=1 time=66.6 us (warmup)\n",
        "--- . (ext4 /dev/vda 252.0 GiB) ioping statistics ---\n",
        "2 428615 4666 19112724 183452 214308 245163 30856 3 200333554\n",
    ],
    "dd": [
        "1024+0 records in\n1024+0 records out\n67108864 bytes (67 MB, 64 MiB) copied, 0.073 s, 919 MB/s\n",
        "335544320 bytes (336 MB, 320 MiB) copied, 17,3846 s, 19,3 MB/s\n",
        "1024+0 レコード入力\n1024+0 レコード出力\n1073741824 バイト (1.1 GB) コピーされました、 3.7 秒\n",
    ],
    "hdparm": [
        " Timing cached reads:   11492 MB in  2.00 seconds = 5753.76 MB/sec\n",
        " Timing buffered disk reads:  102 MB in  3.00 seconds =  33.99 MB/sec\n",
        " Timing O_DIRECT disk reads: 126 MB in  3.01 seconds =  41.90 MB/sec\n",
    ],
    "seeker": ["Results: 79 seeks/second, 12.56 ms random access time\n"],
    "elbencho": ["OPERATION   RESULT TYPE         FIRST DONE   LAST DONE\n"],
    "IOR": [
        "IOR-3.3.0: MPI Coordinated Test of Parallel I/O\n",
        "access,bw(MiB/s),IOPS,Latency,block(KiB)\nwrite,944.2643,989.3685,0.0014,4096\n",
        '  "Command line": "/usr/bin/ior -b 4m -t 1m -i 2",\n',
    ],
    "mdtest": [
        "mdtest-1.9.3 was launched with 384 total task(s) on 16 node(s)\n",
        "   File creation     :      14062.439      14062.439      14062.439          0.000\n",
        "   Directory creation          40601.171      35195.234      38427.476       2854.195\n",
    ],
}
NO_DISK_RESULT = {
    "sysbench prepare": "67108864 bytes written in 0.07 seconds (900.21 MiB/sec).\n",
    "database": "SQL statistics:\n    queries performed:\n",
    "CPU": "Prime numbers limit: 10000\n",
    "memory": "102400.00 MiB transferred (9000.55 MiB/sec)\n",
    "pgbench -i": "creating tables...\ngenerating data (client-side)...\nvacuuming...\ndone in 0.1 s\n",
    "tbench": "tbench version 4.00 - Copyright Andrew Tridgell 1999-2004\n",
    "gobonniego": "gobonniego starting. version: 1.0.9, runs: 1\nSequential Write MB/s: 400.2\n",
}


def refusal(text: str) -> str:
    with pytest.raises(ParseError) as caught:
        parsers.parse(text.encode())
    return caught.value.sentence


@pytest.mark.parametrize(
    ("tool", "text"), [(tool, text) for tool, texts in RESULTS.items() for text in texts]
)
def test_a_tool_that_is_not_read_is_named(tool, text):
    assert refusal(f"some heading\n\n{text}\n") == f"{tool} output is not read yet"


@pytest.mark.parametrize(("what", "text"), NO_DISK_RESULT.items())
def test_what_measured_no_disk_is_stated_to_be_no_disk_result(what, text):
    sentence = refusal(text)
    assert sentence.startswith("not a disk result: ") and what in sentence


def test_every_tool_of_a_log_is_named():
    log = RESULTS["hdparm"][0] + RESULTS["dd"][0] + RESULTS["iozone"][3]
    sentence = refusal(log)
    assert all(f"{tool} output is not read yet" in sentence for tool in ("hdparm", "dd", "iozone"))


@pytest.mark.parametrize(
    "prose",
    [
        "We ran iozone, ioping, dd, hdparm, sysbench fileio, rados bench, rbd bench, IOR and mdtest.",
        "Use `fio` or bonnie++; dbench and pgbench give MB/sec and tps. elbencho is nice too.",
        "Throughput of dbench is shown in MB/sec.\n\n| tool | result |\n| --- | --- |\n",
        "1 2 3 4 5 6 7 8 9 10\n",
        "2 428615 9999 19112724 183452 214308 245163 30856 3 200333554\n",
        "hello",
    ],
)
def test_prose_and_bare_numbers_are_no_result_of_any_tool(prose):
    assert refusal(prose).startswith("no result found")


def test_the_sentence_is_the_same_for_a_quoted_mail_in_utf16():
    text = "".join(f"> {line}\n" for line in RESULTS["dd"][0].splitlines())
    with pytest.raises(ParseError, match="dd output is not read yet"):
        parsers.parse(b"\xff\xfe" + text.encode("utf-16-le"))


BONNIE = (
    b"xen01,16G,72087,89,87962,17,38257,5,83055,90,85773,5,178.8,0,16,"
    b"95510,100,90000,98,108221,100,98191,100,85476,99,111761,100\n"
)


def test_other_output_beside_a_result_is_named_as_incomplete():
    parsed = parsers.parse(RESULTS["dd"][0].encode() + BONNIE)
    assert [result.tool for result in parsed.results] == ["bonnie++"]
    assert parsed.incomplete == "dd output is not read yet"


def test_preparations_beside_a_result_are_not_missed():
    parsed = parsers.parse(NO_DISK_RESULT["pgbench -i"].encode() + BONNIE)
    assert len(parsed.results) == 1 and parsed.incomplete is None
