"""`/api/v1/plans/`: first the exact commands, then the launch."""

from __future__ import annotations

import pytest
from django.utils import timezone

from benchdash.jobs.making import make_due
from benchdash.jobs.models import Job, Plan
from tests.jobs.records import OWN_RECIPE, a_target
from tests.measured import a_run

pytestmark = pytest.mark.django_db
VALUES = {"rw": "randwrite", "size": "64M", "runtime": "5s", "ioengine": "psync"}


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


def post_plan(client, target, **changes):
    body = {
        "recipe": "fio",
        "targets": {"node-a": target.pk},
        "parameters": VALUES,
        "factors": {"bs": ["4K", "64K"]},
        "repeats": 2,
    }
    return client.post("/api/v1/plans/", body | changes, format="json")


def test_a_plan_answers_with_every_command_and_is_then_launched(operator):
    made = post_plan(operator, a_target())
    assert made.status_code == 201
    body = made.json()
    jobs = sorted(body["jobs"], key=lambda job: (job["round"], job["cell"]))
    assert [(job["title"], job["round"], job["repetition"]) for job in jobs] == [
        ("bs=4K", 1, 1), ("bs=64K", 1, 1), ("bs=4K", 2, 2), ("bs=64K", 2, 2),
    ]  # fmt: skip
    assert (body["rounds_planned"], body["repeats"], body["is_over"]) == (2, 2, False)
    assert "--bs=4K" in jobs[0]["steps"][1]["command"]
    assert body["launched_at"] is None
    assert operator.get(body["url"]).json() == body
    launched = operator.post(f"{body['url']}launch/", {}, format="json")
    assert launched.status_code == 202
    assert {job["state"] for job in launched.json()["jobs"]} == {"queued"}
    again = operator.post(f"{body['url']}launch/", {}, format="json")
    assert (again.status_code, "already been launched" in again.json()["detail"]) == (422, True)
    assert operator.delete(body["url"]).status_code == 422
    assert operator.get("/api/v1/plans/").json()["results"][0]["job_count"] == 4


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"recipe": "fioo"}, "recipe"),
        ({"targets": {"node-a": 999}}, "targets"),
        ({"parameters": {"bss": "4K"}}, "bss"),
        ({"parameters": {"size": "many"}}, "size"),
        ({"study": "none"}, "study"),
        ({"configuration": "none"}, "configuration"),
    ],
)
def test_what_cannot_be_names_the_input(operator, changes, field):
    answer = post_plan(operator, a_target(), **changes)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert not Plan.objects.exists()


def test_the_seed_of_a_plan_repeats_its_order(operator):
    target = a_target()
    levels = {"factors": {"iodepth": [1, 2, 4, 8, 16]}}
    first = post_plan(operator, target, **levels).json()
    again = post_plan(operator, target, seed=first["seed"], **levels).json()
    assert [job["cell"] for job in again["jobs"]] == [job["cell"] for job in first["jobs"]]
    refused = post_plan(operator, target, seed=-1)
    assert (refused.status_code, refused.json()["field"]) == (400, "seed")


def test_a_plan_for_each_of_several_hosts_is_one_call_and_so_is_their_launch(operator):
    first, *_rest = hosts = [a_target(name) for name in ("store-1", "store-2")]
    each = {"targets": {}, "each_of": [target.pk for target in hosts]}
    body = post_plan(operator, first, **each).json()
    assert len(body["batch"]) == 2 and body["url"].endswith(body["batch"][0])
    both = post_plan(operator, first, each_of=each["each_of"])
    assert (both.status_code, both.json()["field"]) == (422, "targets")
    unknown = post_plan(operator, first, targets={}, each_of=[99_999])
    assert (unknown.status_code, unknown.json()["field"]) == (422, "each_of")
    launch = {"all": True, "whatever_conditions": True}
    assert operator.post(f"{body['url']}launch/", launch, format="json").status_code == 202
    assert all(operator.get(url).json()["launched_at"] for url in body["batch"])


def test_what_is_written_to_is_confirmed_by_name(operator):
    target = a_target(user="root", allowed=["/dev/sdz"])
    body = post_plan(operator, target, parameters=VALUES | {"device": "/dev/sdz"}).json()
    on = {"host": target.host.name, "name": "/dev/sdz"}
    assert body["writes_to"] == [on | {"destroyed": True}]
    assert body["cost"]["jobs"] == len(body["jobs"])
    refused = operator.post(f"{body['url']}launch/", {}, format="json")
    assert (refused.status_code, refused.json()["field"]) == (422, "confirmed")
    confirmed = {"confirmed": ["/dev/sdz"], "whatever_conditions": True}
    assert operator.post(f"{body['url']}launch/", confirmed, format="json").status_code == 202
    assert Job.objects.filter(state="queued").count() == 4


