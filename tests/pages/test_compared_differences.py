"""Differences and common facts above the charts of a comparison."""

from __future__ import annotations

import pytest

from tests.measured import a_configuration, a_run, an_environment
from tests.pages.compared import WRITE, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("public")]


def test_what_is_stated_and_what_is_compared_is_no_further_difference(client):
    old, new = an_environment("old", kernel="2.6.18"), an_environment("new", kernel="6.1")
    a_run(a_configuration("a", drbd__protocol="A"), {WRITE: 1e8}, environment=old)
    a_run(a_configuration("c", drbd__protocol="C"), {WRITE: 5e7}, environment=new)
    assert "The machines differ too: Kernel" in text_of(client.get("/compare/", {"tool": "fio"}))
    for group in ("environment", "environment.kernel", "configuration,environment.kernel"):
        page = text_of(client.get("/compare/", {"tool": "fio", "group": group}))
        assert "The machines differ too" not in page


def test_the_machines_of_zones_are_what_is_compared(client):
    old, new = an_environment("old", kernel="2.6.18"), an_environment("new", kernel="6.1")
    both = a_configuration("a", drbd__protocol="A")
    a_run(both, {WRITE: 1e8}, environment=old, settings={"zone": "near"})
    a_run(both, {WRITE: 5e7}, environment=new, settings={"zone": "far"})
    page = text_of(client.get("/compare/", {"tool": "fio"}))
    assert "automatic: Zone" in page
    assert "The machines differ too" not in page
    assert "not held equal" not in page


def test_zones_are_no_further_difference_where_a_study_asks_for_them(client, study):
    for run, zone in zip(study.runs.all(), ("near", "far"), strict=True):
        run.settings = {"zone": zone}
        run.save()
    assert "Also differs: Zone" in text_of(client.get("/compare/?study=drbd"))
    study.factors = ["environment.node-b.zone"]
    study.save()
    page = text_of(client.get("/compare/?study=drbd"))
    assert "Also differs: Zone" not in page
    # what it lets differ is no secret either: the charts say what is not held equal
    assert "Also differs: File size" in page
    assert "not held equal File size differs" in page


def test_a_study_says_what_may_differ(client, study):
    old, new = an_environment("old", kernel="2.6.18"), an_environment("new", kernel="6.1")
    for run, environment in zip(study.runs.all(), (old, new), strict=True):
        run.environment = environment
        run.save()
    assert "The machines differ too: Kernel" in text_of(client.get("/compare/?study=drbd"))
    study.factors = ["environment.kernel"]
    study.save()
    assert "The machines differ too" not in text_of(client.get("/compare/?study=drbd"))


def test_what_is_the_same_for_all_is_a_line_too(client):
    settings_of = {"pattern": "randread", "block_bytes": 4096, "queue_depth": 8, "jobs": 2}
    for name in ("one", "other"):
        a_run(a_configuration(name), {WRITE: 1e8}, workload=settings_of)
    page = text_of(client.get("/compare/", {"tool": "fio"}))
    assert (
        "The same in all 2: Tool fio, Pattern randread, Block size 4 KiB, Queue depth 8 and 1 more"
    ) in page
