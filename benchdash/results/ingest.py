"""The one door in: files to runs, for the page, the API, the command, the worker and the demo.

    outcomes = ingest([File("a.json", data)], Asked(configuration=…), by=request.user)

One call is one transaction: all of its files are stored, or none. Bytes that were stored
before are answered with their runs; bytes that cannot be read are kept, with the reason.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence

from django.db import IntegrityError, OperationalError, transaction

from benchdash.accounts.models import User
from benchdash.results.artifacts import with_runs
from benchdash.results.asked import Asked
from benchdash.results.batch import Batch
from benchdash.results.models import Upload
from benchdash.results.outcomes import Outcome, outcomes_of
from benchdash.results.readings import File, Reading, readings_of

_ATTEMPTS = 5
_QUICKER_TO_PARSE_BYTES = 64 * 2**10  # than to ask whether it is stored

log = logging.getLogger(__name__)


def ingest(
    files: Iterable[File],
    asked: Asked | None = None,
    by: User | None = None,
    upload: Upload | None = None,
) -> list[Outcome]:
    """Store files and archives: one outcome a file, one for each member of an archive.

    `upload` is the row of a single file that was kept to be read later, or again.
    """
    readings = [reading for file in files for reading in readings_of(file)]
    _read_what_is_new(readings)
    for _ in range(_ATTEMPTS - 1):
        try:
            return _stored(Batch(readings, asked or Asked(), by), upload)
        except (IntegrityError, OperationalError) as error:
            # somebody else stored the same just now: the next look finds it
            log.info("ingest tries again: %s", error)
    return _stored(Batch(readings, asked or Asked(), by), upload)


def _read_what_is_new(readings: Sequence[Reading]) -> None:
    """Parse each content once; a large one only if it is not stored."""
    large = {each.sha256 for each in readings if len(each.data) > _QUICKER_TO_PARSE_BYTES}
    met = set(with_runs(large)) if large else set()
    for reading in readings:
        if reading.sha256 not in met:
            met.add(reading.sha256)
            reading.read()


def _stored(batch: Batch, upload: Upload | None) -> list[Outcome]:
    with transaction.atomic():
        if upload is not None and not _still_open(upload):
            return outcomes_of([upload])
        batch.keep_bytes()
        batch.add_runs()
        batch.hang_logs()
        return batch.keep_uploads(upload)


def _still_open(upload: Upload) -> bool:
    """False where the same message was delivered twice and the other one was quicker."""
    upload.refresh_from_db(from_queryset=Upload.objects.select_for_update())
    return upload.outcome in (Upload.Outcome.WAITING, Upload.Outcome.REFUSED)
