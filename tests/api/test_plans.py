"""`/api/v1/plans/`: first the exact commands, then the launch."""

from __future__ import annotations

import pytest
from django.utils import timezone

from benchdash.jobs.models import Job, Plan
from tests.jobs.asked import OWN_RECIPE, a_target

pytestmark = pytest.mark.django_db
VALUES = {"rw": "randwrite", "size": "64M", "runtime": "5s", "ioengine": "psync"}


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


def ask(client, target, **changes):
    body = {
        "recipe": "fio",
        "targets": {"node-a": target.pk},
        "parameters": VALUES,
        "factors": {"bs": ["4K", "64K"]},
        "repeats": 2,
    }
    return client.post("/api/v1/plans/", body | changes, format="json")


def test_a_plan_answers_with_every_command_and_is_then_launched(operator):
    made = ask(operator, a_target())
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
    assert (again.status_code, "launched before" in again.json()["detail"]) == (422, True)
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
    answer = ask(operator, a_target(), **changes)
    assert (answer.status_code, answer.json()["field"]) == (422, field)
    assert not Plan.objects.exists()


def test_the_seed_of_a_plan_repeats_its_order(operator):
    target = a_target()
    levels = {"factors": {"iodepth": [1, 2, 4, 8, 16]}}
    first = ask(operator, target, **levels).json()
    again = ask(operator, target, seed=first["seed"], **levels).json()
    assert [job["cell"] for job in again["jobs"]] == [job["cell"] for job in first["jobs"]]
    refused = ask(operator, target, seed=-1)
    assert (refused.status_code, refused.json()["field"]) == (400, "seed")


def test_what_is_written_to_is_confirmed_by_name(operator):
    target = a_target(user="root", allowed=["/dev/sdz"])
    body = ask(operator, target, parameters=VALUES | {"device": "/dev/sdz"}).json()
    assert body["writes_to"] == [{"host": target.host.name, "name": "/dev/sdz"}]
    refused = operator.post(f"{body['url']}launch/", {}, format="json")
    assert (refused.status_code, refused.json()["field"]) == (422, "confirmed")
    confirmed = {"confirmed": ["/dev/sdz"], "whatever_conditions": True}
    assert operator.post(f"{body['url']}launch/", confirmed, format="json").status_code == 202
    assert Job.objects.filter(state="queued").count() == 4


def test_rounds_are_added_and_a_plan_that_was_over_has_one_look_more(operator):
    body = ask(operator, a_target()).json()
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
    body = ask(operator, a_target()).json()
    refused = operator.post(f"{body['url']}rounds/", sent, format="json")
    assert (refused.status_code, refused.json()["field"]) == (status, "rounds")
    assert Job.objects.count() == 4


def test_contributors_look_and_do_not_launch(signed_in, operator):
    body = ask(operator, a_target()).json()
    contributor = signed_in("contributor")
    assert contributor.get(body["url"]).status_code == 200
    assert ask(contributor, a_target("b")).status_code == 403
    assert contributor.post(f"{body['url']}launch/").status_code == 403
    assert contributor.post(f"{body['url']}rounds/", {"rounds": 1}).status_code == 403
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
    assert refused.json()["detail"].startswith("Line 8 (parameters.bs.kind): “kind” is one of ")
    said = {"recipe": "sync-writes", "targets": {"node-a": a_target().pk}}
    assert operator.post("/api/v1/plans/", said, format="json").status_code == 201
    changed = OWN_RECIPE.replace("name: sync-writes", "name: commits")
    assert admin.put(f"{address}sync-writes/", {"text": changed}).json()["name"] == "commits"
    assert operator.get(f"{address}commits/").json()["title"]["ja"] == "小さな同期書き込み"
    assert admin.delete(f"{address}fio/").status_code == 404
    assert admin.delete(f"{address}commits/").status_code == 204
    assert operator.get(f"{address}commits/").status_code == 404
