"""Sentences that were written in English, in the reader's language.

Pure rooms, workers and stored records speak English. A `Sentence` brings its template and values.
A row that was stored before they were is found again among the texts of the catalogue
("line {line}: {sentence}"), and its values are put into the translation.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import models
from django.utils.translation import get_language, gettext
from django.utils.translation.trans_real import translation

from benchdash.errors import Sentence, cleaned, from_stored, to_stored

LONGEST = 4000  # characters; what is longer is no sentence
_DEEPEST = 5  # sentences that stand in each other
# sentences side by side, and each of somebody: "node-a: …; node-b: …"
_SEVERAL = re.compile(r"((?:^|; |\n)(?:[^\s:;]+: )?)((?:(?!; )[^\n])+)")
_REFUSED_CHARACTER = re.compile("[\x00\ud800-\udfff]")
_WORD = re.compile(r"[A-Za-z]{3}")
_JAPANESE = r"[\u3041-\u30ff\u3400-\u9fff]"
_BLANKS = re.compile(rf"(?<=[、。：）」]) +|(?<={_JAPANESE}) +(?={_JAPANESE})")

Parts = list[tuple[str, str | None]]  # literal text, and the name of the hole after it


if TYPE_CHECKING:  # Django's own classes take no types
    _TextField = models.TextField[str, str]
    _JSONField = models.JSONField[Any, Any]
else:
    _TextField = models.TextField
    _JSONField = models.JSONField


def without_refused_characters(text: str) -> str:
    """Less what PostgreSQL refuses: NUL and lone surrogates."""
    return _REFUSED_CHARACTER.sub("\ufffd", text)


def _as_stored(text: str) -> str:
    # a tool on a host may print anything, and its last lines stand in sentences
    return to_stored(cleaned(text, without_refused_characters))


class SentenceField(_TextField):
    """A sentence with its template and values; a row of before they were stored is plain text."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """In the database it is a text as any other: nothing is to be migrated."""
        name, _path, args, options = super().deconstruct()
        kind = "CharField" if self.max_length else "TextField"
        return name, f"django.db.models.{kind}", args, options

    def get_prep_value(self, value: Any) -> Any:
        """English first, so that whoever searches the column finds what people read."""
        text = super().get_prep_value(value)
        if not isinstance(text, str):
            return text
        stored = _as_stored(text)
        text = without_refused_characters(text)
        # the text alone where values find no room beside it: it is shown as rows of before are
        return text if self.max_length and len(stored) > self.max_length else stored

    def from_db_value(self, value: str | None, *_database: object) -> str | None:
        """A `Sentence` where template and values were stored."""
        return from_stored(value) if value else value

    def save_form_data(self, instance: models.Model, data: str) -> None:
        """A form whose text was not edited leaves the template and the values."""
        if data != self.value_from_object(instance):
            super().save_form_data(instance, data)


class JSONWithSentences(_JSONField):
    """JSON whose texts may be sentences: each is stored as a `SentenceField` stores it."""

    def deconstruct(self) -> tuple[str, str, Any, Any]:
        """In the database it is JSON as any other: nothing is to be migrated."""
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def get_prep_value(self, value: Any) -> Any:
        """English first, as in a `SentenceField`."""
        return _each_text(_as_stored, super().get_prep_value(value))

    def from_db_value(self, value: Any, *database: Any) -> Any:
        """With a `Sentence` wherever template and values were stored."""
        return _each_text(from_stored, super().from_db_value(value, *database))


def _each_text(change: Callable[[str], str], value: Any) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, dict):
        return {key: _each_text(change, item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_each_text(change, item) for item in value]
    return value


def _value(language: str, value: str | float, depth: int) -> str | float:
    """A plain text is translated only where it is a title of the catalogue as it stands."""
    if isinstance(value, Sentence):
        return _in_language(language, value, depth)
    return gettext(value) if isinstance(value, str) and " " in value.strip() else value


class Template(NamedTuple):
    """A text with holes: what it looks like in English, and its translation."""

    pattern: re.Pattern[str]
    translated: Parts


def in_language(sentence: object) -> str:
    """A sentence in the active language; one that no catalogue knows as it stands."""
    text = "" if sentence is None else str(sentence)
    language = get_language() or "en"
    return text if language.startswith("en") else _in_language(language, text, _DEEPEST)


def closed_up(text: str) -> str:
    """Sentences and values put together, without the blanks that Japanese has none of.

    These stand behind its punctuation, or between a hole and what filled it.
    """
    return _BLANKS.sub("", text)


def _in_language(language: str, text: str, depth: int) -> str:
    if not (isinstance(text, Sentence) and text.values):
        return _translated(text, language, depth)
    values = {name: _value(language, value, depth) for name, value in text.values.items()}
    return closed_up(gettext(text.template).format(**values))


@lru_cache(maxsize=4096, typed=True)  # a text that is safe as HTML is no other's answer
def _translated(text: str, language: str, depth: int) -> str:
    if not text.strip() or len(text) > LONGEST or not depth:
        return text
    if (exact := gettext(text)) != text:
        return exact
    # a row first: the last value of its first sentence could be all the others
    for between in ("\n", "; "):
        if in_row := _all_translated(text, between, language, depth - 1):
            return in_row
    found = ((each, each.pattern.fullmatch(text)) for each in templates(language))
    template, match = next((pair for pair in found if pair[1]), (None, None))
    if template and match:
        return _filled(template, match, language, depth - 1)
    several = _SEVERAL.sub(lambda part: part[1] + _part(part[2], text, language, depth), text)
    return text if several == text else several


def _all_translated(text: str, between: str, language: str, depth: int) -> str:
    """A row of sentences; "" unless each of several is known by itself."""
    if between not in text:
        return ""
    translated: list[str] = []
    for part in text.split(between):
        translated.append(_translated(part, language, depth))
        if translated[-1] == part:
            return ""
    return between.join(translated)


def _part(part: str, whole: str, language: str, depth: int) -> str:
    return part if part == whole else _translated(part, language, depth - 1)


def _filled(template: Template, match: re.Match[str], language: str, depth: int) -> str:
    """The translation with the values; a value of several words may be a sentence itself."""
    text = ""
    for literal, name in template.translated:
        value = match[name] if name else ""
        text += literal + (_translated(value, language, depth) if " " in value else value)
    return text


@lru_cache
def templates(language: str) -> tuple[Template, ...]:
    """Those with holes, the narrower ones first."""
    # as Django's own JavaScriptCatalog reads it
    catalogue = translation(language)._catalog.items()  # type: ignore[attr-defined]  # noqa: SLF001
    found = {
        english: Template(pattern_of(parts), parts_of(translated))
        for english, translated in catalogue
        if isinstance(english, str) and translated and (parts := _holed(english))
    }
    return tuple(found[english] for english in sorted(found, key=_rank))


def _holed(english: str) -> Parts:
    """The parts of a text that differs enough from others; nothing for one without holes or words."""
    if "{" not in english or "\x04" in english:  # \x04 ends gettext's context
        return []
    try:
        parts = parts_of(english)
    except ValueError:
        return []
    names = [name for _, name in parts if name is not None]
    words = _WORD.search(" ".join(literal for literal, _ in parts))
    return parts if names and words and all(name.isidentifier() for name in names) else []


def _rank(english: str) -> tuple[bool, bool, bool, int, str]:
    """What goes on any sentence, what begins and ends in its own words, and what has most of them."""
    literal = sum(len(text) for text, _ in parts_of(english))
    goes_on = english.startswith("{sentence} ")
    return not goes_on, english.startswith("{"), english.endswith("}"), -literal, english


def parts_of(text: str) -> Parts:
    """`[(literal, name)]` of a format string."""
    return [(literal, name) for literal, name, _, _ in string.Formatter().parse(text)]


def pattern_of(parts: Parts) -> re.Pattern[str]:
    """What matches a filled template. No hole is tried twice: the time is linear in the text."""
    return re.compile("".join(_expression(parts)), re.DOTALL)


def _expression(parts: Parts) -> Iterator[str]:
    if parts[0] == ("", "sentence") and parts[1][0].startswith(","):
        # the last of ", at least 1, at most 2" is taken off first
        values = ("" if name is None else f"(?P<{name}>[^,]*)" for _, name in parts[1:])
        yield "(?P<sentence>.*)"
        yield from (
            re.escape(part[0]) + value for part, value in zip(parts[1:], values, strict=True)
        )
        return
    yield re.escape(parts[0][0])
    for place, (_, name) in enumerate(parts):
        if name is None:
            continue
        after = re.escape(parts[place + 1][0]) if place + 1 < len(parts) else ""
        earlier = [other for _, other in parts[:place]]
        hole = f"(?P={name})" if name in earlier else f"(?P<{name}>.*?)"
        is_last = all(other is None for _, other in parts[place + 1 :])
        yield f"{hole}{after}" if is_last or not after else f"(?>{hole}{after})"
