"""`python -m tests.capture.regolden FILE…` writes the goldens of samples, to be read by eye."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.capture.golden import document_of, golden_of


def main(names: list[str]) -> None:
    for name in names:
        sample = Path(name)
        text = json.dumps(document_of(sample), ensure_ascii=False, indent=1)
        golden_of(sample).write_text(text + "\n", encoding="utf-8")
        print(f"{golden_of(sample)}: compare every fact with {sample} before committing")


if __name__ == "__main__":
    main(sys.argv[1:])
