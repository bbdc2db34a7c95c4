"""`python -m tests.results.ingest_process FILE…`: another process that stores files on a signal.

It says `ready`, waits for a line, and says what became of each file. With STOP_IN_THE_MIDDLE it
says `in the middle` when artifacts and runs are written and the numbers are not, and waits.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import django

django.setup()

from benchdash.results import new_runs  # noqa: E402 - Django's settings come first
from benchdash.results.ingest import ingest  # noqa: E402
from benchdash.results.readings import File  # noqa: E402


def report(word):
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def stop(*_arguments):
    report("in the middle")
    time.sleep(600)


if __name__ == "__main__":
    if "STOP_IN_THE_MIDDLE" in os.environ:
        new_runs.copy_rows = stop
    files = [File(Path(name).name, Path(name).read_bytes()) for name in sys.argv[1:]]
    report("ready")
    sys.stdin.readline()
    report(" ".join(outcome.upload.outcome for outcome in ingest(files)))
