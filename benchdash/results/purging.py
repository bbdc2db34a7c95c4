"""The end of what people deleted."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.utils import timezone

from benchdash.results.models import Run

RECOVERABLE = timedelta(days=30)

log = logging.getLogger(__name__)


def purge_deleted() -> int:
    """Remove runs that were deleted 30 days ago, with their numbers; artifacts stay."""
    old = Run.objects.filter(deleted_at__lt=timezone.now() - RECOVERABLE)
    _, counts = old.delete()
    runs = counts.get(Run._meta.label, 0)
    if runs:
        log.info("%s runs were deleted more than 30 days ago: their numbers are gone", runs)
    return runs
