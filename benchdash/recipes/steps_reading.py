"""Parses the steps of a recipe's YAML: commands with holes, tunables, requirements, durations.

A command is a list of arguments and never text for a shell: where it runs a shell, the script is
fixed, and values are passed as its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.recipes.document import Part
from benchdash.recipes.holes import FORMATS, OF_NETWORKS, PLACE, holes
from benchdash.recipes.parameters import Parameter
from benchdash.recipes.recipe import Expected, NodeChoice, StepTemplate, TunableTemplate, Words
from benchdash.recipes.requirements import ALWAYS, Requirement, read_requirement
from benchdash.recipes.steps import Phase
from benchdash.recipes.tunables import tunable
from benchdash.vocabulary.near import near
from benchdash.vocabulary.tools import TOOLS
from benchdash.vocabulary.units import bytes_from

Parameters = Mapping[str, Parameter]

_STEP = (
    "name", "argv", "tunable", "knob", "where", "value", "node", "count", "part", "together", "each", "files", "root",
    "tool", "result", "expected", "timeout", "touches", "shared", "when", "unless", "version",
)  # fmt: skip
_TUNABLE = ("tunable", "knob")  # the second is the old name, which existing recipes use
_EXPECTED = ("seconds", "estimated", "size", "jobs", "passes", "speed", "times", "layout", "writes")
_EXPECTED_KINDS = (
    ("size", "size"),
    ("layout", "size"),
    ("jobs", "integer"),
    ("times", "integer"),
)
_PARTS = _NODES = ("first", "all", "peers")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}", re.ASCII)
_FILE = re.compile(r"[A-Za-z0-9][\w.-]{0,60}", re.ASCII)

_INTERPRETERS = {
    "sh", "bash", "dash", "ash", "ksh", "zsh", "busybox", "su", "env", "sudo", "xargs", "eval",
    "python", "python3", "perl", "ruby", "awk",
}  # fmt: skip
_REQUIREMENT = ("when", "unless", "version")
_ARGUMENTS = ("argv", "split", "each")
_LITERAL_DEVICE = re.compile(r"/dev/(?!null\b|zero\b|stdin\b|stdout\b|stderr\b|\$)")


def read_step(part: Part, phase: Phase, parameters: Parameters) -> StepTemplate:
    """One step of a phase."""
    keys = part.mapping(_STEP)
    if "name" not in keys or not _NAME.fullmatch(keys["name"].text()):
        keys.get("name", part).refuse(
            N_("a step needs a “name” of lowercase letters, digits and -")
        )
    if sum(key in keys for key in ("argv", *_TUNABLE)) != 1:
        part.refuse(N_("a step needs either “argv” or “tunable”"))
    requirement = {key: keys[key] for key in _REQUIREMENT if key in keys}
    return StepTemplate(
        name=keys["name"].text(),
        phase=phase,
        words=_command(keys["argv"], parameters) if "argv" in keys else (),
        tunable=_tunable(keys, part, parameters) if "argv" not in keys else None,
        node=_node(keys["node"], parameters) if "node" in keys else (NodeChoice("first"),),
        count=_named_parameter(keys["count"], parameters, "integer") if "count" in keys else "",
        part=_part(keys),
        together=keys["together"].switch() if "together" in keys else False,
        requirement=read_requirement(requirement, parameters),
        each=_each(keys["each"], parameters) if "each" in keys else "",
        files=_files(keys["files"], parameters) if "files" in keys else {},
        root=_root(keys["root"], parameters) if "root" in keys else False,
        tool=_tool(keys["tool"], parameters) if "tool" in keys else "",
        result=_result(keys["result"]) if "result" in keys else "",
        expected=_expected(keys["expected"], parameters) if "expected" in keys else None,
        timeout_s=keys["timeout"].count() if "timeout" in keys else 0,
        touches=tuple(_words(one, parameters) for one in keys["touches"].items())
        if "touches" in keys
        else (),
        shared=_shared(keys["shared"], keys, phase) if "shared" in keys else False,
    )


def _shared(part: Part, keys: Mapping[str, Part], phase: Phase) -> bool:
    """Whether a step is for several cells: what each job has to itself is refused."""
    if not part.switch():
        return False
    if phase not in ("prepare", "cleanup"):
        part.refuse(N_("only “prepare” and “cleanup” steps can be shared"))
    if "argv" not in keys:
        part.refuse(N_("a tunable is set and restored by each job: it cannot be shared"))
    if "tool" in keys:
        part.refuse(N_("measuring steps cannot be shared"))
    return True


def _tunable(keys: Mapping[str, Part], part: Part, parameters: Parameters) -> TunableTemplate:
    if "where" not in keys or "value" not in keys:
        part.refuse(N_("a tunable needs “where” and “value”"))
    named = next(keys[key] for key in _TUNABLE if key in keys)
    try:
        name = tunable(named.text()).name
    except Refused as refused:
        named.refuse(refused.sentence.rstrip(".?"))
    return TunableTemplate(name, _text(keys["where"], parameters), _text(keys["value"], parameters))


def _node(part: Part, parameters: Parameters) -> tuple[NodeChoice, ...]:
    """Where a step runs: a word, or a list of which the first that holds does, and the last always."""
    if not isinstance(part.value, list):
        return (NodeChoice(_node_word(part)),)
    if not part.value:
        part.refuse(N_("“node” must be first, all, peers or a role such as node-b"))
    *conditional, last = part.items()
    return (*(_node_choice(one, parameters) for one in conditional), NodeChoice(_node_word(last)))


def _node_choice(part: Part, parameters: Parameters) -> NodeChoice:
    keys = part.mapping((*_REQUIREMENT[:2], "node"))
    if "node" not in keys or len(keys) == 1:
        part.refuse(N_("all but the last need a “node” and a condition"))
    requirement = {key: keys[key] for key in _REQUIREMENT[:2] if key in keys}
    return NodeChoice(_node_word(keys["node"]), read_requirement(requirement, parameters))


def _node_word(part: Part) -> str:
    node = part.text()
    if node not in _NODES and not _NAME.fullmatch(node):
        part.refuse(N_("“node” must be first, all, peers or a role such as node-b"))
    return node


def _each(part: Part, parameters: Parameters) -> str:
    name = part.text()
    if name not in parameters or not parameters[name].many:
        part.refuse(N_("the name of a parameter with “many” is needed here"))
    return name


def _files(part: Part, parameters: Parameters) -> dict[str, str]:
    keys = part.mapping()
    for name, text in keys.items():
        if not _FILE.fullmatch(name):
            text.refuse(N_("a file name has only letters, digits and ._-"))
    return {name: _text(text, parameters) for name, text in keys.items()}


def _root(part: Part, parameters: Parameters) -> bool | Requirement:
    if isinstance(part.value, bool):
        return part.value
    return read_requirement(part.mapping(_REQUIREMENT[:2]), parameters)


def _tool(part: Part, parameters: Parameters) -> str:
    if part.text() not in TOOLS and not list(holes(part.text())):
        part.refuse(N_("the tool must be one of {names}", names=", ".join(TOOLS)))
    return _text(part, parameters)


def _result(part: Part) -> str:
    if not _FILE.fullmatch(part.text()):
        part.refuse(N_("the result must be a file name in the step's folder"))
    return part.text()


def _expected(part: Part, parameters: Parameters) -> Expected:
    keys = part.mapping(_EXPECTED)
    names = {
        key: _named_parameter(keys[key], parameters, kind) if key in keys else ""
        for key, kind in _EXPECTED_KINDS
    }
    return Expected(
        seconds=tuple(_seconds(one, parameters) for one in keys["seconds"].items())
        if "seconds" in keys
        else (),
        estimated="size" in keys or ("estimated" in keys and keys["estimated"].switch()),
        passes=_number(keys["passes"]) if "passes" in keys else 1.0,
        speed=_speed(keys["speed"]) if "speed" in keys else 100e6,
        writes=read_requirement(keys["writes"].mapping(_REQUIREMENT[:2]), parameters)
        if "writes" in keys
        else ALWAYS,
        **names,
    )


def _seconds(part: Part, parameters: Parameters) -> float | str:
    if isinstance(part.value, str):
        return _named_parameter(part, parameters, "duration")
    return _number(part)


def _number(part: Part) -> float:
    value: Any = part.value
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e9:
        part.refuse(N_("a number above zero is needed here"))
    return float(value)


def _speed(part: Part) -> float:
    speed = bytes_from(part.text())
    if not speed:
        part.refuse(N_("a speed in bytes per second is needed here, such as 100M"))
    return float(speed)


def _command(part: Part, parameters: Parameters) -> tuple[Words, ...]:
    """The arguments of a command; Refused where a shell would read a value."""
    words = [_words(item, parameters) for item in part.items()]
    first = words[0] if words else None
    if not first or first.requirement != ALWAYS or "".join(first.argv[:1]).startswith("{"):
        part.refuse(N_("a command must begin with a program name"))
    argv = [word for some in words for word in some.argv]
    _check_scripts(part, argv)
    _check_servers(part, argv, parameters)
    return tuple(words)


def _words(part: Part, parameters: Parameters) -> Words:
    """One argument, or `{when: …, argv: […]}`, or `{split: PARAMETER}`, or `{each: PARAMETER}`.

    `{each: PARAMETER, argv: […]}` has its arguments for every value, which is `{each}` there.
    """
    if not isinstance(part.value, dict):
        return Words((_text(part, parameters),))
    keys = part.mapping((*_REQUIREMENT, *_ARGUMENTS, "count", "part"))
    if sum(key in keys for key in _ARGUMENTS) != 1 and not ("each" in keys and "split" not in keys):
        part.refuse(N_("conditional arguments need one of {names}", names=", ".join(_ARGUMENTS)))
    if "count" in keys and "each" not in keys:
        keys["count"].refuse(N_("the “count” of arguments is that of the values of “each”"))
    requirement = {key: keys[key] for key in _REQUIREMENT if key in keys}
    return Words(
        argv=tuple(_text(one, parameters) for one in keys["argv"].items())
        if "argv" in keys
        else (),
        requirement=read_requirement(requirement, (*parameters, *PLACE)),
        split=_named_parameter(keys["split"], parameters, "text") if "split" in keys else "",
        each=_each(keys["each"], parameters) if "each" in keys else "",
        count=_named_parameter(keys["count"], parameters, "integer") if "count" in keys else "",
        part=_part(keys),
    )


def _part(keys: Mapping[str, Part]) -> str:
    """Which of the values of `each`."""
    if "part" not in keys:
        return "all"
    if "each" not in keys:
        keys["part"].refuse(N_("a “part” is of the values of “each”"))
    if keys["part"].text() not in _PARTS:
        keys["part"].refuse(N_("the part must be one of {names}", names=", ".join(_PARTS)))
    return keys["part"].text()


def _check_scripts(part: Part, words: list[str]) -> None:
    """A script that an interpreter runs is fixed: a hole in it would turn a value into code."""
    programs = {word.rpartition("/")[2] for word in words}
    for before, word in zip(["", *words], words, strict=False):
        is_script = programs & _INTERPRETERS and re.fullmatch(r"-[a-z]*[ce]", before)
        if (is_script or re.search(r"[\s;|&<>()`$]", word)) and list(holes(word)):
            part.refuse(N_("a script has no placeholders: pass values after it, as “$1” and “$2”"))
        if _LITERAL_DEVICE.search(word):
            part.refuse(N_("a device is given by a parameter, never by the recipe itself"))


def _check_servers(part: Part, words: list[str], parameters: Parameters) -> None:
    """What a tool connects to is a parameter of kind server, which the lists of targets restrict.

    A socket in the job's own folder is its own server's.
    """
    if not words or words[0].rpartition("/")[2] not in ("pgbench", "psql"):
        return
    for before, word in zip(["", *words], words, strict=False):
        option = re.match(r"-h|--host", before) or re.match(r"-h.|--host=", word)
        for name, _form in holes(word) if option else ():
            if name in parameters and not (
                parameters[name].kind == "server" or parameters[name].scratch
            ):
                part.refuse(
                    N_("what a tool connects to is a parameter of kind server: {name}", name=name)
                )


def _text(part: Part, parameters: Parameters) -> str:
    """A text whose holes are all known."""
    text = part.text()
    try:
        found = list(holes(text))
    except Refused as refused:
        part.refuse(refused.sentence)
    for name, form in found:
        if name not in parameters and name not in PLACE:
            sentence = part.located(N_("there is no parameter “{name}”", name=name))
            raise Refused(near(sentence, name, parameters, parameters), "recipe")
        if not _takes(form, parameters.get(name)):
            part.refuse(
                N_(
                    "“{form}” is not a format of {name}; the formats are {known}",
                    form=form,
                    name=name,
                    known=", ".join(FORMATS[1:]),
                )
            )
    return text


def _takes(form: str, parameter: Parameter | None) -> bool:
    if form == "given":
        return parameter is not None and parameter.scratch
    if form in OF_NETWORKS:
        return parameter is not None and parameter.kind == "network"
    return form in FORMATS


def _named_parameter(part: Part, parameters: Parameters, kind: str) -> str:
    """The name of a parameter of that kind."""
    name = part.text()
    if name not in parameters or parameters[name].kind != kind:
        part.refuse(N_("the name of a parameter of kind {kind} is needed here", kind=kind))
    return name
