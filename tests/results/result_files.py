"""Files for tests of what happens to them, as the tools write them."""

from __future__ import annotations

import io
import json
import zipfile

from benchdash.results.readings import File


def bonnie_row(host="host-a", write=90_000, read=85_000):
    """A CSV line of bonnie++ 1.03 -f: rates of block write and read in KiB/s."""
    io_fields = f",,,{write},20,41000,9,,,{read},8,210.4,0"
    return f"{host},16G{io_fields},16,1200,40,+++++,+++,1300,30,1250,41,+++++,+++,900,20\n"


def bonnie(name="a.csv", **row):
    """A file with one such line."""
    return File(name, bonnie_row(**row).encode())


def zipped(name, files):
    """A zip of `{inner name: bytes}`."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for inner, data in files.items():
            archive.writestr(inner, data)
    return File(name, target.getvalue())


def pgbench(name="pgbench.txt", tps=801.5):
    """pgbench 15 with three progress lines."""
    lines = [
        "pgbench (15.4)",
        *(
            f"progress: {n}.0 s, {tps + n:.1f} tps, lat 9.{n}00 ms stddev 1.{n}00, 0 failed"
            for n in (1, 2, 3)
        ),
        "transaction type: <builtin: TPC-B (sort of)>",
        "scaling factor: 10",
        "query mode: simple",
        "number of clients: 8",
        "number of threads: 2",
        "maximum number of tries: 1",
        "duration: 3 s",
        "number of transactions actually processed: 2410",
        "number of failed transactions: 0 (0.000%)",
        "latency average = 9.980 ms",
        "latency stddev = 1.100 ms",
        "initial connection time = 12.345 ms",
        f"tps = {tps:.6f} (without initial connection time)",
    ]
    return File(name, "\n".join(lines).encode())


def fio_job(name="seq", bandwidth=1000, error=0, **options):
    """One job of fio's JSON."""
    side = {
        "io_bytes": bandwidth * 10240,
        "io_kbytes": bandwidth * 10,
        "bw_bytes": bandwidth * 1024,
        "bw": bandwidth,
        "iops": bandwidth / 4,
        "runtime": 10000,
        "total_ios": bandwidth * 10 // 4,
    }
    options = {"name": name, "rw": "write", "bs": "4k"} | options
    return {"jobname": name, "groupid": 0, "error": error, "job options": options, "write": side}


def fio(*jobs, name="out.json"):
    """fio 3 with these jobs."""
    document = {"fio version": "fio-3.33", "timestamp": 1700000000, "jobs": list(jobs)}
    return File(name, json.dumps(document).encode())


def fio_log(name="seq_bw.1.log", points=5):
    """A bandwidth log of fio 3: ms, KiB/s, direction, block size, priority."""
    return File(name, "".join(f"{n * 1000}, {900 + n}, 1, 0, 0\n" for n in range(points)).encode())