def test_a_launched_plan_is_paused_goes_on_is_cancelled_and_measured_again(operator):
    url = post_plan(operator, a_target()).json()["url"]
    assert operator.post(f"{url}pause/").status_code == 422
    operator.post(f"{url}launch/", {"wait_minutes": 0}, format="json")
    paused = operator.post(f"{url}pause/").json()
    assert (paused["paused_at"] is None, paused["wait_minutes"]) == (False, 0)
    assert operator.delete(f"{url}pause/").json()["paused_at"] is None
    assert operator.post(f"{url}insist/").json()["whatever_conditions"]
    assert not operator.delete(f"{url}insist/").json()["whatever_conditions"]
    ended = operator.post(f"{url}cancel/")
    assert (ended.status_code, ended.json()["is_over"]) == (202, True)
    for act in ("cancel", "insist"):
        assert operator.post(f"{url}{act}/").status_code == 422
    again = operator.post(f"{url}again/", {"which": "unmeasured"}, format="json")
    states = sorted((job["attempt"], job["state"]) for job in again.json()["jobs"])
    assert states == [(1, "cancelled")] * 4 + [(2, "queued")] * 4
    doubted = operator.post(f"{url}again/", {"which": "doubted"}, format="json")
    assert doubted.status_code == 422
    assert operator.post(f"{url}again/", {"which": "all"}, format="json").status_code == 400


def test_rounds_are_added_and_a_plan_that_was_over_has_one_look_more(operator):
    body = post_plan(operator, a_target()).json()
    rounds = f"{body['url']}rounds/"
    assert (body["looks"], body["rounds_added"]) == (1, [])
    larger = operator.post(rounds, {"rounds": 1}, format="json")
    assert (larger.status_code, larger.json()["rounds_planned"]) == (201, 3)
    assert {job["state"] for job in larger.json()["jobs"]} == {"planned"}
    operator.post(f"{body['url']}launch/", {}, format="json")
    Job.objects.update(state="done", ended_at=timezone.now())
    assert operator.get(body["url"]).json()["is_over"]
    again = operator.post(rounds, {"rounds": 2}, format="json").json()
    assert (again["rounds_planned"], again["looks"], again["is_over"]) == (5, 2, False)
    added = [(each["rounds"], each["look"], each["by"]) for each in again["rounds_added"]]
    assert added == [(1, 1, str(operator.person)), (2, 2, str(operator.person))]
    states = {(job["round"], job["state"]) for job in again["jobs"]}
    assert states == {(1, "done"), (2, "done"), (3, "done"), (4, "queued"), (5, "queued")}
    assert operator.get("/api/v1/plans/").json()["results"][0]["looks"] == 2


@pytest.mark.parametrize(
    ("sent", "status"),
    [({}, 400), ({"rounds": 0}, 400), ({"rounds": "x"}, 400), ({"rounds": 99}, 422)],
)
def test_rounds_that_cannot_be_added_are_refused(operator, sent, status):
    body = post_plan(operator, a_target()).json()
    refused = operator.post(f"{body['url']}rounds/", sent, format="json")
    assert (refused.status_code, refused.json()["field"]) == (status, "rounds")
    assert Job.objects.count() == 4


def test_levels_are_added_after_their_cost_was_asked(operator):
    on = a_target(user="root", allowed=["/dev/sdb"])
    writes = {"device": "/dev/sdb", "rw": "write"}
    body = post_plan(operator, on, parameters=writes, factors={"iodepth": [1, 8]}).json()
    levels = f"{body['url']}levels/"
    name = next(iter(body["factors"]))
    sent = {"factor": name, "levels": [16]}
    early = operator.post(levels, sent, format="json")
    assert (early.status_code, "not launched" in early.json()["detail"]) == (422, True)
    launched = operator.post(f"{body['url']}launch/", {"confirmed": ["/dev/sdb"]}, format="json")
    assert launched.status_code == 202, launched.json()
    before = launched.json()
    cost = operator.post(levels, sent | {"only_cost": True}, format="json")
    assert cost.status_code == 200
    assert (cost.json()["cells"], cost.json()["jobs"]) == (1, 2)
    assert cost.json()["writes_to"] == before["writes_to"] != []
    assert operator.get(body["url"]).json() == before
    unconfirmed = operator.post(levels, sent, format="json")
    assert (unconfirmed.status_code, unconfirmed.json()["field"]) == (422, "confirmed")
    more = operator.post(levels, sent | {"confirmed": ["/dev/sdb"]}, format="json")
    assert more.status_code == 201
    assert (more.json()["job_count"], more.json()["rounds_planned"]) == (6, 2)
    (added,) = more.json()["levels_added"]
    assert (added["factor"], added["levels"], added["by"]) == (name, [16], str(operator.person))
    assert (added["cells"], added["first_round"], added["last_round"]) == (1, 3, 4)
    assert more.json()["jobs"][:4] == before["jobs"]
    assert [(job["round"], job["state"]) for job in more.json()["jobs"][4:]] == [
        (3, "queued"),
        (4, "queued"),
    ]
    cells = operator.get(f"{body['url']}matrix/").json()["cells"]
    assert [cell["levels"][name] for cell in cells] == [*body["factors"][name], 16]
    again = operator.post(levels, sent | {"confirmed": ["/dev/sdb"]}, format="json")
    assert (again.status_code, again.json()["field"]) == (422, "levels")


