"""Pages and an upload at 10,000 runs, and held against more with `--runs`."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from benchmarks.report import Row
from tools import servers

FEW = 10_000
TO_HAND, TO_FEW = 2.0, 1.3
AT_MOST = {
    "filters counted": 2.0,
    "filters counted, narrowed": 2.0,
    "runs list, sorted by configuration": 2.0,
    # what counts each run that matches takes longer for more of them, once in a while
    "filters counted of a tool": 100.0,
}


def run(runs: int = FEW) -> list[Row]:
    """A row for each to SQL by hand; where more `runs` are asked for, also to as many as usual."""
    few = _measured(FEW)
    if runs == FEW:
        return _to_hand(few, FEW)
    many = _measured(runs)
    return [
        *_to_hand(many, runs),
        *(
            Row(
                f"{name}: {runs:,} runs to {FEW:,}",
                whole / few[name][0],
                at_most=AT_MOST.get(name, TO_FEW),
                note=f"{whole * 1e3:.0f} ms, {few[name][0] * 1e3:.0f} ms",
            )
            for name, (whole, _queries, _hand) in many.items()
        ),
    ]


def _to_hand(measured: dict[str, list[float]], runs: int) -> list[Row]:
    return [
        Row(
            f"{name} at {runs:,} runs: its queries to SQL by hand",
            queries / hand,
            at_most=TO_HAND,
            note=f"{queries * 1e3:.1f} ms, {hand * 1e3:.1f} ms; the whole {whole * 1e3:.0f} ms",
        )
        for name, (whole, queries, hand) in measured.items()
        if hand > 1e-4  # as long as SQL that is there takes
    ]


def _measured(runs: int) -> dict[str, list[float]]:
    with servers.postgres(max_parallel_workers_per_gather="0") as address:  # all is counted
        environment = os.environ | {
            "DATABASE_URL": address,
            "PUBLIC_READ": "true",
            "ALLOWED_HOSTS": "testserver",
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.within.scale", str(runs)],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    found: dict[str, list[float]] = json.loads(done.stdout.splitlines()[-1])
    return found
