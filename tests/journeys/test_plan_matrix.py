"""The matrix of a plan fills while it is looked at, and is walked through by the keyboard."""

from __future__ import annotations

import gzip
from datetime import timedelta

from django.contrib.auth.models import Group
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.jobs import launching, planning
from benchdash.jobs.models import Job
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from tests.jobs.records import a_target
from tests.journeys.conftest import sign_in
from tests.measured import a_run


def a_launched_plan(page, **factors):
    person = User.objects.create_user("otto", password="correct horse battery")
    person.groups.add(Group.objects.get(name="operator"))
    sign_in(page, person)
    fio = next(recipe for recipe in builtin() if recipe.name == "fio")
    plan = planning.plan(Wanted(fio, {"node-a": a_target()}, factors=factors, repeats=2), person)
    launching.launch(plan, person)
    Job.objects.update(state_at=timezone.now() - timedelta(minutes=1))
    return plan


def measured(plan, cell, value):
    job, now = plan.jobs.get(cell=cell, round=1), timezone.now()
    run = a_run(values={"read.throughput.mean": value})
    job.steps.filter(tool="fio").update(artifact=run.artifact)
    Job.objects.filter(pk=job.pk).update(state="done", started_at=now, ended_at=now, state_at=now)


def test_a_matrix_fills_cell_by_cell_while_it_is_looked_at(page, transactional_db):
    plan = a_launched_plan(page, bs=["4K", "1M"], iodepth=[1, 8, 32])
    page.goto(f"/plans/{plan.pk}/")
    page.wait_for_selector("#c1:has-text('·')")
    Job.objects.filter(plan=plan, cell=5, round=1).update(state="running", state_at=timezone.now())
    page.wait_for_selector("#c5:has-text('▸')")
    measured(plan, 1, 90e6)
    page.wait_for_selector("#c1.s10:has-text('90')")
    page.wait_for_selector("select[name=measure]")  # there is something to choose now
    page.locator("#c1").focus()
    measured(plan, 2, 180e6)
    page.wait_for_selector("#c2.s10:has-text('180')")
    page.wait_for_selector("#c1.s5")
    assert page.evaluate("document.activeElement.id") == "c1"
    assert "Best so far: 180 MB/s" in page.locator("#matrix-live").inner_text()


def test_arrow_keys_walk_through_cells_which_say_what_they_are(page, transactional_db):
    plan = a_launched_plan(page, bs=["4K", "1M"], iodepth=[1, 8, 32])
    measured(plan, 4, 90e6)
    page.goto(f"/plans/{plan.pk}/")
    page.wait_for_selector("#matrix[data-attached] #c1[tabindex='0']")
    assert page.locator(".heat a[tabindex='0']").count() == 1
    page.locator("#c1").focus()
    page.keyboard.press("ArrowDown")
    readout = page.locator(".heat-readout")
    assert readout.inner_text() == "1M, 1: 90.0 MB/s, 1/2, best"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    assert readout.inner_text() == "4K, 8: to come"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "c2"  # there is nothing above
    table = page.get_by_role("table", name="Matrix")
    assert table.get_by_role("columnheader").count() == 4
    assert table.get_by_role("row", name="1M").get_by_role("cell").count() == 3
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/plans/{plan.pk}/cells/2/")


def test_ten_thousand_cells_fit_on_a_phone(page, transactional_db):
    levels = list(range(1, 101))
    plan = a_launched_plan(page, iodepth=levels, numjobs=levels)
    measured(plan, plan.jobs.filter(round=1).first().cell, 90e6)
    page.set_viewport_size({"width": 390, "height": 844})
    answer = page.goto(f"/plans/{plan.pk}/")
    assert len(gzip.compress(answer.body())) < 300_000
    page.wait_for_selector("#matrix[data-attached]")
    assert page.locator(".heat a").count() == 10_000
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.locator("#c5050").click()  # in the middle: scrolled to in both directions
    page.wait_for_url(f"**/plans/{plan.pk}/cells/5050/")
