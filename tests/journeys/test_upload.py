"""Somebody drops many files, says where they belong, and loses nothing when things go wrong."""

from __future__ import annotations

import base64
import re
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import expect

from benchdash.results.ingest import ingest
from benchdash.results.models import Run, Trace, Upload
from tests.another_process import serving
from tests.pages.house import sample
from tests.results.result_files import bonnie_row, fio, fio_job, fio_log
from tests.workers.running import until

DROP = """
([zone, files]) => {
  const transfer = new DataTransfer();
  for (const [name, text] of files) transfer.items.add(new File([atob(text)], name));
  zone.dispatchEvent(new DragEvent("drop", {dataTransfer: transfer, bubbles: true}));
}
"""


def drop(page, files):
    """Let go of `{name: text}` over the drop zone."""
    encoded = [[name, base64.b64encode(text.encode()).decode()] for name, text in files.items()]
    zone = page.locator("[data-drop]").element_handle()
    page.evaluate(DROP, [zone, encoded])


@pytest.fixture
def upload_page(contributor):
    contributor.goto("/uploads/")
    contributor.get_by_text("Drop files or folders here").wait_for()
    return contributor


def test_many_files_are_dropped_recognised_and_assigned(upload_page, house):
    files = {f"run-{n}.csv": bonnie_row(write=90_000 + n) for n in range(20)}
    drop(upload_page, files | {"README": "only words"})
    items = upload_page.locator("[data-outcomes] > li")
    expect(items).to_have_count(21)
    expect(items.get_by_text("stored", exact=True)).to_have_count(20)
    expect(items.filter(has_text="README")).to_contain_text("no result found")
    expect(items.first).to_contain_text("bonnie++")
    upload_page.get_by_label("Configuration", exact=True).fill("DRBD C")
    upload_page.get_by_role("button", name="Assign the ticked files").click()
    expect(upload_page.get_by_role("status")).to_have_text("20 runs assigned.")
    assert Run.objects.filter(configuration=house.mirror).count() == 21


def test_files_are_dropped_on_the_first_page_and_assigned_on_the_next(
    contributor, transactional_db
):
    contributor.goto("/")
    contributor.get_by_text("Drop files or folders here").wait_for()
    drop(contributor, {"a.csv": bonnie_row(), "README": "only words"})
    items = contributor.locator("[data-outcomes] > li")
    expect(items.get_by_text("stored", exact=True)).to_have_count(1)
    expect(items.filter(has_text="README")).to_contain_text("no result found")
    contributor.get_by_role("button", name="Say where they belong").click()
    expect(items).to_have_count(2)
    contributor.get_by_text("A new configuration").click()
    contributor.get_by_label("Configuration", exact=True).fill("Two disks")
    contributor.locator("[name=layers]").fill("ext4\ndisk count=2")
    contributor.get_by_role("button", name="Assign the ticked files").click()
    expect(contributor.get_by_role("status")).to_have_text("1 run assigned.")
    assert Run.objects.get().configuration.name == "Two disks"


def test_a_mistyped_name_loses_neither_files_nor_words(upload_page, house):
    drop(upload_page, {"a.csv": bonnie_row()})
    expect(
        upload_page.locator("[data-outcomes] > li").get_by_text("stored", exact=True)
    ).to_be_visible()
    upload_page.get_by_label("Configuration", exact=True).fill("DRBD X")
    upload_page.get_by_label("Study", exact=True).fill("DRBD on two PCs")
    upload_page.get_by_role("button", name="Assign the ticked files").click()
    expect(upload_page.get_by_text("There is no configuration “DRBD X”.")).to_be_visible()
    expect(upload_page.get_by_label("Study", exact=True)).to_have_value("DRBD on two PCs")
    upload_page.get_by_label("Configuration", exact=True).fill("DRBD C")
    upload_page.get_by_role("button", name="Assign the ticked files").click()
    expect(upload_page.get_by_role("status")).to_have_text("1 run assigned.")
    run = Run.objects.latest("pk")
    assert (run.configuration, run.study) == (house.mirror, house.study)


def test_a_file_that_is_known_already_leads_to_its_runs(upload_page, house):
    drop(upload_page, {"a.csv": bonnie_row()})
    item = upload_page.locator("[data-outcomes] > li")
    expect(item.get_by_text("stored", exact=True)).to_be_visible()
    drop(upload_page, {"b.csv": bonnie_row()})
    known = item.filter(has_text="b.csv")
    expect(known).to_contain_text("Already stored as run")
    assert f"/runs/{Run.objects.latest('pk').pk}/" in known.inner_html()
    assert Run.objects.count() == 4


