"""`/api/v1/jobs/` and `/api/v1/targets/`: what a script does with hosts and remote runs."""

from __future__ import annotations

import json

import pytest
from django.utils.translation import override
from rest_framework.test import APIClient

from benchdash.errors import N_
from benchdash.inventory.models import Host
from benchdash.inventory.records import record_environment
from benchdash.jobs import job_states, launching, queueing
from benchdash.jobs.credentials import check_private_key, opened
from benchdash.jobs.logs import MOST_PIECES
from benchdash.jobs.models import Job, Target
from benchdash.results.language import in_language
from tests.jobs.keys import a_host_key
from tests.jobs.records import FIO, a_job, a_target, print_out

pytestmark = pytest.mark.django_db
S = Job.State
CONDITION = {
    "when": "before",
    "at": "2026-01-01T00:00:00Z",
    "node": "node-a",
    "host": "store-a",
    "name": "load",
    "sentence": "",
    "blocking": True,
}
TARGET = {"address": "10.1.0.1", "user": "bench", "method": "password", "password": "hunter2"}


def test_a_key_pair_is_made_and_only_its_public_half_is_reported(signed_in):
    admin = signed_in("admin")
    login = {"address": "10.1.0.1", "user": "bench", "make_key": True}
    answer = admin.post("/api/v1/hosts/", {"name": "store-a", "targets": [login]}, format="json")
    assert answer.status_code == 201
    target = Target.objects.get()
    secret = opened(target.secret)["key"]
    assert answer.json()["targets"][0]["public_key"] == check_private_key(secret)
    assert secret.split("\n")[2] not in answer.text


def test_a_host_is_made_with_its_targets_and_secrets_stay_inside(signed_in):
    admin = signed_in("admin")
    answer = admin.post("/api/v1/hosts/", {"name": "store-a", "targets": [TARGET]}, format="json")
    assert answer.status_code == 201
    target = Target.objects.get()
    assert opened(target.secret) == {"password": "hunter2"}
    shown = answer.json()["targets"][0]
    assert (shown["has_secret"], shown["standing"]) == (True, "checking")
    for address in ("/api/v1/hosts/", f"/api/v1/targets/{target.pk}/"):
        text = admin.get(address).content.decode()
        assert "hunter2" not in text
        assert target.secret not in text


def test_a_name_that_results_have_is_not_taken_over(signed_in):
    record_environment({"node-a": {"hostname": "store-a"}}, {}, name="Lab")
    admin, body = signed_in("admin"), {"name": "store-a", "targets": [TARGET]}
    refused = admin.post("/api/v1/hosts/", body, format="json")
    assert refused.status_code == 422 and "already results from a host" in refused.text
    record_environment({"node-a": {"hostname": "store a"}}, {}, name="Blanks")
    spaced = admin.post("/api/v1/hosts/", body | {"name": "store  a"}, format="json")
    assert spaced.status_code == 422 and "already results from a host" in spaced.text
    assert not Target.objects.exists()
    # who means that machine says so
    host = Host.objects.get(name="store-a").pk
    made = admin.post(f"/api/v1/hosts/{host}/targets/", TARGET, format="json")
    assert made.status_code == 201


def test_a_target_that_is_refused_makes_no_host(signed_in):
    body = {"name": "x", "targets": [TARGET | {"folder": "relative"}]}
    answer = signed_in("admin").post("/api/v1/hosts/", body, format="json")
    assert (answer.status_code, answer.json()["field"]) == (422, "folder")
    assert not Host.objects.exists()


def test_a_target_is_changed_field_by_field(signed_in):
    admin, target = signed_in("admin"), a_target(sudo=True)
    address = f"/api/v1/targets/{target.pk}/"
    body = admin.patch(address, {"allowed": ["/dev/sdb"]}, format="json").json()
    assert (body["allowed"], body["sudo"], body["user"]) == (["/dev/sdb"], True, "bench")
    lists = {"readable": ["/srv/a.sql"], "servers": ["db.example"]}
    body = admin.patch(address, lists, format="json").json()
    assert (body["readable"], body["servers"], body["allowed"]) == (*lists.values(), ["/dev/sdb"])
    assert body["fingerprint"] == target.fingerprint
    target.refresh_from_db()
    assert opened(target.secret) == {"password": "hunter2 is secret"}
    more = admin.post(f"/api/v1/hosts/{target.host_id}/targets/", TARGET, format="json")
    assert admin.delete(f"/api/v1/targets/{more.json()['id']}/").status_code == 204


