"""Plans in the browser: a recipe's form, every command, the launch."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from benchdash.jobs import launching
from benchdash.jobs.making import make_due
from benchdash.jobs.models import Job, Plan, Target
from tests.jobs.records import a_job, a_target
from tests.measured import a_run
from tests.pages.plans import planned

pytestmark = pytest.mark.django_db


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


def test_a_plan_says_before_its_launch_which_hosts_are_not_ready(operator, target):
    warning = "Not every host of this plan is ready"
    answer, plan = planned(operator, target)
    assert warning not in strip_tags(answer.text)
    target.host_key, target.offered_key = "", target.host_key
    target.save()
    text = strip_tags(operator.get(f"/plans/{plan.pk}/").text)
    assert warning in text and "host key not approved yet" in text
    operator.post(f"/plans/{plan.pk}/launch/")
    assert warning not in strip_tags(operator.get(f"/plans/{plan.pk}/").text)


def test_a_further_round_is_expected_to_take_as_long_as_earlier_ones_did(operator, target):
    _answer, plan = planned(operator, target)
    operator.post(f"/plans/{plan.pk}/launch/")
    now = timezone.now()
    done = {"state": Job.State.DONE, "started_at": now - timedelta(minutes=10), "ended_at": now}
    plan.jobs.update(**done)  # longer than the recipe expects
    plan.refresh_from_db()
    page = operator.get(f"/plans/{plan.pk}/")
    assert page.context["a_round_s"] == pytest.approx(600 * plan.cell_count)
    assert page.context["a_round_s"] * plan.rounds_planned == page.context["expected_s"]


def test_a_plan_says_before_its_launch_which_tools_were_missing(operator, target):
    warning = f"fio was missing on {target.host.name} at its last check. Install the package fio"
    answer, plan = planned(operator, target)
    assert warning not in strip_tags(answer.text)
    lines = [
        {"name": name, "ok": None, "text": "is missing", "mend": ""} for name in ("fio", "rbd")
    ]
    Target.objects.filter(pk=target.pk).update(findings=target.findings | {"lines": lines})
    text = strip_tags(operator.get(f"/plans/{plan.pk}/").text)
    assert warning in text and "rbd was missing" not in text
    operator.post(f"/plans/{plan.pk}/launch/")
    assert warning not in strip_tags(operator.get(f"/plans/{plan.pk}/").text)


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


def test_a_plan_of_one_cell_has_a_result_and_no_matrix(operator, target):
    one, _plan = planned(operator, target, **{"f-iodepth": ""})
    several, _plan = planned(operator, target)
    assert "<h2>Result</h2>" in one.text and "<h2>Matrix</h2>" in several.text
    assert "heat-key" not in one.text and "heat-key" in several.text


def test_the_cells_of_two_factors_stand_where_their_levels_are(operator, target):
    changes = {"f-bs": "4K\n64K", "repeats": "1"}
    _answer, plan = planned(operator, target, **changes)
    launching.launch(plan, operator.person)
    addition = {"factor": "iodepth", "levels": "32", "start": "1"}
    answer = operator.post(f"/plans/{plan.pk}/more/", addition, follow=True)
    rows = re.findall(r'role="row">(.*?)</div>', answer.text, re.S)
    shown = [re.findall(r'id="c(\d+)"', row) for row in rows]
    labels = [re.findall(r'role="rowheader">([^<]*)<', row) for row in rows]
    assert re.findall(r'role="columnheader">([^<]*)<', rows[0])[1:] == ["1", "8", "32"]
    assert labels[1:3] == [["4K"], ["64K"]] or [label[0][:1] for label in labels[1:3]] == ["4", "6"]
    assert shown[1:3] == [["1", "2", "5"], ["3", "4", "6"]]
    cell = strip_tags(operator.get(f"/plans/{plan.pk}/cells/6/").text)
    assert "Queue depth 32" in cell and "Block size 64" in cell


def test_rounds_until_intervals_are_narrow_say_what_was_looked_at_and_why_they_ended(
    operator, target
):
    answer, plan = planned(operator, target, repeats="4", until_percent="5")
    assert "An interval needs 5 rounds" in answer.text and plan is None
    answer, plan = planned(operator, target, repeats="6", until_percent="5")
    text = " ".join(strip_tags(answer.text).split())
    assert "2 cells × up to 6 rounds = up to 12" in text and "Launch up to 12 jobs" in text
    assert "within ± 5 %, after 5 at the earliest and 6 at the latest" in text
    assert "Add rounds" not in text
    launching.launch(plan, operator.person)
    assert "round 1 of up to 6" in operator.get(f"/plans/{plan.pk}/").text
    for last in ("After 5 rounds 1 cell is wider than ± 5 %: another round, up to 6 in all", ""):
        for job in plan.jobs.filter(ended_at=None, cell=1):
            run = a_run(values={"write.throughput.mean": 1e8 * (1 + job.round % 2)})
            job.steps.filter(tool="fio").update(artifact=run.artifact)
        plan.jobs.update(state=Job.State.DONE, ended_at=timezone.now())
        make_due()
        text = " ".join(strip_tags(operator.get(f"/plans/{plan.pk}/").text).split())
        assert last in text
    assert "6-round limit: 1 cell is still wider than ± 5 %. Measure: Write" in text
    assert "Wider: Queue depth 1" in text and "Without a number: Queue depth 8" in text
    assert (
        "First look, after 5 rounds: 1 cell wider than ± 5 %, the widest ± 25.0 %, "
        "1 cell without a number" in text
    )
    assert "hold at 1.25 % instead of 5 %" in text and "Add rounds" in text
    again = operator.get(f"/plans/new/fio/?plan={plan.pk}").context["form"]
    assert (again["repeats"].value(), again["until_percent"].value()) == (6, 5.0)
    japanese = operator.get(f"/plans/{plan.pk}/", headers={"accept-language": "ja"}).text
    assert "6 ラウンド" in strip_tags(japanese)


def test_a_study_is_planned_with_the_factors_that_it_varied(operator, target):
    form = operator.get("/plans/new/drbd9-files/").context["form"]
    levels = [field for _value, field, varied in form.parameters() if varied]
    assert [field.name for field in levels] == ["f-place", "f-rw"]
    assert [field.name for field in (*form.nodes(), *form.more_nodes())] == ["node-a", "node-b"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"p-bs": "4 KQ"}, "a size such as"),
        ({"f-iodepth": "1\nmany"}, "Queue depth"),
        ({"node-a": ""}, "This field is required"),
        ({"p-filename": "x", "p-device": "/dev/sdz"}, "not both"),
        ({"p-device": "/dev/sdy"}, "not listed"),
        ({"f-iodepth": "\n".join(map(str, range(1, 10_500)))}, "cells, but a plan has at most"),
    ],
)
def test_what_cannot_be_is_stated_and_nothing_is_planned(operator, target, changes, words):
    answer, plan = planned(operator, target, **changes)
    assert words in answer.text
    assert plan is None


def test_all_that_is_wrong_in_a_form_is_said_at_once(operator, target):
    wrong = {"p-bs": "4 KQ", "p-size": "much", "f-iodepth": "1\nmany", "node-a": ""}
    answer, plan = planned(operator, target, **wrong)
    assert answer.context["form"].errors.keys() == {"p-bs", "p-size", "f-iodepth", "node-a"}
    assert plan is None


def test_several_hosts_are_planned_and_launched_by_one_press_each(operator, target):
    other = a_target("store-b")
    answer, _last = planned(operator, target, also=[target.pk, other.pk], title="Depths")
    assert "One of 2 plans, one per host" in answer.text
    plans = list(Plan.objects.order_by("pk"))
    assert [plan.title for plan in plans] == [f"Depths · {on.host.name}" for on in (target, other)]
    operator.post(f"/plans/{plans[0].pk}/launch/", {"all": "1"})
    assert not Plan.objects.filter(launched_at=None).exists()
    assert "These hosts as well" not in operator.get("/plans/new/drbd-on-two-pcs/").text


def test_the_cost_stands_before_the_launch_and_not_after_it(operator, target):
    answer, plan = planned(operator, target)
    assert "What it costs" in answer.text
    assert "from the recipe; it has no earlier jobs" in answer.text
    launched = operator.post(f"/plans/{plan.pk}/launch/", follow=True)
    assert "What it costs" not in launched.text


def test_a_plan_that_writes_to_a_device_is_launched_once_its_name_is_typed(operator, target):
    answer, plan = planned(operator, target, **{"p-device": "/dev/sdz", "f-iodepth": ""})
    assert "existing data will be destroyed" in answer.text
    address = f"/plans/{plan.pk}/launch/"
    sent = {"confirmed": "/dev/sda", "whatever_conditions": "on", "wait_minutes": "7"}
    mistyped = operator.post(address, sent, follow=True).text
    assert "type the name" in mistyped and "<li>This is not /dev/sdz.</li>" in mistyped
    right = operator.post(address, {"confirmed": " /dev/sdz ", "wait_minutes": "-1"}, follow=True)
    assert 'value="-1"' in right.text and "This is not" not in right.text
    # the theme and the language lead back to the plan, however often the name was mistyped
    sent_from = {"headers": {"referer": f"http://testserver/plans/{plan.pk}/"}}
    again = operator.post(address, sent, **sent_from).text
    assert again.count(f'name="next" value="/plans/{plan.pk}/"') == 3
    assert operator.get(address).url == f"/plans/{plan.pk}/"
    for expected in ('value="/dev/sda"', 'name="whatever_conditions" checked', 'value="7"'):
        assert expected in mistyped
    assert plan.jobs.filter(state=Job.State.QUEUED).count() == 0
    launched = operator.post(address, {"confirmed": "/dev/sdz"}, follow=True).text
    assert "Launched" in launched
    assert plan.jobs.filter(state=Job.State.QUEUED).count() == 2
    assert "already been launched" in operator.post(address, follow=True).text


def test_a_name_in_a_refusal_stands_as_it_is_in_every_language(operator, target):
    _answer, plan = planned(operator, target, **{"p-device": "/dev/sdz", "f-iodepth": ""})
    plan.reaches = [{"node": "node-a", "kind": "path", "name": "/srv/logs: empty file"}]
    plan.save()
    ja = {"accept-language": "ja"}
    page = operator.post(f"/plans/{plan.pk}/launch/", headers=ja, follow=True).text
    assert "この計画は /srv/logs: empty file に書き込みます" in page


def test_the_checkbox_measures_whatever_the_conditions(operator, target):
    _answer, plan = planned(operator, target)
    address = f"/plans/{plan.pk}/launch/"
    refused = operator.post(address, {"wait_minutes": "999999"}, follow=True).text
    assert "0 to 10080 minutes" in refused
    operator.post(address, {"whatever_conditions": "on", "wait_minutes": "5"})
    plan.refresh_from_db()
    assert (plan.whatever_conditions, plan.wait_minutes) == (True, 5)
    assert plan.launched_by == operator.person
    assert f'hx-get="/plans/{plan.pk}/matrix/?' in operator.get(f"/plans/{plan.pk}/").text


def test_a_launched_plan_is_paused_goes_on_and_ends_by_a_press(operator, target):
    _answer, plan = planned(operator, target)
    address = f"/plans/{plan.pk}/change/"
    operator.post(f"/plans/{plan.pk}/launch/")
    paused = operator.post(address, {"pause": "1"}, follow=True).text
    assert f"Paused by {operator.person}" in paused and 'name="resume"' in paused
    resumed = operator.post(address, {"resume": "1"}, follow=True).text
    assert "Paused by" not in resumed and 'name="pause"' in resumed
    insisted = operator.post(address, {"insist": "1"}, follow=True).text
    assert "run regardless of conditions" in insisted and 'name="insist"' not in insisted
    waiting = operator.post(address, {"wait": "1"}, follow=True).text
    assert "run regardless of conditions" not in waiting and 'name="insist"' in waiting
    cancelled = operator.post(address, {"cancel": "1"}, follow=True).text
    assert 'name="insist"' not in cancelled
    assert "Measure 4 unfinished jobs again" in cancelled and 'name="cancel"' not in cancelled
    assert "4 cancelled</span>" in cancelled and "failed</span>" not in cancelled
    again = operator.post(address, {"again": "unmeasured"}, follow=True).text
    assert "4 jobs were queued." in again
    assert plan.jobs.filter(attempt=2, state=Job.State.QUEUED).count() == 4


def test_who_paused_or_cancelled_a_plan_may_be_deleted_meanwhile(operator, target):
    _answer, plan = planned(operator, target)
    page = f"/plans/{plan.pk}/"
    now = timezone.now()
    Plan.objects.filter(pk=plan.pk).update(launched_at=now, paused_at=now)
    assert "Paused by a deleted user, " in operator.get(page).text
    Plan.objects.filter(pk=plan.pk).update(paused_at=None, stopped_at=now, to_make=3)
    assert "Cancelled by a deleted user, " in operator.get(page).text


def test_viewers_see_a_pause_and_press_nothing(operator, target, signed_in):
    _answer, plan = planned(operator, target)
    operator.post(f"/plans/{plan.pk}/launch/")
    operator.post(f"/plans/{plan.pk}/change/", {"pause": "1"})
    viewer = signed_in("viewer")
    shown = viewer.get(f"/plans/{plan.pk}/").text
    assert "Paused by" in shown and 'name="resume"' not in shown
    assert viewer.post(f"/plans/{plan.pk}/change/", {"resume": "1"}).status_code == 403


def test_plan_again_fills_the_form_as_it_was(operator, target):
    changes = {"title": "Depths", "p-direct": "on", "seed": "7", "priority": "3"}
    _answer, plan = planned(operator, target, **changes)
    operator.post(f"/plans/{plan.pk}/launch/")
    link = f"/plans/new/fio/?plan={plan.pk}"
    assert link in operator.get(f"/plans/{plan.pk}/").text
    Plan.objects.filter(pk=plan.pk).update(recipe_name="of-an-admin-who-removed-it")
    assert "/plans/new/" not in operator.get(f"/plans/{plan.pk}/").text
    Plan.objects.filter(pk=plan.pk).update(recipe_name="fio")
    form = operator.get(link).context["form"]
    expected = {"node-a": target.pk, "title": "Depths", "repeats": 2, "f-iodepth": "1\n8"}
    expected |= {"p-size": "64M", "p-rw": "randwrite", "priority": 3, "seed": None}
    assert {name: form[name].value() for name in expected} == expected
    sent = {name: form[name].value() for name in form.fields}
    sent = {name: value for name, value in sent.items() if value not in (None, False, [])}
    operator.post("/plans/new/fio/", sent)
    again = Plan.objects.latest("pk")
    assert again.pk != plan.pk
    values = [each.jobs.order_by("cell", "round").values_list("values") for each in (plan, again)]
    assert list(values[0]) == list(values[1])
    assert operator.get("/plans/new/fio/?plan=999").status_code == 200


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
