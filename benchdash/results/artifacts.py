"""The bytes of files: stored once a content, read back, and purged by an admin."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator

import zstandard
from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import N_, Refused
from benchdash.parsers.unpacking import CHUNK
from benchdash.results.bulk import insert_new
from benchdash.results.models import Artifact, Purge, Run, Trace, Upload
from benchdash.results.readings import Reading, Spool

log = logging.getLogger(__name__)


def content_of(artifact: Artifact) -> bytes:
    """The bytes, exactly as they were uploaded; Refused where an admin purged them."""
    purge = purge_of(artifact)
    if purge is not None:
        raise Refused(purged_sentence(purge))
    return zstandard.decompress(bytes(artifact.compressed))


def pieces_of(artifact: Artifact) -> Iterator[bytes]:
    """The same piece by piece, so that a large one is not in memory as a whole."""
    purge = purge_of(artifact)
    if purge is not None:
        raise Refused(purged_sentence(purge))
    with zstandard.ZstdDecompressor().stream_reader(bytes(artifact.compressed)) as stream:
        while piece := stream.read(CHUNK):
            yield piece


def purge_of(artifact: Artifact) -> Purge | None:
    """Why and when its bytes were removed; no query for an artifact that has them."""
    return None if artifact.compressed else Purge.objects.filter(artifact=artifact).first()


def purged_sentence(purge: Purge) -> str:
    """Why there are no bytes to show or to read: the same sentence wherever they are needed."""
    day = date_format(purge.purged_at)
    return N_("An admin purged the bytes of this file on {day}; its numbers stay.", day=day)


def artifacts_with_numbers(digests: Iterable[str]) -> dict[str, int]:
    """`{sha256: artifact id}` of the contents whose runs (or traces) are stored."""
    found = Artifact.objects.filter(_has_numbers(), sha256__in=set(digests))
    return dict(found.values_list("sha256", "pk"))


def _has_numbers() -> Q:
    here = OuterRef("pk")
    return Q(Exists(Run.objects.filter(artifact=here))) | Q(
        Exists(Trace.objects.filter(artifact=here))
    )


def store_artifacts(readings: Iterable[Reading], spool: Spool) -> tuple[dict[str, int], set[str]]:
    """`{sha256: artifact id}`, and the digests that were there before; new ones are inserted.

    The rows stay locked to the end of the transaction, and whoever holds the lock may add runs
    to a content that has none: so the same file, uploaded twice at the same time, is stored once.
    """
    ids: dict[str, int] = {}
    by_digest = {each.sha256: each for each in reversed(list(readings))}
    # one order for everyone, so that two transactions never wait for each other
    ordered = (by_digest[digest] for digest in sorted(by_digest))
    for portion in spool.portions(ordered, with_results=False):
        rows = [
            Artifact(sha256=each.sha256, size_bytes=each.size_bytes, compressed=each.compressed)
            for each in portion
            if each.compressed
        ]
        insert_new(rows, ("sha256",))
        ids |= {row.sha256: row.pk for row in rows if row.pk}
    there = by_digest.keys() - ids.keys()
    return ids | (_locked(there) if there else {}), there


def _locked(digests: set[str]) -> dict[str, int]:
    rows = Artifact.objects.select_for_update().filter(sha256__in=digests).order_by("sha256")
    return dict(rows.values_list("sha256", "pk"))


@transaction.atomic
def purge_bytes(upload: Upload, *, named: str, reason: str, by: User) -> list[Purge]:
    """Remove the bytes of a file, and of the archive that it came in, for good; the rows are kept.

    `named` is its name or SHA-256, typed by the person. Runs stay with their numbers.
    """
    if named.strip() not in (upload.name, upload.name.rpartition("/")[2], upload.artifact.sha256):
        raise Refused(
            _("Type the file's name or its SHA-256 to confirm that you mean it."), "named"
        )
    if not reason.strip():
        raise Refused(_("Give a reason: it is kept when the bytes are gone."), "reason")
    purges = [_purged(one, reason.strip(), by) for one in holders_of(upload)]
    if not purges:
        raise Refused(_("The bytes of this file are already purged."), "named")
    return purges


def holders_of(upload: Upload) -> list[Upload]:
    """The file, and the archives whose bytes hold it too, as far as they still have their bytes."""
    same = Upload.objects.filter(artifact=upload.artifact_id)
    holders = Q(pk=upload.pk) | Q(pk__in=same.values("archive"))
    # an output in the archive of a study may be an archive itself
    holders |= Q(pk__in=same.values("archive__archive"))
    found = Upload.objects.filter(holders, artifact__purge=None)
    by_artifact = {one.artifact_id: one for one in found.select_related("artifact").order_by("-pk")}
    return list(by_artifact.values())


def _purged(upload: Upload, reason: str, by: User) -> Purge:
    artifact = upload.artifact
    Artifact.objects.filter(pk=artifact.pk).update(compressed=b"")
    # what waits to be read would wait for ever
    artifact.uploads.filter(outcome=Upload.Outcome.WAITING).update(
        outcome=Upload.Outcome.REFUSED, sentence=N_("Its bytes were purged before they were read.")
    )
    log.warning("%s purged the bytes of %s (%s): %s", by, upload.name, artifact.sha256, reason)
    return Purge.objects.create(
        artifact=artifact, name=upload.name, reason=reason, purged_by=by, purged_by_name=str(by)
    )
