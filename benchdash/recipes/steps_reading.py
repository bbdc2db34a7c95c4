"""The steps of a recipe's YAML: words with holes, knobs, conditions, how long they take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchdash.errors import Refused
from benchdash.recipes.conditions import read_condition
from benchdash.recipes.document import Part
from benchdash.recipes.holes import holes
from benchdash.recipes.knobs import knob
from benchdash.recipes.recipe import Condition, Expected, KnobTemplate, StepTemplate
from benchdash.recipes.steps import TOOLS, Phase
from benchdash.recipes.words_reading import (
    CONDITION,
    Parameters,
    command_words,
    named_parameter,
    some_words,
    text_with_holes,
)
from benchdash.vocabulary.sizes import bytes_from

_STEP = (
    "name", "argv", "knob", "where", "value", "node", "count", "together", "each", "files", "root",
    "tool", "result", "expected", "timeout", "touches", "when", "unless", "version",
)  # fmt: skip
_EXPECTED = ("seconds", "estimated", "size", "jobs", "passes", "speed", "times", "layout")
_EXPECTED_KINDS = (
    ("size", "size"),
    ("layout", "size"),
    ("jobs", "integer"),
    ("times", "integer"),
)
_NODES = ("first", "all", "peers")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}", re.ASCII)
_FILE = re.compile(r"[A-Za-z0-9][\w.-]{0,60}", re.ASCII)


def read_step(part: Part, phase: Phase, parameters: Parameters) -> StepTemplate:
    """One step of a phase."""
    said = part.mapping(_STEP)
    if "name" not in said or not _NAME.fullmatch(said["name"].text()):
        said.get("name", part).refuse("a step has a “name” of small letters, digits and -")
    if ("argv" in said) == ("knob" in said):
        part.refuse("a step has either “argv” or “knob”")
    condition = {key: said[key] for key in CONDITION if key in said}
    return StepTemplate(
        name=said["name"].text(),
        phase=phase,
        words=command_words(said["argv"], parameters) if "argv" in said else (),
        knob=_knob(said, part, parameters) if "knob" in said else None,
        node=_node(said),
        count=named_parameter(said["count"], parameters, "integer") if "count" in said else "",
        together=said["together"].switch() if "together" in said else False,
        condition=read_condition(condition, parameters),
        each=_each(said["each"], parameters) if "each" in said else "",
        files=_files(said["files"], parameters) if "files" in said else {},
        root=_root(said["root"], parameters) if "root" in said else False,
        tool=_tool(said["tool"], parameters) if "tool" in said else "",
        result=_result(said["result"]) if "result" in said else "",
        expected=_expected(said["expected"], parameters) if "expected" in said else None,
        timeout_s=said["timeout"].count() if "timeout" in said else 0,
        touches=tuple(some_words(one, parameters) for one in said["touches"].items())
        if "touches" in said
        else (),
    )


def _knob(said: Mapping[str, Part], part: Part, parameters: Parameters) -> KnobTemplate:
    if "where" not in said or "value" not in said:
        part.refuse("a knob has “where” and “value”")
    try:
        name = knob(said["knob"].text()).name
    except Refused as refused:
        said["knob"].refuse(refused.sentence.rstrip(".?"))
    return KnobTemplate(
        name, text_with_holes(said["where"], parameters), text_with_holes(said["value"], parameters)
    )


def _node(said: Mapping[str, Part]) -> str:
    if "node" not in said:
        return "first"
    node = said["node"].text()
    if node not in _NODES and not re.fullmatch(r"[a-z][a-z0-9-]{0,40}", node, re.ASCII):
        said["node"].refuse("“node” is first, all, peers or a role such as node-b")
    return node


def _each(part: Part, parameters: Parameters) -> str:
    name = part.text()
    if name not in parameters or not parameters[name].many:
        part.refuse("the name of a parameter with “many” is needed here")
    return name


def _files(part: Part, parameters: Parameters) -> dict[str, str]:
    said = part.mapping()
    for name, text in said.items():
        if not _FILE.fullmatch(name):
            text.refuse("a file's name has letters, digits and ._-")
    return {name: text_with_holes(text, parameters) for name, text in said.items()}


def _root(part: Part, parameters: Parameters) -> bool | Condition:
    if isinstance(part.value, bool):
        return part.value
    return read_condition(part.mapping(CONDITION[:2]), parameters)


def _tool(part: Part, parameters: Parameters) -> str:
    if part.text() not in TOOLS and not list(holes(part.text())):
        part.refuse(f"the tool is one of {', '.join(TOOLS)}")
    return text_with_holes(part, parameters)


def _result(part: Part) -> str:
    if not _FILE.fullmatch(part.text()):
        part.refuse("the result is a file's name in the step's folder")
    return part.text()


def _expected(part: Part, parameters: Parameters) -> Expected:
    said = part.mapping(_EXPECTED)
    names = {
        key: named_parameter(said[key], parameters, kind) if key in said else ""
        for key, kind in _EXPECTED_KINDS
    }
    return Expected(
        seconds=tuple(_seconds(one, parameters) for one in said["seconds"].items())
        if "seconds" in said
        else (),
        estimated="size" in said or ("estimated" in said and said["estimated"].switch()),
        passes=_number(said["passes"]) if "passes" in said else 1.0,
        speed=_speed(said["speed"]) if "speed" in said else 100e6,
        **names,
    )


def _seconds(part: Part, parameters: Parameters) -> float | str:
    if isinstance(part.value, str):
        return named_parameter(part, parameters, "duration")
    return _number(part)


def _number(part: Part) -> float:
    value: Any = part.value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        part.refuse("a number above zero is needed here")
    return float(value)


def _speed(part: Part) -> float:
    speed = bytes_from(part.text())
    if not speed:
        part.refuse("a speed in bytes a second is needed here, such as 100M")
    return float(speed)
