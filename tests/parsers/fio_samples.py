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
