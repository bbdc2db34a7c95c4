"""Two people, or two windows, with the form of one record: the second does not win in silence."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from benchdash.vocabulary.canonical import digest


def mark(initial: Mapping[str, str]) -> str:
    """What a form carries along as `seen`: a digest of the record as it is now."""
    return digest(dict(initial))


def is_unchanged(form: forms.Form, sent: QueryDict, initial: Mapping[str, str]) -> bool:
    """Whether the record is as the form saw it; else the form says so, and saves when sent again."""
    if sent.get("seen") in (None, mark(initial)):
        return True
    form.add_error(
        None,
        _(
            "Somebody changed this while you were editing. What you typed is still here: look at the "
            "record in another window, then save again to replace it."
        ),
    )
    return False
