"""What a matrix means, as the compare page, the API and the plan's page have it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import product
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdash.jobs.models import Job
from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from benchdash.results.permalinks import make_permalink
from tests.jobs.records import a_job, a_plan, a_target
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
S = Job.State

WRITE, TAIL = "rand_write.iops.mean", "rand_write.completion_latency.p99"
DAY = datetime(2026, 11, 22, tzinfo=UTC)
KINDS = ("effects", "crossed", "scaling", "front")


@pytest.fixture(autouse=True)
def public(settings):
    settings.PUBLIC_READ = True


def measure_guests(rounds=4, configuration=None):
    """Guests × caches, four rounds in random orders: more guests are faster, with caches even more."""
    chance = Random(3)
    cells = list(product((1, 2, 4, 8, 16), ("kept", "dropped")))
    configuration = configuration or a_configuration("ceph")
    order = [cell for _ in range(rounds) for cell in sorted(cells, key=lambda _: chance.random())]
    for place, (guests, caches) in enumerate(order):
        waiting = 0.04 if caches == "kept" else 0.2
        rate = 1000 * guests / (1 + waiting * (guests - 1)) * chance.uniform(0.99, 1.01)
        a_run(
            configuration,
            {WRITE: rate, TAIL: guests / rate},
            settings={"guests": guests, "caches": caches},
            workload={"block_bytes": 4096},
            started_at=DAY + timedelta(minutes=place),
        )


def words_of(page):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def test_the_page_says_it_in_words_charts_and_a_table(client):
    measure_guests()
    page = client.get("/compare/?tool=fio").content.decode()
    words = words_of(page)
    assert "What factors do" in words
    assert re.search(r"Random write · (?:Throughput|IOPS): Concurrent guests explains \d\d", words)
    assert "the effect of caches depends on Concurrent guests" in words
    assert "Amdahl’s law: no peak up to Concurrent guests = 16" in words
    for kind in KINDS:
        assert f'data-chart="{kind}"' in page, kind
    # below the overview and before the first section
    assert page.index("overview") < page.index("compared-section") < page.index('id="factors-1"')


def test_charts_have_what_they_draw(client):
    measure_guests()
    page = client.get("/compare/?tool=fio").content.decode()
    found = [
        json.loads(one)
        for one in re.findall(r'<script type="application/json">(.*?)</script>', page)
    ]
    by_measure = {one["measure"]: one for one in found}
    levels = by_measure[f"{WRITE}.effects"]["rows"]
    assert [row["label"] for row in levels][:2] == ["Concurrent guests 1", "Concurrent guests 2"]
    assert all(row["low"] < row["shown"] < row["high"] for row in levels)
    crossed = by_measure[f"{WRITE}.setting.caches.setting.guests"]
    # the longer factor runs along
    assert crossed["places"] == ["1", "2", "4", "8", "16"] and len(crossed["rows"]) == 2
    scaling = by_measure[f"{WRITE}.scaling"]
    assert [len(row["points"]) for row in scaling["rows"]] == [5, 5]
    assert all(row["curve"] for row in scaling["rows"])
    assert [mark["text"] for row in scaling["rows"] for mark in row["marks"]]
    assert any(row["front"] for row in by_measure[f"{WRITE}.front"]["rows"])


def test_axes_of_one_metric_say_of_which_operation(client):
    configuration = a_configuration("raid6")
    rates = {"bfq": (120e6, 40e6), "none": (90e6, 60e6), "mq-deadline": (80e6, 30e6)}
    for place, (_round, (scheduler, (write, rewrite))) in enumerate(
        product(range(4), rates.items())
    ):
        a_run(
            configuration,
            {
                "seq_write.throughput.mean": write * (1 + place / 1000),
                "seq_rewrite.throughput.mean": rewrite * (1 + place / 1000),
            },
            tool="bonnie++",
            settings={"scheduler": scheduler},
            started_at=DAY + timedelta(minutes=place),
        )
    page = client.get("/compare/?tool=bonnie%2B%2B").content.decode()
    charts = map(json.loads, re.findall(r'<script type="application/json">(.*?)</script>', page))
    (front,) = [one for one in charts if one["measure"].endswith(".front")]
    assert front["along_title"] == "Sequential write · Throughput MB/s"
    assert front["axis_title"] == "Rewrite · Throughput MB/s"


def test_the_page_says_it_in_japanese(client):
    measure_guests()
    page = client.get("/compare/?tool=fio", headers={"Accept-Language": "ja"}).content.decode()
    words = words_of(page)
    assert "要因の効果" in words and "を説明します" in words and "アムダールの法則" in words
    assert "explains" not in words and "Pareto" not in words


def test_the_api_has_every_level_law_and_curve(client):
    measure_guests()
    (matrix,) = client.get("/api/v1/compare/?tool=fio").json()["matrices"]
    assert set(matrix["titles"]) == {"Concurrent guests", "caches"}
    effects = {one["measure"]: one for one in matrix["effects"]}[WRITE]
    assert effects["factors"][0]["finding"] == "firm"
    assert [level["number"] for level in effects["factors"][0]["levels"]] == [1, 2, 4, 8, 16]
    assert {line["law"] for line in matrix["scalings"][0]["lines"]} == {"amdahl"}
    assert matrix["front"]["points"]


def test_it_costs_no_query(client):
    configuration = a_configuration("ceph")
    measure_guests(rounds=2, configuration=configuration)
    with CaptureQueriesContext(connection) as few:
        client.get("/api/v1/compare/?tool=fio")
    measure_guests(rounds=4, configuration=configuration)
    with CaptureQueriesContext(connection) as many:
        client.get("/api/v1/compare/?tool=fio")
    assert len(many) == len(few)


def test_a_link_keeps_it(client):
    measure_guests()
    link = make_permalink("tool=fio", None)
    words = words_of(client.get(f"/c/{link.slug}/").content.decode())
    assert "the effect of caches depends on Concurrent guests" in words


def test_a_number_with_too_few_places_has_words_and_no_chart(client):
    for depth, place in product((1, 8, 64), range(2)):
        rate = 1000.0 * depth**0.5 + place
        a_run(a_configuration(f"{depth} {place}"), {WRITE: rate}, workload={"queue_depth": depth})
    page = client.get("/compare/?tool=fio&group=workload.queue_depth").content.decode()
    assert "3 points are too few" in words_of(page)
    assert 'data-chart="scaling"' not in page


def test_one_factor_is_no_matrix(client):
    for name, place in product(("one", "two", "three"), range(3)):
        a_run(a_configuration(f"{name} {place}"), {WRITE: 1000.0 + place})
    page = client.get("/compare/?tool=fio").content.decode()
    assert 'id="factors-1"' not in page


def planned_matrix(rounds=4):
    """A plan of 2 × 2 cells whose rounds were measured, a job each, and one that is still to come."""
    chance, target = Random(5), a_target()
    plan = a_plan(launched_at=timezone.now(), cell_count=4, rounds_planned=rounds)
    cells = [
        (a_configuration(f"{cache} {scheduler}", md__cache=cache, disk__scheduler=scheduler), gain)
        for (cache, gain), scheduler in product(((256, 1.0), (4096, 1.3)), ("none", "bfq"))
    ]
    for number in range(1, rounds + 1):
        for cell, (configuration, gain) in enumerate(cells):
            rate = 1000 * gain * chance.uniform(0.98, 1.02)
            job = a_job(S.DONE, target, plan, round=number, cell=cell)
            run = a_run(configuration, {WRITE: rate}, workload={"block_bytes": 4096})
            job.steps.filter(tool="fio").update(artifact=run.artifact)
    return plan, a_job(S.QUEUED, target, plan, round=rounds, cell=0)


def test_a_plan_that_is_over_leads_to_what_its_factors_do(signed_in):
    plan, waiting = planned_matrix()
    person = signed_in("operator")
    link = f'href="/compare/?plan={plan.pk}#factors-1"'
    assert link not in person.get(f"/plans/{plan.pk}/").text
    (effects,) = compare(read_query(f"plan={plan.pk}")).view.matrices[0].effects
    assert (effects.factors[0].finding, effects.factors[0].reason) == ("leans", "not_over")
    Job.objects.filter(pk=waiting.pk).update(state=S.LOST, ended_at=timezone.now())
    assert link in person.get(f"/plans/{plan.pk}/").text
    (effects,) = compare(read_query(f"plan={plan.pk}")).view.matrices[0].effects
    assert effects.factors[0].finding == "firm" and effects.rounds == 4
    assert 'id="factors-1"' in person.get(f"/compare/?plan={plan.pk}").text
