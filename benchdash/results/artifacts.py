"""The bytes as they came: one row per content, whoever brings them and however often."""

from __future__ import annotations

from collections.abc import Iterable

import zstandard
from django.db.models import Exists, OuterRef, Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.results.bulk import insert_new
from benchdash.results.models import Artifact, Purge, Run, Trace
from benchdash.results.readings import Reading


def content_of(artifact: Artifact) -> bytes:
    """The bytes, exactly as they were brought; Refused where an admin purged them."""
    purge = purge_of(artifact)
    if purge is not None:
        raise Refused(purged_sentence(purge))
    return zstandard.decompress(bytes(artifact.compressed))


def purge_of(artifact: Artifact) -> Purge | None:
    """Why and when its bytes were removed; no query for an artifact that has them."""
    return None if artifact.compressed else Purge.objects.filter(artifact=artifact).first()


def purged_sentence(purge: Purge) -> str:
    """That the bytes are gone, as it is said wherever they are asked for."""
    sentence = _("An admin purged the bytes of this file on {day}; its numbers stay.")
    return sentence.format(day=date_format(purge.purged_at))


def with_runs(digests: Iterable[str]) -> dict[str, int]:
    """`{sha256: artifact id}` of the contents whose runs (or traces) are stored."""
    found = Artifact.objects.filter(_has_numbers(), sha256__in=set(digests))
    return dict(found.values_list("sha256", "pk"))


def _has_numbers() -> Q:
    here = OuterRef("pk")
    return Q(Exists(Run.objects.filter(artifact=here))) | Q(
        Exists(Trace.objects.filter(artifact=here))
    )


def keep_artifacts(readings: Iterable[Reading]) -> tuple[dict[str, int], set[str]]:
    """`{sha256: artifact id}`, and the digests that were there before; new ones are inserted.

    The rows stay locked to the end of the transaction, and whoever holds the lock may add runs
    to a content that has none: so two people who bring the same file at once store it once.
    """
    rows = [
        Artifact(sha256=each.sha256, size_bytes=each.size_bytes, compressed=each.compressed)
        for each in readings
        if each.compressed
    ]
    insert_new(rows, ("sha256",))
    ids = {row.sha256: row.pk for row in rows if row.pk}
    there = {each.sha256 for each in readings} - ids.keys()
    return ids | (_locked(there) if there else {}), there


def _locked(digests: set[str]) -> dict[str, int]:
    rows = Artifact.objects.select_for_update().filter(sha256__in=digests).order_by("sha256")
    return dict(rows.values_list("sha256", "pk"))
