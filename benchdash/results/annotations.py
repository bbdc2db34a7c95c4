"""Tags and notes of people on records: given, changed, removed, looked up."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import reduce
from operator import or_

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.inventory.records import LONGEST_TEXT
from benchdash.results.executions import whole_samples
from benchdash.results.lookups import one_of_found
from benchdash.results.models import Note, Run, Study, Tag

LONGEST_TAG = 50
MOST_TAGS = 20


def tag_names(text: str) -> list[str]:
    """`slow, ext3` as names, without blanks around and doubles; Refused where one is too long."""
    names = [" ".join(part.split()) for part in re.split("[,、]", text)]
    different = list(dict.fromkeys(name for name in names if name))
    if any(len(name) > LONGEST_TAG for name in different):
        raise Refused("A tag has at most {n} characters.", "tags", n=LONGEST_TAG)
    if len(different) > MOST_TAGS:
        raise Refused("At most {n} tags at once.", "tags", n=MOST_TAGS)
    return different


@transaction.atomic
def set_tags(record: Study | Configuration | Run, names: Collection[str]) -> None:
    """Exactly these tags."""
    relation = _relation(record)
    for tag in tags_of(record).exclude(name__in=names):
        getattr(tag, relation).remove(record)
    for tag in _tags(names):
        getattr(tag, relation).add(record)


@transaction.atomic
def tag_runs(runs: Collection[int], names: Collection[str]) -> int:
    """Give each run of the samples of these runs these tags too; how many runs there are."""
    found = whole_samples(runs)
    for tag in _tags(names):
        tag.runs.add(*found)
    return len(found)


@transaction.atomic
def untag_runs(runs: Collection[int], names: Collection[str]) -> int:
    """Take these tags from the runs of the samples of these runs; how many runs there are."""
    found = whole_samples(runs)
    for tag in Tag.objects.filter(name__in=names):
        tag.runs.remove(*found)
    return len(found)


def tagged(names: Iterable[str]) -> Q:
    """Runs with one of the tags, of their own or by their configuration or study."""
    tags = Tag.objects.filter(name__in=list(names))
    return (
        Q(one_of_found("pk", tags.values("runs")))
        | Q(one_of_found("configuration", tags.values("configurations")))
        | Q(one_of_found("study", tags.values("studies")))
    )


def tags_of(record: Study | Configuration | Run) -> QuerySet[Tag]:
    """The record's own tags by name."""
    return Tag.objects.filter(**{_relation(record): record})


def used_tags() -> QuerySet[Tag]:
    """Tags that a record has; the others are no choice."""
    kinds = (Tag.runs, Tag.configurations, Tag.studies)
    uses = (Q(Exists(kind.through.objects.filter(tag=OuterRef("pk")))) for kind in kinds)
    return Tag.objects.filter(reduce(or_, uses))


def _tags(names: Collection[str]) -> list[Tag]:
    Tag.objects.bulk_create([Tag(name=name) for name in names], ignore_conflicts=True)
    return list(Tag.objects.filter(name__in=names))


def _relation(record: Study | Configuration | Run) -> str:
    if isinstance(record, Run):
        return "runs"
    return "studies" if isinstance(record, Study) else "configurations"


def add_note(record: Study | Configuration | Run, text: str, by: User | None) -> Note:
    """One more note on a record; Refused where it is empty or too long."""
    note = Note(text=_checked(text), created_by=by)
    if isinstance(record, Run):
        note.run = record
    elif isinstance(record, Study):
        note.study = record
    else:
        note.configuration = record
    note.save()
    return note


def change_note(note: Note, text: str, by: User | None) -> None:
    """Change the text of a note, and keep who did it and when."""
    note.text, note.changed_at, note.changed_by = _checked(text), timezone.now(), by
    note.save()


def _checked(text: str) -> str:
    text = text.strip()
    if not text:
        raise Refused(_("Write something in the note."), "text")
    if len(text) > LONGEST_TEXT:
        raise Refused("A note has at most {n} characters.", "text", n=LONGEST_TEXT)
    return text
