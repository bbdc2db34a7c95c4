"""What people say about doubts: that they are none, and that they stand after all."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.results.bulk import insert
from benchdash.results.executions import whole_samples
from benchdash.results.models import Doubt, PastDismissal

LONGEST_REASON = 300


def doubts_of_samples(runs: Collection[int], kind: str = "") -> QuerySet[Doubt]:
    """Doubts of the whole samples of these runs, of one kind or all."""
    found = Doubt.objects.filter(run__in=whole_samples(runs))
    return found.filter(kind=kind) if kind else found


@transaction.atomic
def dismiss(doubts: QuerySet[Doubt], reason: str, by: User | None) -> int:
    """Say that doubts are none; reason and name stay with them. How many stood until now.

    By nobody here where the file of a study says so.
    """
    reason = reason.strip()
    if not reason:
        raise Refused(_("Give a reason, so that others can judge it."), "reason")
    if len(reason) > LONGEST_REASON:
        raise Refused("A reason has at most {n} characters.", "reason", n=LONGEST_REASON)
    return doubts.filter(dismissed_at=None).update(
        dismissed_at=timezone.now(),
        dismissed_by=by,
        dismissed_by_name=by.get_username() if by else "",
        dismissed_reason=reason,
    )


@transaction.atomic
def take_back(doubts: QuerySet[Doubt], by: User) -> int:
    """Let dismissed doubts stand again; their dismissals stay as past ones. How many they were."""
    dismissals = doubts.exclude(dismissed_at=None).select_for_update()
    dismissed = list(
        dismissals.values(
            *("dismissed_at", "dismissed_by_name", "dismissed_reason"), doubt_id=F("pk")
        )
    )
    person = {"taken_back_at": timezone.now(), "taken_back_by_name": by.get_username()}
    insert([PastDismissal(**past, **person) for past in dismissed])
    return Doubt.objects.filter(pk__in=[past["doubt_id"] for past in dismissed]).update(
        dismissed_at=None, dismissed_by=None, dismissed_by_name="", dismissed_reason=""
    )
