"""Jobs in the browser: the queue, one job, and what people do to it."""

from __future__ import annotations

import base64
import json
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from benchdash.jobs.giving_up import LONGEST_REASON
from benchdash.jobs.models import Job, LogChunk
from tests.jobs.records import FIO, a_job, a_plan, a_target, print_out

pytestmark = pytest.mark.django_db
S = Job.State


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


def test_the_queue_is_shown_in_its_order(operator):
    plan, target = a_plan(), a_target()
    first = a_job(S.QUEUED, target, plan)
    second = a_job(S.QUEUED, target, plan)
    operator.post(f"/jobs/{second.pk}/change/", {"priority": "5"})
    shown = re.findall(r'href="/jobs/(\d+)/"', operator.get("/jobs/").text)
    assert shown == [str(second.pk), str(first.pk)]
    event = second.events.last()
    assert (event.reason, event.by) == ("Priority 0 → 5", operator.person)


def test_a_job_that_waits_for_quiet_hosts_says_until_when_and_can_be_told_not_to(operator):
    job = a_job(S.PREPARING)
    address = f"/jobs/{job.pk}/"
    assert "Measure now" not in operator.get(address).text
    now = timezone.now()
    Job.objects.update(expected_s=10, started_at=now - timedelta(minutes=2))
    assert "<dt>Elapsed</dt>" in (text := operator.get(address).text) and "<progress" in text
    Job.objects.update(quiet_by=now + timedelta(minutes=5))
    assert "Measure now, regardless" in (text := operator.get(address).text)
    # what waits is not nearly done
    assert "<dt>Waiting</dt>" in text and "<progress" not in text
    assert "1 waiting</span>" in (text := operator.get("/plans/").text) and "1 running" not in text
    # neither running nor just being prepared
    for shown in (address, "/jobs/", f"/plans/{job.plan_id}/", f"/search/?q={job}"):
        assert "waiting for quiet hosts</span>" in operator.get(shown).text, shown
    answer = operator.post(f"{address}change/", {"insist": "1"}, follow=True).text
    assert "egardless of the conditions" in answer
    assert "Measure now" not in answer
    assert job.events.last().by == operator.person


def test_pages_say_since_when_no_worker_runs_where_jobs_wait_for_one(operator):
    plan = a_plan(launched_at=timezone.now())
    job = a_job(S.QUEUED, plan=plan)
    addresses = "/jobs/", f"/jobs/{job.pk}/", f"/plans/{plan.pk}/"
    for minutes, there in ((2, False), (4, True)):
        at = timezone.now() - timedelta(minutes=minutes)
        Job.objects.update(look_at=at, queued_at=at)
        for address in addresses:
            assert ("No worker is running" in operator.get(address).text) == there, address
    a_job(S.PREPARING)  # of another plan
    Job.objects.exclude(pk=job.pk).update(look_at=timezone.now())
    assert "No worker is running" not in operator.get("/jobs/").text


def test_a_list_names_the_hosts_of_a_job_the_one_that_measures_first(operator):
    job, peer = a_job(S.QUEUED, a_target("zeta")), a_target("alpha")
    job.nodes.create(role="node-b", target=peer, folder="/srv/bench")
    other = a_job(S.DONE, a_target("elsewhere"))
    rows = re.findall(r"<td[^>]*>(<a [^>]*href=\"/hosts/.*?)</td>", operator.get("/jobs/").text)
    assert [strip_tags(row) for row in rows] == ["zeta, alpha", "elsewhere"]
    assert f'href="/hosts/{peer.host_id}/"' in rows[0]
    assert f'href="/hosts/{other.nodes.get().target.host_id}/"' in rows[1]


def test_the_list_is_narrowed_by_state_host_and_plan(operator):
    here, there = a_target("here"), a_target("there")
    jobs = {
        "run": a_job(S.RUNNING, here),
        "wait": a_job(S.QUEUED, there),
        "over": a_job(S.DONE, here),
    }

    def shown(query):
        found = re.findall(
            r'<th scope="row">\s*<a href="/jobs/(\d+)/"', operator.get(f"/jobs/?{query}").text
        )
        return {name for name, job in jobs.items() if str(job.pk) in found}

    assert shown("") == {"run", "wait", "over"}
    assert shown("state=ended") == {"over"}
    assert shown("state=queued") == {"wait"}
    assert shown(f"host={here.host_id}") == {"run", "over"}
    assert shown(f"plan={jobs['wait'].plan_id}") == {"wait"}
    assert shown("state=nonsense&host=x") == {"run", "wait", "over"}


def test_a_job_tells_its_commands_what_it_changed_and_what_it_printed(operator, house):
    text = operator.get(f"/jobs/{house.job.pk}/").text
    assert "fio --name=fio --bs=4k" in strip_tags(text)
    assert "as root" in text
    assert "mq-deadline" in text
    assert "[w=44.9MiB/s]" in text
    assert f'data-events="/jobs/{house.job.pk}/events/"' in text


