"""What people change about runs that are stored: where they belong, and whether they count."""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.results.asked import Asked
from benchdash.results.duplicates import first_runs, promote_copies
from benchdash.results.models import Run


def assign(runs: Collection[int], asked: Asked) -> int:
    """Give the runs the configuration, environment and study that are said; how many changed."""
    said = {
        name: record
        for name in ("configuration", "environment", "study")
        if (record := getattr(asked, name)) is not None
    }
    if not said:
        raise Refused(_("Say a configuration, an environment or a study to assign the runs to."))
    return Run.objects.filter(pk__in=runs).update(**said)


def set_aside(runs: Collection[int], reason: str) -> int:
    """Keep the runs visible and out of statistics; an empty reason counts them again."""
    return Run.objects.filter(pk__in=runs).update(set_aside_reason=reason)


def count_as_repeats(runs: Collection[int], *, repeats: bool) -> int:
    """Say that equal numbers were measured again (or, with False, that they are the same run)."""
    return Run.objects.filter(pk__in=runs).exclude(same_as=None).update(is_repeat=repeats)


@transaction.atomic
def delete(runs: Collection[int]) -> int:
    """Hide the runs; `restore` brings them back for 30 days, artifacts stay for ever."""
    hidden = Run.objects.filter(pk__in=runs, deleted_at=None).update(deleted_at=timezone.now())
    promote_copies(runs)
    return hidden


@transaction.atomic
def restore(runs: Collection[int]) -> int:
    """Show deleted runs again; one whose numbers count elsewhere by now comes back as a copy."""
    deleted = Run.objects.filter(pk__in=runs).exclude(deleted_at=None).select_for_update()
    hidden = list(deleted.order_by("pk").values_list("pk", "digest"))
    for pk, digest in hidden:
        first = first_runs([digest]).get(digest)
        Run.objects.filter(pk=pk).update(deleted_at=None, same_as=first)
    return len(hidden)
