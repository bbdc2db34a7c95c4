"""One question over everything: each of its words has to stand somewhere in a record.

A word of one or two letters (the C of "drbd C") has to stand alone: inside others it is everywhere.
`protocol=C` asks for a layer's option and its value. Of runs, `4 KiB`, `QD 8`, `4 jobs` and a date
are one word each, as their names write them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any

from django.conf import settings
from django.db.models import Exists, Model, OuterRef, Q, QuerySet, TextField
from django.db.models.functions import Cast

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration, Environment, EnvironmentMachine, Facet
from benchdash.inventory.models import EnvironmentName as Name
from benchdash.results.models import Run, Study, Tag, Upload, Workload
from benchdash.results.models.run import LIVING
from benchdash.results.named_parts import BETWEEN, name_parts, named_part
from benchdash.results.run_names import with_names

SHOWN = 8
MOST_WORDS = 8
_SHORT = 2
_DIGITS_OF_AN_ID = 18


@dataclass(frozen=True, slots=True)
class Group:
    """Records of one kind, the newest first, and whether there are more than these."""

    kind: str
    rows: list[Any]
    more: bool


def search(text: str, role: Role) -> list[Group]:
    """What `role` may see of each kind, kinds without a match left out; one query a kind."""
    words = words_of(text)
    if not words:
        return []
    groups = [group_of(kind, *found, words) for kind, found in _kinds(role)]
    groups.insert(3, group_of("runs", *_runs(role), name_parts(text)[:MOST_WORDS]))
    return [group for group in groups if group.rows]


def words_of(text: str) -> list[str]:
    """The first words of a question, without the signs between the parts of a name."""
    return [word for word in text.split() if word not in BETWEEN][:MOST_WORDS]


_Search = tuple[QuerySet[Any], Callable[[str], Q]]


def _kinds(role: Role) -> Iterator[tuple[str, _Search]]:
    yield "studies", (Study.objects.all(), _in_study)
    yield "configurations", (Configuration.objects.select_related("stack"), _in_configuration)
    yield "environments", (Environment.objects.prefetch_related("names"), _in_environment)
    if role >= Role.CONTRIBUTOR:
        yield "uploads", (Upload.objects.all(), lambda word: contains(word, "name", "sentence"))


def _runs(role: Role) -> _Search:
    runs = with_names(Run.objects.filter(LIVING)).defer("details", "conditions", "notes")
    return runs, _in_run if role >= Role.VIEWER else _in_public_run


def group_of(kind: str, rows: QuerySet[Any], where: Callable[[str], Q], words: list[str]) -> Group:
    """The newest records of a kind that contain each of the words."""
    found: list[Model] = list(rows.filter(*map(where, words)).order_by("-pk")[: SHOWN + 1])
    return Group(kind, found[:SHOWN], len(found) > SHOWN)


def contains(word: str, *fields: str) -> Q:
    """One of the text fields contains the word."""
    lookup, value = "icontains", word
    if len(word) <= _SHORT and word.isascii() and word.isalnum():
        lookup, value = "iregex", rf"(^|[^a-z0-9]){word}([^a-z0-9]|$)"
    return reduce(or_, (Q(**{f"{field}__{lookup}": value}) for field in fields))


def _in_study(word: str) -> Q:
    fields = ("title", "question", "words")
    labels = Q(pk__in=_labelled(word, "studies"))
    languages = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
    translated = (f"translations__{code}__{field}" for code in languages for field in fields)
    return contains(word, *chain(fields, translated)) | labels


def _in_configuration(word: str) -> Q:
    option, equals, value = word.partition("=")
    named = Q(key__iendswith=option, text__iexact=value)
    found = named if equals else contains(word, "key", "text")
    facets = Facet.objects.filter(found, stack=OuterRef("stack"))
    labels = Q(pk__in=_labelled(word, "configurations"))
    return contains(word, "name", "notes") | Q(Exists(facets)) | labels


def _in_environment(word: str) -> Q:
    parts = EnvironmentMachine.objects.annotate(facts=Cast("snapshot__facts", TextField()))
    # SQLite keeps JSON as it was written: other alphabets stand there in escapes
    escaped = json.dumps(word)[1:-1]
    found = contains(word, "facts", "snapshot__host__name") | contains(escaped, "facts")
    names = Name.objects.filter(contains(word, "name"), environment=OuterRef("pk"))
    return Q(Exists(names)) | Q(Exists(parts.filter(found, environment=OuterRef("pk"))))


def _in_public_run(word: str) -> Q:
    found = contains(word, "label", "tool") | Q(tool_version__istartswith=word)
    if (part := named_part(word)) is not None:
        found |= part
    found |= Q(pk__in=_labelled(word, "runs"))
    found |= Q(workload__in=Workload.objects.filter(contains(word, "pattern", "script")))
    hosts = EnvironmentMachine.objects.filter(contains(word, "snapshot__host__name"))
    found |= Q(environment__in=hosts.values("environment"))
    found |= Q(configuration__in=Configuration.objects.filter(contains(word, "name")))
    if word.isascii() and word.isdecimal() and len(word) <= _DIGITS_OF_AN_ID:
        found |= Q(pk=int(word))
    return found


def _in_run(word: str) -> Q:
    """Names of files too: they are no business of visitors."""
    named = Upload.objects.filter(contains(word, "name"))
    return _in_public_run(word) | Q(artifact__in=named.values("artifact"))


def _labelled(word: str, records: str) -> QuerySet[Any, int]:
    """Ids of the records with a tag that contains the word."""
    tags = Tag.objects.filter(contains(word, "name"), **{f"{records}__isnull": False})
    return tags.values_list(records, flat=True)
