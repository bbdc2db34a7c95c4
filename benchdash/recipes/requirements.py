"""When a part of a recipe applies: by parameters' values and the version of a tool."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchdash.errors import N_
from benchdash.recipes.document import Part

PEERS = "peers"  # has a value where the measured host has others beside it
_COMPARISON = re.compile(r"(>=|<) ?(\d+(?:\.\d+){0,3})", re.ASCII)
_VERSION = re.compile(r"\d+(?:\.\d+){0,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Requirement:
    """Holds where every name of `given` has a value (one of those listed, where any are).

    `version` is a comparison such as ">=2.8,<3" with the version of the step's tool.
    """

    given: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    version: str = ""


ALWAYS = Requirement()


def read_requirement(parts: Mapping[str, Part], names: Iterable[str]) -> Requirement:
    """The requirement of `when`, `unless` and `version`; each name is one of `names`, or `peers`."""
    given = _given(parts["when"]) if "when" in parts else {}
    missing = tuple(_given(parts["unless"])) if "unless" in parts else ()
    for name in (*given, *missing):
        if name not in names and name != PEERS:
            parts.get("when", parts.get("unless", Part(None, "", 0))).refuse(
                N_("there is no parameter “{name}”", name=name)
            )
    version = parts["version"].text() if "version" in parts else ""
    if version and not all(_COMPARISON.fullmatch(one.strip()) for one in version.split(",")):
        parts["version"].refuse(N_("write a version as “>=2.8” or “>=2.8,<3”"))
    return Requirement(given, missing, version)


def holds(requirement: Requirement, values: Mapping[str, Any], version: str = "") -> bool:
    """True where the requirement is met; a version that is not known counts as the newest."""
    return (
        all(_is_one_of(values.get(name), allowed) for name, allowed in requirement.given.items())
        and not any(values.get(name) for name in requirement.missing)
        and all(_compares(one, version) for one in requirement.version.split(",") if one)
    )


def _given(part: Part) -> dict[str, tuple[Any, ...]]:
    if isinstance(part.value, dict):
        return {
            name: tuple(one.plain() for one in allowed.value)
            if isinstance(allowed.value, list)
            else (allowed.plain(),)
            for name, allowed in part.mapping().items()
        }
    if not isinstance(part.value, list):
        return {part.text(): ()}
    given: dict[str, tuple[Any, ...]] = {}
    for each in part.items():
        given |= _given(each)
    return given


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
