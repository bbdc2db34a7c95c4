"""What becomes of files after they were sent: read at once or by a worker, again, or put aside.

All files of a request are read together, for a log needs the result that it lies beside, and
one budget holds for all of them. The rows are the truth and the message to the worker only points at them: one that
is lost is sent again by `send_again`, one that is delivered twice finds nothing left to do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_noop

from benchdash import dispatch
from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.parsers.unpacking import Budget, Limits
from benchdash.results.artifacts import artifacts_with_numbers, content_of, store_artifacts
from benchdash.results.assignment import Assignment, assignment_from_json
from benchdash.results.bulk import insert
from benchdash.results.ingest import LONGEST_SENTENCE, ingest, store
from benchdash.results.models import Artifact, Study, Trace, Upload
from benchdash.results.outcomes import Outcome, outcomes_of
from benchdash.results.readings import File, Reading, Spool, digest
from benchdash.results.run_actions import assign
from benchdash.results.storable import storable_sentence, storable_text
from benchdash.results.study_archives import unpacked
from benchdash.results.study_document import LONGEST
from benchdash.results.study_files import import_study
from benchdash.results.study_measured import Remark

LONGEST_REASON = 300  # for which a refused file is put aside
READ_AT_ONCE_BYTES = 4 * 2**20  # of all files of a request, and again of what their archives hold
READ_AT_ONCE_FILES = 1000
READ_AT_ONCE_RESULTS = 2000  # a file of bonnie++ has ten thousand of them in a MiB
READING_S = 600  # after which a worker that still reads is stopped
_ATTEMPTS = 3
_PATIENCE = timedelta(minutes=1)
_LONGEST = timedelta(seconds=READING_S) + 2 * _PATIENCE  # then the worker itself is gone

TOOK_TOO_LONG = gettext_noop("Reading it took longer than ten minutes: split it.")
TOO_MUCH_MEMORY = gettext_noop("Reading it takes more memory than a worker may use: split it.")
BROKE_OFF = gettext_noop("Reading it was interrupted three times: split it.")
_OF_A_STUDY = {
    TOOK_TOO_LONG: gettext_noop(
        "Importing it took longer than ten minutes: import it on the server with manage.py "
        "import_study."
    ),
    TOO_MUCH_MEMORY: gettext_noop(
        "Importing it takes more memory than a worker may use: import it on the server with "
        "manage.py import_study."
    ),
    BROKE_OFF: gettext_noop(
        "Importing it was interrupted three times: import it on the server with manage.py "
        "import_study."
    ),
}


class TooMuchAtOnce(Exception):
    """There is more to read than anybody should wait for."""


def receive(files: Iterable[File], assignment: Assignment, by: User | None) -> list[Outcome]:
    """What an interface calls with what a person sent: `ingest` while it is little, else it waits.

    The files are taken one by one, and never all of them are in memory unless they are little.
    """
    coming = iter(files)
    here: list[File] = []
    size = 0
    for file in coming:
        here.append(file)
        size += len(file.data)
        del file
        if size > READ_AT_ONCE_BYTES:
            return _keep(_all(here, coming), assignment, by)
    try:
        return ingest(here, assignment, by, budget=_little())
    except TooMuchAtOnce:
        return _keep(_all(here, coming), assignment, by)


def receive_study(file: File, *, replace: bool, remark: Remark, by: User | None) -> Study | Upload:
    """The study of an archive while that is little, else the upload as which it waits."""
    if len(file.data) <= READ_AT_ONCE_BYTES:
        with suppress(TooMuchAtOnce):
            return _imported(file, _little(), replace=replace, remark=remark, by=by)
    (outcome,) = _keep([file], Assignment(is_study=True, replace=replace), by)
    return outcome.upload


def _all(here: list[File], coming: Iterator[File]) -> Iterator[File]:
    while here:
        yield here.pop(0)
    yield from coming


def _little() -> Budget:
    """What a request may cost; TooMuchAtOnce beyond that."""
    limits = replace(
        Limits(),
        unpacked_bytes=READ_AT_ONCE_BYTES,
        files=READ_AT_ONCE_FILES,
        results=READ_AT_ONCE_RESULTS,
    )
    return Budget(limits, beyond=TooMuchAtOnce)


def _keep(files: Iterable[File], assignment: Assignment, by: User | None) -> list[Outcome]:
    """The files as rows that wait; but where all of them are stored already, their runs."""
    with Spool() as spool:
        readings = []
        for file in files:
            reading = Reading(file.name, digest(file.data), file.data)
            del file
            reading.compress()
            spool.put(reading)
            readings.append(reading)
        digests = {reading.sha256 for reading in readings}
        if artifacts_with_numbers(digests).keys() == digests:
            return store(readings, spool, assignment, by)
        return _waiting(readings, spool, assignment, by)


@transaction.atomic
def _waiting(
    readings: Sequence[Reading], spool: Spool, assignment: Assignment, by: User | None
) -> list[Outcome]:
    artifacts, _known = store_artifacts(readings, spool)
    uploads = [
        Upload(
            artifact_id=artifacts[reading.sha256],
            name=storable_text(reading.name, 500),
            outcome=Upload.Outcome.WAITING,
            assignment=assignment.as_json(),
            created_by=by,
        )
        for reading in readings
    ]
    first, *others = uploads
    insert([first])
    for upload in others:
        upload.uploaded_with = first
    insert(others)
    _send(first.pk)
    return [
        Outcome(upload, reading.sha256) for upload, reading in zip(uploads, readings, strict=True)
    ]


def _send(pk: int) -> None:
    # robust: where the broker is down, the bytes are safe all the same
    transaction.on_commit(lambda: dispatch.send(dispatch.READ_UPLOAD, pk), robust=True)


def read_waiting(pk: int) -> None:
    """Read the files that wait with this one as they were assigned, unless another worker does."""
    uploads = _begun(pk)
    if not uploads:
        return
    if uploads[0].attempts > _ATTEMPTS:
        give_up(pk, BROKE_OFF)
        return
    try:
        read_kept(uploads)
    except Refused as error:  # such as for bytes that were purged once
        give_up(pk, error.sentence)
    finally:
        _waiting_with(pk).update(begun_at=None)


@transaction.atomic
def _begun(pk: int) -> list[Upload]:
    """The files that wait with this one, ours to read; none where another worker reads them."""
    rows = _waiting_with(pk)
    uploads = list(rows.select_for_update(of=("self",)).select_related("created_by").order_by("pk"))
    if any(each.begun_at and each.begun_at > timezone.now() - _LONGEST for each in uploads):
        return []
    for upload in uploads:
        upload.begun_at = timezone.now()
        upload.attempts += 1
    Upload.objects.bulk_update(uploads, ["begun_at", "attempts"])
    return uploads


def give_up(pk: int, sentence: str) -> None:
    """Refuse a file that cannot be read; of several, each is tried by itself first."""
    uploads = dict(_waiting_with(pk).values_list("pk", "assignment"))
    if len(uploads) == 1:
        if uploads.popitem()[1].get("is_study"):
            sentence = _OF_A_STUDY.get(sentence, sentence)
        _waiting_with(pk).update(outcome=Upload.Outcome.REFUSED, sentence=sentence)
        return
    Upload.objects.filter(pk__in=uploads).update(uploaded_with=None, begun_at=None, attempts=0)
    for each in uploads:
        _send(each)


def _waiting_with(pk: int) -> QuerySet[Upload]:
    return Upload.objects.filter(Q(pk=pk) | Q(uploaded_with=pk), outcome=Upload.Outcome.WAITING)


def _stored_file(upload: Upload) -> File:
    # not by way of the row, which would hold the bytes as long as it lives
    return File(upload.name, content_of(Artifact.objects.get(pk=upload.artifact_id)))


def read_kept(
    uploads: Sequence[Upload], assignment: Assignment | None = None, budget: Budget | None = None
) -> None:
    """Read what was kept, with its assignment or a new one; nothing if it is stored already."""
    assignment = assignment or assignment_from_json(uploads[0].assignment)
    if assignment.is_study:
        _import(uploads[0], assignment, budget)
    else:
        files = map(_stored_file, uploads)
        ingest(files, assignment, uploads[0].created_by, uploads, budget)


def _import(upload: Upload, assignment: Assignment, budget: Budget | None) -> None:
    """Store the study of an archive; or write down why it is refused."""
    how = {"replace": assignment.replace, "by": upload.created_by}
    try:
        _imported(_stored_file(upload), budget, archive=upload, **how)
    except Refused as refused:
        # another worker may have stored it meanwhile
        Upload.objects.filter(pk=upload.pk).exclude(outcome=Upload.Outcome.STORED).update(
            outcome=Upload.Outcome.REFUSED,
            sentence=storable_sentence(refused.sentence, LONGEST_SENTENCE),
            assignment=assignment.as_json(),
        )
        upload.refresh_from_db()


def _imported(file: File, budget: Budget | None, **how: Any) -> Study:
    with unpacked(file.data, file.name, budget) as (text, folder):
        if budget and len(text) > LONGEST:
            raise TooMuchAtOnce
        return import_study(text, folder=folder, budget=budget, **how)


def read_again(upload: Upload, assignment: Assignment | None = None) -> None:
    """The same in a request: what is not little is left to a worker."""
    assignment = assignment or assignment_from_json(upload.assignment)
    if upload.artifact.size_bytes <= READ_AT_ONCE_BYTES:
        with suppress(TooMuchAtOnce):
            read_kept([upload], assignment, _little())
            return
    upload.outcome, upload.sentence = Upload.Outcome.WAITING, ""
    upload.assignment, upload.uploaded_with = assignment.as_json(), None
    upload.begun_at, upload.attempts = None, 0
    upload.save()
    _send(upload.pk)


def send_again() -> int:
    """Send the message again for every request that has waited for more than a minute."""
    now = timezone.now()
    overdue = Upload.objects.filter(
        Q(begun_at=None) | Q(begun_at__lt=now - _LONGEST),
        outcome=Upload.Outcome.WAITING,
        created_at__lt=now - _PATIENCE,
    )
    requests = set(overdue.values_list(Coalesce("uploaded_with", "pk"), flat=True))
    for pk in sorted(requests):
        dispatch.send(dispatch.READ_UPLOAD, pk)
    return len(requests)


def reassign(upload: Upload, changes: Assignment) -> None:
    """Give the runs of an upload (or of all members of an archive) another assignment.

    What `changes` leaves open stays as it was when the file came: an empty one restores that.
    A refused file is read again, for a log may now have a run to belong to.
    """
    if upload.outcome == Upload.Outcome.WAITING:
        raise Refused(
            "{name} has not been read yet: assign its runs once they are stored.", name=upload.name
        )
    assignment = _merged(assignment_from_json(upload.assignment), changes)
    if upload.outcome == Upload.Outcome.REFUSED:
        read_again(upload, assignment)
    elif assignment.is_study:
        raise Refused(
            "{name} is a study with its outputs: assign the files in it one by one.",
            name=upload.name,
        )
    else:
        _assign_runs(upload, assignment)


def _merged(before: Assignment, now: Assignment) -> Assignment:
    given = {field.name: getattr(now, field.name) for field in fields(now)}
    return replace(before, **{name: value for name, value in given.items() if value})


@transaction.atomic
def _assign_runs(upload: Upload, assignment: Assignment) -> None:
    members = list(upload.members.select_related("artifact"))
    runs = [run for outcome in outcomes_of(members or [upload]) for run in outcome.own_runs]
    if runs:
        assign([run.pk for run in runs], assignment)
    elif assignment.run is not None:
        Trace.objects.filter(artifact=upload.artifact_id).update(run=assignment.run)
    else:
        raise Refused("{name} is a log: say which run it belongs to.", "run", name=upload.name)
    Upload.objects.filter(pk__in=[upload.pk, *(member.pk for member in members)]).update(
        assignment=assignment.as_json()
    )
    upload.assignment = assignment.as_json()


def refused_files(*, aside: bool) -> QuerySet[Upload]:
    """Refused files that were put aside, or those that were not; members of archives too."""
    refused = Upload.objects.filter(outcome=Upload.Outcome.REFUSED)
    return refused.filter(put_aside_at__isnull=not aside)


def put_aside(uploads: Collection[int], reason: str, by: User | None) -> int:
    """Ask for no attention to these refused files any more; how many changed."""
    return (
        refused_files(aside=False)
        .filter(pk__in=uploads)
        .update(
            put_aside_at=timezone.now(),
            put_aside_by=by,
            put_aside_reason=storable_text(reason.strip(), LONGEST_REASON),
        )
    )


def take_back(uploads: Collection[int]) -> int:
    """Ask for attention to them again; how many changed."""
    aside = refused_files(aside=True).filter(pk__in=uploads)
    return aside.update(put_aside_at=None, put_aside_by=None, put_aside_reason="")
