"""An admin's purge of raw bytes: the numbers and the line about it stay."""

from __future__ import annotations

import io
import zipfile

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.results.artifacts import content_of, purge_bytes
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Purge, Run, Upload
from benchdash.results.readings import File
from benchdash.results.reparse import reparse
from benchdash.results.uploads import read_kept
from tests.results.result_files import bonnie

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin():
    return User.objects.create_user("root")


@pytest.fixture
def upload():
    return ingest([bonnie("results/a.csv")])[0].upload


def purge(upload, admin, named="a.csv", reason="A password."):
    return purge_bytes(upload, named=named, reason=reason, by=admin)


@pytest.mark.parametrize("named", ["a.csv", "results/a.csv", "the digest"])
def test_the_bytes_go_and_the_numbers_stay(upload, admin, named, caplog):
    numbers = list(Run.objects.get().measurements.values_list("measure", "value"))
    purge(upload, admin, upload.artifact.sha256 if named == "the digest" else named)
    artifact = Artifact.objects.get()
    assert bytes(artifact.compressed) == b""
    assert list(Run.objects.get().measurements.values_list("measure", "value")) == numbers
    line = Purge.objects.get()
    assert (line.name, line.reason, line.purged_by_name) == ("results/a.csv", "A password.", "root")
    assert f"root purged the bytes of results/a.csv ({artifact.sha256}): A password." in caplog.text
    with pytest.raises(Refused, match="purged"):
        content_of(artifact)


@pytest.mark.parametrize(
    ("fields", "field"), [({"named": "b.csv"}, "named"), ({"reason": " "}, "reason")]
)
def test_without_its_name_and_a_reason_nothing_goes(upload, admin, fields, field):
    with pytest.raises(Refused) as refused:
        purge(upload, admin, **fields)
    assert refused.value.field == field
    assert content_of(Artifact.objects.get())


def test_the_line_stays_when_the_admin_goes(upload, admin):
    purge(upload, admin)
    admin.delete()
    assert Purge.objects.get().purged_by_name == "root"


def test_the_same_bytes_uploaded_again_are_known_and_stay_away(upload, admin):
    purge(upload, admin)
    again = ingest([bonnie("again.csv")])[0]
    assert again.upload.outcome == "known"
    assert bytes(Artifact.objects.get().compressed) == b""
    with pytest.raises(Refused):
        purge(again.upload, admin, "again.csv")


def test_the_archive_that_it_came_in_goes_too(admin):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.csv", bonnie().data)
        archive.writestr("b.txt", "nothing")
    ingest([File("all.zip", packed.getvalue())])
    purge(Upload.objects.get(name__endswith="a.csv"), admin)
    assert set(Purge.objects.values_list("name", flat=True)) == {"all.zip", "all.zip/a.csv"}
    remaining = Artifact.objects.get(uploads__name__endswith="b.txt")
    assert content_of(remaining) == b"nothing"


def test_reparse_passes_over_it_with_a_sentence(upload, admin, capsys):
    purge(upload, admin)
    run = Run.objects.get()
    changes = reparse(upload.artifact_id)
    assert changes.skipped and changes.withdrawn == []
    call_command("reparse")
    printed = capsys.readouterr().out
    assert "results/a.csv: An admin purged the bytes of this file" in printed
    assert "0 changed" in printed
    assert Run.objects.get(withdrawn_at=None) == run


def test_a_refused_or_waiting_file_is_not_requested_again(admin, capsys):
    refused = ingest([File("a.txt", b"nothing")])[0].upload
    waiting = ingest([File("b.txt", b"nothing at all")])[0].upload
    Upload.objects.filter(pk=waiting.pk).update(outcome=Upload.Outcome.WAITING)
    purge(refused, admin, "a.txt")
    purge(waiting, admin, "b.txt")
    call_command("reparse", refused=True)
    waiting.refresh_from_db()
    assert waiting.outcome == "refused"
    with pytest.raises(Refused, match="purged"):
        read_kept([Upload.objects.get(pk=refused.pk)])


def test_the_database_wants_a_reason(upload):
    with pytest.raises(IntegrityError), transaction.atomic():
        Purge.objects.create(artifact=upload.artifact, name="a", reason="", purged_by_name="x")
