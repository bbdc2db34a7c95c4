"""The lines of fio's normal output, one expression each; blanks and indentation may be lost.

First versions [git log -S in axboe/fio]: `aggrb=` 1.5; `IOPS=`/`BW=` and IEC units 2.17;
`samples=` and the `iops` line 2.99; the sync block 3.4. Every repetition is bounded, so that no
line, however damaged, takes more than linear time.
"""

from __future__ import annotations

import re
from typing import Any

_GAP = r"[ \t]{0,16}"
_THEN = rf"{_GAP},{_GAP}"
_NUMBER = rf"{_GAP}([0-9]{{1,20}}(?:\.[0-9]{{1,9}})?)"
_COUNT = rf"{_GAP}([0-9]{{1,20}}(?:\.[0-9]{{1,9}})?[kKMG]?)"
_SIZE = rf"{_GAP}([0-9A-Za-z./]{{1,24}})"
_TIME = rf"{_GAP}([0-9]{{1,15}}){_GAP}msec"
_UNIT = rf"{_GAP}\((nsec|usec|msec)\){_GAP}"


def _line(expression: str) -> re.Pattern[str]:
    return re.compile(expression, re.ASCII)


# What follows the name: `: (g=0): rw=randrw, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1`
HEAD = _line(r": \(g=([0-9]{1,9})\): rw=([a-z0-9:.,]{1,40}), (.{0,400})")
# `: (groupid=0, jobs=4): err= 5 (file:io_u.c:1, func=x, error=Y): pid=31670: Sun Apr  6 …`
JOB = _line(
    r": \(groupid=([0-9]{1,9})(?:, jobs=([0-9]{1,9}))?\): err= {0,4}(-?[0-9]{1,9})"
    r"(?: \((.{0,400}?)\))?:(?: pid=(-?[0-9]{1,12}))?(.{0,200})"
)
VERSION = _line(r"fio[- ]v?([0-9][0-9A-Za-z.\-+_]{0,40})")
BARE_VERSION = _line(r"[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,3})?(?:-[0-9A-Za-z\-.]{1,30})?")
CLIENT = _line(r"hostname=([^ ,]{1,255}), .{0,200}?\bfio=fio-([0-9][0-9A-Za-z.\-+_]{0,40})")
HOST = _line(r"<[^<>]{1,255}>(?: |$)")
STARTING = _line(r"Starting [0-9]{1,9} (?:process|thread)")
ETA = _line(r"(?:Jobs: [0-9]{1,9} \(f=-?[0-9]{1,9}\))+(?:.{0,400}?\[eta [^\]]{1,40}\])? *")
DATE = _line(r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2} {1,3}[0-9]{1,2} [0-9:]{8} [0-9]{4})")
DESCRIPTION = re.compile(r"Description *: *\[(.*)\]")

