"""Files for tests of what happens to them, as the tools write them."""

from __future__ import annotations

import io
import zipfile

from benchdash.results.readings import File


def bonnie_row(name="host-a", write=90_000, read=85_000):
    """A CSV line of bonnie++ 1.03 -f: rates of block write and read in KiB/s."""
    io_fields = f",,,{write},20,41000,9,,,{read},8,210.4,0"
    return f"{name},16G{io_fields},16,1200,40,+++++,+++,1300,30,1250,41,+++++,+++,900,20\n"


def bonnie(name="a.csv", **row):
    return File(name, bonnie_row(**row).encode())


def zipped(name, files):
    """A zip of `{inner name: bytes}`."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for inner, data in files.items():
            archive.writestr(inner, data)
    return File(name, target.getvalue())
