"""The steps of a recipe's YAML: words with holes, knobs, conditions, how long they take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchdash.errors import Refused
from benchdash.recipes.conditions import read_condition
from benchdash.recipes.document import Part
from benchdash.recipes.holes import FORMATS, PLACE, holes
from benchdash.recipes.knobs import knob
from benchdash.recipes.parameters import Parameter
from benchdash.recipes.recipe import Condition, Expected, KnobTemplate, StepTemplate, Words
from benchdash.recipes.steps import TOOLS, Phase
from benchdash.vocabulary.near import near
from benchdash.vocabulary.sizes import bytes_from

SHELLS = ("sh", "bash", "dash", "ash", "ksh", "zsh", "busybox", "su", "env", "sudo", "xargs")
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
_CONDITION = ("when", "unless", "version")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}", re.ASCII)
_FILE = re.compile(r"[A-Za-z0-9][\w.-]{0,60}", re.ASCII)
_LITERAL_DEVICE = re.compile(r"/dev/(?!null\b|zero\b|stdin\b|stdout\b|stderr\b|\$)")

Parameters = Mapping[str, Parameter]


def read_step(part: Part, phase: Phase, parameters: Parameters) -> StepTemplate:
    """One step of a phase."""
    said = part.mapping(_STEP)
    if "name" not in said or not _NAME.fullmatch(said["name"].text()):
        said.get("name", part).refuse("a step has a “name” of small letters, digits and -")
    if ("argv" in said) == ("knob" in said):
        part.refuse("a step has either “argv” or “knob”")
    condition = {key: said[key] for key in _CONDITION if key in said}
    return StepTemplate(
        name=said["name"].text(),
        phase=phase,
        words=_words(said["argv"], parameters) if "argv" in said else (),
        knob=_knob(said, part, parameters) if "knob" in said else None,
        node=_node(said),
        count=_parameter(said["count"], parameters, "integer") if "count" in said else "",
        together=said["together"].switch() if "together" in said else False,
        condition=read_condition(condition, parameters),
        each=_each(said["each"], parameters) if "each" in said else "",
        files=_files(said["files"], parameters) if "files" in said else {},
        root=_root(said["root"], parameters) if "root" in said else False,
        tool=_tool(said["tool"], parameters) if "tool" in said else "",
        result=_result(said["result"]) if "result" in said else "",
        expected=_expected(said["expected"], parameters) if "expected" in said else None,
        timeout_s=said["timeout"].count() if "timeout" in said else 0,
        touches=tuple(_some_words(one, parameters) for one in said["touches"].items())
        if "touches" in said
        else (),
    )


def _words(part: Part, parameters: Parameters) -> tuple[Words, ...]:
    words = [_some_words(item, parameters) for item in part.items()]
    if (
        not words
        or words[0].condition != Condition()
        or any(_starts_with_hole(w) for w in words[:1])
    ):
        part.refuse("a command begins with the name of a program")
    _check_scripts(part, [word for some in words for word in some.argv])
    return tuple(words)


def _some_words(part: Part, parameters: Parameters) -> Words:
    """A word, or `{when: …, argv: […]}`, or `{split: PARAMETER}`."""
    if not isinstance(part.value, dict):
        return Words((_text(part, parameters),))
    said = part.mapping((*_CONDITION, "argv", "split"))
    if ("argv" in said) == ("split" in said):
        part.refuse("words that stand on a condition have “argv”, or “split”")
    condition = {key: said[key] for key in _CONDITION if key in said}
    return Words(
        argv=tuple(_text(one, parameters) for one in said["argv"].items())
        if "argv" in said
        else (),
        condition=read_condition(condition, (*parameters, *PLACE)),
        split=_parameter(said["split"], parameters, "text") if "split" in said else "",
    )


def _starts_with_hole(words: Words) -> bool:
    return bool(words.argv) and words.argv[0].startswith("{")


def _check_scripts(part: Part, words: list[str]) -> None:
    """What a shell is told to run is fixed: values are handed over as $1, $2."""
    shells = any(word.rpartition("/")[2] in SHELLS for word in words) or "eval" in words
    for before, word in zip(["", *words], words, strict=False):
        is_script = re.search(r"[\s;|&<>()`$]", word) or re.fullmatch(r"-[a-z]*c", before)
        if shells and is_script and list(holes(word)):
            part.refuse("a script has no holes: hand values over behind it, as “$1” and “$2”")
        if _LITERAL_DEVICE.search(word):
            part.refuse("a device is given by a parameter, never by the recipe itself")


def _text(part: Part, parameters: Parameters) -> str:
    """A text whose holes are all known."""
    text = part.text()
    try:
        found = list(holes(text))
    except Refused as refused:
        part.refuse(refused.sentence)
    for name, form in found:
        if name not in parameters and name not in PLACE:
            part.refuse(f"there is no parameter “{name}”.{near(name, parameters, parameters)}"[:-1])
        if form not in FORMATS or (form == "given" and not parameters[name].scratch):
            part.refuse(f"“{form}” is no format of {name}: known are {', '.join(FORMATS[1:])}")
    return text


def _knob(said: Mapping[str, Part], part: Part, parameters: Parameters) -> KnobTemplate:
    if "where" not in said or "value" not in said:
        part.refuse("a knob has “where” and “value”")
    try:
        name = knob(said["knob"].text()).name
    except Refused as refused:
        said["knob"].refuse(refused.sentence.rstrip(".?"))
    return KnobTemplate(name, _text(said["where"], parameters), _text(said["value"], parameters))


def _node(said: Mapping[str, Part]) -> str:
    if "node" not in said:
        return "first"
    node = said["node"].text()
    if node not in _NODES and not re.fullmatch(r"[a-z][a-z0-9-]{0,40}", node, re.ASCII):
        said["node"].refuse("“node” is first, all, peers or a role such as node-b")
    return node


def _parameter(part: Part, parameters: Parameters, kind: str) -> str:
    name = part.text()
    if name not in parameters or parameters[name].kind != kind:
        part.refuse(f"the name of a parameter of kind {kind} is needed here")
    return name


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
    return {name: _text(text, parameters) for name, text in said.items()}


def _root(part: Part, parameters: Parameters) -> bool | Condition:
    if isinstance(part.value, bool):
        return part.value
    return read_condition(part.mapping(_CONDITION[:2]), parameters)


def _tool(part: Part, parameters: Parameters) -> str:
    if part.text() not in TOOLS and not list(holes(part.text())):
        part.refuse(f"the tool is one of {', '.join(TOOLS)}")
    return _text(part, parameters)


def _result(part: Part) -> str:
    if not _FILE.fullmatch(part.text()):
        part.refuse("the result is a file's name in the step's folder")
    return part.text()


def _expected(part: Part, parameters: Parameters) -> Expected:
    said = part.mapping(_EXPECTED)
    names = {
        key: _parameter(said[key], parameters, kind) if key in said else ""
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
        return _parameter(part, parameters, "duration")
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
