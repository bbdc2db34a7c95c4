"""`python -m benchmarks [NAME…]`: every module here that has a `run()`, or those named.

`--runs 1000000` is for `scale`: as many runs, held against its usual number; ten minutes.

Prints a table and writes benchmarks/out/report.json. Exit 1 where a limit is not kept.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from pathlib import Path

import benchmarks
from benchmarks.report import Row, table, write

OUT = Path(__file__).parent / "out" / "report.json"


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--runs", type=int, help="of the benchmark `scale`")
    options = parser.parse_args(arguments)
    names = options.names
    rows: list[Row] = []
    for module in pkgutil.iter_modules(benchmarks.__path__):
        if module.ispkg or module.name == "__main__" or (names and module.name not in names):
            continue
        run = getattr(importlib.import_module(f"benchmarks.{module.name}"), "run", None)
        if run:
            found = run(options.runs) if module.name == "scale" and options.runs else run()
            print(table(found), flush=True)
            rows += found
    write(rows, OUT)
    print(f"written to {OUT}")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