@pytest.mark.parametrize("level", [None, {}, {"a": 1}, [1, [2]], "\0", "9" * 5000, True, 1.5, -1])
def test_what_is_no_level_is_refused(operator, level):
    body = post_plan(operator, a_target(), factors={"iodepth": [1, 8]}).json()
    operator.post(f"{body['url']}launch/", {}, format="json")
    for only_cost in (True, False):
        sent = {"factor": "iodepth", "levels": [level], "only_cost": only_cost}
        refused = operator.post(f"{body['url']}levels/", sent, format="json")
        assert refused.status_code in (400, 422), refused.json()
    assert Job.objects.count() == 4


def test_hosts_are_added_with_plans_of_their_own(operator):
    body = post_plan(operator, a_target()).json()
    hosts, other = f"{body['url']}hosts/", a_target("b")
    (cost,) = operator.post(hosts, {"hosts": [other.pk], "only_cost": True}, format="json").json()
    assert (cost["jobs"], cost["writes_to"]) == (4, [])
    assert operator.get(body["url"]).json()["batch"] == []
    made = operator.post(hosts, {"hosts": [other.pk]}, format="json")
    assert (made.status_code, made.json()["seed"]) == (201, body["seed"])
    assert made.json()["batch"] == operator.get(body["url"]).json()["batch"]
    assert len(made.json()["batch"]) == 2 and made.json()["launched_at"] is None
    again = operator.post(hosts, {"hosts": [other.pk]}, format="json")
    assert (again.status_code, again.json()["field"]) == (422, "hosts")
    for wrong in ({}, {"hosts": []}, {"hosts": ["x"]}):
        assert operator.post(hosts, wrong, format="json").status_code == 400
    assert operator.post(hosts, {"hosts": [999]}, format="json").status_code == 422


def test_contributors_look_and_do_not_launch(signed_in, operator):
    body = post_plan(operator, a_target()).json()
    contributor = signed_in("contributor")
    assert contributor.get(body["url"]).status_code == 200
    assert post_plan(contributor, a_target("b")).status_code == 403
    assert contributor.post(f"{body['url']}launch/").status_code == 403
    assert contributor.post(f"{body['url']}rounds/", {"rounds": 1}).status_code == 403
    for more in ("levels", "hosts"):
        assert contributor.post(f"{body['url']}{more}/", {"only_cost": True}).status_code == 403
    assert operator.delete(body["url"]).status_code == 204


def test_recipes_tell_their_parameters(signed_in):
    recipes = {each["name"]: each for each in signed_in("viewer").get("/api/v1/recipes/").json()}
    parameters = {each["name"]: each for each in recipes["fio"]["parameters"]}
    assert parameters["bs"]["label"]["ja"] == "ブロックサイズ"
    assert parameters["bs"]["kind"] == "size"
    assert (parameters["bs"]["axis"], parameters["bs"]["is_setting"]) == ("block_bytes", False)
    assert (parameters["drop_caches"]["axis"], parameters["drop_caches"]["is_setting"]) == (
        "",
        True,
    )
    assert "randwrite" in parameters["rw"]["choices"]


