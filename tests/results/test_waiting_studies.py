"""Large archives of a study: kept, imported by a worker, exactly once; little ones at once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash import dispatch
from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.results import uploads
from benchdash.results.artifacts import content_of, purge_bytes
from benchdash.results.assignment import Assignment
from benchdash.results.models import Artifact, Condition, Doubt, Run, Study, Upload
from benchdash.results.study_remarks import remarks_in
from benchdash.results.uploads import read_again, read_kept, reassign, receive_study, send_again
from tests.another_process import another_process
from tests.results.result_files import bonnie, bonnie_row, fio_log, zipped
from tests.results.test_study_measured import folder
from tests.results.test_waiting import (
    LITTLE_MEMORY,
    PATIENCE_S,
    large,
    unsent,
    until_read,
    worker,
)
from workers import tasks

__all__ = ["folder", "large", "unsent", "worker"]  # fixtures
pytestmark = pytest.mark.django_db(transaction=True)

ONE = "slug: one\ntitle: One\nmeasured:\n  - outputs:\n      - file: run.csv\n"


@pytest.fixture
def guests(folder):
    """The archive of a study with five outputs."""
    files = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    return zipped("guests.zip", files)


def one(text=ONE, **files):
    return zipped("one.zip", {"study.yaml": text.encode(), "run.csv": bonnie().data} | files)


def received(file, *, replace=False, by=None):
    """The study, or the upload that waits; nothing is remarked."""
    return receive_study(file, replace=replace, remark=pytest.fail, by=by)


def waiting(file, **how):
    upload = received(file, **how)
    assert (upload.outcome, upload.name) == (Upload.Outcome.WAITING, file.name)
    return upload


def read_by_a_worker(upload):
    tasks.read_upload(upload.pk)
    upload.refresh_from_db()
    return upload


def stored_once():
    return Study.objects.count(), Run.objects.count(), Condition.objects.count()


def test_a_little_archive_is_imported_at_once(guests, unsent):
    person = User.objects.create_user("kim")
    assert received(guests, by=person) == Study.objects.get()
    assert stored_once() == (1, 5, 1) and not unsent
    assert set(Upload.objects.values_list("archive", "created_by")) == {(None, person.pk)}
    assert Upload.objects.count() == 5, "the archive itself is not kept"


def test_a_worker_imports_a_large_one(guests, large, worker):
    upload = waiting(guests, by=User.objects.create_user("kim"))
    assert not Study.objects.exists()
    assert until_read(upload) == Upload.Outcome.STORED
    study = Study.objects.get()
    assert upload.assignment == {"is_study": True, "study": study.pk}
    assert stored_once() == (1, 5, 1) and study.runs.count() == 5
    outputs = upload.members.order_by("name")
    assert {(each.outcome, each.created_by.username) for each in outputs} == {("stored", "kim")}
    assert [each.name for each in outputs][-1] == "published.csv"
    assert Doubt.objects.filter(kind="load").exists(), "and what else the file says of them"


def test_what_is_little_only_as_long_as_it_is_packed_waits(unsent, monkeypatch):
    monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 2**16)
    assert waiting(one(**{"notes.txt": b"0" * 2**17}))
    assert waiting(one(ONE + "# words\n" * 9000))
    monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 2**22)
    assert waiting(one(ONE + "# words\n" * 150_000)), "its text alone is long to read"
    monkeypatch.setattr(uploads, "READ_AT_ONCE_RESULTS", 2)
    rows = "".join(bonnie_row(write=n) for n in range(1, 4)).encode()
    assert waiting(one(**{"run.csv": rows}))
    monkeypatch.setattr(uploads, "READ_AT_ONCE_FILES", 2)
    assert waiting(one(**{"more.txt": b""}))
    assert received(one()) == Study.objects.get()


def test_a_message_delivered_twice_does_nothing_twice(guests, large, unsent):
    upload = waiting(guests)
    assert unsent == [(dispatch.READ_UPLOAD, upload.pk)]
    read_by_a_worker(upload)
    Study.objects.update(title="Edited since")
    assert read_by_a_worker(upload).outcome == Upload.Outcome.STORED
    assert stored_once() == (1, 5, 1) and Study.objects.get().title == "Edited since"


@pytest.mark.parametrize("replace", [False, True])
def test_of_two_workers_with_the_same_archive_one_imports_it(guests, large, unsent, replace):
    upload = waiting(guests, replace=replace)
    slow, quick = (Upload.objects.get(pk=upload.pk) for _ in range(2))
    read_kept([quick])
    Study.objects.update(title="Edited since")
    read_kept([slow])
    assert slow.outcome == quick.outcome == Upload.Outcome.STORED
    assert stored_once() == (1, 5, 1) and Study.objects.get().title == "Edited since"


def test_a_message_that_was_lost_is_sent_again(guests, large, unsent):
    upload = waiting(guests)
    unsent.clear()
    Upload.objects.update(created_at=timezone.now() - timedelta(minutes=2))
    assert send_again() == 1 and unsent == [(dispatch.READ_UPLOAD, upload.pk)]


def test_a_refused_one_is_kept_and_says_where_and_why(guests, large, unsent):
    broken = one(ONE.replace("run.csv", "ran.csv"))
    upload = read_by_a_worker(waiting(broken))
    assert upload.outcome == Upload.Outcome.REFUSED
    assert upload.sentence == (
        "study.yaml: Line 5 (measured[1].outputs[1]): there is no file “ran.csv” beside it."
    )
    assert content_of(upload.artifact) == broken.data
    assert not Study.objects.exists() and not Run.objects.exists()
    without = read_by_a_worker(waiting(zipped("two.zip", {"run.csv": bonnie().data})))
    assert without.sentence == "two.zip: there is no study.yaml in it."
    assert Upload.objects.count() == 2


def test_it_is_read_again_as_a_study_and_as_was_asked(large, unsent):
    read_by_a_worker(waiting(one()))
    study = Study.objects.get()
    upload = read_by_a_worker(waiting(one(ONE.replace("title: One", "title: Two"))))
    assert upload.outcome == Upload.Outcome.REFUSED
    assert "a study with the address “one” already exists" in upload.sentence
    read_again(upload)
    assert upload.outcome == Upload.Outcome.WAITING, "it is as large as before"
    assert read_by_a_worker(upload).outcome == Upload.Outcome.REFUSED
    read_again(upload, Assignment(is_study=True, replace=True))
    assert read_by_a_worker(upload).outcome == Upload.Outcome.STORED and not upload.sentence
    assert (Study.objects.get(), Study.objects.get().title) == (study, "Two")
    assert upload.assignment == {"is_study": True, "replace": True, "study": study.pk}


def test_what_is_little_is_read_again_at_once(unsent, monkeypatch):
    with monkeypatch.context() as before:
        before.setattr(uploads, "READ_AT_ONCE_BYTES", 10)
        upload = read_by_a_worker(waiting(one(ONE.replace("run.csv", "ran.csv"))))
    unsent.clear()
    read_again(upload)
    assert upload.outcome == Upload.Outcome.REFUSED and "ran.csv" in upload.sentence
    assert not unsent


def test_remarks_stay_with_the_archive(large, unsent):
    """Such as that an output is stored already, or a chart that shows other runs."""
    read_by_a_worker(waiting(one()))
    other = (
        ONE.replace("one", "other").replace("One", "Other")
        + "charts:\n  - study=one&family=throughput\n"
    )
    upload = read_by_a_worker(waiting(one(other)))
    assert upload.outcome == Upload.Outcome.STORED
    assert upload.sentence == (
        "The runs of run.csv already existed and stay where they belong. "
        "A chart shows the runs of the study “one”, not those of this one: edit its address if "
        "that is not meant."
    )
    assert [each.outcome for each in upload.members.all()] == [Upload.Outcome.KNOWN]


def test_what_is_remarked_of_many_files_is_one_sentence_that_names_them(large, unsent):
    outputs = {f"{n:02}.csv": bonnie(write=n).data for n in range(1, 31)}
    text = "slug: {slug}\ntitle: {slug}\nmeasured:\n  - outputs:\n"
    text += "".join(f"      - file: {name}\n" for name in outputs)
    for slug in ("one", "other"):
        upload = waiting(one(text.format(slug=slug), **outputs))
        read_by_a_worker(upload)
    assert (
        upload.sentence == "The runs of 30 of the files already existed and stay where they belong."
    )
    assert [*remarks_in(upload.sentence)] == [(upload.sentence, 30, [*outputs])]


def test_of_very_many_remarks_the_first_are_shown(large, unsent):
    charts = "".join(f"  - study=s{n}&family=throughput\n" for n in range(30))
    upload = read_by_a_worker(waiting(one(f"{ONE}charts:\n{charts}")))
    assert upload.sentence.startswith("A chart shows the runs of the study “s0”")
    assert upload.sentence.endswith("There are 20 further remarks.")
    assert [files for _sentence, _n, files in remarks_in(upload.sentence)] == [[]] * 11


def test_an_archive_that_ends_each_worker_is_refused_in_the_end(guests, large, unsent):
    upload = waiting(guests)
    Upload.objects.update(attempts=3)
    assert read_by_a_worker(upload).outcome == Upload.Outcome.REFUSED
    assert "manage.py import_study" in upload.sentence


def test_one_that_takes_too_much_memory_is_refused(large, unsent):
    hungry = b"".join(b"%d, %d, 1, 0, 0\n" % (n, n) for n in range(900_000))
    text = ONE + "        logs:\n          - h_bw.1.log\n"
    upload = waiting(one(text, **{"h_bw.1.log": hungry}))
    with another_process("-c", LITTLE_MEMORY, str(upload.pk)) as process:
        assert process.wait(PATIENCE_S) == 0
    upload.refresh_from_db()
    assert upload.outcome == Upload.Outcome.REFUSED
    assert upload.sentence == (
        "Importing it takes more memory than a worker may use: import it on the server with "
        "manage.py import_study."
    )
    assert not Study.objects.exists()


def test_who_purges_an_output_purges_the_archive_that_it_came_in(large, unsent):
    """Also where the output is an archive itself."""
    inner = zipped("run.zip", {"run.csv": bonnie().data}).data
    upload = read_by_a_worker(waiting(one(ONE.replace("run.csv", "run.zip"), **{"run.zip": inner})))
    assert upload.outcome == Upload.Outcome.STORED
    innermost = Upload.objects.get(name="run.zip/run.csv")
    admin = User.objects.create_user("root")
    purge_bytes(innermost, named="run.csv", reason="A password.", by=admin)
    left = Artifact.objects.exclude(compressed=b"")
    assert not left.exists()


def test_logs_in_it_belong_to_it_too(guests, large, unsent):
    text = ONE + "        logs:\n          - seq_bw.1.log\n"
    upload = read_by_a_worker(waiting(one(text, **{"seq_bw.1.log": fio_log().data})))
    assert upload.outcome == Upload.Outcome.STORED, upload.sentence
    assert {each.name for each in upload.members.all()} == {"run.csv", "seq_bw.1.log"}


def test_its_runs_are_not_assigned_as_one(guests, large, unsent):
    """Each has a label, a command and settings of its own."""
    upload = read_by_a_worker(waiting(guests))
    with pytest.raises(Refused, match=r"guests\.zip is a study with its outputs"):
        reassign(upload, Assignment(label="all"))
