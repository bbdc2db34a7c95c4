"""The tray: what is ticked follows from page to page, and is compared as it is."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs

import pytest
from django.test import Client

from benchdash.pages.tray import MOST
from benchdash.results.models import Run

pytestmark = pytest.mark.django_db


@pytest.fixture
def visitor(house, settings):
    settings.PUBLIC_READ = True
    return Client()


def take(client, **fields):
    return client.post("/tray/", {"next": "/runs/", **fields})


def link(client, address="/environments/"):
    """The address that the tray of a page compares at."""
    found = re.search(
        r'id="tray".*?class="button primary" href="([^"]*)"', client.get(address).text, re.S
    )
    return unescape(found[1]) if found else ""


def compared(client):
    return parse_qs(link(client).partition("?")[2])


def ticked(client, kind, address):
    boxes = re.findall(
        rf'<input type="checkbox" form="take" name="{kind}"[^>]*>', client.get(address).text
    )
    return [re.search(r'value="(\d+)"', box)[1] for box in boxes if " checked" in box]


def test_a_visitor_takes_runs_and_configurations_along(visitor, house):
    assert take(visitor, runs=house.run.pk).url == "/runs/"
    take(visitor, configurations=[house.local.pk, house.mirror.pk])
    assert compared(visitor) == {
        "run": [str(house.run.pk)],
        "configuration": [str(house.local.pk), str(house.mirror.pk)],
    }
    page = visitor.get("/").text
    assert "3 in the tray" in page
    assert house.mirror.name in page


def test_the_comparison_is_of_exactly_these(visitor, house):
    take(visitor, configurations=[house.local.pk, house.mirror.pk])
    answer = visitor.get(link(visitor))
    assert answer.context["comparison"].view.runs == 2


def test_a_box_that_was_shown_without_a_tick_is_left_behind(visitor, house):
    take(visitor, runs=house.run.pk, configurations=house.local.pk)
    take(visitor, shown_configurations=[house.local.pk, house.mirror.pk])
    assert compared(visitor) == {"run": [str(house.run.pk)]}


def test_what_is_in_the_tray_is_ticked_on_every_page(visitor, house):
    take(visitor, runs=house.run.pk, configurations=house.local.pk)
    for address in ("/runs/", f"/runs/{house.run.pk}/", "/search/?q=bonnie"):
        assert ticked(visitor, "runs", address) == [str(house.run.pk)], address
    for address in ("/configurations/", f"/configurations/{house.local.pk}/", "/search/?q=Local"):
        assert ticked(visitor, "configurations", address) == [str(house.local.pk)], address


def test_one_is_dropped_and_all_are(visitor, house):
    take(visitor, runs=house.run.pk, configurations=[house.local.pk, house.mirror.pk])
    take(visitor, drop=f"configurations-{house.local.pk}")
    assert compared(visitor)["configuration"] == [str(house.mirror.pk)]
    take(visitor, drop="all")
    assert compared(visitor) == {}


def test_a_deleted_run_is_no_more_in_the_tray(visitor, house):
    take(visitor, runs=house.run.pk)
    Run.objects.filter(pk=house.run.pk).update(deleted_at="2026-01-01T00:00Z")
    assert compared(visitor) == {}


def test_the_tray_is_bounded_and_says_so(visitor, house, monkeypatch):
    monkeypatch.setattr("benchdash.pages.tray.MOST", 1)
    take(visitor, runs=house.run.pk)
    answer = visitor.post(
        "/tray/", {"configurations": house.local.pk}, headers={"HX-Request": "true"}
    )
    assert "at most 1 records" in answer.text
    assert compared(visitor) == {"run": [str(house.run.pk)]}
    assert MOST == 100


def test_what_was_ticked_on_another_day_is_not_ticked_any_more(visitor, house):
    take(visitor, runs=house.run.pk, configurations=house.local.pk)
    let_pass(visitor, hours=11)
    assert compared(visitor), "still the same working day"
    let_pass(visitor, hours=2)
    assert compared(visitor) == {}
    assert ticked(visitor, "runs", "/runs/") == []
    # and a new tick does not bring the old ones back
    take(visitor, configurations=house.mirror.pk)
    assert compared(visitor) == {"configuration": [str(house.mirror.pk)]}


def let_pass(client, hours):
    """As if the tray had been changed that much earlier."""
    session = client.session
    session["tray"] = session["tray"] | {"changed_at": session["tray"]["changed_at"] - hours * 3600}
    session.save()


def test_a_new_study_uses_up_what_it_is_made_of(house, contributor):
    take(contributor, runs=house.run.pk, configurations=house.local.pk)
    ticks = {"next": "/runs/", "runs": house.run.pk}
    page = contributor.post("/studies/of-runs/", ticks, follow=True).text
    assert "taken out of the tray" in page
    assert compared(contributor) == {"configuration": [str(house.local.pk)]}
    of_the_rest = {"next": "/", "comparison": link(contributor).partition("?")[2]}
    page = contributor.post("/studies/of-runs/", of_the_rest, follow=True).text
    assert "taken out of the tray" in page
    assert compared(contributor) == {}
    page = contributor.post("/studies/of-runs/", ticks, follow=True).text
    assert "in the tray." not in page


def test_nonsense_is_no_record(visitor, house):
    take(visitor, runs=["x", "99999999999999999999", "-1"], configurations="7 or 1", drop="")
    assert compared(visitor) == {}
    assert take(visitor, next="https://elsewhere.example/").url == "/"


def test_a_comparison_of_what_is_in_the_tray_has_no_tray(visitor, house):
    take(visitor, configurations=[house.local.pk, house.mirror.pk])
    assert 'id="tray"' not in visitor.get(link(visitor)).text
    other = visitor.get(f"/compare/?configuration={house.local.pk}").text
    assert 'class="at-hand no-print at-foot"' in other
    assert "2 in the tray" in other


def test_the_tray_lies_over_no_page_that_is_read(visitor, house):
    take(visitor, runs=house.run.pk)
    for address in (f"/studies/{house.study.slug}/", f"/c/{house.permalink.slug}/", "/compare/"):
        assert 'class="at-hand no-print at-foot"' in visitor.get(address).text, address
    assert 'class="at-hand no-print"' in visitor.get("/runs/").text
