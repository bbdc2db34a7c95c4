"""Files that are too large to read while somebody waits: kept at once, read by a worker.

The row is the truth and the message only a doorbell: one that is lost is sent again by
`ring_again`, one that is delivered twice finds nothing left to do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from benchdash import dispatch
from benchdash.accounts.models import User
from benchdash.parsers.unpacking import kind_of
from benchdash.results.artifacts import content_of, keep_artifacts, with_runs
from benchdash.results.asked import Asked, asked_from_json
from benchdash.results.ingest import ingest
from benchdash.results.models import Upload
from benchdash.results.outcomes import Outcome
from benchdash.results.readings import File, Reading
from benchdash.results.storable import storable_text

READ_AT_ONCE_BYTES = 4 * 2**20
_USUAL_RATIO = 8  # benchmark output unpacks to about as many times its size
_PATIENCE = timedelta(minutes=1)


def receive(files: Iterable[File], asked: Asked, by: User | None) -> list[Outcome]:
    """What a face calls with what a person sent: `ingest`, and `waiting` for what is large."""
    at_once: list[File] = []
    later: list[File] = []
    for file in files:
        (later if _is_large(file) else at_once).append(file)
    outcomes = ingest(at_once, asked, by) if at_once else []
    return outcomes + [_keep(file, asked, by) for file in later]


def _is_large(file: File) -> bool:
    expected = len(file.data) * (_USUAL_RATIO if kind_of(file.data) else 1)
    return expected > READ_AT_ONCE_BYTES and not with_runs([_digest(file)])


def _digest(file: File) -> str:
    return hashlib.sha256(file.data).hexdigest()


@transaction.atomic
def _keep(file: File, asked: Asked, by: User | None) -> Outcome:
    reading = Reading(file.name, _digest(file), file.data)
    reading.compress()
    artifacts, _ = keep_artifacts([reading])
    upload = Upload.objects.create(
        artifact_id=artifacts[reading.sha256],
        name=storable_text(file.name, 500),
        outcome=Upload.Outcome.WAITING,
        asked=asked.as_json(),
        created_by=by,
    )
    # robust: where the broker is down, the bytes are safe all the same
    transaction.on_commit(lambda: dispatch.ask(dispatch.READ_UPLOAD, upload.pk), robust=True)
    return Outcome(upload, reading.sha256)


def read_upload(upload: Upload, asked: Asked | None = None) -> list[Outcome]:
    """Read what was kept, as it was asked then or as it is asked now; nothing if it is stored."""
    file = File(upload.name, content_of(upload.artifact))
    return ingest([file], asked or asked_from_json(upload.asked), upload.created_by, upload)


def ring_again() -> int:
    """Send the message again for every upload that has waited for more than a minute."""
    overdue = Upload.objects.filter(
        outcome=Upload.Outcome.WAITING, created_at__lt=timezone.now() - _PATIENCE
    )
    uploads = list(overdue.values_list("pk", flat=True))
    for pk in uploads:
        dispatch.ask(dispatch.READ_UPLOAD, pk)
    return len(uploads)
