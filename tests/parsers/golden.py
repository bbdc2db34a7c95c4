"""Golden pairs: `tests/samples/TOOL/NAME` and beside it `NAME.json`, everything it must give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from benchdash import parsers
from benchdash.parsers.report import parsed_as_json
from benchdash.parsers.result import ParseError

SAMPLES = Path(__file__).parents[1] / "samples"


def samples() -> list[Path]:
    """Every sample of every tool; a golden is a `.json` beside the file it belongs to."""
    tools = (folder for folder in SAMPLES.iterdir() if folder.name != "capture")
    files = {path for tool in tools for path in tool.glob("*") if path.is_file()}
    goldens = {golden_of(path) for path in files}
    return sorted(files - goldens)


def golden_of(sample: Path) -> Path:
    """The golden beside a sample, there or not."""
    return sample.with_name(sample.name + ".json")


def document_of(sample: Path) -> dict[str, Any]:
    """What `parse --json` prints for the sample, less the file's name and digest."""
    try:
        return parsed_as_json(parsers.parse(sample.read_bytes(), sample.name))
    except ParseError as error:
        return {"results": [], "error": error.sentence}


def rendered(value: Any, depth: int = 0) -> str:
    """JSON with one measurement, point or note a line: a changed number is one changed line."""
    inner = list(value.values() if isinstance(value, dict) else value)
    if not any(isinstance(each, (list, dict)) and each for each in inner):
        return json.dumps(value, ensure_ascii=False)
    pad, end = "\n" + " " * (depth + 1), "\n" + " " * depth
    texts = [
        rendered(each, depth + 1)
        if isinstance(each, (list, dict))
        else json.dumps(each, ensure_ascii=False)
        for each in inner
    ]
    if isinstance(value, list):
        return "[" + pad + ("," + pad).join(texts) + end + "]"
    keys = [json.dumps(key, ensure_ascii=False) for key in value]
    return (
        "{"
        + pad
        + ("," + pad).join(f"{k}: {t}" for k, t in zip(keys, texts, strict=True))
        + end
        + "}"
    )
