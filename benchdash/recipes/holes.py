"""Holes (placeholders) in arguments: `{bs}`, `{size:MiB}`; a filled one stays a single argument.

A size is written 1024-based (`128K`), or as whole MiB; a duration in whole seconds; yes and no as 1
and 0; `{directory:given}` is a scratch path as it was typed, without the job's folder below it;
`{network:first}` and `{network:peer}` are the addresses in it of the first host and of the next. `{{`
and `}}` are braces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from benchdash.errors import Refused
from benchdash.recipes.parameters import Parameter
from benchdash.vocabulary.units import BINARY

# Holes that are no parameters: the folders of job, block and step, the role of the node, "root"
# where root logs in, and the current value of `each`.
PLACE = ("work", "block", "step", "node", "root", "each")
OF_NETWORKS = ("first", "peer")
FORMATS = ("", "MiB", "KiB", "bytes", "given", *OF_NETWORKS)
_HOLE = re.compile(r"\{\{|\}\}|\{(\w*)(?::(\w*))?\}")
_LONE = re.compile(r"[{}]")


def holes(text: str) -> Iterator[tuple[str, str]]:
    """(name, format) of each hole; Refused where a brace is no hole."""
    if _LONE.search(_HOLE.sub("", text)):
        raise Refused(
            "a brace that is not part of a placeholder must be doubled: {{ and }}", "recipe"
        )
    for match in _HOLE.finditer(text):
        if match[1] is not None:
            yield match[1], match[2] or ""


def filled(text: str, values: Mapping[str, Any], parameters: Mapping[str, Parameter]) -> str:
    """`text` with its holes filled; braces within a value are left as they are."""

    def fill(match: re.Match[str]) -> str:
        name = match[1]
        if name is None:
            return match[0][0]
        parameter, form = parameters.get(name), match[2] or ""
        value = values[f"{name}:{form}"] if form in ("given", *OF_NETWORKS) else values[name]
        return written(value, parameter.kind if parameter else "text", form)

    return _HOLE.sub(fill, text)


def written(value: Any, kind: str, form: str = "") -> str:
    """A value as a tool's argument."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return " ".join(value)
    if kind == "duration" and value != "":
        return str(math.ceil(value))
    return _size(int(value), form) if kind == "size" and value != "" else str(value)


def _size(value: int, form: str) -> str:
    if form == "bytes":
        return str(value)
    return str(math.ceil(value / BINARY[form[0]])) if form else _binary(value)


def _binary(value: int) -> str:
    fits = [p for p in BINARY if p and value and value % BINARY[p] == 0]
    prefix = max(fits, key=lambda p: BINARY[p], default="")
    return f"{value // BINARY.get(prefix, 1)}{prefix}"
