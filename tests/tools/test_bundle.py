"""What a browser has to fetch."""

from __future__ import annotations

import gzip

from tools.project import BUNDLE

MOST_BYTES = 152_000


def test_scripts_and_styles_stay_small():
    files = [path for path in BUNDLE.rglob("*") if path.suffix in (".js", ".css")]
    assert {"main.js", "main.css"} <= {path.name for path in files}
    assert sum(len(gzip.compress(path.read_bytes())) for path in files) < MOST_BYTES
