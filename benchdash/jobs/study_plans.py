"""A study laid over hosts: the recipes that can measure it, and what it asks of a plan of theirs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from benchdash.errors import Refused
from benchdash.inventory.models import Facet
from benchdash.jobs.models import Plan
from benchdash.jobs.own_recipes import Offered, offered
from benchdash.jobs.plan_contents import recipe_of
from benchdash.recipes import Recipe
from benchdash.recipes.holes import holes
from benchdash.recipes.parameters import Parameter, Value
from benchdash.recipes.settings import layer_parameters
from benchdash.results.models import Study
from benchdash.results.records import write_study
from benchdash.results.study_zones import zones_of
from benchdash.vocabulary.settings import OPTIONS_OF_SWITCHES, ZONE

_MANY = re.compile(r"([a-z][a-z0-9-]*)\[(\d+)\.\.(\d+)\]", re.ASCII)


def recipes_of(study: Study) -> list[Offered]:
    """Those that can measure it: the one that was chosen for it, else those written for it."""
    known = [each for each in offered() if each.recipe]
    chosen = study.measured_by.get("recipe")
    if chosen:
        return [each for each in known if each.name == chosen]
    return [each for each in known if each.recipe and each.recipe.study == study.slug]


def choose_recipe(study: Study, name: str) -> None:
    """Let this recipe measure it; Refused where there is none of the name."""
    if not any(each.recipe and each.name == name for each in offered()):
        raise Refused("There is no recipe “{name}”.", "recipe", name=name[:80])
    write_study(study, measured_by=study.measured_by | {"recipe": name})


def parameters_for(study: Study, recipe: Recipe) -> dict[str, Any]:
    """The values that the study names, as they are typed; a recipe that has changed leaves some out."""
    named = study.measured_by.get("parameters", {})
    return {name: value for name, value in named.items() if name in recipe.parameters}


def levels_for(study: Study, recipe: Recipe) -> dict[str, list[Any]]:
    """By parameter what is varied: as the study says, else what its conditions have, else the recipe."""
    levels = {name: list(values) for name, values in recipe.factors.items()}
    options = _options_of_conditions(study)
    for name, parameter in recipe.parameters.items():
        own = {option: texts for option, texts in options.items() if option in _sets(recipe, name)}
        switch = {text: on for on, text in OPTIONS_OF_SWITCHES.get(name, {}).items()}
        texts = [switch.get(text, text) for texts in own.values() for text in texts]
        read = list(dict.fromkeys(_read(parameter, texts)))
        if len(read) > 1:
            levels[name] = read
    factors = study.measured_by.get("factors", {})
    if recipe.has_zones and ZONE in factors:
        factors = factors | {ZONE: [zone["name"] for zone in zones_of(study)]}
    return levels | {name: factors[name] for name in factors if name in recipe.parameters}


def hosts_needed(study: Study, zone: str) -> int:
    """How many hosts the study has in a zone, 0 where it does not say."""
    found = next((one for one in zones_of(study) if one["name"] == zone), {})
    return len([name for role in found.get("hosts", ()) for name in _each(role)])


def role_names(study: Study) -> list[str]:
    """What the hosts of its plans are called, in their order: `guest[1..3]` are three."""
    return [name for role in study.measured_by.get("roles", ()) for name in _each(role)]


def last_plan(study: Study, recipe: Recipe | None = None) -> Plan | None:
    """Whose hosts and places are proposed again: the newest of a recipe, or of all."""
    plans = Plan.objects.filter(study=study)
    plans = plans.filter(recipe_name=recipe.name) if recipe else plans
    return plans.order_by("-pk").first()


def values_of_another(plan: Plan, recipe: Recipe) -> dict[str, Any]:
    """What was chosen in a plan of another recipe and this one takes: same name and same kind.

    What that recipe proposed by itself was not chosen.
    """
    try:
        known = recipe_of(plan).parameters
    except Refused:
        return {}
    shared = {
        name: parameter
        for name, parameter in recipe.parameters.items()
        if name in known and known[name].kind == parameter.kind
    }
    return {
        name: value
        for name, value in plan.parameters.items()
        if name in shared
        and [*_read(known[name], [value])] != [*_read(known[name], [known[name].default])]
        and [*_read(shared[name], [value])]
    }


def series_of(plan: Plan) -> dict[str, str]:
    """The setting that tells runs of a plan from what the author of its study published."""
    at = plan.launched_at
    is_beside = plan.study is not None and plan.study.published_as and at is not None
    return {"series": f"{at:%Y-%m}"} if is_beside else {}


def _each(role: str) -> Iterator[str]:
    many = _MANY.fullmatch(role)
    if many is None:
        yield role
        return
    for number in range(int(many[2]), int(many[3]) + 1):
        yield f"{many[1]}-{number}"


def _options_of_conditions(study: Study) -> dict[str, list[str]]:
    """By option (`scheduler`, `stripe_cache_size`) what the conditions have of it, in their order."""
    rows = (
        Facet.objects.filter(stack__configurations__conditions__study=study)
        .exclude(key="layer")
        .order_by("stack__configurations__conditions__position", "pk")
        .values_list("key", "text")
    )
    found: dict[str, dict[str, None]] = {}
    for key, text in rows:
        found.setdefault(key.rpartition(".")[2], {})[text] = None
    return {option: [*texts] for option, texts in found.items()}


def _sets(recipe: Recipe, name: str) -> set[str]:
    """The options of layers that a parameter is: by its own name, or that of what it tunes."""
    tuned = {
        step.tunable.name.removeprefix("drbd_")
        for step in recipe.steps
        if step.tunable and name in dict(holes(step.tunable.value))
    }
    is_one = name in layer_parameters(recipe) or name in ("guests", *OPTIONS_OF_SWITCHES)
    return tuned or ({name} if is_one else set())


def _read(parameter: Parameter, texts: Sequence[object]) -> Iterator[Value]:
    """Those that it takes: a condition can have a value that the recipe cannot set."""
    for text in texts:
        try:
            yield parameter.read(text)
        except Refused:
            continue
