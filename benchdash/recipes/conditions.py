"""When a part of a recipe stands: over parameters' values and the version of a tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchdash.recipes.document import Part
from benchdash.recipes.recipe import Condition

_COMPARISON = re.compile(r"(>=|<) ?(\d+(?:\.\d+){0,3})", re.ASCII)
_VERSION = re.compile(r"\d+(?:\.\d+){0,3}", re.ASCII)


def read_condition(parts: Mapping[str, Part], names: Iterable[str]) -> Condition:
    """The condition of `when`, `unless` and `version`; each name has to be one of `names`."""
    given = _given(parts["when"]) if "when" in parts else {}
    missing = tuple(_given(parts["unless"])) if "unless" in parts else ()
    for name in (*given, *missing):
        if name not in names:
            parts.get("when", parts.get("unless", Part(None, "", 0))).refuse(
                f"there is no parameter “{name}”"
            )
    version = parts["version"].text() if "version" in parts else ""
    if version and not all(_COMPARISON.fullmatch(one.strip()) for one in version.split(",")):
        parts["version"].refuse("a version is compared as in “>=2.8” or “>=2.8,<3”")
    return Condition(given, missing, version)


def holds(condition: Condition, values: Mapping[str, Any], version: str = "") -> bool:
    """True where the condition holds; a version that is not known counts as the newest."""
    return (
        all(_is_one_of(values.get(name), allowed) for name, allowed in condition.given.items())
        and not any(values.get(name) for name in condition.missing)
        and all(_compares(one, version) for one in condition.version.split(",") if one)
    )


def _given(part: Part) -> dict[str, tuple[Any, ...]]:
    if isinstance(part.value, dict):
        return {
            name: tuple(one.plain() for one in said.value)
            if isinstance(said.value, list)
            else (said.plain(),)
            for name, said in part.mapping().items()
        }
    names = [part] if not isinstance(part.value, list) else part.items()
    return {name.text(): () for name in names}


def _is_one_of(value: Any, allowed: tuple[Any, ...]) -> bool:
    return value in allowed if allowed else bool(value)


def _compares(comparison: str, version: str) -> bool:
    match, found = _COMPARISON.fullmatch(comparison.strip()), _VERSION.search(version)
    assert match is not None
    if found is None:
        return match[1] == ">="
    return (_numbers(found[0]) >= _numbers(match[2])) == (match[1] == ">=")


def _numbers(version: str) -> list[int]:
    numbers = [int(part) for part in version.split(".")]
    return numbers + [0] * (4 - len(numbers))
