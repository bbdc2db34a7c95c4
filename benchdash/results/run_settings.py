"""Settings of stored runs: chosen by, added in bulk, and read out of file names and labels."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, JSONField, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.fields.json import KeyTransform, KeyTransformExact

from benchdash.errors import Refused
from benchdash.results.executions import whole_samples
from benchdash.results.factors import NONE
from benchdash.results.models import Run, Upload
from benchdash.vocabulary.canonical import canonical
from benchdash.vocabulary.settings import (
    NAME,
    Settings,
    setting_from_text,
    settings_from,
    with_settings,
)

LONGEST_PATTERN = 200
_HOLE = re.compile(r"(\*|\{[^{}]*\})")


def by_setting(name: str, values: Sequence[str]) -> Q:
    """The runs with one of these values of a setting; `~` stands for none."""
    found = Q()
    for value in values:
        if value == NONE:
            found |= ~Q(settings__has_key=name)
        else:
            # without a lookup by name, in which __ would mean something
            setting = Value(setting_from_text(name, value), JSONField())
            found |= Q(KeyTransformExact(KeyTransform(name, F("settings")), setting))
    return found


def add_settings(runs: QuerySet[Run], settings: Settings) -> None:
    """Add them to those that the runs have, over those of the same names."""
    by_content: dict[str, tuple[Settings, list[int]]] = {}
    for pk, own in runs.select_for_update().values_list("pk", "settings"):
        by_content.setdefault(canonical(own), (own, []))[1].append(pk)
    for own, keys in by_content.values():
        Run.objects.filter(pk__in=keys).update(settings=with_settings(own, settings))


@dataclass(frozen=True, slots=True)
class Match:
    """What a pattern finds in the name of a run's file, else in its label; nothing: `settings` is empty."""

    run: int
    file: str
    label: str
    settings: Settings


def matches(runs: Iterable[int], pattern: str) -> list[Match]:
    """What `pattern` finds for each run, without changing it; one query. Refused where it is none.

    A pattern is a name with holes: `{guests}vm-{cache}.json`, where `*` stands for anything. An
    empty one finds nothing.
    """
    parts = _parts(pattern) if pattern else []
    names = Upload.objects.filter(artifact=OuterRef("artifact")).order_by("pk").values("name")[:1]
    rows = Run.objects.filter(pk__in=runs).order_by("pk")
    return [
        Match(pk, name, label, _found(parts, (name.rpartition("/")[2], name, label)))
        for pk, label, name in rows.values_list("pk", "label", Subquery(names))
        for name in [name or ""]
    ]


def apply_matches(found: Iterable[Match]) -> int:
    """Give the runs what was found for them, and their samples with them; how many runs changed."""
    changed = 0
    by_content: dict[str, tuple[Settings, list[int]]] = {}
    for match in found:
        content = by_content.setdefault(canonical(match.settings), (match.settings, []))
        content[1].append(match.run)
    with transaction.atomic():
        for settings, runs in by_content.values():
            samples = whole_samples(runs)
            add_settings(Run.objects.filter(pk__in=samples), settings)
            changed += len(samples)
    return changed


def _parts(pattern: str) -> list[str]:
    """Texts at even places, holes at odd ones."""
    if len(pattern) > LONGEST_PATTERN:
        raise Refused("A pattern has at most {n} characters.", "pattern", n=LONGEST_PATTERN)
    parts = _HOLE.split(pattern)
    names = [part[1:-1] for part in parts[1::2] if part != "*"]
    if not names:
        raise Refused(
            "The pattern names no setting: write {example} where its value goes.",
            "pattern",
            example="{guests}",
        )
    for name in names:
        if not NAME.fullmatch(name):
            raise Refused(
                "“{name}” cannot be the name of a setting: use at most 50 lower-case letters, "
                "digits, - and _.",
                "pattern",
                name=name,
            )
    if len(set(names)) < len(names):
        raise Refused("The pattern names a setting twice.", "pattern")
    if any(not text for text in parts[2:-1:2]):
        raise Refused(
            "Two placeholders in the pattern touch: write the text that separates them.", "pattern"
        )
    return parts


def _found(parts: Sequence[str], texts: Iterable[str]) -> Settings:
    for text in texts:
        values = dict(_values(parts, text))
        if values and all(values.values()):
            return settings_from(values)
    return {}


def _values(parts: Sequence[str], text: str) -> Iterator[tuple[str, str]]:
    """The text of each hole; nothing where the whole text does not match.

    Each hole ends where the text behind it first stands, the last one as late as possible: read
    once from left to right, however the pattern is written.
    """
    if not parts or not text.startswith(parts[0]) or not text.endswith(parts[-1]):
        return
    place, end = len(parts[0]), len(text) - len(parts[-1])
    found: list[tuple[str, str]] = []
    for hole, behind in zip(parts[1::2], parts[2::2], strict=True):
        last = behind is parts[-1] and len(found) == len(parts) // 2 - 1
        until = end if last else text.find(behind, place, end)
        if until < place:
            return
        found.append((hole, text[place:until]))
        place = until + len(behind)
    yield from ((hole[1:-1], value) for hole, value in found if hole != "*")