def test_one_box_ticks_all_refused_files(contributor, house):
    contributor.goto("/uploads/refused/")
    head, row = contributor.locator("thead input"), contributor.locator("tbody input")
    expect(row).to_have_count(1)
    expect(head).not_to_be_checked()
    head.check()
    expect(row).to_be_checked()
    contributor.get_by_role("button", name="Put aside").click()
    expect(contributor.get_by_text("1 file put aside.")).to_be_visible()


def test_files_are_chosen_by_the_button_too(upload_page):
    file = {"name": "a.csv", "mimeType": "text/csv", "buffer": bonnie_row().encode()}
    upload_page.get_by_label("Choose files").set_input_files([file])
    stored = upload_page.locator("[data-outcomes] > li").get_by_text("stored", exact=True)
    expect(stored).to_be_visible()


def test_a_lost_connection_is_shown_and_the_file_sent_again(upload_page):
    upload_page.context.set_offline(True)
    drop(upload_page, {"a.csv": bonnie_row()})
    expect(upload_page.get_by_text("The connection was lost")).to_be_visible()
    assert not Upload.objects.exists()
    upload_page.context.set_offline(False)
    upload_page.get_by_role("button", name="Send it again").click()
    stored = upload_page.locator("[data-outcomes] > li").get_by_text("stored", exact=True)
    expect(stored).to_be_visible()
    assert Upload.objects.count() == 1


def test_a_connection_that_is_lost_while_the_page_arrives_leaves_it_whole(contributor, house):
    refused = []

    def refuse_once(route):
        if refused:
            return route.continue_()
        refused.append(route.request.url)
        return route.abort("internetdisconnected")

    contributor.route("**/chunks/htmx*.js", refuse_once)
    contributor.goto("/uploads/")
    drop(contributor, {"a.csv": bonnie_row()})
    stored = contributor.locator("[data-outcomes] > li").get_by_text("stored", exact=True)
    expect(stored).to_be_visible()
    assert refused  # and no script was left with an error: the window looks after that
    contributor.get_by_label("Configuration", exact=True).fill("DRBD C")
    contributor.get_by_role("button", name="Assign the ticked files").click()
    expect(contributor.get_by_role("status")).to_have_text("1 run assigned.")


def test_a_file_that_is_too_large_has_the_limit_beside_it(contributor, monkeypatch):
    monkeypatch.setenv("MAX_UPLOAD_BYTES", str(2**20))
    call_command("collectstatic", interactive=False, verbosity=0)
    with serving() as port:  # what people use: Django's server for tests takes whatever comes
        contributor.goto(f"http://localhost:{port}/uploads/")
        drop(contributor, {"large.csv": "x" * 2**21})
        (item,) = contributor.locator("[data-outcomes] > li").all()
        expect(item).to_contain_text("larger than the 1.0\xa0MB that this server accepts")


def test_a_log_of_fio_finds_the_result_that_it_was_dropped_with(upload_page):
    dropped = fio(fio_job("one", write_bw_log="seq")), fio_log("seq_bw.1.log")
    drop(upload_page, {file.name: file.data.decode() for file in dropped})
    expect(upload_page.locator("[data-outcomes] > li")).to_have_count(2)
    assert Trace.objects.count() == 1


def test_when_a_file_was_brought_stands_on_one_line_where_there_is_room(contributor, house):
    ingest([sample("bonnie++/drbd-1.03c-condition-1.txt")])  # stored before: a long sentence
    contributor.set_viewport_size({"width": 1280, "height": 900})
    contributor.goto("/uploads/")
    lines = contributor.locator("td time").evaluate_all(
        "all => all.map(one => one.getClientRects().length)"
    )
    assert set(lines) == {1}


TEN_MIXED = (
    "drbd-1.58-local-disk.txt",
    "local-2.0.8-mixed.txt",
    "local-2.1.3-mixed.json",
    "local-2.14-mixed.json",
    "local-2.8-terse.csv",
    "local-3.1-mixed.txt",
    "local-3.16-four-jobs-grouped.txt",
    "local-3.28-terse.csv",
    "local-3.33-direct.txt",
    "local-3.33-fsync.txt",
)


