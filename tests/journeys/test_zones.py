"""Study 2 over two pairs of hosts: planned on its page, carried on by a worker, and compared by zone."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import pairwise

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from benchdash.accounts.models import User
from benchdash.jobs.models import Job, Plan
from benchdash.results.demonstration import demo_folders, load
from benchdash.results.models import Run
from tests.conftest import need
from tests.journeys.conftest import sign_in
from tests.workers.jobs_by_hand import target
from tests.workers.running import worker
from tests.workers.sshd import sshd

PATIENCE_MS = 180_000


@pytest.fixture
def hosts(transactional_db, tmp_path):
    """Two pairs, and a folder for the local volume and one for the mirror on each."""
    need("sshd")
    need("fio")
    folders = [tmp_path / "local", tmp_path / "mirror"]
    for folder in folders:
        folder.mkdir()
    with ExitStack() as stack:
        for n in (1, 2, 3, 4):
            server = stack.enter_context(sshd())
            target(server, f"store-{n}", allowed=[str(folder) for folder in folders])
        yield folders


def test_two_pairs_are_planned_measured_and_compared_as_zones(page, hosts):
    study = load(next(each for each in demo_folders() if each.name.startswith("2-")))
    person = User.objects.create_user("otto", password="correct horse battery")
    person.groups.add(Group.objects.get(name="operator"))
    sign_in(page, person)
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"/studies/{study.slug}/")
    page.click("text=Run this study")
    page.wait_for_selector("[name=zone-1]")
    for name, zone in (("1", "local"), ("2", "near"), ("3", "far")):
        assert page.input_value(f"[name=zone-{name}]") == zone
    for field, host in {
        "zone-1-node-a": "store-1",
        "zone-2-node-a": "store-1",
        "zone-2-node-b": "store-2",
        "zone-3-node-a": "store-3",
        "zone-3-node-b": "store-4",
    }.items():
        option = page.locator(f"[name={field}] option", has_text=host)
        page.select_option(f"[name={field}]", option.get_attribute("value"))
    local, mirror = map(str, hosts)
    values = {"p-local_directory": local, "p-mirror_directory": mirror}
    values |= {"p-size": "1M", "p-runtime": "1s", "p-numjobs": "1", "repeats": "2"}
    for name, value in values.items():
        page.fill(f"[name={name}]", value)
    page.click("text=Show every command")
    page.wait_for_selector("text=node-a: store-3, node-b: store-4")
    page.wait_for_selector("#matrix :text('near (store-1, store-2)')")
    for field in page.locator("[name=confirmed]").all():
        label = page.locator(f"label[for={field.get_attribute('id')}]").inner_text()
        field.fill(local if f"Type {local} " in label else mirror)
    page.check("[name=whatever_conditions]")
    with worker():
        page.click('button:has-text("Launch")')
        page.wait_for_selector("#matrix-live .good:has-text('6 done')")
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
    for job in Job.objects.prefetch_related("nodes__target__host"):
        wanted = {"local": [1], "near": [1, 2], "far": [3, 4]}[job.values["zone"]]
        assert [node.target.host.name for node in job.nodes.all()] == [f"store-{n}" for n in wanted]
    spans = sorted(Job.objects.values_list("started_at", "ended_at"))
    assert all(one[1] <= after[0] for one, after in pairwise(spans))
    ours = Run.objects.filter(study=study, artifact__steps__job__plan=Plan.objects.get())
    assert sorted(run.settings["zone"] for run in ours) == sorted(2 * ["local", "near", "far"])
    # there is no DRBD here: what a zone calls its mirror is none, and says so
    doubted = {(run.settings["zone"], bool(run.doubts.filter(kind="storage"))) for run in ours}
    assert doubted == {("local", False), ("near", True), ("far", True)}
    page.goto(f"/compare/?plan={Plan.objects.get().pk}")
    expect(page.locator("table :text('near')").first).to_be_attached()
    expect(page.get_by_text("not held equal")).to_have_count(0)
    page.goto(f"/compare/?study={study.slug}")
    expect(page.locator("table :text('Mirror within one zone')").first).to_be_attached()
    expect(page.get_by_text("not held equal")).to_have_count(0)