def test_scripts_that_call_a_tunable_a_knob_still_find_it(signed_in):
    job = a_job(S.RUNNING)
    steps = signed_in("viewer").get(f"/api/v1/jobs/{job.pk}/").json()["steps"]
    at = {"where": "sda", "value": "none"}
    assert steps[0]["tunable"] == {"name": "scheduler", **at}
    assert steps[0]["knob"] == {"knob": "scheduler", **at}
    assert (steps[1]["tunable"], steps[1]["knob"]) == (None, None)


def test_roles(signed_in):
    target, job = a_target(), a_job(S.QUEUED)
    viewer, operator = signed_in("viewer"), signed_in("operator")
    assert APIClient().get("/api/v1/hosts/").status_code == 401
    assert APIClient().get(f"/api/v1/jobs/{job.pk}/log").status_code == 401
    assert viewer.get(f"/api/v1/jobs/{job.pk}/").status_code == 200
    assert viewer.post(f"/api/v1/jobs/{job.pk}/cancel/").status_code == 403
    assert viewer.post(f"/api/v1/targets/{target.pk}/check/").status_code == 403
    check = f"/api/v1/targets/{target.pk}/check/"
    assert operator.post(check).status_code == 202
    assert operator.post(check, {"path": "/srv"}, format="json").status_code == 202
    assert target.host.events.filter(what="check").latest("pk").detail.endswith(":22 /srv")
    refused = operator.post(check, {"path": "srv"}, format="json")
    assert (refused.status_code, refused.json()["field"]) == (422, "path")
    assert operator.patch(f"/api/v1/targets/{target.pk}/", {}).status_code == 403
    assert operator.post("/api/v1/hosts/", {"name": "x"}).status_code == 403


def test_a_changed_key_is_approved_by_admins_who_read_it(signed_in):
    target = a_target(offered_key=a_host_key())
    address = f"/api/v1/targets/{target.pk}/approve/"
    shown = {"fingerprint": target.offered_fingerprint}
    refused = signed_in("operator").post(address, shown, format="json")
    assert (refused.status_code, refused.json()["field"]) == (422, "fingerprint")
    admin = signed_in("admin")
    assert admin.post(address, {"fingerprint": "SHA256:x"}, format="json").status_code == 422
    assert admin.post(address, shown, format="json").json()["fingerprint"] == shown["fingerprint"]


def test_jobs_are_listed_by_state_plan_and_host(signed_in, django_assert_max_num_queries):
    viewer = signed_in("viewer")
    target = a_target("here")
    wanted = a_job(S.RUNNING, target)
    for _ in range(5):
        a_job(S.DONE)
    with django_assert_max_num_queries(5):
        rows = viewer.get("/api/v1/jobs/").json()["results"]
    assert len(rows) == 6
    for query in ("state=running&state=queued", f"plan={wanted.plan_id}", "host=here"):
        rows = viewer.get(f"/api/v1/jobs/?{query}").json()["results"]
        assert [row["id"] for row in rows] == [wanted.pk], query
    assert viewer.get("/api/v1/jobs/?state=nonsense").status_code == 400


def test_one_job_tells_its_commands_changes_history_and_runs(signed_in):
    job = a_job(S.RUNNING)
    body = signed_in("viewer").get(f"/api/v1/jobs/{job.pk}/").json()
    assert body["state"] == "running"
    assert body["steps"][1]["command"] == "fio --name=fio --bs=4k"
    assert body["steps"][0]["change"]["old"] == "mq-deadline"
    assert [event["after"] for event in body["events"]] == ["queued", "preparing", "running"]
    assert body["runs"] == []


