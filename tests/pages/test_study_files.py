"""A study as a file on its pages, and by the commands."""

from __future__ import annotations

from io import BytesIO, StringIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdash import dispatch
from benchdash.results import uploads
from benchdash.results.demonstration import demo_folders
from benchdash.results.models import Run, Study, Upload
from tests.results.result_files import bonnie
from tests.results.test_study_files import TEXT
from workers import tasks

pytestmark = pytest.mark.django_db


def test_a_pasted_text_becomes_a_study_and_is_downloaded_again(contributor):
    answer = contributor.post("/studies/import/", {"text": TEXT.replace("\n", "\r\n")}, follow=True)
    assert "“Mirror or not?” matches the file." in answer.text
    assert "/studies/mirror-or-not/file/" in answer.text
    file = contributor.get("/studies/mirror-or-not/file/")
    assert file.content.decode() == TEXT
    assert file["Content-Disposition"] == 'attachment; filename="mirror-or-not.yaml"'


def test_the_outputs_go_with_the_study_and_come_back(house, signed_in, contributor):
    """For viewers and up: they are raw bytes."""
    address = f"/studies/{house.study.slug}/file/outputs/"
    viewer = signed_in("viewer")
    assert address in viewer.get(f"/studies/{house.study.slug}/").text
    answer = viewer.get(address)
    assert answer.streaming and answer["Content-Type"] == "application/zip"
    assert answer["Content-Disposition"] == f'attachment; filename="{house.study.slug}.zip"'
    archive = b"".join(answer)
    runs = house.study.runs.filter(set_aside_reason="").count()
    Study.objects.filter(pk=house.study.pk).update(title="Other", slug="other")
    Run.objects.update(study=None, configuration=None, environment=None)
    chosen = SimpleUploadedFile("kept.zip", archive)
    page = contributor.post("/studies/import/", {"file": chosen}, follow=True)
    assert "matches the file." in page.text
    assert Study.objects.get(slug=house.study.slug).runs.count() == runs > 0


def test_visitors_get_no_raw_bytes(house, settings, client):
    settings.PUBLIC_READ = True
    assert "/file/outputs/" not in client.get(f"/studies/{house.study.slug}/").text
    answer = client.get(f"/studies/{house.study.slug}/file/outputs/")
    assert answer.status_code == 302 and answer.url.startswith("/sign-in/")


def test_outputs_that_were_imported_say_who_brought_them(contributor):
    text = "title: One\nmeasured:\n  - outputs:\n      - file: run.csv\n"
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        archive.writestr("study.yaml", text)
        archive.writestr("run.csv", bonnie().data)
    contributor.post("/studies/import/", {"file": SimpleUploadedFile("a.zip", held.getvalue())})
    assert Upload.objects.get().created_by == contributor.person


def test_an_archive_without_a_study_is_refused_beside_the_field(contributor):
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        archive.writestr("run.csv", bonnie().data)
    chosen = SimpleUploadedFile("runs.zip", held.getvalue())
    page = contributor.post("/studies/import/", {"file": chosen})
    assert page.context["form"].errors["file"] == ["runs.zip: there is no study.yaml in it."]


@pytest.fixture
def large(monkeypatch):
    """Archives are large, and a worker is called by hand: `read()`."""
    sent = []
    monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 10)
    monkeypatch.setattr(dispatch, "send", lambda *message: sent.append(message))
    return lambda: tasks.read_upload(sent.pop()[1])


def chosen(text, **files):
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        for name, data in {"study.yaml": text, "run.csv": bonnie().data, **files}.items():
            archive.writestr(name, data)
    return {"file": SimpleUploadedFile("one.zip", held.getvalue())}


ONE = "slug: one\ntitle: Disk <1>\nmeasured:\n  - outputs:\n      - file: run.csv\n"
POLLED = {"HX-Request": "true"}


