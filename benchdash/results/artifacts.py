"""The bytes as they came: one row per content, whoever brings them and however often."""

from __future__ import annotations

from collections.abc import Iterable

import zstandard
from django.db.models import Exists, OuterRef, Q

from benchdash.results.bulk import insert_new
from benchdash.results.models import Artifact, Run, Trace
from benchdash.results.readings import Reading


def content_of(artifact: Artifact) -> bytes:
    """The bytes, exactly as they were brought."""
    return zstandard.decompress(bytes(artifact.compressed))


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
