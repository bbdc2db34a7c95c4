"""What is added to a plan on its page: rounds, a level, a host."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from benchdash.jobs import launching
from benchdash.jobs.models import Job, Plan
from tests.jobs.records import a_target
from tests.pages.plans import planned

pytestmark = pytest.mark.django_db


def test_rounds_are_added_on_the_page_which_says_what_they_cost(operator, target, signed_in):
    _answer, plan = planned(operator, target)
    page, act = f"/plans/{plan.pk}/", f"/plans/{plan.pk}/rounds/"
    text = strip_tags(operator.get(page).text)
    assert "Each round adds 2 jobs" in text and "Nothing runs before the launch" in text
    assert "First look" not in text
    launching.launch(plan, operator.person)
    assert "do not count as a further look" in operator.get(page).text
    for job in plan.jobs.all():
        launching.cancel(job, operator.person)
    assert "Second look: all rounds of this plan have ended" in operator.get(page).text
    answer = operator.post(act, {"rounds": "3"}, follow=True)
    text = strip_tags(answer.text)
    assert "6 jobs were added" in text and "round 3 of 5" in text
    assert re.search(
        r"First look: 2 rounds\s+operator.*Second look: \+3 rounds\s+operator", text, re.S
    )
    assert plan.jobs.filter(state=Job.State.QUEUED).count() == 6
    for wrong in ("", "x", "0", "-1", "99999999"):
        assert "at least one round" in operator.post(act, {"rounds": wrong}, follow=True).text
    assert "room for 95 more" in operator.post(act, {"rounds": "96"}, follow=True).text
    assert plan.jobs.count() == 10
    viewer = signed_in("viewer")
    assert "Second look: +3 rounds" in viewer.get(page).text
    assert act not in viewer.get(page).text and viewer.post(act, {"rounds": "1"}).status_code == 403
    japanese = operator.get(page, headers={"accept-language": "ja"}).text
    assert "2 回目" in japanese


def test_a_level_is_added_on_the_page_once_it_was_seen_what_it_costs(operator, target, signed_in):
    changes = {"p-rw": "write", "p-device": "/dev/sdz", "repeats": "3"}
    _answer, plan = planned(operator, target, **changes)
    page, act = f"/plans/{plan.pk}/", f"/plans/{plan.pk}/more/"
    assert "New levels" not in operator.get(page).text
    launching.launch(plan, operator.person, confirmed=["/dev/sdz"])
    text = operator.get(page).text
    assert "Show what it costs" in text and '<option value="iodepth">Queue depth' in text
    plan.jobs.update(state=Job.State.DONE, ended_at=timezone.now())
    addition = {"factor": "iodepth", "levels": "32\n 64 \n"}
    answer = operator.post(act, addition)
    text = " ".join(strip_tags(answer.text).split())
    assert "2 cells × 3 = 6" in text and "Start 6 jobs" in text and "Time≈ 1:00" in text
    assert "/dev/sdz on store-a: existing data will be destroyed" in text
    assert plan.jobs.count() == 6
    answer = operator.post(act, addition | {"start": "1", "confirmed": "/dev/sdy"})
    assert "type the name to confirm it" in answer.text
    assert 'value="/dev/sdy" spellcheck="false" required aria-invalid="true"' in answer.text
    assert "<li>This is not /dev/sdz.</li>" in answer.text
    assert "Start 6 jobs" in answer.text and plan.jobs.count() == 6
    answer = operator.post(act, addition | {"start": "1", "confirmed": "/dev/sdz"}, follow=True)
    text = " ".join(strip_tags(answer.text).split())
    assert "6 jobs were added" in text and "round 4 of 6" in text
    assert re.search(r"\+ Queue depth 32, 64: 2 cells in rounds 4 to 6 operator", text)
    heads = re.findall(r'role="rowheader">([^<]*)<', answer.text)
    assert heads == ["1", "8", "32", "64"]
    cells = re.findall(r'id="c(\d+)"', answer.text)
    assert cells == ["1", "2", "3", "4"]
    for levels, sentence in (("32", "already has the level 32"), ("", "needs a list of values")):
        answer = operator.post(act, {"factor": "iodepth", "levels": levels})
        assert sentence in answer.text and "Start" not in strip_tags(answer.text)
    assert plan.jobs.count() == 12
    viewer = signed_in("viewer")
    assert "+ Queue depth 32, 64" in viewer.get(page).text and act not in viewer.get(page).text
    assert viewer.post(act, addition).status_code == 403
    japanese = operator.get(page, headers={"accept-language": "ja"}).text
    assert "水準やホストを追加" in japanese


def test_a_host_is_added_on_the_page_and_has_a_plan_of_its_own(operator, target):
    _answer, plan = planned(operator, target)
    other = a_target("store-b")
    with CaptureQueriesContext(connection) as few:
        assert "store-b" in operator.get(f"/plans/{plan.pk}/").text
    for number in range(5):
        a_target(f"more-{number}")
    with CaptureQueriesContext(connection) as many:
        operator.get(f"/plans/{plan.pk}/")
    assert len(many) == len(few)
    act = f"/plans/{plan.pk}/more/"
    answer = operator.post(act, {"host": other.pk}, follow=True)
    made = Plan.objects.latest("pk")
    assert answer.redirect_chain == [(f"/plans/{made.pk}/", 302)]
    assert "What it costs" in answer.text and "Launch 4 jobs" in strip_tags(answer.text)
    assert (made.seed, made.batch) == (plan.seed, Plan.objects.get(pk=plan.pk).batch)
    for wrong in (other.pk, "x", ""):
        assert "Choose 1 to 50 hosts" in operator.post(act, {"host": wrong}).text
    assert Plan.objects.count() == 2
    assert "Launch all 2 plans" in operator.get(f"/plans/{made.pk}/").text
    launching.launch(plan, operator.person)
    assert "Launch all" not in operator.get(f"/plans/{made.pk}/").text