def test_output_of_a_host_is_text(operator, house):
    print_out(house.job, b"<script>alert(1)</script>\xff")
    text = operator.get(f"/jobs/{house.job.pk}/").text
    assert "&lt;script&gt;alert(1)" in text
    assert "<script>alert" not in text


def test_runs_that_a_job_made_are_there_to_compare(operator, house):
    over = Job.objects.get(state=S.DONE)
    text = operator.get(f"/jobs/{over.pk}/").text
    assert f'href="/runs/{house.run.pk}/"' in text
    assert f'href="/compare/?run={house.run.pk}"' in text
    type(over.plan).objects.update(launched_at=over.created_at)
    assert f'href="/compare/?plan={over.plan_id}"' in operator.get(f"/plans/{over.plan_id}/").text
    assert f"Plan: {over.plan.title}" in operator.get(f"/compare/?plan={over.plan_id}").text


def test_cancel_and_run_again(operator):
    job = a_job(S.QUEUED)
    operator.post(f"/jobs/{job.pk}/change/", {"cancel": "1"})
    job.refresh_from_db()
    assert job.state == S.CANCELLED
    assert job.events.last().by == operator.person
    changed_page = operator.post(f"/jobs/{job.pk}/change/", {"cancel": "1"}, follow=True).text
    assert "nothing to cancel" in changed_page
    operator.post(f"/jobs/{job.pk}/change/", {"retry": "1"})
    again = job.retries.get()
    assert (again.attempt, again.state) == (2, S.QUEUED)
    assert f'href="/jobs/{again.pk}/"' in operator.get(f"/jobs/{job.pk}/").text


def test_who_cancelled_a_job_may_be_deleted_meanwhile(operator, house, signed_in):
    other = signed_in("admin")
    other.post(f"/jobs/{house.job.pk}/change/", {"cancel": "1"})
    assert f"Cancelled by {other.person}." in operator.get(f"/jobs/{house.job.pk}/").text
    other.person.delete()
    assert "Cancelled by a deleted user." in operator.get(f"/jobs/{house.job.pk}/").text


def test_only_admins_are_offered_to_give_a_stuck_job_up(signed_in):
    job = a_job(S.UNREACHABLE)
    page, act = f"/jobs/{job.pk}/", f"/jobs/{job.pk}/give-up/"
    assert act not in signed_in("operator").get(page).text
    admin = signed_in("admin")
    assert act in admin.get(page).text
    assert "Give a reason" in admin.post(act, {"reason": ""}, follow=True).text
    text = admin.post(act, {"reason": "Burnt <down>"}, follow=True).text
    assert "Given up: Burnt &lt;down&gt;" in text
    assert "stopped, collected and undone on the next contact" in text
    assert "Forget what it left" in text
    assert "no longer waited for" in admin.post(act, {"reason": "Scrap"}, follow=True).text
    assert act not in admin.get(page).text


def test_the_reason_for_giving_up_is_kept_as_a_database_takes_it_and_no_longer(signed_in):
    job, admin = a_job(S.UNREACHABLE), signed_in("admin")
    for typed in ("Burnt\0" + "x" * 5000, "Scrap\0" + "y" * 5000):
        admin.post(f"/jobs/{job.pk}/give-up/", {"reason": typed})
        reason = job.events.last().reason
        assert f"{typed[:5]}\ufffd{typed[6:1000]}" in reason
        assert len(reason) < LONGEST_REASON + 300


@pytest.mark.parametrize("priority", ["101", "x", "", "1e9", "--3"])
def test_a_priority_that_cannot_be_changes_nothing(operator, priority):
    job = a_job(S.QUEUED)
    changed_page = operator.post(
        f"/jobs/{job.pk}/change/", {"priority": priority}, follow=True
    ).text
    assert "from -100 to 100" in changed_page
    job.refresh_from_db()
    assert job.priority == 0


def events(answer):
    pairs = re.findall(r"event: (\w+)\ndata: (.*)\n", answer.text)
    return [(name, json.loads(data)) for name, data in pairs]


