"""What people change about stored runs: where they belong, whether they count, deleting them.

What is done to a run is done to its whole sample: half a sample would be another number.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F, ProtectedError
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.results.assignment import Assignment
from benchdash.results.doubts import judge_places
from benchdash.results.executions import whole_samples
from benchdash.results.models import Execution, Run, Sample, Study
from benchdash.results.models.run import LIVING
from benchdash.results.new_runs import first_runs
from benchdash.results.run_filters import RunQuery, matching
from benchdash.results.run_settings import add_settings

RECOVERABLE = timedelta(days=30)
MOST_MATCHING = 10_000

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Matching:
    """The ids of all runs that filters match, and how many samples they are."""

    runs: set[int]
    samples: int


def all_that_match(run_query: RunQuery, most: int = MOST_MATCHING) -> Matching:
    """What an act on filters is about, deleted runs too; Refused for more than `most`. One query."""
    rows = list(
        matching(run_query.seen_by(Role.CONTRIBUTOR))
        .order_by()
        .values_list("pk", "sample")[: most + 1]
    )
    if len(rows) > most:
        raise Refused("More than {n} runs match: narrow them down first.", n=most)
    return Matching({pk for pk, _sample in rows}, len({sample for _pk, sample in rows}))


@transaction.atomic
def assign(runs: Collection[int], assignment: Assignment) -> int:
    """Give the runs the configuration, environment and study that are given; how many changed.

    Settings that are given join those that they have. What the records say against the numbers is
    found anew.
    """
    given = {
        name: record
        for name in ("configuration", "environment", "study")
        if (record := getattr(assignment, name)) is not None
    }
    if not given and not assignment.settings:
        raise Refused(_("Name a configuration, an environment, a study or settings to assign."))
    chosen = whole_samples(runs)
    samples = Run.objects.filter(pk__in=chosen)
    if assignment.settings:
        add_settings(samples, assignment.settings)
    changed = samples.update(**given) if given else samples.count()
    if given.keys() & {"configuration", "environment"}:
        judge_places(chosen)
    return changed


def set_aside(runs: Collection[int], reason: str) -> int:
    """Keep the runs visible and out of statistics; an empty reason counts them again."""
    return Run.objects.filter(pk__in=whole_samples(runs)).update(set_aside_reason=reason)


def count_as_repeats(runs: Collection[int], *, repeats: bool) -> int:
    """Say that equal numbers were measured again (or, with False, that they are the same run)."""
    samples = Run.objects.filter(pk__in=whole_samples(runs))
    return samples.exclude(same_as=None).update(is_repeat=repeats)


@transaction.atomic
def delete(runs: Collection[int]) -> int:
    """Hide the runs; for 30 days `restore` shows them again, and artifacts stay for ever."""
    runs = whole_samples(runs)
    hidden = Run.objects.filter(pk__in=runs, deleted_at=None).update(deleted_at=timezone.now())
    promote_copies(runs)
    return hidden


@transaction.atomic
def restore(runs: Collection[int]) -> int:
    """Show deleted runs again; one whose numbers count elsewhere by now comes back as a copy."""
    samples = Run.objects.filter(pk__in=whole_samples(runs))
    deleted = samples.exclude(deleted_at=None).select_for_update()
    hidden = list(deleted.order_by("pk").values_list("pk", "digest"))
    for pk, digest in hidden:
        first = first_runs([digest]).get(digest)
        Run.objects.filter(pk=pk).update(deleted_at=None, same_as=first)
    return len(hidden)


def promote_copies(firsts: Iterable[int]) -> None:
    """Where a first lives no more, or has other numbers now, its oldest copy takes its place."""
    alone = Run.objects.filter(LIVING, same_as__in=set(firsts)).exclude(
        same_as__deleted_at=None, same_as__withdrawn_at=None, same_as__digest=F("digest")
    )
    heirs: dict[str, int] = {}
    for pk, digest in alone.order_by("pk").values_list("pk", "digest"):
        heir = heirs.setdefault(digest, pk)
        Run.objects.filter(pk=pk).update(same_as=None if heir == pk else heir)


def purge_deleted() -> int:
    """Remove runs that were deleted 30 days ago, with their numbers; artifacts stay.

    So do studies and configurations that something still belongs to: they can be brought back.
    """
    long_ago = timezone.now() - RECOVERABLE
    _, counts = Run.objects.filter(deleted_at__lt=long_ago).delete()
    runs = counts.get(Run._meta.label, 0)
    for part in (Sample, Execution):
        part._default_manager.filter(runs=None).delete()
    if runs:
        log.info("%s runs were deleted more than 30 days ago: their numbers are gone", runs)
    for records in (Study, Configuration):
        for record in records._default_manager.filter(deleted_at__lt=long_ago):
            with suppress(ProtectedError):
                record.delete()
    return runs