def test_cancel_and_retry(signed_in):
    operator = signed_in("operator")
    job = a_job(S.QUEUED)
    assert operator.post(f"/api/v1/jobs/{job.pk}/cancel/").json()["state"] == "cancelled"
    again = operator.post(f"/api/v1/jobs/{job.pk}/cancel/")
    assert again.status_code == 422
    assert "ended" in again.json()["detail"]
    made = operator.post(f"/api/v1/jobs/{job.pk}/retry/")
    assert made.status_code == 201
    assert (made.json()["attempt"], made.json()["retry_of"]) == (2, job.pk)


def test_whoever_insists_ends_the_waiting_of_one_job(signed_in):
    operator = signed_in("operator")
    job = a_job(S.PREPARING)
    Job.objects.update(quiet_by="2026-11-23T05:00:00Z")
    answer = operator.post(f"/api/v1/jobs/{job.pk}/insist/")
    assert (answer.status_code, answer.json()["whatever_conditions"]) == (202, True)
    assert answer.json()["quiet_by"] == "2026-11-23T05:00:00Z"
    assert answer.json()["events"][-1]["reason"] == "Regardless of the conditions."
    Job.objects.update(state=S.DONE)
    assert operator.post(f"/api/v1/jobs/{job.pk}/insist/").status_code == 422
    assert signed_in("viewer").post(f"/api/v1/jobs/{job.pk}/insist/").status_code == 403


def test_an_admin_gives_up_a_job_whose_host_never_returns(signed_in):
    target = a_target()
    stuck, waits = a_job(S.UNREACHABLE, target), a_job(S.QUEUED, target)
    address = f"/api/v1/jobs/{stuck.pk}/give-up/"
    assert signed_in("operator").post(address, {"reason": "Burnt."}).status_code == 403
    admin = signed_in("admin")
    refused = admin.post(address, {"reason": " "})
    assert (refused.status_code, refused.json()["field"]) == (422, "reason")
    body = admin.post(address, {"reason": "Burnt."}).json()
    assert body["state"] == "lost"
    assert body["reason"].startswith("Given up: Burnt. – Parts of it may still run")
    assert body["nodes"][0]["left_at"]
    event = stuck.events.last()
    assert (event.by, event.before, event.after) == (admin.person, "unreachable", "lost")
    assert queueing.take_hosts(waits)
    forgotten = admin.post(address, {"reason": "It is scrap."}).json()
    assert forgotten["nodes"][0]["left_at"] is None
    assert "It is scrap." in stuck.events.last().reason
    assert admin.post(address, {"reason": "Again."}).status_code == 422


def test_a_job_that_goes_its_way_is_not_given_up(signed_in):
    admin = signed_in("admin")
    for state in (S.QUEUED, S.FAILED, S.DONE):
        answer = admin.post(f"/api/v1/jobs/{a_job(state).pk}/give-up/", {"reason": "Burnt."})
        assert (answer.status_code, "not stuck" in answer.json()["detail"]) == (422, True), state
    job = a_job(S.RUNNING)
    launching.cancel(job, admin.person)
    assert admin.post(f"/api/v1/jobs/{job.pk}/give-up/", {"reason": "x"}).status_code == 422
    job.refresh_from_db()
    job_states.move(job, S.CANCELLING, "2 processes of fio have not ended yet.")
    assert admin.post(f"/api/v1/jobs/{job.pk}/give-up/", {"reason": "x"}).status_code == 200


