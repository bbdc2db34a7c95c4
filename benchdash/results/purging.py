"""The end of what people deleted, and of bytes that must not be kept."""

from __future__ import annotations

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.results.models import Artifact, Purge, Run, Upload

RECOVERABLE = timedelta(days=30)

log = logging.getLogger(__name__)


@transaction.atomic
def purge_bytes(upload: Upload, *, named: str, reason: str, by: User) -> list[Purge]:
    """Remove the bytes of a file, and of the archive that brought it, for good; the lines kept.

    `named` is its name or SHA-256, typed by the person. Runs stay with their numbers.
    """
    if named.strip() not in (upload.name, upload.name.rpartition("/")[2], upload.artifact.sha256):
        raise Refused(_("Type the file's name or its SHA-256, so that no other is meant."), "named")
    if not reason.strip():
        raise Refused(_("Say why: the reason stays when the bytes are gone."), "reason")
    purges = [_purged(one, reason.strip(), by) for one in holders_of(upload)]
    if not purges:
        raise Refused(_("The bytes of this file are purged already."), "named")
    return purges


def holders_of(upload: Upload) -> list[Upload]:
    """The file, and the archives whose bytes hold it too, as far as they still have their bytes."""
    archives = Upload.objects.filter(members__artifact=upload.artifact_id)
    found = Upload.objects.filter(Q(pk=upload.pk) | Q(pk__in=archives), artifact__purge=None)
    by_artifact = {one.artifact_id: one for one in found.select_related("artifact").order_by("-pk")}
    return list(by_artifact.values())


def _purged(upload: Upload, reason: str, by: User) -> Purge:
    artifact = upload.artifact
    Artifact.objects.filter(pk=artifact.pk).update(compressed=b"")
    # what waits to be read would wait for ever
    artifact.uploads.filter(outcome=Upload.Outcome.WAITING).update(
        outcome=Upload.Outcome.REFUSED, sentence="Its bytes were purged before they were read."
    )
    log.warning("%s purged the bytes of %s (%s): %s", by, upload.name, artifact.sha256, reason)
    return Purge.objects.create(
        artifact=artifact, name=upload.name, reason=reason, purged_by=by, purged_by_name=str(by)
    )


def purge_deleted() -> int:
    """Remove runs that were deleted 30 days ago, with their numbers; artifacts stay."""
    old = Run.objects.filter(deleted_at__lt=timezone.now() - RECOVERABLE)
    _, counts = old.delete()
    runs = counts.get(Run._meta.label, 0)
    if runs:
        log.info("%s runs were deleted more than 30 days ago: their numbers are gone", runs)
    return runs
