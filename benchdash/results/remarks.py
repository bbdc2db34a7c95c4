"""Notes of people on records: written, said in other words, taken away."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.results.models import Note, Run, Study

LONGEST_NOTE = 20_000


def add_note(record: Study | Configuration | Run, text: str, by: User | None) -> Note:
    """One more note on a record; Refused where it says nothing, or too much."""
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
    """The note in other words, with who and when."""
    note.text, note.changed_at, note.changed_by = _checked(text), timezone.now(), by
    note.save()


def _checked(text: str) -> str:
    said = text.strip()
    if not said:
        raise Refused(_("A note says something."), "text")
    if len(said) > LONGEST_NOTE:
        raise Refused(_("A note has at most {n} characters.").format(n=LONGEST_NOTE), "text")
    return said