def test_the_log_is_read_from_any_byte_on_and_says_where_to_go_on(signed_in):
    viewer = signed_in("viewer")
    job = a_job(S.RUNNING)
    parts = [b"one \xe6\x97\xa5", b"", b"\xfftwo\n", FIO]
    for n, part in enumerate(filter(None, parts)):
        print_out(job, part, "err" if n == 1 else "out")
    whole = b"".join(parts)
    for offset in range(len(whole) + 3):
        answer = viewer.get(f"/api/v1/jobs/{job.pk}/log?offset={offset}")
        assert answer.content == whole[offset:]
        assert answer["X-Next-Offset"] == str(len(whole))
        assert answer["X-Complete"] == "false"
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    Job.objects.update(state=S.DONE)
    end = viewer.get(f"/api/v1/jobs/{job.pk}/log?offset={len(whole)}")
    assert (end.content, end["X-Complete"]) == (b"", "true")
    for wrong in ("-1", "x", str(2**63)):
        answer = viewer.get(f"/api/v1/jobs/{job.pk}/log?offset={wrong}")
        assert (answer.status_code, json.loads(answer.content)["field"]) == (400, "offset")


def test_what_the_host_tells_of_itself_is_no_part_of_the_log(signed_in):
    viewer = signed_in("viewer")
    job = a_job(S.RUNNING)
    print_out(job, b"begun\n")
    for second in range(MOST_PIECES + 10):
        print_out(job, b"%d cpu  1 0 1 7\n" % second, "cpu")
    print_out(job, b"done\n")
    whole = b"begun\ndone\n"
    for offset in range(len(whole) + 1):
        answer = viewer.get(f"/api/v1/jobs/{job.pk}/log?offset={offset}")
        assert (answer.content, answer["X-Next-Offset"]) == (whole[offset:], str(len(whole)))


def test_what_was_found_is_reported_in_the_language_that_is_requested(signed_in):
    load = {**CONDITION, "sentence": "The one-minute load average is 9 on 4 CPUs."}
    line = {"name": "clock", "ok": None, "text": "could not be read", "mend": ""}
    found = {"state": "ok", "sentence": "Checked in 1.2 s.", "lines": [line]}
    target = a_target(findings=found)
    job = a_job(S.QUEUED, target, conditions=[load])
    viewer = signed_in("viewer")
    in_japanese = {"headers": {"accept-language": "ja"}}
    findings = viewer.get(f"/api/v1/targets/{target.pk}/", **in_japanese).json()["findings"]
    assert findings["sentence"] == "1.2 秒で確認しました。"
    assert findings["lines"] == [
        {"name": "時計", "ok": None, "text": "読み取れませんでした", "mend": ""}
    ]
    (condition,) = viewer.get(f"/api/v1/jobs/{job.pk}/", **in_japanese).json()["conditions"]
    assert condition["sentence"] == "CPU 4 個に対し、1 分間のロードアベレージが 9 です。"
    body = viewer.get(f"/api/v1/targets/{target.pk}/", headers={"accept-language": "en"}).json()
    assert body["findings"] == found
    nothing = viewer.get(f"/api/v1/targets/{a_target(findings={}).pk}/").json()
    assert nothing["findings"] == {}


def test_what_was_found_keeps_its_values_whatever_they_look_like(signed_in):
    """No value is taken for a part of the sentence, and English stays a plain text."""
    mend = N_(
        "Make {folder} on the host, and let {user} write to it.",
        folder="/srv/a on the host, and let b",
        user="could not be read",
    )
    line = {"name": N_("clock"), "ok": False, "text": N_("could not be read"), "mend": mend}
    target = a_target(findings={"state": "trouble", "sentence": "", "lines": [line]})
    conditions = [{**CONDITION, "sentence": N_("Ceph is not healthy: {checks}.", checks="a. b")}]
    job = a_job(S.QUEUED, target, conditions=conditions)
    viewer = signed_in("viewer")
    for language in ("en", "ja"):
        headers = {"accept-language": language}
        shown = viewer.get(f"/api/v1/targets/{target.pk}/", headers=headers).json()["findings"]
        of_job = viewer.get(f"/api/v1/jobs/{job.pk}/", headers=headers).json()["conditions"]
        with override(language):
            assert shown["lines"][0]["mend"] == in_language(mend)
            assert of_job[0]["sentence"] == in_language(conditions[0]["sentence"])
        assert "/srv/a on the host, and let b" in shown["lines"][0]["mend"]
    target.refresh_from_db()
    assert target.findings["lines"][0]["mend"].values == mend.values
