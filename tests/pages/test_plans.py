"""Plans in the browser: a recipe's form, every command, the launch."""

from __future__ import annotations

import re

import pytest
from django.utils.html import strip_tags

from benchdash.jobs import launching
from benchdash.jobs.models import Job, JobStep, Plan
from tests.jobs.asked import a_job, a_target

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


@pytest.fixture
def target():
    return a_target(user="root", allowed=["/dev/sdz"])


def filled_in(target, **changes):
    return {
        "node-a": target.pk,
        "repeats": "2",
        "p-rw": "randwrite",
        "p-bs": "4K",
        "p-size": "64M",
        "p-runtime": "5s",
        "p-numjobs": "1",
        "p-ioengine": "psync",
        "f-iodepth": "1\n8\n",
    } | changes


def planned(operator, target, recipe="fio", **changes):
    answer = operator.post(f"/plans/new/{recipe}/", filled_in(target, **changes), follow=True)
    return answer, Plan.objects.order_by("pk").last()


def test_the_form_speaks_of_each_parameter_in_both_languages(operator, target):
    english = operator.get(f"/plans/new/fio/?target={target.pk}").text
    assert "Block size" in english
    assert f'value="{target.pk}" selected' in english
    japanese = operator.get("/plans/new/fio/", headers={"accept-language": "ja"}).text
    assert "ブロックサイズ" in japanese
    assert "One fio job" in operator.get("/plans/new/").text


def test_a_plan_shows_every_command_before_anything_runs(operator, target):
    answer, plan = planned(operator, target)
    assert answer.redirect_chain == [(f"/plans/{plan.pk}/", 302)]
    assert plan.jobs.count() == 4
    assert set(plan.jobs.values_list("state", flat=True)) == {Job.State.PLANNED}
    text = strip_tags(answer.text)
    for job in plan.jobs.prefetch_related("steps"):
        for step in job.steps.all():
            assert step.command in text
    assert "--iodepth=8" in text
    assert "Launch 4 jobs" in text


def test_a_plan_shows_its_rounds_and_the_seed_of_their_order(operator, target):
    assert operator.get("/plans/new/fio/").context["form"]["repeats"].value() == 8
    assert operator.get("/plans/new/drbd9-files/").context["form"]["repeats"].value() == 3
    answer, plan = planned(operator, target, seed="4711")
    assert plan.seed == 4711 and "<dd>4711</dd>" in answer.text
    assert "round 1 of 2" not in strip_tags(answer.text)
    operator.post(f"/plans/{plan.pk}/launch/")
    assert "round 1 of 2" in strip_tags(operator.get(f"/plans/{plan.pk}/").text)
    for job in plan.jobs.filter(round=1):
        launching.cancel(job, operator.person)
    assert "round 2 of 2" in strip_tags(operator.get(f"/plans/{plan.pk}/matrix/").text)


def test_rounds_are_added_on_the_page_which_says_what_they_cost(operator, target, signed_in):
    _answer, plan = planned(operator, target)
    page, act = f"/plans/{plan.pk}/", f"/plans/{plan.pk}/rounds/"
    text = strip_tags(operator.get(page).text)
    assert "A round makes 2 jobs" in text and "Nothing runs before the launch" in text
    assert "First look" not in text
    launching.launch(plan, operator.person)
    assert "are no further look" in operator.get(page).text
    for job in plan.jobs.all():
        launching.cancel(job, operator.person)
    assert "Second look: all rounds of this plan were over" in operator.get(page).text
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
    assert "2回目" in japanese


def test_a_study_is_planned_with_the_factors_that_it_varied(operator, target):
    form = operator.get("/plans/new/drbd9-files/").context["form"]
    levels = [field for _value, field, varied in form.parameters() if varied]
    assert [field.name for field in levels] == ["f-rw"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"p-bs": "4 KQ"}, "a size such as"),
        ({"f-iodepth": "1\nmany"}, "Queue depth"),
        ({"node-a": ""}, "This field is required"),
        ({"p-filename": "x", "p-device": "/dev/sdz"}, "not both"),
        ({"p-device": "/dev/sdy"}, "not on the list"),
        ({"f-iodepth": "\n".join(map(str, range(1, 1500)))}, "jobs, a plan has at most"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_planned(operator, target, changes, words):
    answer, plan = planned(operator, target, **changes)
    assert words in answer.text
    assert plan is None


def test_a_plan_that_writes_to_a_device_is_launched_once_its_name_is_typed(operator, target):
    answer, plan = planned(operator, target, **{"p-device": "/dev/sdz", "f-iodepth": ""})
    assert "What is there will be destroyed" in answer.text
    address = f"/plans/{plan.pk}/launch/"
    assert "type the name" in operator.post(address, {"confirmed": "/dev/sda"}, follow=True).text
    assert plan.jobs.filter(state=Job.State.QUEUED).count() == 0
    launched = operator.post(address, {"confirmed": "/dev/sdz"}, follow=True).text
    assert "Launched" in launched
    assert plan.jobs.filter(state=Job.State.QUEUED).count() == 2
    assert "launched before" in operator.post(address, follow=True).text


def test_a_name_in_a_refusal_stands_as_it_is_in_every_language(operator, target):
    _answer, plan = planned(operator, target, **{"p-device": "/dev/sdz", "f-iodepth": ""})
    touches = [{"kind": "path", "name": "/srv/logs: empty file"}]
    JobStep.objects.filter(job__plan=plan).update(touches=touches)
    ja = {"accept-language": "ja"}
    page = operator.post(f"/plans/{plan.pk}/launch/", headers=ja, follow=True).text
    assert "この計画は /srv/logs: empty file に書き込みます" in page


def test_the_checkbox_measures_whatever_the_conditions(operator, target):
    _answer, plan = planned(operator, target)
    operator.post(f"/plans/{plan.pk}/launch/", {"whatever_conditions": "on"})
    plan.refresh_from_db()
    assert plan.whatever_conditions
    assert plan.launched_by == operator.person
    assert f'hx-get="/plans/{plan.pk}/matrix/"' in operator.get(f"/plans/{plan.pk}/").text


def test_a_plan_that_was_not_launched_can_be_discarded(operator, target, house):
    _answer, plan = planned(operator, target)
    operator.post(f"/plans/{plan.pk}/launch/", {"discard": "1"})
    assert not Plan.objects.filter(pk=plan.pk).exists()


def test_own_commands_are_for_admins(operator, signed_in):
    assert operator.get("/plans/new/custom/").status_code == 404
    assert signed_in("admin").get("/plans/new/custom/").status_code == 200
    assert operator.get("/plans/new/nothing/").status_code == 404


def test_hosts_and_plans_are_found_by_those_who_signed_in(operator, target, client, settings):
    settings.PUBLIC_READ = True
    planned(operator, target, title="Nightly depth")
    assert "Nightly depth" in operator.get("/search/?q=nightly").text
    assert target.host.name in operator.get(f"/search/?q={target.address}").text
    assert "Nightly depth" not in client.get("/search/?q=nightly").text
    assert "/hosts/" not in client.get(f"/search/?q={target.address}").text


def test_jobs_are_found_by_title_host_and_number_with_the_way_to_them(
    operator, target, client, settings
):
    job = a_job(target=target)
    for question in ("bs=4K", f"{job}", f"{target.host.name} bs=4K"):
        page = operator.get("/search/", {"q": question})
        assert f'href="/jobs/{job.pk}/"' in page.text
        assert f'href="/plans/{job.plan_id}/"' in page.text
    settings.PUBLIC_READ = True
    assert f"/jobs/{job.pk}/" not in client.get("/search/", {"q": "bs=4K"}).text
