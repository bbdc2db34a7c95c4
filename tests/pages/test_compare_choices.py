"""What the form of the compare page offers to choose from, and that it keeps what was chosen."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs

import pytest
from django.utils import timezone

from benchdash.results.annotations import set_tags
from benchdash.results.comparison import choices
from benchdash.results.models import Study
from benchdash.results.run_names import run_name
from tests.measured import a_configuration, a_run, an_environment, named
from tests.pages.compared import WRITE, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("public")]


def fields_of(response):
    """What pressing the button would send: every ticked, chosen, hidden or typed field."""
    form = re.search(r"<form class=\"compare-form.*?</form>", response.content.decode(), re.S)[0]
    sent = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    sent += re.findall(r'<input[^>]*type="checkbox" name="([^"]+)" value="([^"]*)" checked', form)
    for name, options in re.findall(r'<select[^>]* name="([^"]+)">(.*?)</select>', form, re.S):
        sent += [(name, v) for v in re.findall(r'<option value="([^"]*)" selected', options)]
    sent += re.findall(r'<input[^>]*type="(?:search|text)" name="([^"]+)" value="([^"]*)"', form)
    return sorted((name, unescape(value)) for name, value in sent if value)


def test_configurations_to_choose_from_stand_by_their_numbers(client, study):
    for name in ("cache 10", "cache 2"):
        a_run(a_configuration(name), {WRITE: 1.0}, study=study)
    page = client.get("/compare/?study=drbd").text
    assert page.index("<span>cache 2</span>") < page.index("<span>cache 10</span>")


VIEW = f"measure={WRITE}&family=throughput&group=configuration&across=file_bytes&percent=1"
FILTERS = (
    "since=2000-01-01&layer.drbd.protocol=~&workload.file_bytes=1073741824&measure=sync.iops.mean"
)


@pytest.mark.parametrize("more", ["", FILTERS])
def test_pressing_the_button_keeps_the_whole_state(client, study, more):
    baseline = study.conditions.get(is_baseline=True).configuration_id
    query = f"study=drbd&tool=fio&text=c&{VIEW}&baseline={baseline}&axis=linear&units=binary&{more}"
    study.runs.update(label="c")
    page = client.get(f"/compare/?{query}")
    assert fields_of(page) == sorted(
        (name, value) for name, values in parse_qs(query).items() for value in values
    )


def test_each_condition_can_be_taken_away(client, study):
    page = client.get("/compare/?study=drbd&tool=fio&percent=1")
    chips = re.findall(r'<li class="chip">(.*?)<a href="\?([^"]*)"', page.content.decode())
    assert [(text, unescape(query)) for text, query in chips] == [
        ("Study: DRBD", "tool=fio&percent=1"),
        ("Tool: fio", "study=drbd&percent=1"),
    ]


def test_ticked_runs_are_chips_by_their_names(client, study):
    settings_of = {"pattern": "randread", "block_bytes": 4096, "queue_depth": 32}
    run = a_run(a_configuration("ticked"), {"rand_read.iops.mean": 1.0}, workload=settings_of)
    gone = a_run(workload=settings_of, deleted_at=timezone.now())
    page = client.get(f"/compare/?run={run.pk}&run={gone.pk}")
    texts = re.findall(r'<li class="chip">(.*?)<a', page.text)
    assert texts == [f"Run: {run_name(named(run))}", f"Run: {gone.pk}"]


def offered(page):
    """The lists of the form: what there is to tick, with how many configurations have it."""
    return {
        title: {each.text: each.count for each in found}
        for _name, title, found in page.context["choosers"]
    }


def test_runs_are_chosen_by_version_host_and_facts_with_counts_too(client):
    old = an_environment("before", host="pc1", kernel="2.6.18", hostname="one", model="SP35P2")
    new = an_environment("after", host="pc1", kernel="6.1", hostname="two", model="SP35P2")
    local, mirror = a_configuration("local"), a_configuration("mirror")
    for configuration, environment, version in (
        *((local, old, "3.33"), (local, old, "3.33"), (local, new, "3.41")),
        *((mirror, new, "3.41"), (mirror, None, "")),
    ):
        a_run(configuration, {WRITE: 1e6}, environment=environment, tool_version=version)
    a_run(None, {WRITE: 1e6}, tool="dbench", tool_version="4.00")
    assert offered(client.get("/compare/")) == {
        "Configurations": {"local": None, "mirror": None},
        "Tools": {"dbench": None, "fio": 2},
        "Versions": {"fio 3.33": 1, "fio 3.41": 2},
        "Hosts": {"pc1": 2},
        "Kernel": {"2.6.18": 1, "6.1": 2},
    }


def test_runs_are_chosen_by_settings_that_are_not_the_same_for_all(client):
    one, other = a_configuration("one"), a_configuration("other")
    a_run(one, {WRITE: 1e6}, settings={"guests": 1, "cache": True, "zone": "a"})
    a_run(one, {WRITE: 1e6}, settings={"guests": 10, "cache": True, "zone": "a"})
    a_run(other, {WRITE: 1e6}, settings={"guests": 2, "zone": "a"})
    lists = offered(client.get("/compare/", {"setting.gone": "~"}))
    assert list(lists["Concurrent guests"].items()) == [("1", 1), ("2", 1), ("10", 1)]
    assert lists["cache"] == {"yes": 1, "not recorded": 1}
    assert "zone" not in lists
    assert lists["gone"] == {"not recorded": 2}
    page = client.get("/compare/", {"setting.cache": "yes"})
    assert 'name="setting.cache" value="yes" checked' in page.content.decode()
    assert "2 samples" in text_of(page)


def test_a_chosen_fact_and_version_stay_ticked_even_where_nothing_has_them(client, study):
    page = client.get("/compare/", {"environment.kernel": "9.9", "version": "7", "study": "drbd"})
    found = {title: found for _name, title, found in page.context["choosers"]}
    assert [(one.value, one.chosen, one.count) for one in found["Versions"]] == [("7", True, None)]
    assert page.content.decode().count('name="version" value="7" checked') == 1


def test_only_what_has_results_is_offered(client, study):
    Study.objects.create(slug="waits", title="Waits")
    a_configuration("never measured", drbd__protocol="A")
    a_configuration("mirror B", drbd__protocol="B")
    set_aside = a_configuration("set aside")
    a_run(set_aside, {WRITE: 1e6}, set_aside_reason="the array was hot")
    lists = offered(client.get("/compare/"))
    assert lists["Studies"] == {"DRBD": 2}
    assert list(lists["Configurations"]) == ["local", "mirror"]
    assert "drbd.protocol" not in lists


def test_tools_and_tags_of_old_runs_can_be_chosen_too(client, study, monkeypatch):
    old = a_run(a_configuration("old"), {WRITE: 1.0}, tool="bonnie++")
    set_tags(old, ["kept"])
    a_run(a_configuration("new"), {WRITE: 1.0}, tool="fio")
    monkeypatch.setattr(choices, "_NEWEST", 1)
    page = client.get("/compare/").text
    assert 'name="tool" value="bonnie++"> <span>bonnie++</span></label>' in page
    assert 'name="tag" value="kept"> <span>kept</span></label>' in page
