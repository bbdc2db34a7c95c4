"""`python -m tests.parsers.regolden FILE…` writes the goldens of samples, to be read by eye."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.parsers.golden import document_of, golden_of, rendered


def main(names: list[str]) -> None:
    for name in names:
        sample = Path(name)
        golden_of(sample).write_text(rendered(document_of(sample)) + "\n", encoding="utf-8")
        print(f"{golden_of(sample)}: compare every figure with {sample} before committing")


if __name__ == "__main__":
    main(sys.argv[1:])
