"""Parsing against the standard library's `json.loads`, each per byte of what it reads.

A ratio of 1 reads as many bytes a second as `json.loads` reads of the same fio JSON.
"""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from random import Random

from benchdash import parsers
from benchmarks.report import Row, paired

INPUTS = Path(__file__).parent / "inputs"
SIZE = 8 * 2**20
_FIGURE = re.compile(r"(?<=[=\[ ])\d{3,}(?=[,.\]])")
_JSON_FIGURE = re.compile(r"(?<=: )[0-9][0-9.]*[1-9](?=[,\n])")
_BONNIE = (
    "host{n},16G,{a},89,{b},17,{c},5,{d},90,{e},5,{f}.8,0,16,"
    "{a},100,{b},98,{c},100,{d},100,{e},99,{f},100\n"
)
_BONNIE_197 = (
    "1.97,1.97,host{n},1,15180490{n:05},16G,,{a},99,{b},11,{c},6,{d},99,{e},7,{f}.3,16,16,,,,,"
    "{a},31,+++++,+++,{b},40,{c},33,+++++,+++,{d},45,23450us,739ms,1677ms,27858us,86219us,431ms,"
    "1155us,560us,599us,294us,17us,80us\n"
)


def run() -> list[Row]:
    """fio JSON at least 0.6 of `json.loads`; text and CSV 0.05 and 0.03 of it, some 5 MB/s."""
    large = [_many_jobs("fio.json")]
    return [
        _row("fio JSON, a file of one job", _many_files("fio.json"), 0.6),
        _row("fio JSON, a file of 8 MiB", large, 0.6),
        _row("fio JSON+, a file of one job", _many_files("fio-plus.json"), 0.6),
        _row("fio JSON+, 8 MiB", [_many_bins()], 0.6),
        _row("fio text, 8 MiB", [_many_texts()], 0.05, large),
        _row("bonnie++ 1.03 CSV, a file of 1 MiB", [_many_lines(_BONNIE)], 0.03, large),
        _row("bonnie++ 1.97 CSV, a file of 1 MiB", [_many_lines(_BONNIE_197)], 0.03, large),
    ]


def _row(
    name: str, files: list[bytes], at_least: float, yardstick: list[bytes] | None = None
) -> Row:
    yardstick = yardstick or files
    pair = paired(
        lambda: [parsers.parse(file) for file in files],
        lambda: [json.loads(file) for file in yardstick],
        clock=time.process_time,
    )
    size = sum(map(len, files))
    ratio = size / sum(map(len, yardstick)) / pair.ratio
    note = f"{size / pair.subject_s / 1e6:.0f} MB/s, of json.loads per byte"
    return Row(name, ratio, at_least=at_least, note=note)


def _many_files(name: str) -> list[bytes]:
    """Repeats of one job, 2 MiB of them: one file alone takes too short to be timed."""
    random = Random(1)
    text = (INPUTS / name).read_text()
    return [_other_run(text, random).encode() for _ in range(2**21 // len(text))]


def _many_jobs(name: str, bins: dict[str, int] | None = None) -> bytes:
    document = json.loads((INPUTS / name).read_bytes())
    (job,) = document["jobs"]
    if bins:
        job["write"]["clat_ns"]["bins"] = bins
    count = SIZE // len(json.dumps(job, indent=2))
    document["jobs"] = [job | {"jobname": f"job{n}", "groupid": n} for n in range(count)]
    return _other_run(json.dumps(document, indent=2), Random(1)).encode()


def _many_bins() -> bytes:
    return _many_jobs("fio-plus.json", {str(64 * n): n % 977 + 1 for n in range(1500)})


def _other_run(text: str, random: Random) -> str:
    """JSON with other last digits; what is round or zero stays, as it does in fio's."""
    return _JSON_FIGURE.sub(lambda match: match[0][:-1] + random.choice("123456789"), text)


def _many_texts() -> bytes:
    random = Random(1)
    text = (INPUTS / "fio.txt").read_text()
    runs = (_with_other_figures(text, random) for _ in range(SIZE // len(text)))
    return "\n".join(runs).encode()


def _with_other_figures(text: str, random: Random) -> str:
    """Another run: the same shape, other last digits, another process."""
    text = re.sub(r"\bpid=\d+", f"pid={random.randrange(10**6)}", text)
    return _FIGURE.sub(lambda match: match[0][:-1] + str(random.randrange(10)), text)


def _many_lines(line: str) -> bytes:
    random = Random(1)
    lines, size = [], 0
    while size < 2**20:
        figures = {letter: random.randrange(1000, 10**6) for letter in "abcdef"}
        lines.append(line.format(n=len(lines), **figures))
        size += len(lines[-1])
    return "".join(lines).encode()