def test_recent_uploads_follow_until_all_are_read(contributor, house):
    Upload.objects.filter(pk=house.upload.pk).update(outcome=Upload.Outcome.WAITING)
    contributor.goto("/uploads/")
    row = contributor.locator("#recent-uploads tr").filter(has_text=house.upload.name)
    expect(row).to_contain_text("waiting")
    Upload.objects.filter(pk=house.upload.pk).update(outcome=Upload.Outcome.STORED)
    expect(row).to_contain_text("stored")
    expect(contributor.locator("#recent-uploads[hx-trigger*=every]")).to_have_count(0)
    drop(contributor, {"later.csv": bonnie_row(write=90_000)})
    expect(contributor.locator("#recent-uploads")).to_contain_text("later.csv")


def test_the_page_of_a_file_that_waits_follows_until_it_is_read(contributor, house):
    Upload.objects.filter(pk=house.upload.pk).update(outcome=Upload.Outcome.WAITING)
    contributor.goto(f"/uploads/{house.upload.pk}/")
    waits = contributor.get_by_text("No worker has begun with it yet.")
    expect(waits).to_be_visible()
    Upload.objects.filter(pk=house.upload.pk).update(begun_at=timezone.now())
    expect(contributor.get_by_text("A worker has been reading it since")).to_be_visible()
    Upload.objects.filter(pk=house.upload.pk).update(outcome=Upload.Outcome.STORED)
    expect(contributor.get_by_role("heading", name="Runs in it")).to_be_visible()
    expect(contributor.locator("main [hx-trigger*=every]")).to_have_count(0)


def test_what_a_newcomer_drops_on_the_first_page_is_compared_by_one_press(contributor):
    contributor.goto("/")
    compare = contributor.get_by_role("button", name="Compare these")
    expect(compare).to_be_hidden()
    drop(contributor, {f"run-{n}.csv": bonnie_row(write=90_000 + n) for n in range(2)})
    expect(contributor.locator("[data-outcomes] > li")).to_have_count(2)
    compare.click()
    expect(contributor).to_have_url(re.compile(r"/compare/\?upload=\d+-\d+$"))
    # the same was measured twice
    expect(contributor.get_by_text("1 group, 2 samples")).to_be_visible()


def test_nothing_is_compared_while_a_file_is_on_its_way(upload_page):
    held = []

    def hold_the_late_one(route):
        if b"late.csv" in route.request.post_data_buffer:
            held.append(route)
        else:
            route.continue_()

    upload_page.route("**/uploads/files/", hold_the_late_one)
    compare = upload_page.get_by_role("button", name="Compare these")
    drop(upload_page, {f"{name}.csv": bonnie_row(name) for name in ("early", "late")})
    stored = upload_page.locator("[data-outcomes] > li").get_by_text("stored", exact=True)
    expect(stored).to_have_count(1)
    expect(compare).to_be_hidden()
    # asking the page for anything lets it hand over the request that is held
    until(lambda: upload_page.evaluate("true") and held)
    held[0].continue_()
    expect(stored).to_have_count(2)
    expect(compare).to_be_visible()


def test_ten_mixed_files_of_fio_are_compared_by_one_press(upload_page):
    compare = upload_page.get_by_role("button", name="Compare these")
    expect(compare).to_be_hidden()
    drop(upload_page, {name: sample(f"fio/{name}").data.decode() for name in TEN_MIXED})
    items = upload_page.locator("[data-outcomes] > li")
    expect(items.get_by_text("stored", exact=True)).to_have_count(10)
    compare.click()
    expect(upload_page).to_have_url(re.compile(r"/compare/\?upload=\d+-\d+$"))
    upload_page.locator(".overview table").wait_for()
    answer = upload_page.request.get(f"/api/v1/compare/?{urlsplit(upload_page.url).query}")
    compared = [run for group in answer.json()["groups"] for run in group["runs"]]
    assert sorted(compared) == sorted(Run.objects.values_list("pk", flat=True))


def test_dropped_files_of_several_machines_are_assigned_machine_by_machine(upload_page, house):
    hosts = ("xen01", "xen02")
    drop(upload_page, {f"{host}.csv": bonnie_row(host=host) for host in hosts})
    upload_page.get_by_role("heading", name="By machine").wait_for()
    upload_page.get_by_label("Configuration xen01").fill("DRBD C")
    upload_page.get_by_role("button", name="Assign the ticked files").click()
    expect(upload_page.get_by_role("status")).to_have_text("1 run assigned.")
    assert Run.objects.get(label="xen01").configuration == house.mirror
    assert Run.objects.get(label="xen02").configuration is None
