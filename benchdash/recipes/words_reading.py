"""The words of a command in a recipe's YAML: texts with holes, conditions, never a shell's script."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchdash.errors import Refused
from benchdash.recipes.conditions import read_condition
from benchdash.recipes.document import Part
from benchdash.recipes.holes import FORMATS, PLACE, holes
from benchdash.recipes.parameters import Parameter
from benchdash.recipes.recipe import Condition, Words
from benchdash.vocabulary.near import near

INTERPRETERS = {
    "sh", "bash", "dash", "ash", "ksh", "zsh", "busybox", "su", "env", "sudo", "xargs", "eval",
    "python", "python3", "perl", "ruby", "awk",
}  # fmt: skip
CONDITION = ("when", "unless", "version")
_LITERAL_DEVICE = re.compile(r"/dev/(?!null\b|zero\b|stdin\b|stdout\b|stderr\b|\$)")

Parameters = Mapping[str, Parameter]


def command_words(part: Part, parameters: Parameters) -> tuple[Words, ...]:
    """The words of a command; Refused where a shell would read a value."""
    words = [some_words(item, parameters) for item in part.items()]
    if not words or words[0].condition != Condition() or _starts_with_hole(words[0]):
        part.refuse("a command begins with the name of a program")
    _check_scripts(part, [word for some in words for word in some.argv])
    return tuple(words)


def some_words(part: Part, parameters: Parameters) -> Words:
    """A word, or `{when: …, argv: […]}`, or `{split: PARAMETER}`."""
    if not isinstance(part.value, dict):
        return Words((text_with_holes(part, parameters),))
    said = part.mapping((*CONDITION, "argv", "split"))
    if ("argv" in said) == ("split" in said):
        part.refuse("words that stand on a condition have “argv”, or “split”")
    condition = {key: said[key] for key in CONDITION if key in said}
    return Words(
        argv=tuple(text_with_holes(one, parameters) for one in said["argv"].items())
        if "argv" in said
        else (),
        condition=read_condition(condition, (*parameters, *PLACE)),
        split=named_parameter(said["split"], parameters, "text") if "split" in said else "",
    )


def _starts_with_hole(words: Words) -> bool:
    return bool(words.argv) and words.argv[0].startswith("{")


def _check_scripts(part: Part, words: list[str]) -> None:
    """What a shell is told to run is fixed: values are handed over as $1, $2."""
    programs = {word.rpartition("/")[2] for word in words}
    for before, word in zip(["", *words], words, strict=False):
        told = programs & INTERPRETERS and re.fullmatch(r"-[a-z]*[ce]", before)
        if (told or re.search(r"[\s;|&<>()`$]", word)) and list(holes(word)):
            part.refuse("a script has no holes: hand values over behind it, as “$1” and “$2”")
        if _LITERAL_DEVICE.search(word):
            part.refuse("a device is given by a parameter, never by the recipe itself")


def text_with_holes(part: Part, parameters: Parameters) -> str:
    """A text whose holes are all known."""
    text = part.text()
    try:
        found = list(holes(text))
    except Refused as refused:
        part.refuse(refused.sentence)
    for name, form in found:
        if name not in parameters and name not in PLACE:
            part.refuse(f"there is no parameter “{name}”", near(name, parameters, parameters))
        if form not in FORMATS or (form == "given" and not parameters[name].scratch):
            part.refuse(f"“{form}” is no format of {name}: known are {', '.join(FORMATS[1:])}")
    return text


def named_parameter(part: Part, parameters: Parameters, kind: str) -> str:
    """The name of a parameter of that kind."""
    name = part.text()
    if name not in parameters or parameters[name].kind != kind:
        part.refuse(f"the name of a parameter of kind {kind} is needed here")
    return name
