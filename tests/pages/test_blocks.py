"""What cells share, on the pages of plans and jobs: how often it is made, and which job had made it."""

from __future__ import annotations

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from benchdash.jobs import blocks, launching, planning
from benchdash.jobs.models import Job, JobStep
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import load
from tests.jobs.records import a_target
from tests.jobs.test_blocks import SHELF

pytestmark = pytest.mark.django_db
JA = {"accept-language": "ja"}


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


@pytest.fixture
def plan(operator):
    return planning.plan(Wanted(load(SHELF), {"node-a": a_target()}, seed=5), operator.person)


def words(client, address, **headers):
    return " ".join(strip_tags(client.get(address, headers=headers).text).split())


def test_the_plan_says_how_often_things_are_made_and_counts_their_time_once(operator, plan):
    text = words(operator, f"/plans/{plan.pk}/")
    assert "Made once per block4 times instead of 12&nbsp;· make" in text
    assert "in each round, cells with the same kind follow each other" in text
    assert text.count("node-a once per block") == 24  # what makes and unmakes, of twelve jobs
    assert "≈ 8:40" in text  # two rounds of two blocks and six jobs
    japanese = words(operator, f"/plans/{plan.pk}/", **JA)
    assert "ブロックごとに 1 回だけ作成" in japanese and "12 回ではなく 4 回" in japanese
    body = operator.get(f"/api/v1/plans/{plan.pk}/").json()
    assert body["block_factors"] == ["kind"]
    assert body["cost"]["shared"] == {"steps": ["make"], "times": 4, "jobs": 12}
    steps = body["jobs"][0]["steps"]
    assert [step["shared"] for step in steps] == [True, False, True]
    assert len({job["block"] for job in body["jobs"]}) == 4


def test_a_launched_plan_still_says_what_its_cells_share(operator, plan):
    sentence = "In each round, cells with the same kind follow each other and share what is made"
    assert sentence not in words(operator, f"/plans/{plan.pk}/")
    launching.launch(plan, operator.person)
    assert sentence in words(operator, f"/plans/{plan.pk}/")


def test_a_plan_that_shares_nothing_says_nothing_of_blocks(operator):
    wanted = Wanted(load(SHELF), {"node-a": a_target()}, {"is_made": False}, {"books": [1, 2]})
    plan = planning.plan(wanted, operator.person)
    assert "block" not in words(operator, f"/plans/{plan.pk}/").lower()
    body = operator.get(f"/api/v1/plans/{plan.pk}/").json()
    assert body["block_factors"] is None and body["cost"]["shared"] is None


def test_a_job_says_what_stands_and_who_had_made_it(operator, plan):
    first, second = launching.launch(plan, operator.person)[:2]
    first.steps.filter(phase="prepare").update(state=JobStep.State.DONE)
    Job.objects.filter(pk=first.pk).update(state=Job.State.DONE, ended_at=timezone.now())
    first.refresh_from_db()
    blocks.leave(first)
    page = f"/jobs/{first.pk}/"
    assert "What its block shares is kept on store-a for the next job" in words(operator, page)
    assert "次のジョブのために" in words(operator, page, **JA)
    blocks.take_over(second, first)
    assert "stands on" not in words(operator, page)
    assert f"Left to job {second}." in words(operator, page)
    answer = operator.get(f"/jobs/{second.pk}/")
    assert f'reused what <a href="/jobs/{first.pk}/">job {first}</a> had made' in answer.text
    assert f"Made by job {first}." in answer.text and "bad-words" not in answer.text
    assert f"ジョブ {first}" in words(operator, f"/jobs/{second.pk}/", **JA)
    body = operator.get(f"/api/v1/jobs/{second.pk}/").json()
    assert body["made_by"] == first.pk and body["block"] == first.block
