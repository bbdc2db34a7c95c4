"""From nothing to a compared remote run: a real sshd, a real worker, real fio, one window."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from benchdash.accounts.models import User
from benchdash.jobs.models import Job
from tests.conftest import need
from tests.journeys.conftest import sign_in
from tests.workers.running import worker
from tests.workers.sshd import sshd

PATIENCE_MS = 60_000


@pytest.fixture
def admin(page, transactional_db):
    """The window of somebody who may do all of it."""
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    sign_in(page, person)
    page.set_default_timeout(PATIENCE_MS)
    return page


@pytest.fixture
def server():
    need("sshd")
    need("fio")
    with sshd() as one:
        yield one


def register(page, server):
    page.goto("/hosts/new/")
    fields = {
        "name": "store-1",
        "address": server.address,
        "port": str(server.port),
        "user": server.user,
        "key": server.user_key,
        "folder": str(server.folder),
    }
    for name, value in fields.items():
        page.fill(f"[name={name}]", value)
    page.click("text=Save and check")
    page.click("text=They match: trust this host")
    page.wait_for_selector(".findings")


def plan(page):
    page.click("text=Run a benchmark")
    page.click('h2 a >> text="fio"')
    values = {"p-size": "1M", "p-runtime": "3s", "p-ramp_time": "0", "repeats": "1"}
    for name, value in values.items():
        page.fill(f"[name={name}]", value)
    page.select_option("[name=p-ioengine]", "psync")
    page.locator(".parameter", has=page.locator("[name=p-rw]")).locator("summary").click()
    page.check("[name=f-rw][value=write]")
    page.check("[name=f-rw][value=randread]")
    page.click("text=Show every command")


def test_a_host_is_registered_checked_planned_launched_watched_and_compared(admin, server):
    page = admin
    with worker():
        register(page, server)
        plan(page)
        commands = page.locator(".command").all_text_contents()
        assert sum(command.startswith("fio --name=fio") for command in commands) == 2
        page.check("[name=whatever_conditions]")
        page.click('button:has-text("Launch")')
        page.click("#c1")
        page.click(".table-box a >> nth=0")
        page.wait_for_selector("[data-log]:has-text('Jobs: 1')")
        drawn = page.wait_for_selector("[data-live] canvas")
        below = page.get_by_role("heading", name="Steps").bounding_box()
        assert drawn.bounding_box()["y"] < below["y"]
        page.wait_for_selector("text=Resulting runs")
        assert drawn.is_visible()  # though the page around it was fetched again
        page.click('.section-head a:has-text("Compare")')
        page.wait_for_selector(".one-group")  # there is nothing to draw it beside
        page.goto(f"/plans/{Job.objects.first().plan_id}/")
        page.wait_for_selector("#matrix-live .good:has-text('2 done')")
        page.click("#c1")
        page.click(".table-box a >> nth=0")
        page.wait_for_selector("[data-live] canvas")  # an ended job keeps its numbers
    assert set(Job.objects.values_list("state", flat=True)) == {"done"}
