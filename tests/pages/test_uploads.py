"""Bringing files by the page, with scripts and without."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.queries import environment_named
from benchdash.pages.uploads import SHOWN, SHOWN_MEMBERS, SHOWN_ON_ITS_PAGE
from benchdash.results.ingest import ingest
from benchdash.results.models import Run, Study, Upload
from benchdash.results.readings import File
from tests.pages.house import MIRROR, sample
from tests.pages.typed_machines import counted
from tests.results.result_files import bonnie, bonnie_row, fio, fio_job, fio_log, zipped

pytestmark = pytest.mark.django_db


def attached(name="bonnie++/local-2.00a-c4-table.txt"):
    file = sample(name)
    return SimpleUploadedFile(file.name, file.data)


def test_files_are_stored_assigned_and_named_without_a_script(house, contributor):
    form = {"file": [attached(), SimpleUploadedFile("words.txt", b"only words")]}
    answer = contributor.post("/uploads/", form | {"configuration": "Local disk"})
    assert "bonnie++ 2.00" in answer.text
    assert "no result found" in answer.text
    assert Run.objects.latest("pk").configuration == house.local


def test_a_script_gets_a_list_item_for_each_file_and_its_path(contributor):
    form = {"file": [attached()], "path": ["node-a/monday/out.txt"]}
    answer = contributor.post("/uploads/files/", form)
    assert answer.text.strip().startswith("<li")
    assert Upload.objects.get().name == "node-a/monday/out.txt"


def test_what_a_batch_was_measured_on_is_written_down_right_there(contributor):
    first = contributor.post("/uploads/files/", {"file": [attached()]})
    upload = Upload.objects.get()
    assert f'name="shown" value="{upload.pk}"' in first.text
    form = {
        "shown": [upload.pk],
        "assign": [upload.pk],
        "configuration": "DRBD pair",
        "layers": MIRROR,
        "environment": "Lab",
        "m0-role": "node-a",
        "m0-kernel": "6.1",
        "m1-role": "node-b",
        "m1-kernel": "6.1",
        "study": "What a mirror costs",
        "new_study": "on",
    }
    answer = contributor.post("/uploads/", counted(form))
    run = Run.objects.latest("pk")
    assert "assigned" in answer.text
    assert run.configuration.name == "DRBD pair"
    assert run.environment.title == "Lab"
    assert run.study.slug == "what-a-mirror-costs"


def described(upload, **machine):
    form = {"shown": [upload.pk], "assign": [upload.pk], "environment": "Lab stor1"}
    return counted(form | {"m0-role": "node-a"} | {f"m0-{k}": v for k, v in machine.items()})


def test_a_name_of_machines_that_is_given_again_says_what_it_means_now(contributor):
    contributor.post("/uploads/files/", {"file": [attached()]})
    upload = Upload.objects.get()
    first = contributor.post("/uploads/", described(upload, hostname="stor1", kernel="6.1"))
    assert "from now on" not in messages_of(first)
    old = Run.objects.latest("pk").environment
    again = contributor.post("/uploads/", described(upload, hostname="stor1", kernel="6.12"))
    assert "“Lab stor1” means the machines described here from now on" in messages_of(again)
    assert environment_named("Lab stor1") == Run.objects.latest("pk").environment != old
    same = contributor.post("/uploads/", described(upload, hostname="stor1", kernel="6.12"))
    assert "from now on" not in messages_of(same)


def test_a_name_of_machines_is_not_given_to_those_of_another_host(contributor):
    contributor.post("/uploads/files/", {"file": [attached()]})
    upload = Upload.objects.get()
    contributor.post("/uploads/", described(upload, hostname="stor1", kernel="6.1"))
    before = environment_named("Lab stor1")
    answer = contributor.post("/uploads/", described(upload, hostname="stor2", kernel="6.1"))
    (refusal,) = answer.context["form"].errors["environment"]
    assert refusal == (
        "“Lab stor1” already names the machines of other hosts (stor1); choose another name."
    )
    assert Environment.objects.get() == environment_named("Lab stor1") == before


def messages_of(answer):
    return " ".join(str(one) for one in answer.context["messages"])


def test_nothing_typed_is_lost_by_an_error_and_nothing_half_made(contributor):
    contributor.post("/uploads/files/", {"file": [attached()]})
    upload = Upload.objects.get()
    form = {
        "shown": [upload.pk],
        "assign": [upload.pk],
        "configuration": "Typed configuration",
        "layers": "ext4\nnonsense=1",
        "environment": "Typed environment",
        "m0-role": "node-a",
        "m0-kernel": "6.1 typed",
        "m0-disks-0-size_bytes": "1TB",
        "study": "Typed study",
        "new_study": "on",
    }
    text = contributor.post("/uploads/", counted(form)).text
    for typed in ("Typed configuration", "nonsense=1", "Typed environment", "6.1 typed", "1TB"):
        assert typed in text
    assert "Line 2" in text or "Layer 2" in text
    assert f'name="shown" value="{upload.pk}"' in text
    assert not Configuration.objects.exists()
    assert not Environment.objects.exists()
    assert not Study.objects.exists()


def test_a_job_of_fio_that_failed_is_called_so_beside_the_one_that_did_not(contributor):
    file = fio(fio_job("good"), fio_job("broken", error=28, bandwidth=5))
    both = {"file": [SimpleUploadedFile(file.name, file.data)]}
    listed = contributor.post("/uploads/files/", both).text
    names = re.findall(
        r'target="_blank">(good|broken)[^<]*</a>(<span class="badge bad">failed)?', listed
    )
    assert [(name, bool(failed)) for name, failed in names] == [("good", False), ("broken", True)]


def ticked_in(text):
    return {int(pk) for pk in re.findall(r'name="assign" value="(\d+)"[^>]* checked', text)}


def test_an_error_keeps_the_ticks_as_they_were(house, contributor):
    listed = contributor.post("/uploads/files/", {"file": [attached()]}).text
    fresh = Upload.objects.latest("pk")
    assert ticked_in(listed) == {fresh.pk}
    again = {"file": [attached("bonnie++/drbd-1.03c-condition-1.txt")]}
    listed = contributor.post("/uploads/files/", again).text
    known = Upload.objects.latest("pk")
    assert ticked_in(listed) == set()
    form = {"shown": [fresh.pk, known.pk], "configuration": "Local dist"}
    for ticked in ([known.pk], [fresh.pk], [fresh.pk, known.pk]):
        answer = contributor.post("/uploads/", form | {"assign": ticked})
        assert ticked_in(answer.text) == {*ticked}


@pytest.mark.parametrize("button", [{}, {"compare": "1"}])
def test_nothing_is_written_down_for_files_that_nobody_ticked(button, house, contributor):
    contributor.post("/uploads/files/", {"file": [attached()]})
    upload = Upload.objects.latest("pk")
    form = {"shown": [upload.pk], "configuration": "New one", "layers": MIRROR, **button}
    answer = contributor.post("/uploads/", form)
    assert ("Tick the files first." in answer.text) == (not button)
    assert not Configuration.objects.filter(name="New one").exists()


def test_a_press_with_nothing_filled_in_says_so(house, contributor):
    contributor.post("/uploads/files/", {"file": [attached()]})
    upload = Upload.objects.latest("pk")
    text = contributor.post("/uploads/", {"shown": [upload.pk], "assign": [upload.pk]}).text
    assert "Fill in what the ticked files belong to." in text


def test_a_name_that_nobody_knows_is_stated_beside_its_field(house, contributor):
    answer = contributor.post("/uploads/", {"file": [attached()], "configuration": "Local dist"})
    assert "There is no configuration “Local dist”." in answer.text
    assert "Local disk" in answer.text
    assert Run.objects.latest("pk").configuration is None  # stored all the same


def test_a_file_that_was_stored_before_names_its_runs_and_can_be_assigned_anew(house, contributor):
    again = attached("bonnie++/drbd-1.03c-condition-1.txt")
    text = contributor.post("/uploads/", {"file": [again], "configuration": "DRBD C"}).text
    assert f"/runs/{house.run.pk}/" in text
    house.run.refresh_from_db()
    assert house.run.configuration == house.local
    upload = Upload.objects.latest("pk")
    form = {"shown": [upload.pk], "assign": [upload.pk], "configuration": "DRBD C"}
    contributor.post("/uploads/", form)
    house.run.refresh_from_db()
    assert house.run.configuration == house.mirror


def test_the_page_of_a_refused_file_shows_why_and_reads_it_again(house, contributor):
    address = f"/uploads/{house.refused.pk}/"
    assert "no result found" in contributor.get(address).text
    assert "only written" in contributor.get(address).text
    answer = contributor.post(address, {"run": "seventeen"})
    assert "Enter the number of the run" in answer.text
    assert 'value="seventeen"' in answer.text


def test_the_bytes_of_a_refused_file_come_back_as_they_were(house, contributor):
    answer = contributor.get(f"/uploads/{house.refused.pk}/raw/")
    assert answer.content == b"Nothing was measured here, only written.\n"
    assert 'filename="README"' in answer["Content-Disposition"]


def test_a_log_of_fio_hangs_on_the_run_that_is_named(house, contributor):
    log = SimpleUploadedFile("seq_bw.log", b"500, 1024, 1, 4096\n1000, 2048, 1, 4096\n")
    contributor.post("/uploads/files/", {"file": [log]})
    upload = Upload.objects.latest("pk")
    assert upload.outcome == Upload.Outcome.REFUSED
    contributor.post(f"/uploads/{upload.pk}/", {"run": str(house.run.pk)})
    assert house.run.traces.get().points == 2
    assert 'data-chart="over-time"' in contributor.get(f"/runs/{house.run.pk}/").text


def test_an_empty_form_asks_for_files_and_keeps_what_was_typed(house, contributor):
    text = contributor.post("/uploads/", {"configuration": "Local disk"}).text
    assert "Choose the files first." in text
    assert 'value="Local disk"' in text


def test_a_file_of_very_many_results_is_listed_by_its_first(contributor):
    line = sample("bonnie++/local-2.00a-c4.csv").data.decode()
    lines = "".join(line.replace("conc4", f"host-{n}", 1) for n in range(250))
    contributor.post("/uploads/files/", {"file": [SimpleUploadedFile("many.csv", lines.encode())]})
    upload = Upload.objects.get()
    total = Run.objects.count()
    assert total > SHOWN_ON_ITS_PAGE
    page = contributor.get("/uploads/")
    (outcome,) = page.context["recent"]
    assert len(outcome.runs) == SHOWN
    assert f"{total} results" in page.text
    own = contributor.get(f"/uploads/{upload.pk}/")
    assert f"{total - SHOWN_ON_ITS_PAGE} further runs" in own.text
    assert len(own.context["outcome"].runs) == SHOWN_ON_ITS_PAGE
    listed = contributor.get(f"/runs/?artifact={upload.artifact_id}")
    assert f"{total} runs match" in listed.text
    again = {"shown": [upload.pk], "assign": [upload.pk], "study": "Many", "new_study": "on"}
    contributor.post("/uploads/", again)
    assert Run.objects.filter(study__title="Many").count() == total
    known = contributor.post(
        "/uploads/files/", {"file": [SimpleUploadedFile("b.csv", lines.encode())]}
    )
    assert f"{total - 20} more" in known.text


def test_a_copy_leads_to_the_run_that_counts(house, contributor):
    first = Run.objects.get(artifact=house.upload.artifact_id)
    data = sample("bonnie++/drbd-1.03c-condition-1.txt").data + b"\n# the same once more\n"
    answer = contributor.post("/uploads/files/", {"file": [SimpleUploadedFile("copy.txt", data)]})
    link = f'<a href="/runs/{first.pk}/">run {first.pk}</a>'
    assert "Same result as" in answer.text
    assert link in answer.text
    assert link in contributor.get("/uploads/").text


def compared_by(answer):
    """The numbers of the runs on the compare page that an answer led to."""
    return {pk for run in answer.context["comparison"].runs for pk in run.members}


def test_one_press_compares_exactly_what_the_files_brought(house, contributor):
    known, copied = bonnie_row("known"), bonnie_row("copied", write=70_000)
    before = ingest([File("known.csv", known.encode()), File("first.csv", copied.encode())])
    files = {
        "job.json": fio(fio_job("one", write_bw_log="seq")).data,
        "seq_bw.1.log": fio_log("seq_bw.1.log").data,
        "known.csv": known.encode(),
        "copy.csv": f"# once more\n{copied}".encode(),
        "two.zip": zipped("two.zip", {f"{n}.csv": bonnie(write=n).data for n in (7, 8)}).data,
        "README": b"only words",
    }
    sent = [SimpleUploadedFile(name, data) for name, data in files.items()]
    contributor.post("/uploads/files/", {"file": sent, "path": list(files)})
    shown = [upload.pk for upload in Upload.objects.filter(pk__gt=before[-1].upload.pk)]
    new = set(Run.objects.filter(artifact__uploads__in=shown).values_list("pk", flat=True))
    ingest([bonnie("somebody-elses.csv", write=9)])
    answer = contributor.post("/uploads/", {"shown": shown, "compare": "1"}, follow=True)
    (first,) = (run for outcome in before[1:] for run in outcome.runs)
    that_count = set(Run.objects.filter(pk__in=new, counted=True).values_list("pk", flat=True))
    assert len(new) == 5
    assert len(that_count) == 4  # the copy counts in the run that had its numbers before
    assert compared_by(answer) == that_count | {first.pk}
    listed = contributor.get(f"/runs/?{answer.request['QUERY_STRING']}")
    assert {row.pk for row in listed.context["page"].rows} == new | {first.pk}


def test_the_address_of_a_comparison_stays_short_for_very_many_files(contributor):
    uploads = [ingest([bonnie(write=n)])[0].upload.pk for n in range(1, 121)]
    del uploads[60]
    answer = contributor.post("/uploads/", {"shown": uploads, "compare": "1"})
    assert len(answer["Location"]) < 60
    assert len(compared_by(contributor.get(answer["Location"]))) == 119


def test_files_that_have_no_runs_are_not_compared(house, contributor):
    answer = contributor.post("/uploads/", {"shown": [house.refused.pk], "compare": "1"})
    assert "None of these files has runs to compare." in answer.text


def test_the_page_of_an_archive_compares_the_files_in_it(contributor):
    ingest([zipped("two.zip", {f"{n}.csv": bonnie(write=n).data for n in (7, 8)})])
    archive = Upload.objects.get(name="two.zip")
    page = contributor.get(f"/uploads/{archive.pk}/")
    assert f'href="/compare/?upload={archive.pk}"' in page.text
    compared = contributor.get(f"/compare/?upload={archive.pk}")
    assert compared_by(compared) == set(Run.objects.values_list("pk", flat=True))


def test_an_archive_lists_what_became_of_each_of_its_files(
    contributor, django_assert_max_num_queries
):
    files = {f"{n}.csv": bonnie(write=n).data for n in range(SHOWN_MEMBERS)} | {"no.txt": b"no"}
    ingest([zipped("night.zip", files)])
    archive = Upload.objects.get(name="night.zip")
    listed = contributor.get("/uploads/").text
    assert "archive of 101 files" in listed
    assert "1 refused" in listed
    with django_assert_max_num_queries(21):
        page = contributor.get(f"/uploads/{archive.pk}/").text
    members = archive.members.order_by("pk")
    assert f'href="/uploads/{members[0].pk}/">{members[0].name}</a>' in page
    assert page.count("bonnie++") == SHOWN_MEMBERS - ("no.txt" in page)
    assert "The first 100 of 101 files." in page


def test_what_names_no_upload_is_refused_and_narrows_nothing(house, contributor):
    assert "is not an upload number" in contributor.get("/compare/?upload=9-3").text
    listed = contributor.get("/runs/?upload=first")
    assert "is not an upload number" in listed.text
    many = ",".join(str(n) for n in range(1, 700, 2))
    assert "at most 300 ranges" in contributor.get(f"/compare/?upload={many}").text


def test_recent_uploads_follow_while_one_is_being_read_and_then_stop(house, contributor):
    polls, page = 'hx-trigger="uploaded from:body, every 3s"', f"before={house.upload.pk + 1}"
    assert polls not in contributor.get("/uploads/").text
    Upload.objects.filter(pk=house.upload.pk).update(outcome=Upload.Outcome.WAITING)
    assert polls in contributor.get(f"/uploads/?{page}").text
    part = contributor.get(f"/uploads/recent/?{page}").text
    assert polls in part and "<html" not in part
    assert f'hx-get="/uploads/recent/?{page}"' in part, "the same page of the list"
    Upload.objects.filter(pk=house.upload.pk).update(outcome=Upload.Outcome.STORED)
    assert polls not in contributor.get(f"/uploads/recent/?{page}").text
