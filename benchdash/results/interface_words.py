"""What the interface says of runs (`random write`, `degraded`), in every language, as conditions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from django.conf import settings
from django.db.models import Choices, Exists, OuterRef, Q
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from benchdash.errors import Refused
from benchdash.results.lookups import Meaning, always, one_of_found, pointed_at
from benchdash.results.models import Doubt, Measurement, Workload
from benchdash.results.run_filters import STATES
from benchdash.vocabulary.doubts import KINDS
from benchdash.vocabulary.measures import OPERATIONS
from benchdash.vocabulary.workloads import AXES, axis_from_text

_BADGES = {
    gettext_noop("failed"): Q(error__isnull=False),
    gettext_noop("same result"): Q(same_as__isnull=False, is_repeat=False),
}
_VALUE = r":? ?\d[\d.]*(?: ?(?:[KMGTP]i?)?B?)?"


@cache
def phrases() -> str:
    """A regular expression of all that `phrase_condition` may know, the longest first."""
    titles = sorted(_titles(), key=len, reverse=True)
    axes = sorted(_axes(), key=len, reverse=True)
    return f"(?:{_any_of(axes)}){_VALUE}|(?:{_any_of(titles)})s?"


def phrase_condition(text: str) -> Meaning | None:
    """The condition on runs that a title, or an axis with a value, means; None for other text."""
    folded, titles = text.casefold(), _titles()
    if (own := titles.get(folded) or titles.get(folded.removesuffix("s"))) is not None:
        return own
    match = re.fullmatch(rf"({_any_of(_axes())}):? ?(\d.*)", text, re.IGNORECASE)
    if match is None:
        return None
    axis = _axes()[match[1].casefold()]
    try:
        value = axis_from_text(axis, match[2])
    except Refused:
        return None
    workloads = Workload.objects.filter(**{axis: value})
    return always(Q(one_of_found("workload", workloads.values("pk"))))


def choices_named(word: str, choices: type[Choices]) -> list[str]:
    """The values of choices that the interface calls by that word."""
    folded = word.casefold()
    with translation.override("en"):
        labels = [(value, str(label)) for value, label in choices.choices]
    return [str(value) for value, label in labels if folded in _in_each_language(label)]


@cache
def _titles() -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for title, condition in _conditions():
        for text in _in_each_language(title):
            found[text] = found[text] | condition if text in found else condition
    return found


def _conditions() -> Iterator[tuple[str, Meaning]]:
    for operation in OPERATIONS.values():
        measured = Measurement.objects.filter(run=OuterRef("pk"), measure__operation=operation.name)
        yield operation.title, always(Q(Exists(measured)))
    for kind in KINDS.values():
        undismissed = Doubt.objects.filter(kind=kind.name, dismissed_at=None, run__isnull=False)
        yield kind.title, pointed_at("pk", undismissed, "run")
    with translation.override("en"):
        states = [(str(title), condition) for title, condition in STATES.values()]
    for title, condition in [*states, *_BADGES.items()]:
        yield title, always(condition)


@cache
def _axes() -> dict[str, str]:
    numbers = [axis for axis in AXES.values() if axis.type is int]
    return {text: axis.name for axis in numbers for text in _in_each_language(axis.title)}


def _in_each_language(text: str) -> set[str]:
    found = {text.casefold()}
    for code, _name in settings.LANGUAGES:
        with translation.override(code):
            found.add(gettext(text).casefold())
    return found


def _any_of(texts: Iterable[str]) -> str:
    return "|".join(map(re.escape, texts))
