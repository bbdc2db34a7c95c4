"""Parses a recipe's YAML into a checked Recipe; every refusal names line and place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from textwrap import indent
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.recipes.document import Part, read_document
from benchdash.recipes.parameters import CONFIGURATION, EFFECTS, KINDS, Parameter
from benchdash.recipes.recipe import PHASES, Recipe, Rule, StepTemplate
from benchdash.recipes.requirements import read_requirement
from benchdash.recipes.steps_reading import read_step
from benchdash.vocabulary import storage
from benchdash.vocabulary.near import near
from benchdash.vocabulary.settings import ZONE
from benchdash.vocabulary.storage.notation import parse
from benchdash.vocabulary.workloads import AXES

LANGUAGES = ("en", "ja")
MOST_PARAMETERS = 64
MOST_STEPS = 64
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}", re.ASCII)
_RECIPE_NAME = re.compile(r"[a-z0-9][a-z0-9+-]{0,60}", re.ASCII)
_INCLUDE = re.compile(r"^(?P<indent> *)#include (?P<name>[a-z0-9-]+\.sh)$", re.MULTILINE)
_TITLES = ("title", "title.ja", "help", "help.ja")
_RECIPE = (
    "name", *_TITLES, "admin", "tools", "nodes", "study", "parameters", "factors", "repeats",
    "refuse", *PHASES,
)  # fmt: skip
_PARAMETER = (
    "kind", "label", "label.ja", "help", "help.ja", "default", "example", "choices", "minimum",
    "maximum", "unit", "pattern", "many", "scratch", "lines", "job_file", "reads", "lies_on", "effect",
    "axis",
)  # fmt: skip
_SWITCHES = ("many", "scratch", "lines", "job_file", "reads")


def load(text: str) -> Recipe:
    """The recipe of a YAML text; Refused says what is wrong, and on which line."""
    document = read_document(text)
    parts = document.mapping(_RECIPE)
    for needed in ("name", "title", "measure"):
        if needed not in parts:
            document.refuse(N_("a recipe needs “{needed}”", needed=needed))
    parameters = _parameters(parts)
    steps = tuple(
        read_step(part, phase, parameters)
        for phase in PHASES
        if phase in parts
        for part in parts[phase].items()
    )
    if len(steps) > MOST_STEPS:
        document.refuse(N_("a recipe has at most {most} steps", most=MOST_STEPS))
    _check_shared(document, steps, parameters)
    admin = parts["admin"].switch() if "admin" in parts else False
    if not admin and any(words.split for step in steps for words in step.words):
        document.refuse(N_("a command that people type (“split”) is for admins: set admin: true"))
    recipe = Recipe(
        name=_name(parts["name"]),
        title=_languages(parts, "title"),
        help=_languages(parts, "help"),
        admin=admin,
        tools=tuple(part.text() for part in parts["tools"].items()) if "tools" in parts else (),
        nodes=parts["nodes"].count() if "nodes" in parts else 1,
        parameters=parameters,
        factors={},
        repeats=parts["repeats"].count() if "repeats" in parts else 1,
        rules=tuple(_rules(parts, parameters)),
        steps=steps,
        study=parts["study"].text() if "study" in parts else "",
        text=text,
    )
    return _with_factors(recipe, parts)


def _check_shared(
    document: Part, steps: tuple[StepTemplate, ...], parameters: Mapping[str, Parameter]
) -> None:
    """What is shared is made before all else, and unmade after it."""
    made, unmade = (
        [step.shared for step in steps if step.phase == phase] for phase in ("prepare", "cleanup")
    )
    if any(made) and "block" in parameters:
        document.refuse(N_("with shared steps, no parameter may be called block"))
    if any(made) != any(unmade):
        document.refuse(
            N_("shared “cleanup” steps undo what shared “prepare” steps do: both are needed")
        )
    if made != sorted(made, reverse=True) or unmade != sorted(unmade):
        document.refuse(N_("shared steps must be first in “prepare” and last in “cleanup”"))


@cache
def builtin() -> tuple[Recipe, ...]:
    """The recipes that come with benchdash: the tools first, then the published studies."""
    folder = files("benchdash.recipes") / "builtin"
    texts = sorted((file.name, file.read_text("utf-8")) for file in folder.iterdir())
    return tuple(load(with_scripts(text)) for name, text in texts if name.endswith(".yaml"))


def with_scripts(text: str) -> str:
    """The text of a built-in recipe with the scripts that it shares with others in their places."""
    return _INCLUDE.sub(_script, text)


def _script(found: re.Match[str]) -> str:
    script = (files("benchdash.recipes") / "scripts" / found["name"]).read_text("utf-8")
    return indent(script.replace("{", "{{").replace("}", "}}"), found["indent"]).rstrip("\n")


def _name(part: Part) -> str:
    if not _RECIPE_NAME.fullmatch(part.text()):
        part.refuse(N_("a recipe name has only lowercase letters, digits, + and -"))
    return part.text()


def _languages(parts: Mapping[str, Part], key: str) -> dict[str, str]:
    """A text by language: `title` and `title.ja`; empty where it is left out."""
    keys = {"en": key} | {language: f"{key}.{language}" for language in LANGUAGES[1:]}
    return {
        language: parts[name].text().strip() for language, name in keys.items() if name in parts
    }


def _parameters(parts: Mapping[str, Part]) -> dict[str, Parameter]:
    if "parameters" not in parts:
        return {}
    named = parts["parameters"].mapping()
    if len(named) > MOST_PARAMETERS:
        parts["parameters"].refuse(
            N_("a recipe has at most {most} parameters", most=MOST_PARAMETERS)
        )
    return {name: _parameter(name, part) for name, part in named.items()}


def _parameter(name: str, part: Part) -> Parameter:
    if not _NAME.fullmatch(name):
        part.refuse(N_("a parameter name has only lowercase letters, digits and _"))
    keys = part.mapping(_PARAMETER)
    kind = keys["kind"].text() if "kind" in keys else ""
    if kind not in KINDS:
        keys.get("kind", part).refuse(N_("“kind” must be one of {names}", names=", ".join(KINDS)))
    parameter = Parameter(
        name=name,
        kind=kind,  # type: ignore[arg-type] # one of KINDS
        label=_languages(keys, "label") or {"en": name},
        help=_languages(keys, "help"),
        choices=tuple(choice.text() for choice in keys["choices"].items())
        if "choices" in keys
        else (),
        minimum=_bound(keys, "minimum", kind),
        maximum=_bound(keys, "maximum", kind),
        unit=keys["unit"].text() if "unit" in keys else "",
        pattern=_pattern(keys),
        default=keys["default"].plain() if "default" in keys else None,
        example=keys["example"].plain() if "example" in keys else None,
        lies_on=_layer(keys),
        effect=_effect(keys),
        axis=_axis(keys),
        **{name: keys[name].switch() for name in _SWITCHES if name in keys},
    )
    _check(parameter, part)
    return parameter


def _effect(keys: Mapping[str, Part]) -> str:
    effect = keys["effect"].text() if "effect" in keys else ""
    if effect not in ("", *EFFECTS):
        keys["effect"].refuse(N_("“effect” must be one of {names}", names=", ".join(EFFECTS)))
    return effect


def _layer(keys: Mapping[str, Part]) -> str:
    """The layer that a path is meant to lie on, with options or without: `drbd diskless=yes`."""
    text = keys["lies_on"].text() if "lies_on" in keys else ""
    kind = text.partition(" ")[0]
    if kind and kind not in storage.KINDS:
        sentence = keys["lies_on"].located(N_("there is no kind of layer “{name}”", name=kind[:80]))
        raise Refused(near(sentence, kind, storage.KINDS, storage.KINDS), "recipe")
    try:
        is_one = not text or not parse(text)["below"]
    except Refused as refused:
        keys["lies_on"].refuse(refused.sentence)
    if not is_one:
        keys["lies_on"].refuse(N_("“lies_on” names one layer"))
    return text


def _axis(keys: Mapping[str, Part]) -> str:
    axis = keys["axis"].text() if "axis" in keys else ""
    known = (*AXES, CONFIGURATION)
    if axis and axis not in known:
        sentence = keys["axis"].located(N_("there is no axis “{name}”", name=axis[:80]))
        raise Refused(near(sentence, axis, known, known), "recipe")
    if axis and "effect" in keys:
        keys["effect"].refuse(N_("a parameter with “axis” cannot have “effect” as well"))
    return axis


def _check(parameter: Parameter, part: Part) -> None:
    """The default and the example are values that the parameter takes."""
    if (parameter.kind == "choice") != bool(parameter.choices):
        part.refuse(N_("a choice must have “choices”, nothing else may"))
    if parameter.kind == "hosts" and parameter.name != ZONE:
        part.refuse(N_("a parameter of kind hosts must be named “{name}”", name=ZONE))
    if parameter.kind == "hosts" and (parameter.default != "" or parameter.many):
        part.refuse(N_('a parameter of kind hosts must have default: "" and cannot be many'))
    if parameter.scratch and parameter.kind != "path":
        part.refuse(N_("“scratch” is for a path"))
    if parameter.lies_on and parameter.kind != "path":
        part.refuse(N_("“lies_on” is for a path"))
    if parameter.required and parameter.example is None:
        part.refuse(N_("without a “default”, an “example” is needed"))
    for raw in (parameter.default, parameter.example):
        try:
            if raw not in (None, ""):
                parameter.read(raw)
        except Refused as refused:
            part.refuse(refused.sentence.rstrip("."))


def _bound(keys: Mapping[str, Part], name: str, kind: str) -> float | None:
    """A bound in the unit of the values: `1M` of a size, `2h` of a duration."""
    if name not in keys:
        return None
    bound = Parameter(name, "duration" if kind == "duration" else "size", {"en": name})
    raw = keys[name].plain()
    if kind in ("size", "duration"):
        try:
            return float(bound.read(raw))  # type: ignore[arg-type] # of these kinds a number
        except Refused as refused:
            keys[name].refuse(refused.sentence.rstrip("."))
    if isinstance(raw, bool) or not isinstance(raw, int | float):
        keys[name].refuse(N_("a number is needed here"))
    return float(raw)


def _pattern(keys: Mapping[str, Part]) -> str:
    if "pattern" not in keys:
        return ""
    text = keys["pattern"].text()
    try:
        re.compile(text, re.ASCII)
    except re.error as error:
        keys["pattern"].refuse(N_("this is not a regular expression: {error}", error=error))
    return text


def _rules(parts: Mapping[str, Part], parameters: Mapping[str, Parameter]) -> list[Rule]:
    if "refuse" not in parts:
        return []
    rules = []
    for part in parts["refuse"].items():
        keys = part.mapping(("when", "unless", "fewer", "below", "sentence", "field"))
        if "sentence" not in keys:
            part.refuse(N_("a refusal needs a “sentence”"))
        name = keys["field"].text() if "field" in keys else ""
        fewer = _fewer(keys["fewer"], parameters) if "fewer" in keys else {}
        below = _below(keys["below"], parameters) if "below" in keys else {}
        requirement = read_requirement(keys, parameters)
        rules.append(Rule(requirement, keys["sentence"].text(), name, fewer, below))
    return rules


def _fewer(part: Part, parameters: Mapping[str, Parameter]) -> dict[str, int]:
    for name, number in (keys := part.mapping()).items():
        if name not in parameters or not parameters[name].many:
            number.refuse(N_("the name of a parameter with “many” is needed here"))
    return {name: number.count() for name, number in keys.items()}


def _below(part: Part, parameters: Mapping[str, Parameter]) -> dict[str, dict[str, int]]:
    kinds = ("integer", "size", "duration")
    numbers = tuple(name for name, one in parameters.items() if one.kind in kinds and not one.many)
    return {
        name: {other: times.count() for other, times in others.mapping(numbers).items()}
        for name, others in part.mapping(numbers).items()
    }


def _with_factors(recipe: Recipe, parts: Mapping[str, Part]) -> Recipe:
    if "factors" not in parts:
        return recipe
    factors: dict[str, tuple[Any, ...]] = {}
    for name, part in parts["factors"].mapping(tuple(recipe.parameters)).items():
        for level in part.items():
            try:
                recipe.parameters[name].read(level.plain())
            except Refused as refused:
                level.refuse(refused.sentence.rstrip("."))
        factors[name] = tuple(part.plain())
    return replace(recipe, factors=factors)
