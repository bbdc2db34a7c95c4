"""What a page has shown stays where it was, while it is drawn and while one goes down it."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from benchdash.results.demonstration import demo_folders, load
from tests.journeys.conftest import open_before_charts

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

STUDY = "/compare/?study=drbd-on-two-pcs"
PLACES = """() => [...document.querySelectorAll(".compared [data-plot]")].map(
    each => Math.round(each.getBoundingClientRect().top + scrollY)
)"""
LAID_OUT = """() => [...document.querySelectorAll(".compared, .section")].every(
    each => getComputedStyle(each).contentVisibility === "visible"
)"""


@pytest.fixture(autouse=True)
def two_pcs(settings):
    settings.PUBLIC_READ = True
    load(next(folder for folder in demo_folders() if folder.name.startswith("1-")))


@pytest.mark.parametrize("width", [390, 1280])
def test_a_comparison_is_as_long_as_it_stays(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(STUDY)
    page.wait_for_function(LAID_OUT)
    places = page.evaluate(PLACES)
    page.locator("body").press("End")
    expect(page.locator(".foot")).to_be_in_viewport()
    assert page.evaluate(PLACES) == places


def test_a_chart_that_is_drawn_moves_nothing(page):
    page.set_viewport_size({"width": 1280, "height": 2000})
    draw = open_before_charts(page, STUDY)
    before = page.evaluate(PLACES)[:3]
    draw()
    expect(page.get_by_role("button", name="save as PNG").nth(2)).to_be_visible()
    assert page.evaluate(PLACES)[:3] == before


def test_the_table_below_the_charts_follows_the_first_of_them(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.route("**/static/main*.js", lambda route: route.abort())  # it needs no other script
    page.goto(STUDY)
    expect(page.get_by_role("button", name="save as PNG").first).to_be_visible()
    page.wait_for_function(LAID_OUT.replace(".compared, .section", ".charts-and-numbers > .flow"))
    table = page.locator(".numbers-of table").first
    assert table.evaluate("each => each.checkVisibility({contentVisibilityAuto: true})")


def test_an_address_that_names_a_table_leads_to_it(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{STUDY}#numbers--1")
    expect(page.locator("#numbers--1")).to_be_in_viewport()
    expect(page.locator("#numbers--1 tbody th").first).to_be_visible()
