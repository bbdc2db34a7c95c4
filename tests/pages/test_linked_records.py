"""Job, plan, host and run lead to each other, in pages and in JSON; visitors see names alone."""

from __future__ import annotations

import re
from html import unescape

import pytest
import zstandard
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from benchdash.inventory.models import Host
from benchdash.jobs.models import Job
from tests.jobs.records import a_job, a_target
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(db):
    return a_job(Job.State.DONE, a_target("store-a"))


@pytest.fixture
def run(job):
    return ran_in(job)


def ran_in(job):
    """A run that the job's measuring step printed on its host."""
    environment = an_environment("lab", "store-a")
    workload = {"pattern": "randwrite", "block_bytes": 4096, "queue_depth": 8}
    run = a_run(a_configuration(f"local {job.pk}"), workload=workload, environment=environment)
    job.steps.filter(tool="fio").update(artifact=run.artifact)
    return run


def addresses(run, job):
    host = Host.objects.get(name="store-a")
    return {
        "run": f"/runs/{run.pk}/",
        "job": f"/jobs/{job.pk}/",
        "plan": f"/plans/{job.plan_id}/",
        "host": f"/hosts/{host.pk}/",
    }


@pytest.mark.parametrize("page", ["run", "job", "plan", "host"])
def test_each_page_leads_to_all_others(signed_in, run, job, page):
    job.plan.launched_at = job.created_at
    job.plan.save()
    there = addresses(run, job)
    text = signed_in("viewer").get(there.pop(page)).text
    for address in there.values():
        assert f'href="{address}"' in text


def test_each_answer_leads_to_all_others(signed_in, run, job):
    there = addresses(run, job)
    api = APIClient()
    api.force_login(signed_in("viewer").person)
    host_id = int(there["host"].split("/")[-2])

    def get(name):
        return api.get(f"/api/v1{there[name]}").json()

    in_json = {name: f"/api/v1{address}" for name, address in there.items()}
    one = get("run")
    assert one["job"] == {"id": job.pk, "url": in_json["job"]}
    assert one["plan"] == {"id": job.plan_id, "url": in_json["plan"]}
    assert one["host"] == {"id": host_id, "url": in_json["host"], "name": "store-a"}
    assert api.get("/api/v1/runs/").json()["results"][0]["job"] == one["job"]
    assert get("job")["runs"] == [in_json["run"]]
    assert get("job")["plan_url"] == in_json["plan"]
    assert [node["host_url"] for node in get("job")["nodes"]] == [in_json["host"]]
    assert get("plan")["runs"] == [in_json["run"]]
    assert [each["url"] for each in get("plan")["jobs"]] == [f"http://testserver{in_json['job']}"]
    assert (get("host")["jobs"], get("host")["runs"]) == ([in_json["job"]], [in_json["run"]])


def test_visitors_see_the_name_of_the_host_and_neither_job_nor_commands(client, run, job, settings):
    settings.PUBLIC_READ = True
    run.conditions = ["“/srv/bench” is on overlay."]
    run.save()
    page = client.get(f"/runs/{run.pk}/").text
    assert "store-a" in page
    hidden = ("/jobs/", "/plans/", "/hosts/", "fio --name", "/srv/bench")
    assert not any(word in page for word in hidden)
    assert APIClient().get(f"/api/v1/runs/{run.pk}/").json()["conditions"] == []
    for answer in (f"/api/v1/runs/{run.pk}/", "/api/v1/runs/"):
        body = APIClient().get(answer).json()
        one = body["results"][0] if "results" in body else body
        assert (one["job"], one["plan"], one["host"]["name"]) == (None, None, "store-a")
        assert one["name"].startswith("randwrite 4 KiB · QD 8 · store-a · ")


def test_visitors_read_outputs_without_the_paths_of_hosts(client, signed_in, house, settings):
    settings.PUBLIC_READ = True
    printed = b"dbench run in /srv/bench and /dev/md0\n"
    run = house.run
    run.artifact.compressed = zstandard.compress(printed)
    run.artifact.save()
    run.details = {"options": {"directory": "/srv/bench"}, "unit": "MB/s"}
    run.save()
    addresses = (f"/runs/{run.pk}/", f"/api/v1/runs/{run.pk}/")
    viewer = signed_in("viewer")
    for address in addresses:
        shown = client.get(address).text
        assert "/srv" not in shown
        assert "MB/s" in shown
        assert "/srv/bench" in viewer.get(address).text
    assert "run in /… and /…" in client.get(addresses[0]).text
    raw = (f"/runs/{run.pk}/raw/", f"/api/v1/runs/{run.pk}/artifacts/{run.artifact_id}/")
    assert [client.get(address).status_code for address in raw] == [302, 401]
    assert [viewer.get(address).content for address in raw] == [printed, printed]


def test_the_page_of_a_run_shows_its_command_character_for_character(signed_in, run, job):
    job.steps.filter(tool="fio").update(command="fio '--name=<b>' --bs=4k", files={"a.fio": "[g]"})
    text = signed_in("viewer").get(f"/runs/{run.pk}/").text
    shown = re.search(r'<pre class="command">(.*?)</pre>', text, re.DOTALL)[1]
    words = re.findall(r"<span>(.*?)</span>", shown)
    assert [unescape(word) for word in words] == ["fio", "'--name=<b>'", "--bs=4k"]
    assert "[g]" in text


@pytest.mark.parametrize("name", ["plan", "host"])
def test_further_runs_cost_a_page_no_further_query(
    signed_in, run, job, name, django_assert_num_queries
):
    viewer, address = signed_in("viewer"), addresses(run, job)[name]
    with CaptureQueriesContext(connection) as before:
        viewer.get(address)
    for _ in range(3):
        again = a_run(run.configuration, workload={}, environment=run.environment)
        job.steps.create(
            job=job, position=10 + again.pk, phase="measure", node="node-a", name="again",
            folder=f"{again.pk}-again", timeout_s=1, tool="fio", artifact=again.artifact,
        )  # fmt: skip
    with django_assert_num_queries(len(before)):
        text = viewer.get(address).text
    assert text.count(f'href="/runs/{run.pk + 3}/"') == 1
