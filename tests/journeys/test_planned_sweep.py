"""A planned sweep is compared at one press: lines along one number, a map of two."""

from __future__ import annotations

import re
from itertools import product

from django.contrib.auth.models import Group
from playwright.sync_api import expect

from benchdash.accounts.models import User
from benchdash.jobs.models import Job, JobStep, Plan
from tests.journeys.conftest import sign_in
from tests.journeys.test_remote_run import admin, register, server  # noqa: F401 - fixtures
from tests.measured import a_run
from tests.workers.running import worker


def test_queue_depths_measured_in_rounds_become_a_line_with_intervals(admin, server):  # noqa: F811
    page = admin
    with worker():
        register(page, server)
        page.click("text=Run a benchmark")
        page.click('h2 a >> text="fio"')
        values = {"p-size": "1M", "p-runtime": "1s", "p-ramp_time": "0", "repeats": "2"}
        for name, value in values.items():
            page.fill(f"[name={name}]", value)
        page.select_option("[name=p-ioengine]", "psync")
        page.locator(".parameter", has=page.locator("[name=p-iodepth]")).locator("summary").click()
        page.fill("[name=f-iodepth]", "1, 2, 4")
        page.click("text=Show every command")
        page.check("[name=whatever_conditions]")
        page.click('button:has-text("Launch")')
        expect(page.locator("#matrix-live[hx-get]")).to_have_count(0, timeout=240_000)
        expect(page.locator("#matrix-live")).to_contain_text("6 done")
        page.reload()
    page.get_by_role("main").get_by_role("link", name="Compare", exact=True).click()
    line = page.locator('figure[data-chart="lines"]').first
    expect(line).to_have_attribute("data-drawn", "")
    table = page.get_by_role("group", name="All numbers in these charts").first
    for depth in (1, 2, 4):
        row = table.get_by_role("row", name=f"Queue depth {depth}")
        expect(row).to_contain_text(re.compile(r"\d – \d"))  # of two samples, their range


def test_two_factors_of_a_plan_become_a_heat_map(page, transactional_db):
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="viewer"))
    plan = Plan.objects.create(title="Depths and jobs", recipe_name="fio", recipe="")
    plan.launched_at = plan.created_at
    plan.save()
    for position, (depth, jobs, repeat) in enumerate(product((1, 4, 16), (1, 2, 4), (1, 2))):
        run = a_run(
            None,
            {"rand_read.iops.mean": 1000.0 * depth * jobs + repeat},
            workload={"pattern": "randread", "queue_depth": depth, "jobs": jobs},
        )
        job = Job.objects.create(plan=plan, position=position, round=repeat, state=Job.State.DONE)
        JobStep.objects.create(
            job=job, position=0, name="fio", command="fio", timeout_s=60, artifact=run.artifact
        )
    sign_in(page, person)
    page.goto(f"/plans/{plan.pk}/")
    page.get_by_role("main").get_by_role("link", name="Compare", exact=True).click()
    drawn = page.locator('figure[data-chart="heat"]').first
    expect(drawn).to_have_attribute("data-drawn", "")
    share = "figure => figure.querySelector('canvas').clientWidth / figure.clientWidth"
    assert drawn.evaluate(share) > 0.9
    assert page.url.endswith(f"/compare/?plan={plan.pk}")