# `read : io=93580KB, bw=46790KB/s, iops=11697 , runt=  2000msec` (to 2.16)
OLD_SIDE = _line(
    rf"(read|write|trim|mixed){_GAP}:{_GAP}io={_SIZE}{_THEN}bw={_SIZE}{_THEN}iops={_COUNT}{_THEN}"
    rf"runt={_TIME}"
)
# `read: IOPS=15.5k, BW=60.6MiB/s (63.6MB/s)(121MiB/2001msec)` (from 2.17)
SIDE = _line(
    rf"(read|write|trim|mixed){_GAP}:{_GAP}IOPS={_COUNT}{_THEN}BW={_SIZE}{_GAP}\({_SIZE}\){_GAP}"
    rf"\({_GAP}([0-9A-Za-z.]{{1,24}})/{_TIME}\)"
)
# `clat (usec): min=44 , max=1339.4K, avg=71.36, stdev=169.48`: a histogram has no min=
LATENCY = _line(
    rf"(slat|clat|lat|sync){_UNIT}:{_GAP}min={_COUNT}{_THEN}max={_COUNT}{_THEN}"
    rf"avg={_NUMBER}{_THEN}stdev={_NUMBER}"
)
HISTOGRAM = _line(rf"lat{_UNIT}:")
PERCENTILES = _line(rf"(slat|clat|lat|sync) percentiles?{_UNIT}")
# `1.00th=[   42],  5.00th=[   44], …`, of which this is what stays without digits and blanks
PERCENTILE_FRAMES = _line(r"(?:\.?th=\[\],?)+")
# `bw (  KiB/s): min=…` and `iops        : min=…`: of samples, not of the run
SAMPLES = _line(
    rf"(bw|iops){_GAP}(?:\({_GAP}([A-Za-z]{{1,6}}){_GAP}/s\){_GAP})?:{_GAP}min={_NUMBER}{_THEN}"
    rf"max={_NUMBER}{_THEN}(?:per={_GAP}[^ ,]{{1,20}}{_THEN})?avg={_NUMBER}{_THEN}stdev={_NUMBER}"
    rf"(?:{_THEN}samples={_NUMBER})?"
)
CPU = _line(
    rf"cpu{_GAP}:{_GAP}usr={_NUMBER}%{_THEN}sys={_NUMBER}%"
    rf"(?:{_THEN}ctx=([0-9]{{1,20}}){_THEN}majf=([0-9]{{1,20}}){_THEN}minf=([0-9]{{1,20}}))?"
)
SHARES = _line(rf"(IO depths|submit|complete){_GAP}:{_GAP}(.{{1,300}})")
SHARE = _line(r"((?:>=)?[0-9]{1,6})=([0-9]{1,3}\.[0-9]{1,3})%")
ISSUED = _line(rf"issued[^:]{{0,20}}:{_GAP}total=([^s]{{1,200}})short=")
ERRORS = _line(rf"errors{_GAP}:{_GAP}total={_NUMBER}(?:, first_error=(-?[0-9]{{1,9}}))?")
GOAL = _line(rf"(latency|steadystate){_GAP}:{_GAP}((?:target|attained)=.{{1,300}})")

GROUP = _line(r"Run status group ([0-9]{1,9})")
OLD_GROUP_SIDE = _line(
    rf"(READ|WRITE|TRIM|MIXED){_GAP}:{_GAP}io={_SIZE}{_THEN}aggrb={_SIZE}{_THEN}minb={_SIZE}{_THEN}"
    rf"maxb={_SIZE}{_THEN}mint={_TIME}{_THEN}maxt={_TIME}"
)
GROUP_SIDE = _line(
    rf"(READ|WRITE|TRIM|MIXED){_GAP}:{_GAP}bw={_SIZE}{_GAP}\({_SIZE}\){_THEN}{_SIZE}-{_SIZE}{_GAP}"
    rf"\({_SIZE}-{_SIZE}\){_THEN}io={_SIZE}{_GAP}\({_SIZE}\){_THEN}"
    rf"run={_GAP}([0-9]{{1,15}})-{_TIME}"
)
DISK = _line(r"([^ :]{1,64}): (ios=[0-9]{1,20}/[0-9]{1,20}, .{1,400})")
_PAIR = _line(r"([a-z_]{1,20})=([0-9]{1,20}(?:\.[0-9]{1,9})?)(?:/([0-9]{1,20}))?")

PER_SECOND = {"nsec": 1e9, "usec": 1e6, "msec": 1e3}


def disk(name: str, text: str) -> dict[str, Any]:
    """`ios=0/458, util=99.39%, aggrios=…` under the names of fio's JSON."""
    found: dict[str, Any] = {"name": name}
    for key, first, second in _PAIR.findall(text):
        summed, plain = ("aggr_", key[4:]) if key.startswith("aggr") else ("", key)
        plain = "merges" if plain == "merge" else plain
        if second:
            found[f"{summed}read_{plain}"] = int(first)
            found[f"{summed}write_{plain}"] = int(second)
        else:
            found[summed + plain] = float(first) if "." in first else int(first)
    return found
