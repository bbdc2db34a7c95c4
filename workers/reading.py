"""Uploads that are too large for a request, and what is due every so often."""

from __future__ import annotations

from django.db import connection

from benchdash.dispatch import READ_UPLOAD, app
from benchdash.results import purging, waiting
from benchdash.results.models import Upload


@app.task(name=READ_UPLOAD)
def read_upload(upload: int) -> None:
    """Read an upload that waits; delivered twice, it does nothing twice."""
    row = Upload.objects.select_related("artifact").get(pk=upload)
    if row.outcome == Upload.Outcome.WAITING:
        waiting.read_upload(row)


@app.task(name="workers.reading.ring_again")
def ring_again() -> None:
    """Uploads whose message was lost."""
    waiting.ring_again()


@app.task(name="workers.reading.checkpoint")
def checkpoint() -> None:
    """What was committed, synced to the disk where SQLite leaves that to a convenient time."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")


@app.task(name="workers.reading.purge_deleted")
def purge_deleted() -> None:
    """Runs that were deleted 30 days ago."""
    purging.purge_deleted()
