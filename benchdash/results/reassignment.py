"""A person's second word about an upload: assign its runs otherwise, or read it once more."""

from __future__ import annotations

from dataclasses import fields, replace

from django.db import transaction
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.results.asked import Asked, asked_from_json
from benchdash.results.assignment import assign
from benchdash.results.models import Trace, Upload
from benchdash.results.outcomes import outcomes_of
from benchdash.results.waiting import read_upload


def reassign(upload: Upload, said: Asked) -> None:
    """Give the runs of an upload (or of all members of an archive) what is said now.

    What is not said stays as it was asked when the file came: so nothing at all means "as asked".
    A refused file is read again, for a log now has a run to hang on.
    """
    if upload.outcome == Upload.Outcome.WAITING:
        sentence = _("{name} waits to be read: assign its runs once they are stored.")
        raise Refused(sentence.format(name=upload.name))
    asked = _merged(asked_from_json(upload.asked), said)
    if upload.outcome == Upload.Outcome.REFUSED:
        read_upload(upload, asked)
    else:
        _assign_runs(upload, asked)


def _merged(before: Asked, now: Asked) -> Asked:
    said = {field.name: getattr(now, field.name) for field in fields(now)}
    return replace(before, **{name: value for name, value in said.items() if value})


@transaction.atomic
def _assign_runs(upload: Upload, asked: Asked) -> None:
    members = list(upload.members.select_related("artifact"))
    runs = [run for outcome in outcomes_of(members or [upload]) for run in outcome.own_runs]
    if runs:
        assign([run.pk for run in runs], asked)
    elif asked.run is not None:
        Trace.objects.filter(artifact=upload.artifact_id).update(run=asked.run)
    else:
        sentence = _("{name} is a log: say which run it hangs on.")
        raise Refused(sentence.format(name=upload.name), "run")
    Upload.objects.filter(pk__in=[upload.pk, *(member.pk for member in members)]).update(
        asked=asked.as_json()
    )
    upload.asked = asked.as_json()