def test_events_in_short_answers_go_on_where_the_last_one_ended(operator, house):
    address = f"/jobs/{house.job.pk}/events/?once=1"
    first = operator.get(address)
    assert first["Content-Type"] == "text/event-stream"
    received = dict(events(first))
    assert received["points"]["points"][0][1:] == ["write", "throughput", 1, 44.9 * 2**20]
    place = re.findall(r"^id: (.*)$", first.text, re.MULTILINE)[-1]
    nothing = operator.get(address, headers={"last-event-id": place})
    assert [name for name, _data in events(nothing)] == ["state"]
    print_out(house.job, FIO)
    more = events(operator.get(f"{address}&after={place}"))
    assert [name for name, _data in more] == ["log", "state", "points"]
    assert len(more[-1][1]["points"]) == 8
    place = re.findall(r"^id: (.*)$", operator.get(address).text, re.MULTILINE)[-1]
    for line in (b"0 cpu  0 0 0 0\n", b"2 cpu  1 0 0 3\n"):
        print_out(house.job, line, "cpu")
    beside = events(operator.get(f"{address}&after={place}"))
    assert [name for name, _data in beside] == ["state", "points"]
    assert beside[-1][1]["points"][-1][1:] == ["host", "cpu", 2, 0.25]


def test_short_answers_tell_what_is_new_and_read_no_more_than_that(operator):
    job = a_job(S.RUNNING)
    for line in (FIO, b"0 cpu  0 0 0 0\n"):
        print_out(job, line, "out" if line == FIO else "cpu")
    address = f"/jobs/{job.pk}/events/?once=1"
    first = operator.get(address)
    assert dict(events(first))["points"] | {"points": 0} == {"anew": True, "points": 0}
    place = re.findall(r"^id: (.*)$", first.text, re.MULTILINE)[-1]
    print_out(job, b"2 cpu  1 0 0 3\n", "cpu")
    with CaptureQueriesContext(connection) as queries:
        (_state, (_points, received)) = events(
            operator.get(address, headers={"last-event-id": place})
        )
    assert (received["anew"], [row[1:] for row in received["points"]]) == (
        False,
        [["host", "cpu", 2, 0.25]],
    )
    read_from = [
        int(number)
        for query in queries.captured_queries
        for number in re.findall(r'"jobs_logchunk"\."id" > (\d+)', query["sql"])
    ]
    assert min(read_from) == int(place.split("-")[0])


def test_the_place_of_short_answers_moves_on_whatever_came(operator):
    job = a_job(S.RUNNING)
    print_out(job, FIO)
    address = f"/jobs/{job.pk}/events/?once=1"
    place = "0-0"

    def received():
        nonlocal place
        answer = operator.get(address, headers={"last-event-id": place})
        place = [place, *re.findall(r"^id: (.*)$", answer.text, re.MULTILINE)][-1]
        return [name for name, _data in events(answer)]

    assert received() == ["log", "state", "points"]
    print_out(job, b"0 cpu  0 0 0 0\n", "cpu")
    assert received() == ["state", "points"]
    assert received() == ["state"]
    prepare = job.steps.exclude(tool="fio").first()
    LogChunk.objects.create(step=prepare, stream="out", offset=0, data=b"mounted\n")
    assert received() == ["log", "state", "points"]
    print_out(job, b"2 cpu  1 0 0 3\n", "cpu")
    print_out(job, b"once more\n")
    assert received() == ["log", "state", "points"]
    assert received() == ["state"]
    log = re.findall(r'"data":"(.*?)"', operator.get(address).text)
    assert b"".join(map(base64.b64decode, log)) == FIO + b"mounted\nonce more\n"


def test_the_events_of_a_job_that_is_over_tell_its_numbers_and_end(operator):
    job = a_job(S.DONE)
    print_out(job, FIO)
    place = re.findall(r'data-place="(.*?)"', operator.get(f"/jobs/{job.pk}/").text)[0]
    received = events(operator.get(f"/jobs/{job.pk}/events/?after={place}"))
    assert [name for name, _data in received] == ["state", "points", "end"]
    assert received[1][1]["points"]


def test_nobody_who_has_not_signed_in_sees_jobs_or_hosts(client, house, settings):
    settings.PUBLIC_READ = True
    home = client.get("/").text
    assert house.target.host.name not in home
    assert "/jobs/" not in home


def test_jobs_of_a_paused_plan_are_called_so_where_they_wait(operator):
    plan = a_plan(paused_at=timezone.now())
    waits = a_job(S.QUEUED, a_target(), plan)
    a_job(S.DONE, a_target("store-2"), plan)
    for address in ("/jobs/", f"/jobs/{waits.pk}/"):
        assert operator.get(address).text.count('<span class="badge warn">paused</span>') == 1


@pytest.mark.parametrize("state", [S.CANCELLED, S.FAILED, S.LOST])
def test_steps_that_had_not_begun_when_a_job_ended_did_not_run_and_name_their_hosts(
    operator, state
):
    job = a_job(S.QUEUED, a_target("store-7"))
    Job.objects.filter(pk=job.pk).update(state=state, ended_at=timezone.now())
    steps = operator.get(f"/jobs/{job.pk}/").text.partition('class="job-steps"')[2]
    assert "not run" in steps and ">waiting" not in steps
    assert "node-a&nbsp;· store-7" in steps