def test_a_large_archive_is_under_way_and_then_leads_to_its_study(
    contributor, large, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        answer = contributor.post("/studies/import/", chosen(ONE))
    address = answer.url
    assert address == f"/uploads/{Upload.objects.get().pk}/"
    page = contributor.get(address).text
    assert "read in the background" in page and "No worker has begun with it yet." in page
    assert f'hx-get="{address}" hx-trigger="every 2s"' in page
    Upload.objects.update(begun_at=timezone.now())
    part = contributor.get(address, headers=POLLED)
    assert "A worker has been reading it since" in part.text and "<html" not in part.text
    assert "HX-Refresh" not in part
    line = contributor.get(f"{address}?line", headers=POLLED).text
    assert line.strip().startswith("<li") and f'hx-get="{address}?line"' in line
    Upload.objects.update(begun_at=None)
    large()
    assert contributor.get(address, headers=POLLED)["HX-Refresh"] == "true"
    page = contributor.get(address).text
    assert '<a href="/studies/one/">Disk &lt;1&gt;</a>' in page and "every 2s" not in page
    assert "run.csv" in page
    assert "Read it again" not in page
    Study.objects.update(deleted_at=timezone.now())
    assert "/studies/one/" not in contributor.get(address).text


def test_remarks_of_a_large_archive_are_shown(
    contributor, large, django_capture_on_commit_callbacks
):
    text = ONE + "charts:\n  - study=other&family=throughput\n"
    with django_capture_on_commit_callbacks(execute=True):
        address = contributor.post("/studies/import/", chosen(text)).url
    large()
    assert "A chart shows the runs of the study “other”" in contributor.get(address).text
    contributor.cookies["django_language"] = "ja"
    page = contributor.get(address).text
    assert "A chart shows" not in page and "other" in page


def of_many(slug, names):
    """A study of its own with outputs by these names, equal under each address."""
    text = f"slug: {slug}\ntitle: {slug}\nmeasured:\n  - outputs:\n"
    text += "".join(f"      - file: '{name}'\n" for name in names)
    files = {name: bonnie(write=n).data for n, name in enumerate(names, 1)}
    return chosen(text, **files)


MANY = [f"{n:02}&.csv" for n in range(1, 13)]
IN_JAPANESE = "12 個のファイルの測定は以前から保存されているため、元の割り当て先に残しました。"


def test_what_a_large_archive_says_of_many_files_unfolds(
    contributor, large, django_capture_on_commit_callbacks
):
    queries = []
    for slug in ("one", "other"):
        with django_capture_on_commit_callbacks(execute=True):
            address = contributor.post("/studies/import/", of_many(slug, MANY)).url
        large()
        with CaptureQueriesContext(connection) as asked:
            page = contributor.get(address).text
        queries.append(len(asked))
    assert page.count("already existed and stay where they belong") == 1
    assert "<summary>The runs of 12 of the files already existed" in page
    assert all(page.count(f"<li>{name.replace('&', '&amp;')}</li>") == 1 for name in MANY)
    assert queries[0] == queries[1], "remarks ask for nothing"
    contributor.cookies["django_language"] = "ja"
    assert f"<summary>{IN_JAPANESE}</summary>" in contributor.get(address).text


def test_what_a_little_archive_says_of_many_files_unfolds(contributor):
    contributor.post("/studies/import/", of_many("one", MANY))
    page = contributor.post("/studies/import/", of_many("other", MANY), follow=True).text
    assert page.count("already existed and stay where they belong") == 1
    assert "<summary>The runs of 12 of the files already existed" in page
    assert all(page.count(f"<li>{name.replace('&', '&amp;')}</li>") == 1 for name in MANY)
    contributor.cookies["django_language"] = "ja"
    page = contributor.post("/studies/import/", of_many("third", MANY), follow=True).text
    assert f"<summary>{IN_JAPANESE}</summary>" in page


def test_what_is_said_of_one_file_does_not_unfold(contributor):
    contributor.post("/studies/import/", of_many("one", MANY[:1]))
    page = contributor.post("/studies/import/", of_many("other", MANY[:1]), follow=True).text
    assert "<p>The runs of 01&amp;.csv already existed and stay where they belong.</p>" in page


def test_a_large_archive_that_is_refused_says_why_and_may_replace(
    contributor, large, django_capture_on_commit_callbacks
):
    contributor.post("/studies/import/", {"text": ONE.partition("measured")[0]})
    with django_capture_on_commit_callbacks(execute=True):
        address = contributor.post("/studies/import/", chosen(ONE)).url
    large()
    page = contributor.get(address).text
    assert page.count("study.yaml: Line 1: a study with the address “one” already exists") == 1
    assert "Replace the study at this address" in page and 'name="run"' not in page
    with django_capture_on_commit_callbacks(execute=True):
        answer = contributor.post(address, {"replace": "on"})
    assert answer.url == address, "the page that follows it can be loaded again"
    assert "read in the background" in contributor.get(address).text
    large()
    assert Study.objects.get().runs.count() == 1
    assert "already exists" not in contributor.get(address).text
    contributor.post(address)
    assert Upload.objects.get(archive=None).outcome == Upload.Outcome.STORED, "it is not refused"


def test_who_may_not_import_cannot_by_an_archive_either(signed_in, large):
    viewer = signed_in("viewer")
    assert viewer.post("/studies/import/", chosen(ONE)).status_code == 403
    assert not Upload.objects.exists()


def test_a_chosen_file_with_a_mistake_is_named_with_its_line_and_what_was_pasted_stays(contributor):
    wrong = SimpleUploadedFile("study.yaml", TEXT.replace("delta: 2.5", "delta: much").encode())
    page = contributor.post("/studies/import/", {"file": wrong, "text": "title: kept"}).text
    assert "Line 20 (delta): a number from 0.01 to 100 is needed here." in page
    assert "title: kept" in page
    assert not Study.objects.exists()
    assert (
        "Paste the text, or choose a file."
        in contributor.post("/studies/import/", {"text": ""}).text
    )


def test_a_study_is_edited_as_its_file(contributor):
    contributor.post("/studies/import/", {"text": TEXT})
    assert (
        "/studies/import/?study=mirror-or-not"
        in contributor.get("/studies/mirror-or-not/edit/").text
    )
    form = contributor.get("/studies/import/?study=mirror-or-not").context["form"]
    assert form["text"].value() == TEXT
    assert form["replace"].value() is True
    changed = TEXT.replace("title: Mirror or not?", "title: To mirror?")
    contributor.post("/studies/import/", {"text": changed, "replace": "on"})
    assert Study.objects.get().title == "To mirror?"


def test_commands_import_with_raw_outputs_and_export(tmp_path):
    folder = next(each for each in demo_folders() if each.name.startswith("2-"))
    call_command("import_study", str(folder / "study.yaml"), stdout=StringIO())
    assert Run.objects.filter(study__slug="drbd-between-ec2-zones").count() == 9
    printed, errors = StringIO(), StringIO()
    call_command("export_study", "drbd-between-ec2-zones", stdout=printed)
    exported = tmp_path / "kept.yaml"
    exported.write_text(printed.getvalue())
    with pytest.raises(SystemExit) as ended:
        call_command("import_study", str(exported), str(tmp_path / "none.yaml"), stderr=errors)
    assert ended.value.code == 1
    assert f"{exported}: Line 1: a study with the address" in errors.getvalue()
    assert "none.yaml" in errors.getvalue()
    call_command("import_study", str(exported), replace=True, stdout=StringIO())
    with pytest.raises(CommandError, match="There is no study “nowhere”"):
        call_command("export_study", "nowhere")
