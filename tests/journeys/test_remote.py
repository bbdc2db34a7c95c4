"""From nothing to a compared remote run, in the browser: over a real sshd, by a real worker."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from benchdash.accounts.models import User
from benchdash.jobs.models import Job
from benchdash.results.models import Run
from tests.conftest import need
from tests.journeys.conftest import sign_in
from tests.workers.conftest import a_server  # noqa: F401 - a fixture
from tests.workers.test_faults import worker

PATIENCE_MS = 60_000


@pytest.fixture
def admin(page, transactional_db):
    """The window of somebody who may register hosts."""
    person = User.objects.create_user("root", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    sign_in(page, person)
    page.set_default_timeout(PATIENCE_MS)
    return page


def register(page, server):
    page.goto("/hosts/new/")
    page.fill("[name=name]", "store-a")
    page.fill("[name=address]", server.address)
    page.fill("[name=port]", str(server.port))
    page.fill("[name=user]", server.user)
    page.fill("[name=key]", server.user_key)
    page.fill("[name=folder]", str(server.folder))
    page.get_by_role("button", name="Save and check").click()


def plan(page, recipe, **values):
    page.goto("/plans/new/")
    page.get_by_role("link", name=recipe, exact=True).click()
    page.select_option("[name=node-a]", index=1)
    for name, value in values.items():
        page.fill(f"[name=p-{name}]", value)
    page.get_by_role("button", name="Show every command").click()


def launch(page):
    page.check("[name=whatever_conditions]")  # a machine that runs tests is a busy host
    page.get_by_role("button", name="Launch").click()


def test_register_check_plan_launch_watch_compare(admin, a_server):  # noqa: F811
    need("fio")
    need("bonnie++")
    with worker():
        register(admin, a_server)
        admin.get_by_role("button", name="It is the same: trust this host").click()
        expect(admin.get_by_text("with the approved key")).to_be_visible(timeout=PATIENCE_MS)

        plan(admin, "fio", size="4M", runtime="2s", ramp_time="0s")
        expect(admin.get_by_text("--rw=randread").first).to_be_visible()
        assert not Job.objects.exclude(state=Job.State.PLANNED).exists()
        launch(admin)
        admin.goto(f"/jobs/{Job.objects.get().pk}/")
        expect(admin.locator("body")).to_contain_text("Jobs: 1 (f=", timeout=PATIENCE_MS)  # the log
        expect(admin.get_by_text("done", exact=True).first).to_be_visible(timeout=PATIENCE_MS)

        plan(admin, "bonnie++", size="8M", ram="4M", files="1", user=a_server.user)
        launch(admin)
        made = Job.objects.latest("pk")
        admin.goto(f"/jobs/{made.pk}/")
        expect(admin.get_by_text("done", exact=True).first).to_be_visible(timeout=PATIENCE_MS)

    made.refresh_from_db()
    assert (made.state, made.reason) == (Job.State.DONE, "")
    assert sorted(Run.objects.values_list("tool", flat=True)) == ["bonnie++", "fio"]
    admin.goto(f"/compare/?configuration={made.configuration_id}&group=tool")
    expect(admin.locator("figure").first).to_be_visible(timeout=PATIENCE_MS)
    expect(admin.get_by_text(made.configuration.name).first).to_be_visible()