def test_own_recipes_are_written_changed_planned_with_and_removed(signed_in):
    admin, operator = signed_in("admin"), signed_in("operator")
    address = "/api/v1/recipes/"
    assert operator.post(address, {"text": OWN_RECIPE}).status_code == 403
    made = admin.post(address, {"text": OWN_RECIPE})
    assert (made.status_code, made.json()["text"]) == (201, OWN_RECIPE)
    again = admin.post(address, {"text": OWN_RECIPE})
    assert (again.status_code, again.json()["field"]) == (422, "text")
    assert "sync-writes" in [each["name"] for each in operator.get(address).json()]
    wrong = OWN_RECIPE.replace("kind: size", "kind: sise")
    refused = admin.put(f"{address}sync-writes/", {"text": wrong})
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith(
        "Line 8 (parameters.bs.kind): “kind” must be one of "
    )
    fields = {"recipe": "sync-writes", "targets": {"node-a": a_target().pk}}
    assert operator.post("/api/v1/plans/", fields, format="json").status_code == 201
    changed = OWN_RECIPE.replace("name: sync-writes", "name: commits")
    assert admin.put(f"{address}sync-writes/", {"text": changed}).json()["name"] == "commits"
    assert operator.get(f"{address}commits/").json()["title"]["ja"] == "小さな同期書き込み"
    assert admin.delete(f"{address}fio/").status_code == 404
    assert admin.delete(f"{address}commits/").status_code == 204
    assert operator.get(f"{address}commits/").status_code == 404


def test_rounds_may_end_once_intervals_are_narrow(operator):
    target = a_target()
    for few in ({"repeats": 4}, {"repeats": None}):
        refused = post_plan(operator, target, until_percent=5, **few)
        assert (refused.status_code, refused.json()["field"]) == (422, "repeats")
    for wrong in (0, 101):
        refused = post_plan(operator, target, until_percent=wrong, repeats=8)
        assert (refused.status_code, refused.json()["field"]) == (422, "until_percent")
    body = post_plan(operator, target, until_percent=5, repeats=8).json()
    assert (body["until_percent"], body["rounds_at_most"], body["rounds_planned"]) == (5, 8, 8)
    assert (body["job_count"], len(body["jobs"]), body["cost"]["jobs"]) == (16, 10, 16)
    operator.post(f"{body['url']}launch/", {}, format="json")
    further = operator.post(f"{body['url']}rounds/", {"rounds": 1}, format="json")
    assert (further.status_code, "adds rounds itself" in further.json()["detail"]) == (422, True)
    for job in Job.objects.all():
        run = a_run(values={"write.throughput.mean": 1e8 + job.round})
        job.steps.filter(tool="fio").update(artifact=run.artifact)
    Job.objects.update(state="done", ended_at=timezone.now())
    assert not operator.get(body["url"]).json()["is_over"]
    make_due()
    body = operator.get(body["url"]).json()
    assert (body["is_over"], body["rounds_planned"], body["rounds_at_most"]) == (True, 5, 8)
    (look,) = body["stopping_looks"]
    assert look.pop("at") and look.pop("widest_percent") == pytest.approx(2e-6)
    assert look == {
        "rounds": 5,
        "measure": "write.throughput.mean",
        "wider": 0,
        "without": 0,
        "cells": {"wider": [], "without": []},
        "decision": "narrow",
    }


def test_zones_have_targets_of_their_own(operator):
    allowed = {"allowed": ["/srv/local", "/srv/mirror"]}
    one, two, three = (a_target(f"zone-{n}", **allowed) for n in (1, 2, 3))
    body = {
        "recipe": "drbd-between-zones",
        "zones": {
            "near": {"node-a": one.pk, "node-b": two.pk},
            "far": {"node-a": one.pk, "node-b": three.pk},
        },
        "parameters": {"local_directory": "/srv/local", "mirror_directory": "/srv/mirror"},
        "factors": {},
        "repeats": 2,
    }
    made = operator.post("/api/v1/plans/", body, format="json")
    assert made.status_code == 201, made.json()
    assert made.json()["zones"] == body["zones"]
    assert made.json()["factors"] == {"zone": ["near", "far"]}
    hosts = {job["title"]: [node["host"] for node in job["nodes"]] for job in made.json()["jobs"]}
    assert hosts == {"zone=near": ["zone-1", "zone-2"], "zone=far": ["zone-1", "zone-3"]}
    cells = operator.get(f"{made.json()['url']}matrix/").json()
    assert [cell["levels"] for cell in cells["cells"]] == [{"zone": "near"}, {"zone": "far"}]
    assert post_plan(operator, one).json()["zones"] == {}
    for change, field in [
        ({"zones": {"near": {"node-a": 999_999}}}, "zones"),
        ({"targets": {"node-a": one.pk}}, "targets"),
        ({"recipe": "fio"}, "zones"),
        ({"zones": {"near": {}}}, "zones"),
    ]:
        refused = operator.post("/api/v1/plans/", body | change, format="json")
        assert (refused.status_code, refused.json().get("field")) == (422, field), refused.json()
