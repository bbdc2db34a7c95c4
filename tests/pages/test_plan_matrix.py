"""The matrix of a plan in the browser: two factors as axes, what changed since, one cell."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from benchdash.errors import N_
from benchdash.jobs import launching, making, planning
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from tests.jobs.records import a_target
from tests.measured import a_run

pytestmark = pytest.mark.django_db
RECIPES = {recipe.name: recipe for recipe in builtin()}
FACTORS = {"rw": ["read", "write"], "bs": ["4K", "1M"], "iodepth": [1, 8, 32]}


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


@pytest.fixture
def plan(operator):
    wanted = Wanted(RECIPES["fio"], {"node-a": a_target()}, factors=FACTORS, repeats=2, seed=1)
    made = planning.plan(wanted, operator.person)
    launching.launch(made, operator.person)
    Job.objects.update(state_at=timezone.now() - timedelta(minutes=1))
    return made


def measured(plan, cell, value, number=1):
    job = plan.jobs.get(cell=cell, round=number)
    run = a_run(values={"read.throughput.mean": value})
    job.steps.filter(tool="fio").update(artifact=run.artifact)
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(state="done", started_at=now, ended_at=now, state_at=now)


def shown(page):
    """Of each cell by number: its shade, its text, and its words if a mark stands for them."""
    cell = r'<a id="c(\d+)" class="(\w+)" href="[^"]+"[^>]*?(?: aria-label="([^"]+)")?>(.*?)</a>'
    return {
        int(number): (shade, strip_tags(text), words)
        for number, shade, words, text in re.findall(cell, page)
    }


def live(page):
    """The address that the matrix asks next."""
    return re.search(r'hx-get="([^"]+)"', page)[1].replace("&amp;", "&")


def test_cells_have_their_median_and_its_share_of_the_best(operator, plan):
    measured(plan, 1, 90e6)
    measured(plan, 1, 110e6, 2)
    measured(plan, 2, 50e6)
    Job.objects.filter(plan=plan, cell=3, round=1).update(state="running")
    Job.objects.filter(plan=plan, cell=4, round=1).update(state="failed", ended_at=timezone.now())
    page = operator.get(f"/plans/{plan.pk}/").text
    cells = shown(page)
    assert cells[1] == ("s10", "100★", "100 MB/s, best")
    assert cells[2] == ("s5", "50.01/2", "50.0 MB/s, 1/2")
    assert cells[3] == ("mark", "▸", "running") and cells[4] == ("mark", "✕", "failed or cancelled")
    assert cells[5] == ("mark", "·", "to come") and len(cells) == 12
    words = re.sub(r"\s+", " ", strip_tags(page))
    assert "Best so far: 100 MB/s, the median of 2 samples: Pattern read, Block size 4K" in words
    assert "store-a:" in words and "In MB/s." in words


def test_what_a_job_waits_for_stands_beside_it(operator, plan):
    Job.objects.filter(plan=plan, cell=3, round=1).update(
        state="preparing",
        reason=N_("Waits until the hosts are quiet. {conditions}", conditions="…"),
    )
    assert "Waits until the hosts are quiet. …" in operator.get(f"/plans/{plan.pk}/").text


def test_columns_that_are_headed_by_words_have_room_for_them(operator, plan):
    assert 'class="heat"' in operator.get(f"/plans/{plan.pk}/").text
    Plan.objects.update(axes=[["rw", ["randread", "randwrite"]], *plan.axes[1:]])
    assert 'class="heat wordy"' in operator.get(f"/plans/{plan.pk}/?x=rw").text


def test_headings_without_blanks_may_break_between_their_words(operator, plan):
    levels = ["data=ordered,nodelalloc", "<data=journal>"]
    Plan.objects.update(axes=[["rw", levels], *plan.axes[1:]])
    page = operator.get(f"/plans/{plan.pk}/?x=rw").text
    heads = re.findall(r'role="columnheader">(.*?)</span>', page)[1:3]
    assert heads == ["data=<wbr>ordered,<wbr>nodelalloc", "&lt;data=<wbr>journal&gt;"]


def test_two_factors_are_axes_and_further_ones_small_multiples(operator, plan):
    page = operator.get(f"/plans/{plan.pk}/").text
    assert re.findall(r"<figcaption[^>]*>(.*?)<", page) == ["Pattern read", "Pattern write"]
    assert re.findall(r'role="rowheader">(.*?)<', page) == ["4K", "1M"] * 2
    turned = operator.get(f"/plans/{plan.pk}/?x=rw&y=iodepth").text
    titles = re.findall(r"<figcaption[^>]*>(.*?)<", turned)
    assert titles == ["Block size 4K", "Block size 1M"]
    first = turned[turned.index('role="table"') : turned.index("Block size 1M")]
    assert list(shown(first)) == [1, 7, 2, 8, 3, 9]  # depth 1, 8, 32 of read and write at 4K
    for odd in ("x=nothing", "x=rw&y=rw", "measure=a.b.c", "part=:", "measure=%00.x.y"):
        assert len(shown(operator.get(f"/plans/{plan.pk}/?{odd}").text)) == 12


def test_small_is_best_of_a_latency(operator, plan):
    for cell, value in ((1, 0.002), (2, 0.004)):
        measured(plan, cell, 1.0)
        run = a_run(values={"read.latency.mean": value})
        plan.jobs.get(cell=cell, round=1).steps.filter(tool="fio").update(artifact=run.artifact)
    cells = shown(operator.get(f"/plans/{plan.pk}/?measure=read.latency.mean").text)
    assert (cells[1], cells[2]) == (
        ("s10", "2.00★1/2", "2.00 ms, 1/2, best"),
        ("s5", "4.001/2", "4.00 ms, 1/2"),
    )


def test_what_did_not_change_costs_next_to_nothing(operator, plan):
    measured(plan, 1, 90e6)
    Job.objects.update(state_at=timezone.now() - timedelta(minutes=1))
    address = live(operator.get(f"/plans/{plan.pk}/").text)
    with CaptureQueriesContext(connection) as captured:
        answer = operator.get(address)
    assert (answer.status_code, answer.content) == (204, b"")
    assert len(captured) <= 5  # session, person, plan, changes


def test_a_plan_without_factors_is_sent_no_cell_that_its_page_has_no_place_for(operator):
    wanted = Wanted(RECIPES["fio"], {"node-a": a_target()}, repeats=2, seed=1)
    plan = planning.plan(wanted, operator.person)
    launching.launch(plan, operator.person)
    Job.objects.update(state_at=timezone.now() - timedelta(minutes=1))
    page = operator.get(f"/plans/{plan.pk}/").text
    Job.objects.filter(plan=plan, round=1).update(state="running", state_at=timezone.now())
    answer = operator.get(live(page))
    assert 'id="c1"' not in page
    assert (answer.status_code, "hx-swap-oob" in answer.text) == (200, False)


def test_only_cells_that_changed_are_sent_again(operator, plan):
    for cell in (1, 2, 3):
        measured(plan, cell, cell * 10e6)
    Job.objects.update(state_at=timezone.now() - timedelta(minutes=1))
    address = live(operator.get(f"/plans/{plan.pk}/").text)
    Job.objects.filter(plan=plan, cell=5, round=1).update(state="running", state_at=timezone.now())
    answer = operator.get(address).text
    assert shown(answer) == {5: ("mark", "▸", "running")} and 'hx-swap-oob="true"' in answer
    measured(plan, 6, 40e6)
    answer = operator.get(live(answer)).text
    cells = shown(answer)
    assert cells[6] == ("s10", "40.0★1/2", "40.0 MB/s, 1/2, best")
    assert cells[3] == ("s7", "30.01/2", "30.0 MB/s, 1/2")  # the best until now
    assert 7 not in cells and "HX-Retarget" not in operator.get(address).headers


def test_the_first_result_and_another_unit_draw_the_whole_matrix(operator, plan):
    address = live(operator.get(f"/plans/{plan.pk}/").text)
    measured(plan, 1, 900e3)
    first = operator.get(address)
    assert first.headers["HX-Retarget"] == "#matrix" and "<select" in first.text
    measured(plan, 2, 2e6)
    second = operator.get(live(first.text))
    assert second.headers["HX-Retarget"] == "#matrix"
    assert shown(second.text)[1][1].startswith("0.9")


def test_a_plan_that_is_over_is_not_requested_again(operator, plan):
    now = timezone.now()
    Job.objects.filter(plan=plan).update(state="done", ended_at=now, state_at=now)
    assert "hx-get" not in operator.get(f"/plans/{plan.pk}/matrix/").text
    odd = {"best": "nan", "largest": "1e999", "measure": "x"}
    for since in ("yesterday", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-12:00"):
        query = urlencode(odd | {"since": since})
        assert operator.get(f"/plans/{plan.pk}/matrix/?{query}").status_code == 200


def test_a_cell_leads_to_its_jobs_and_runs(operator, plan):
    measured(plan, 2, 50e6)
    page = operator.get(f"/plans/{plan.pk}/cells/2/").text
    words = strip_tags(page)
    assert "Pattern read, Block size 4K, Queue depth 8" in words and "50.0 MB/s" in words
    for job in plan.jobs.filter(cell=2):
        assert f'href="/jobs/{job.pk}/"' in page
    assert f'href="/plans/{plan.pk}/cells/1/"' in page
    assert operator.get(f"/plans/{plan.pk}/cells/13/").status_code == 404
    assert operator.get(f"/plans/{plan.pk}/cells/0/").status_code == 404


def test_commands_of_any_job_are_shown_before_it_is_made(operator, monkeypatch):
    monkeypatch.setattr(making, "AHEAD", 3)
    wanted = Wanted(RECIPES["fio"], {"node-a": a_target()}, factors=FACTORS, repeats=9, seed=1)
    plan = planning.plan(wanted, operator.person)
    page = operator.get(f"/plans/{plan.pk}/").text
    words = re.sub(r"\s+", " ", strip_tags(page))
    assert "105 jobs are created when they are due" in words and "Launch 108 jobs" in words
    late = strip_tags(operator.get(f"/plans/{plan.pk}/?from=101").text)
    assert f"{plan.pk}-108" in late and plan.token_of(108) in late
    unmade = next(n for n in range(1, 13) if not plan.jobs.filter(cell=n).exists())
    assert "fio --name" in strip_tags(operator.get(f"/plans/{plan.pk}/cells/{unmade}/").text)
    operator.post(f"/plans/{plan.pk}/launch/")
    assert "108 jobs" in strip_tags(operator.get(f"/plans/{plan.pk}/").text)
    cancelled = operator.post(f"/plans/{plan.pk}/change/", {"cancel": "1"}, follow=True).text
    assert "with 105 jobs left" in strip_tags(cancelled) and 'name="resume"' in cancelled
    operator.post(f"/plans/{plan.pk}/change/", {"resume": "1"})
    assert Plan.objects.get(pk=plan.pk).stopped_at is None


def test_the_matrix_and_any_commands_are_in_the_api(operator, plan):
    measured(plan, 2, 50e6)
    found = operator.get(f"/api/v1/plans/{plan.pk}/matrix/").json()
    assert (found["measure"], found["unit"], found["part"]) == (
        "read.throughput.mean",
        "B/s",
        "fio",
    )
    assert found["cells"][1] == {
        "cell": 2,
        "levels": {"rw": "read", "bs": 4096, "iodepth": 8},
        "done": 1,
        "running": 0,
        "failed": 0,
        "n": 1,
        "median": 50e6,
    }
    (last,) = operator.get(f"/api/v1/plans/{plan.pk}/commands/?from=24").json()
    assert (last["position"], last["round"]) == (24, 2)
    assert "fio --name" in " ".join(step["command"] for step in last["steps"])


def test_measures_of_one_title_are_distinguished_and_nothing_is_so_far_once_it_is_over(
    operator, plan
):
    values = {"read.throughput.mean": 5e7, "read.iops.mean": 12e3, "read.latency.p99": 1e-3}
    run = a_run(values=values)
    job = plan.jobs.get(cell=2, round=1)
    job.steps.filter(tool="fio").update(artifact=run.artifact)
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(state="done", started_at=now, ended_at=now, state_at=now)
    page = operator.get(f"/plans/{plan.pk}/").text
    offered = re.findall(r'<option value="read[^>]*>([^<]+)', page)
    assert offered == ["Read · Throughput", "Read · IOPS", "Read · Latency, p99"]
    assert "Best so far: " in page and "1/2" in page
    Job.objects.exclude(pk=job.pk).update(state="cancelled", ended_at=now, state_at=now)
    over = operator.get(f"/plans/{plan.pk}/").text
    assert "Best: " in over and "so far" not in over


def test_the_page_that_is_open_comes_anew_when_the_plan_is_over(operator, plan):
    """Pausing and cancelling are over too, and the way to the comparison is there."""
    address, now = live(operator.get(f"/plans/{plan.pk}/").text), timezone.now()
    assert "HX-Refresh" not in operator.get(address).headers
    Job.objects.filter(plan=plan).update(state="cancelled", ended_at=now, state_at=now)
    assert operator.get(address).headers["HX-Refresh"] == "true"
    page = operator.get(f"/plans/{plan.pk}/").text
    assert "all rounds done" not in page
