"""Paths of hosts are hidden, and nothing else that has a slash in it."""

import re
from pathlib import Path

import pytest

from benchdash.results.hidden_paths import without_paths

SAMPLES = Path(__file__).parent.parent / "samples"
NUMBER = re.compile(r"(?<![\w/.])\d+\.\d+")


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ('"filename" : "/mnt/a b.dat",', '"filename" : "/… b.dat",'),
        ("filename=/dev/sda:/dev/sdb", "filename=/…:/…"),
        ("directory=/srv", "directory=/…"),
        ("open(/srv/x/client.txt) failed: No such file", "open(/…) failed: No such file"),
        ("  -d /mnt/データ -s 4g", "  -d /… -s 4g"),
        ("Throughput 12.5 MB/sec (100 KiB/s), 12/24, lat= 3 /12.9K", None),
        ("K/sec %CP  /sec %CP", None),
        ("see https://example.org/fio", "see https://example.org/fio"),
        ("<td>1</td></tr>", None),
    ],
)
def test_what_visitors_read_of_a_line(printed, shown):
    assert without_paths(printed) == (printed if shown is None else shown)


def test_the_numbers_of_real_outputs_stay():
    for path in (SAMPLES / "dbench").iterdir():
        text = path.read_text(encoding="utf-8", errors="replace")
        shown = without_paths(text)
        assert NUMBER.findall(shown) == NUMBER.findall(text), path.name
