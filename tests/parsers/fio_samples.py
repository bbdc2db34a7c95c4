"""The fio samples as the tests of the fio parser ask for them."""

from __future__ import annotations

import json
from typing import Any

from benchdash.parsers import parse
from benchdash.parsers.result import Result
from tests.parsers.golden import SAMPLES

FIO = SAMPLES / "fio"


def text_of(name: str) -> str:
    """What fio printed."""
    return (FIO / name).read_text(encoding="utf-8")


def json_of(name: str) -> dict[str, Any]:
    """fio's own JSON document."""
    document: dict[str, Any] = json.loads(text_of(name))
    return document


def results_of(name: str) -> list[Result]:
    """All results of a sample, which must be complete."""
    parsed = parse((FIO / name).read_bytes(), name)
    assert parsed.incomplete is None, parsed.incomplete
    return parsed.results


def read(printed: str | dict[str, Any], name: str = "") -> list[Result]:
    """The results of a text or of a JSON document."""
    text = printed if isinstance(printed, str) else json.dumps(printed, indent=1)
    return parse(text.encode(), name).results


def numbers(result: Result) -> dict[str, float]:
    """Every number by `operation.metric.statistic`."""
    return {".".join(name): value for name, value in result.by_name().items()}


TEXT_OF_RUN = """\
job: (g=0): rw=randrw, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=libaio, iodepth=8
fio-3.33
Starting 1 process

job: (groupid=0, jobs=1): err= 0: pid=7: Fri Nov 20 22:03:54 2026
  read: IOPS=101, BW=404KiB/s (414kB/s)(4040KiB/10000msec)
    slat (nsec): min=201, max=204, avg=202.00, stdev= 2.03
    clat (usec): min=301, max=304, avg=302.00, stdev= 3.03
     lat (msec): min=401, max=404, avg=402.00, stdev= 4.03
    clat percentiles (usec):
     |  1.00th=[  305], 99.99th=[  306]
   bw (  KiB/s): min=  501, max=  503, per=50.00%, avg=502.00, stdev= 5.03, samples=19
   iops        : min=  125, max=  126, avg=125.50, stdev= 1.25, samples=19
  write: IOPS=201, BW=804KiB/s (823kB/s)(8040KiB/10000msec); 0 zone resets
    slat (usec): min=601, max=604, avg=602.00, stdev= 6.03
    clat (msec): min=701, max=704, avg=702.00, stdev= 7.03
     lat (nsec): min=801, max=804, avg=802.00, stdev= 8.03
    clat percentiles (msec):
     |  1.00th=[  705], 99.99th=[  706]
  lat (usec)   : 250=1.00%, 500=99.00%
  cpu          : usr=1.50%, sys=2.50%, ctx=11, majf=12, minf=13
  IO depths    : 1=0.1%, 2=0.1%, 4=0.2%, 8=99.6%, 16=0.0%, 32=0.0%, >=64=0.0%
     submit    : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%
     complete  : 0=0.0%, 4=100.0%, 8=0.0%, 16=0.0%, 32=0.0%, 64=0.0%, >=64=0.0%
     issued rwts: total=1010,2010,0,0 short=0,0,0,0 dropped=0,0,0,0
     latency   : target=0, window=0, percentile=100.00%, depth=8

Run status group 0 (all jobs):
   READ: bw=999KiB/s (1023kB/s), 404KiB/s-404KiB/s (414kB/s-414kB/s), io=4040KiB (4137kB), run=10000-10000msec
  WRITE: bw=999KiB/s (1023kB/s), 804KiB/s-804KiB/s (823kB/s-823kB/s), io=8040KiB (8233kB), run=10000-10000msec

Disk stats (read/write):
  vda: ios=21/22, merge=23/24, ticks=25/26, in_queue=27, util=28.29%
"""
