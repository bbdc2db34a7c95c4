"""Every text that people see: taken out of code, templates and pure rooms, into the .po files.

    python -m tools.messages

Templates are read by Django's own lexer (`templatize`) and Babel, so that no gettext is needed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from benchdash.capture.probes import CAPTURED, CONDITIONS
from benchdash.recipes.guards import guard_script
from benchdash.recipes.reading import builtin
from benchdash.recipes.steps import Touch
from benchdash.recipes.tunables import TUNABLES
from benchdash.vocabulary.machines import (
    FACTS,
    GOOD_TO_KNOW,
    NETWORK,
    PARTS,
    PROGRAM,
    ROLE,
    TITLES,
    VERSION,
)
from benchdash.vocabulary.measures import FAMILIES, METRICS, OPERATIONS
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.workloads import AXES
from tools.place import ROOT

if TYPE_CHECKING:
    from pathlib import Path

LOCALE = ROOT / "frontend" / "locale"
TEMPLATES = ROOT / "frontend" / "templates"
KEYWORDS = {
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
_VALUE = re.compile(r'(\$\w+|\$\{[^}]*\}|\$\((?:"[^"]*"|[^()"])*\))')
_SAYS = re.compile(rf'(say|echo|printf \'%s\\n\') "((?:[^"$]|{_VALUE.pattern[1:-1]})*)"')
_WORDS = re.compile(r"[a-z]{2,}[,;:]? [A-Za-z{“]|[}”] [a-z]{2,}(?:[ ,.:]|$)")


def main() -> None:
    """Bring each .po file up to date: new texts untranslated, those nobody uses left out."""
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
    """All texts of the project, with the files that hold them."""
    found = Catalog(project="benchdash", domain="django", charset="utf-8")
    for room in ("benchdash", "workers"):
        for path in sorted((ROOT / room).rglob("*.py")):
            _add(found, path, "python", path.read_bytes())
    for path in sorted(TEMPLATES.rglob("*.html")):
        _add(found, path, "javascript", templatize(path.read_text()).encode())
    for text in vocabulary():
        found.add(text, locations=[("benchdash/vocabulary", 0)])
    return found


def _add(found: Catalog, path: Path, method: str, source: bytes) -> None:
    place = os.fspath(path.relative_to(ROOT))
    for _line, message, _comments, context in extract(method, BytesIO(source), KEYWORDS):
        found.add(message, locations=[(place, 0)], context=context)


def names_of_recipes(language: str) -> Iterator[tuple[str, str]]:
    """`(English, translated)` of titles and parameters, as sentences call them; the recipes say both."""
    for recipe in builtin():
        yield recipe.title["en"], recipe.title.get(language, "")
        for parameter in recipe.parameters.values():
            label = parameter.label.get(language)
            yield parameter.called, f"{label} ({parameter.name})" if label else ""


def vocabulary() -> Iterator[str]:
    """The words of the pure rooms, which know no gettext; pages translate them where shown."""
    yield from FAMILIES.values()
    yield from (metric.title for metric in METRICS.values())
    yield from (operation.title for operation in OPERATIONS.values())
    yield from (axis.title for axis in AXES.values())
    for kind in KINDS.values():
        yield kind.help
        yield from (option.help for option in kind.options.values())
    yield from TITLES.values()
    for touch in (Touch("device", "/dev/sda"), Touch("device", "rbd:a/b"), Touch("path", "/mnt")):
        yield from sentences_of_script(guard_script(touch))
    yield from (probe.about for probe in (*CAPTURED, *CONDITIONS) if probe.about)
    yield from (tunable.title for tunable in TUNABLES.values())
    yield from (text for text, _ in names_of_recipes("en"))
    yield from (rule.sentence for recipe in builtin() for rule in recipe.rules)
    for words in (FACTS, GOOD_TO_KNOW, NETWORK, *PARTS.values()):
        yield from (word.help for word in words.values())
    yield from (word.help for word in (ROLE, PROGRAM, VERSION))


def sentences_of_script(script: str) -> Iterator[str]:
    """What sh says, as templates: `say "$dev is held by $held"`; an `echo` goes on with `$name`."""
    for verb, words in _SAYS.findall(script):
        text = _template("$name " + words if verb == "echo" else words)
        if _WORDS.search(text):
            yield text


def _template(words: str) -> str:
    """`{dev}` of `$dev`, `{value}` of `$(…)`; holes that touch are one, for nothing parts them."""
    text, names = "", set[str]()
    for place, piece in enumerate(_VALUE.split(words)):
        if place % 2 == 0:
            text += piece.replace("{", "{{").replace("}", "}}")
        elif not text.endswith("}"):
            stem = piece[1:].lower() if piece[1:].isidentifier() else "value"
            name = next(n for n in (stem, *(f"{stem}{i}" for i in range(2, 99))) if n not in names)
            names.add(name)
            text += f"{{{name}}}"
    return text


if __name__ == "__main__":
    main()
