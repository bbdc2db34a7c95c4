"""The one expected failure, its sentence, and the problem document that scripts get."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any

PROBLEM = "application/problem+json"
_STORED_AFTER = "\x1f"  # the unit separator: JSON escapes it, so the last one is ours


class Sentence(str):
    """An English sentence that keeps its template and values, so that it can be translated later.

    Its text is `template.format(**values)`, and goes wherever a str goes; joining or cutting it
    makes a plain str. A value may be a sentence itself. Without values the template is the text as
    it stands, braces and all.
    """

    template: str
    values: dict[str, str | int | float]

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        """A value that is no number or text is kept as its text."""
        kept = {
            name: value if isinstance(value, str | int | float) else str(value)
            for name, value in values.items()
        }
        sentence = super().__new__(cls, template.format(**kept) if kept else template)
        sentence.template, sentence.values = template, kept
        return sentence

    def __str__(self) -> str:
        return self


def N_(template: str, /, **values: object) -> str:  # noqa: N802
    """gettext's marker of a text that is translated later, with the values of its holes."""
    # a text without holes stays what it is: parsers give one of them thousands of times
    return Sentence(template, **values) if values else template


def side_by_side(sentences: Iterable[str], between: str = "; ") -> str:
    """One sentence of several, each of which is translated by itself; "" of none."""
    values = {f"s{number}": each for number, each in enumerate(sentences)}
    if len(values) <= 1:
        return next(iter(values.values()), "")
    return Sentence(between.join(f"{{{name}}}" for name in values), **values)


def cleaned(sentence: str, clean: Callable[[str], str]) -> str:
    """`clean(sentence)`, which keeps its template where cleaning the values leads to the same."""
    text = clean(sentence)
    if not isinstance(sentence, Sentence):
        return text
    values = {
        name: cleaned(value, clean) if isinstance(value, str) else value
        for name, value in sentence.values.items()
    }
    kept = Sentence(sentence.template, **values)
    return kept if kept == text else text


def to_stored(sentence: str) -> str:
    """The English text, and after it template and values as JSON where there are any.

    The text comes first, so that whoever searches or reads a column finds what people read.
    """
    if _STORED_AFTER not in sentence and not getattr(sentence, "values", None):
        return sentence
    return f"{sentence}{_STORED_AFTER}{json.dumps(_as_json(sentence), ensure_ascii=False)}"


def from_stored(text: str) -> str:
    """The sentence that `to_stored` wrote; a text without template and values as it stands."""
    before, separator, after = text.rpartition(_STORED_AFTER)
    if not separator:
        return text
    try:
        sentence = _from_json(json.loads(after))
    except (ValueError, LookupError, TypeError, AttributeError):
        return text
    return sentence if sentence == before else before


def _as_json(value: str | float) -> Any:
    if isinstance(value, Sentence) and value.values:
        return [value.template, {name: _as_json(each) for name, each in value.values.items()}]
    return [str(value), {}] if isinstance(value, Sentence) else value


def _from_json(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    template, values = value
    return Sentence(template, **{name: _from_json(each) for name, each in values.items()})


class Refused(Exception):
    """Something a person can mend: `sentence` says what and where, `field` names the input.

    `Refused("line {line}: no name", "names", line=3)`: the sentence keeps template and values.
    Each interface shows it in its own way (a form error, a problem document, a line on stderr).
    Any other exception is a bug.
    """

    def __init__(self, sentence: str, /, field: str = "", **values: object) -> None:
        self.sentence = Sentence(sentence, **values) if values else sentence
        super().__init__(self.sentence)
        self.field = field


class UnknownName(Refused):
    """A name in an address that means nothing there."""


def problem_body(status: int, sentence: str) -> dict[str, Any]:
    """Problem details (RFC 9457)."""
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": sentence}
