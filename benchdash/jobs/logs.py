"""The output of a step as it came: each byte once, in order, whoever brings it."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import gettext as _

from benchdash.jobs.leases import fenced
from benchdash.jobs.models import Job, JobStep, LogChunk

PIECE_BYTES = 2**18


class TooMuchOutputError(Exception):
    """A step printed more than may be stored: the sentence says so."""


def received(step: JobStep, stream: str) -> int:
    """How many bytes of a stream are stored: the offset from which to go on."""
    return int(step.received.get(stream, 0))


def store(job: Job, step: JobStep, stream: str, data: bytes) -> None:
    """Add the bytes that follow what is stored; LeaseLostError where another worker adds them.

    The bytes and the new offset are one transaction: after a crash both are there or neither.
    TooMuchOutputError where not all of them may be kept; those that fit are.
    """
    offset = received(step, stream)
    fitting = data[: settings.MAX_UPLOAD_BYTES - offset]
    if fitting:
        _store(job, step, stream, fitting)
    if len(fitting) < len(data):
        raise TooMuchOutputError(_("The output is larger than what may be stored."))


def _store(job: Job, step: JobStep, stream: str, data: bytes) -> None:
    offset = received(step, stream)
    after = step.received | {stream: offset + len(data)}
    with fenced(job):
        LogChunk.objects.bulk_create(
            LogChunk(
                step=step, stream=stream, offset=offset + start, data=data[start:][:PIECE_BYTES]
            )
            for start in range(0, len(data), PIECE_BYTES)
        )
        JobStep.objects.filter(pk=step.pk).update(received=after)
    step.received = after


def whole(step: JobStep, stream: str = LogChunk.Stream.OUT) -> bytes:
    """All that is stored of a stream."""
    pieces = step.chunks.filter(stream=stream).order_by("offset").values_list("data", flat=True)
    return b"".join(map(bytes, pieces))


def last_lines(step: JobStep, stream: str, lines: int = 3, most_bytes: int = 600) -> str:
    """The end of a stream as text for a sentence."""
    newest = (
        step.chunks.filter(stream=stream).order_by("-offset").values_list("data", flat=True)[:1]
    )
    text = b"".join(map(bytes, newest))[-most_bytes:].decode("utf-8", "replace")
    return " / ".join(line.strip() for line in text.splitlines()[-lines:] if line.strip())
