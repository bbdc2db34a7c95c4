"""Recipes that people wrote, beside those that come with benchdash: stored whole, read when used."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django.db import IntegrityError, transaction

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.errors import N_, Refused, side_by_side
from benchdash.jobs.models import OwnRecipe
from benchdash.recipes import Recipe, builtin, load
from benchdash.vocabulary.near import near

_read = lru_cache(maxsize=256)(load)


@dataclass(frozen=True, slots=True)
class Offered:
    """A recipe that a plan can be made from; `trouble` is why one cannot be read any more.

    `own` is its row where people wrote it.
    """

    name: str
    recipe: Recipe | None
    own: OwnRecipe | None = None
    trouble: str = ""

    def may_be_planned_by(self, role: Role) -> bool:
        """Whether it can be read, and people of that role may use it."""
        return bool(self.recipe and (role >= Role.ADMIN or not self.recipe.admin))


def offered() -> list[Offered]:
    """All recipes, those of benchdash first; one query."""
    return [*(Offered(recipe.name, recipe) for recipe in builtin()), *_own()]


def _own() -> Iterator[Offered]:
    for row in OwnRecipe.objects.select_related("changed_by"):
        try:
            yield Offered(row.name, _read(row.text), row)
        except Refused as refused:  # the language of recipes has changed since
            yield Offered(row.name, None, row, refused.sentence)


def recipe_named(name: str) -> Recipe:
    """The recipe of that name; Refused with the nearest known one, or with what is wrong in it."""
    known = {each.name: each for each in offered()}
    if name not in known:
        sentence = N_("There is no recipe “{name}”.", name=name)
        raise Refused(near(sentence, name, known), "recipe")
    recipe = known[name].recipe
    if recipe is None:
        raise Refused(
            "The recipe {name} cannot be used: {trouble}",
            "recipe",
            name=name,
            trouble=known[name].trouble,
        )
    return recipe


@transaction.atomic
def save_recipe(own: OwnRecipe, text: str, by: User, file: str = "") -> OwnRecipe:
    """Store the text of a new or known recipe; Refused names the file, the line and the mend."""
    try:
        recipe = _read(text)
    except Refused as refused:
        sentence = side_by_side([file, refused.sentence], ": ") if file else refused.sentence
        raise Refused(sentence, "text") from None
    if any(each.name == recipe.name for each in builtin()):
        raise _taken(recipe.name)
    own.name, own.text, own.changed_by = recipe.name, text, by
    try:
        with transaction.atomic():
            own.save()
    except IntegrityError:
        raise _taken(recipe.name) from None
    return own


def _taken(name: str) -> Refused:
    return Refused(
        "The name “{name}” is taken by another recipe: write another one after “name:”.",
        "text",
        name=name,
    )
