"""One question over everything: each of its words has to stand somewhere in a record.

A word of one or two letters (the C of "drbd C") has to stand alone: inside others it is everywhere.
`protocol=C` asks for a layer's option and its value. Of runs, `4 KiB`, `QD 8`, `4 jobs` and a date
are one word each, as their names write them, and so is what the interface says of them.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import (
    Case,
    Exists,
    Model,
    OuterRef,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration, Environment, EnvironmentMachine, Facet
from benchdash.inventory.models import EnvironmentName as Name
from benchdash.results.interface_words import choices_named
from benchdash.results.lookups import Meaning, always, one_of_found, pointed_at
from benchdash.results.models import Run, Study, Tag, Upload, Workload
from benchdash.results.named_parts import name_parts, named_part, without_stop_words
from benchdash.results.run_filters import RunQuery, matching
from benchdash.results.run_names import with_names
from benchdash.vocabulary.tools import TOOLS

SHOWN, MOST = 8, 200  # records of a kind beside others, and alone; more are not counted
MOST_WORDS = 8
_SHORT = 2
_LONG = 4  # a plural in s, and not xfs
# records that are read one by one: of several words each may be frequent, and all together rare
_NEWEST, _NEWEST_OF_WORDS = 500, 20_000
_DIGITS_OF_AN_ID = 18


@dataclass(frozen=True, slots=True)
class Group:
    """Records of one kind, the newest first, of how many that were found, and whether these are all."""

    kind: str
    rows: list[Any]
    found: int
    is_all: bool

    @property
    def more(self) -> bool:
        """Whether there are others than `rows`."""
        return self.found > len(self.rows) or not self.is_all


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """Words, and the filters of runs: without filters everything is searched.

    With some, only runs that match, and records that have such a run. With a `kind` only that one,
    and more of it.
    """

    text: str
    run_query: RunQuery
    kind: str = ""

    @property
    def words(self) -> list[str]:
        """The first words that are no stop words."""
        return without_stop_words(self.text.split())[:MOST_WORDS]

    @property
    def is_empty(self) -> bool:
        """Whether it has neither words nor filters."""
        return not (self.words or self.run_query.chosen)

    @property
    def most(self) -> int:
        """How many of a kind are shown."""
        return MOST if self.kind else SHOWN

    def wants(self, kind: str) -> bool:
        """Whether records of that kind are searched."""
        return self.kind in ("", kind)

    def seen_by(self, role: Role) -> SearchQuery:
        """The same, for people of that role."""
        return replace(self, run_query=self.run_query.seen_by(role))

    def having_runs(self, rows: QuerySet[Any], field: str, of_runs: str) -> QuerySet[Any]:
        """Those whose `field` is the column `of_runs` of a run that matches; all without filters."""
        if not self.run_query.chosen:
            return rows
        found = matching(self.run_query).order_by().values(of_runs)
        return rows.filter(**{f"{field}__in": found.filter(**{f"{of_runs}__isnull": False})})


def search(query: SearchQuery, role: Role) -> list[Group]:
    """What `role` may see of each kind, kinds without a match left out.

    One query a kind, six at most for runs.
    """
    if query.is_empty:
        return []
    query = query.seen_by(role)
    kinds = [(kind, found) for kind, found in _kinds(query, role) if query.wants(kind)]
    groups = [group_of(kind, *found, query) for kind, found in kinds]
    if query.wants("runs"):
        groups.insert(3, _runs(query, role))
    return [group for group in groups if group.rows]


_Search = tuple[QuerySet[Any], Callable[[str], Q]]


def _kinds(query: SearchQuery, role: Role) -> Iterator[tuple[str, _Search]]:
    having = query.having_runs
    studies = Study.objects.filter(deleted_at=None)
    yield "studies", (having(studies, "pk", "study"), _in_study)
    configurations = Configuration.objects.filter(deleted_at=None).select_related("stack")
    yield "configurations", (having(configurations, "pk", "configuration"), _in_configuration)
    environments = Environment.objects.prefetch_related("names")
    yield "environments", (having(environments, "pk", "environment"), _in_environment)
    if role >= Role.CONTRIBUTOR:
        yield "uploads", (having(Upload.objects.all(), "artifact", "artifact"), _in_upload)


def _runs(query: SearchQuery, role: Role) -> Group:
    parts = name_parts(query.text)[:MOST_WORDS]
    means = _meanings(parts, with_files=role >= Role.VIEWER)
    seen = matching(query.run_query, Run.objects.all())
    shown = with_names(seen).defer("details", "conditions", "notes")
    return group_of_many("runs", shown, seen, [means[part] for part in parts], query.most)


def group_of_many(
    kind: str, shown: QuerySet[Any], seen: QuerySet[Any], words: Sequence[Meaning], most: int
) -> Group:
    """The newest of very many records: a word that many have is found among the newest few.

    One that few have is found by index. `shown` are the records of `seen` as lists have them.
    """
    newest = seen.model._default_manager.order_by("-pk").values_list("pk", flat=True).first() or 0
    found, read = list[int](), 0
    for read in (_NEWEST, _NEWEST_OF_WORDS) if len(words) > 1 or most > SHOWN else (_NEWEST,):
        recent = seen.filter(*(word.one_by_one for word in words), pk__gt=newest - read)
        # few are read to their end, so that the count of what is found there is worth its words
        found = _newest_ids(recent, MOST if read == _NEWEST or newest <= read else most)
        if len(found) > most or newest <= read:
            break
    is_all = newest <= read
    if len(found) <= SHOWN and not is_all:
        # looked up beforehand: with a limit PostgreSQL reads record after record for the first that match
        every = seen.order_by().filter(*(word.by_index for word in words)).values("pk")
        found, is_all = _newest_ids(seen.filter(one_of_found("pk", every)), MOST), True
    rows = list(shown.filter(pk__in=found[:most]).order_by("-pk"))
    return Group(kind, rows, min(len(found), MOST), is_all and len(found) <= MOST)


def _newest_ids(rows: QuerySet[Any], most: int) -> list[int]:
    """One more than `most` where there are more."""
    return list(rows.order_by("-pk").values_list("pk", flat=True)[: most + 1])


def group_of(
    kind: str, rows: QuerySet[Any], where: Callable[[str], Q], query: SearchQuery
) -> Group:
    """The newest records of a kind that contain each of the words."""
    found: list[Model] = list(rows.filter(*map(where, query.words)).order_by("-pk")[: MOST + 1])
    return Group(kind, found[: query.most], min(len(found), MOST), len(found) <= MOST)


def contains(word: str, *fields: str) -> Q:
    """One of the text fields contains the word, or what it is the plural of."""
    lookup, value = "icontains", word.removesuffix("s") if len(word) > _LONG else word
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
    found = contains(word, "facts", "snapshot__host__name")
    found |= contains(escaped, "facts") if escaped != word else Q()
    names = Name.objects.filter(contains(word, "name"), environment=OuterRef("pk"))
    return Q(Exists(names)) | Q(Exists(parts.filter(found, environment=OuterRef("pk"))))


def _in_upload(word: str) -> Q:
    found = contains(word, "name", "sentence")
    return found | Q(outcome__in=choices_named(word, Upload.Outcome))


def _meanings(words: list[str], *, with_files: bool) -> dict[str, Meaning]:
    """What each word means of runs; one query. Names of files are no business of visitors.

    The few records that runs point at are looked up first: the database knows then how many runs
    have them, and which index to take.
    """
    keys = keys_of(
        {
            "workload": Rows(Workload.objects.all(), "pk", _in("pattern", "script")),
            "environment": Rows(
                EnvironmentMachine.objects.all(), "environment", _in("snapshot__host__name")
            ),
            "configuration": Rows(Configuration.objects.all(), "pk", _in("name")),
            # raid6, writeback: part of a value would be everywhere
            "layer": Rows(
                Facet.objects.filter(stack__configurations__isnull=False),
                "stack__configurations",
                lambda word: Q(text__iexact=word),
            ),
            "tag": Rows(Tag.objects.all(), "pk", _in("name")),
        },
        words,
    )
    found = {}
    for word in words:
        part = named_part(word)
        condition = contains(word, "label")
        if tools := [tool for tool in TOOLS if word.casefold() in tool]:
            condition |= Q(tool__in=tools)
        if any(map(str.isdigit, word)):
            condition |= Q(tool_version__istartswith=word)
        configurations = keys["configuration", word] | (
            keys["layer", word] if part is None else set()
        )
        for column, own in (
            ("workload", keys["workload", word]),
            ("environment", keys["environment", word]),
            ("configuration", configurations),
        ):
            condition |= Q(**{f"{column}__in": own}) if own else Q()
        if word.isascii() and word.isdecimal() and len(word) <= _DIGITS_OF_AN_ID:
            condition |= Q(pk=int(word))
        meaning = always(condition)
        if part is not None:
            meaning |= part
        if tags := keys["tag", word]:
            tagged = Run.tags.through.objects.filter(tag__in=tags)
            meaning |= pointed_at("pk", tagged, "run")
        if with_files:
            named = Upload.objects.filter(contains(word, "name"))
            meaning |= pointed_at("artifact", named, "artifact")
        found[word] = meaning
    return found


def _in(*fields: str) -> Callable[[str], Q]:
    return lambda word: contains(word, *fields)


class Rows(NamedTuple):
    """Few records, the column with the key that they stand for, and when a word means them."""

    records: QuerySet[Any]
    key: str
    means: Callable[[str], Q]


def keys_of(rows: Mapping[str, Rows], words: Sequence[str]) -> Mapping[tuple[str, str], set[int]]:
    """By kind of rows and word the keys of those that the word means; one query."""
    found: dict[tuple[str, str], set[int]] = defaultdict(set)
    if not words:
        return found
    parts = [
        each.records.filter(reduce(or_, map(each.means, words)))
        .annotate(
            kind=Value(kind),
            **{
                f"has_{place}": Case(When(each.means(word), then=True), default=False)
                for place, word in enumerate(words)
            },
        )
        .order_by()
        .values_list("kind", each.key, *(f"has_{place}" for place in range(len(words))))
        for kind, each in rows.items()
    ]
    for kind, key, *are_in in parts[0].union(*parts[1:], all=True):
        for word, is_in in zip(words, are_in, strict=True):
            if is_in:
                found[kind, word].add(key)
    return found


def _labelled(word: str, records: str) -> QuerySet[Any, int]:
    """Ids of the records with a tag that contains the word."""
    tags = Tag.objects.filter(contains(word, "name"), **{f"{records}__isnull": False})
    return tags.values_list(records, flat=True)
