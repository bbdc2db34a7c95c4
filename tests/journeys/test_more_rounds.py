"""A plan that is over gets more rounds from its page, which says what they cost."""

from __future__ import annotations

from django.contrib.auth.models import Group
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.jobs import launching, planning
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from tests.jobs.records import a_target
from tests.journeys.conftest import sign_in


def test_an_operator_adds_rounds_to_a_plan_that_is_over(page, transactional_db):
    person = User.objects.create_user("otto", password="correct horse battery")
    person.groups.add(Group.objects.get(name="operator"))
    sign_in(page, person)
    fio = next(recipe for recipe in builtin() if recipe.name == "fio")
    wanted = Wanted(fio, {"node-a": a_target()}, factors={"bs": ["4K", "64K"]}, repeats=2)
    plan = planning.plan(wanted, person)
    launching.launch(plan, person)
    Job.objects.update(state="done", ended_at=timezone.now())
    page.goto(f"/plans/{plan.pk}/")
    form = page.locator("#rounds details")
    assert not form.get_by_role("button").is_visible()
    form.locator("summary").click()
    assert "Each round adds 2 jobs" in form.inner_text()
    assert "Second look: all rounds of this plan have ended" in form.inner_text()
    form.get_by_label("Further rounds").fill("99")
    form.get_by_role("button", name="Add rounds").click()
    assert Plan.objects.get().rounds_planned == 2  # the browser knows how many fit
    form.get_by_label("Further rounds").fill("3")
    form.get_by_role("button", name="Add rounds").click()
    page.wait_for_selector("text=6 jobs were added")
    rounds = page.locator("#rounds .plain-list").inner_text()
    assert "First look: 2 rounds" in rounds and "Second look: +3 rounds" in rounds
    assert page.locator("#matrix [role=cell] a").count() == 2
    assert "round 3 of 5" in page.locator("#matrix").inner_text()
