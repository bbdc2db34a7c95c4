"""Refused files that somebody looked at: put aside they need no attention, and their bytes stay."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import QuerySet
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.results.models import Upload
from benchdash.results.storable import storable_text

LONGEST_REASON = 300


def refused_files(*, aside: bool) -> QuerySet[Upload]:
    """Those that nobody put aside, or those that somebody did; members of archives too."""
    refused = Upload.objects.filter(outcome=Upload.Outcome.REFUSED)
    return refused.filter(put_aside_at__isnull=not aside)


def put_aside(uploads: Collection[int], reason: str, by: User | None) -> int:
    """Ask for no attention to these refused files any more; how many changed."""
    return (
        refused_files(aside=False)
        .filter(pk__in=uploads)
        .update(
            put_aside_at=timezone.now(),
            put_aside_by=by,
            put_aside_reason=storable_text(reason.strip(), LONGEST_REASON),
        )
    )


def take_back(uploads: Collection[int]) -> int:
    """Ask for attention to them again; how many changed."""
    aside = refused_files(aside=True).filter(pk__in=uploads)
    return aside.update(put_aside_at=None, put_aside_by=None, put_aside_reason="")
