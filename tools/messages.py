"""Extracts every text of the interface from code, templates, recipes and docs into the .po files.

    python -m tools.messages

Templates are read by Django's own lexer (`templatize`) and Babel, so that no gettext is needed;
code by Python's own parser, which sees calls within calls, f-strings and conditions.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from io import BytesIO
from itertools import chain
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from benchdash.recipes.reading import builtin
from tools.project import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DOCS = ROOT / "docs"
LOCALE = ROOT / "frontend" / "locale"
TEMPLATES = ROOT / "frontend" / "templates"
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "N_": None,
    "ParseError": None,
    "Refused": None,
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "npgettext": ((1, "c"), 2, 3),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}


def main() -> None:
    """Update each .po file: new texts are added untranslated, unused ones removed."""
    template = catalogue()
    for path in LOCALE.glob("*/LC_MESSAGES/django.po"):
        with path.open("rb") as file:
            translations = read_po(file, locale=path.parts[-3], domain="django")
        translations.update(template, no_fuzzy_matching=True, update_creation_date=False)
        for text, translated in names_of_recipes(path.parts[-3]):
            translations[text].string = translated or translations[text].string
        translations.obsolete.clear()
        with path.open("wb") as file:
            write_po(file, translations, width=100, sort_output=True, omit_header=False)


def catalogue() -> Catalog:
    """All texts of the project, with the files that contain them."""
    found = Catalog(project="benchdash", domain="django", charset="utf-8")
    for room in ("benchdash", "workers"):
        for path in sorted((ROOT / room).rglob("*.py")):
            for text, context in texts_of_code(path.read_text()):
                found.add(text, locations=_place(path), context=context)
    for path in sorted(TEMPLATES.rglob("*.html")):
        template = BytesIO(templatize(path.read_text()).encode())
        for _line, text, _comments, context in extract("javascript", template, KEYWORDS):
            found.add(text, locations=_place(path), context=context)
    for path in sorted(DOCS.glob("*.md")):
        for text in headings(path.read_text()):
            found.add(text, locations=_place(path), context="help")
    for text in words_of_recipes():
        found.add(text, locations=[("benchdash/recipes", 0)])
    return found


def _place(path: Path) -> list[tuple[str, int]]:
    return [(os.fspath(path.relative_to(ROOT)), 0)]


def texts_of_code(source: str) -> Iterator[tuple[str | tuple[str, ...], str | None]]:
    """`(text, or singular and plural; context)` of each marked call."""
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if name not in KEYWORDS:
            continue
        words: dict[bool, list[list[str]]] = {True: [], False: []}  # a context's, and texts
        for place in KEYWORDS[name] or (1,):
            position, is_context = (place[0], True) if isinstance(place, tuple) else (place, False)
            words[is_context] += [list(_words(each)) for each in call.args[position - 1 : position]]
        context = next(chain.from_iterable(words[True]), None)
        for text in zip(*words[False], strict=True):
            yield text if len(text) > 1 else text[0], context


def _words(node: ast.expr) -> Iterator[str]:
    match node:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=first, orelse=second):
            yield from (*_words(first), *_words(second))
        case ast.BoolOp(values=several):
            for one in several:
                yield from _words(one)


def headings(chapter: str) -> list[str]:
    """The title of a chapter of the help and those of its parts: its contents are in every language."""
    return [
        text.replace("`", "") for text in re.findall(r"(?:\A#|^##) (.+)$", chapter, re.MULTILINE)
    ]


def names_of_recipes(language: str) -> Iterator[tuple[str, str]]:
    """`(English, translated)` of titles and parameters, as sentences name them; recipes have both."""
    for recipe in builtin():
        yield recipe.title["en"], recipe.title.get(language, "")
        for parameter in recipe.parameters.values():
            label = parameter.label.get(language)
            yield parameter.called, f"{label} ({parameter.name})" if label else ""


def words_of_recipes() -> Iterator[str]:
    """Texts of the recipes that come with benchdash: YAML, which cannot be marked."""
    yield from (text for text, _ in names_of_recipes("en"))
    yield from (rule.sentence for recipe in builtin() for rule in recipe.rules)


if __name__ == "__main__":
    main()
