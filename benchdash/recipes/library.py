"""The recipes that come with benchdash: YAML files, read once."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from benchdash.recipes.reading import load
from benchdash.recipes.recipe import Recipe


@cache
def builtin() -> tuple[Recipe, ...]:
    """All of them: the tools first, then the published studies."""
    folder = files("benchdash.recipes") / "builtin"
    texts = sorted((file.name, file.read_text("utf-8")) for file in folder.iterdir())
    return tuple(load(text) for name, text in texts if name.endswith(".yaml"))
