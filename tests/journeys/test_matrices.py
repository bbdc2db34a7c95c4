"""The charts of a matrix in a real browser: drawn, read out by keys, and nothing runs over."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.pages.test_matrix_figures import KINDS, measure_guests

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(autouse=True)
def public(settings):
    settings.PUBLIC_READ = True


@pytest.mark.parametrize("width", [390, 1440])
def test_each_chart_is_drawn_and_its_points_are_read_out(page, width):
    measure_guests()
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/compare/?tool=fio")
    read = {
        "effects": "Concurrent guests 1",
        "crossed": "caches",
        "scaling": "kIOPS",
        "front": "n: 4",
    }
    for kind in KINDS:
        figure = page.locator(f'figure[data-chart="{kind}"]').first
        figure.scroll_into_view_if_needed()
        expect(figure).to_have_attribute("data-drawn", "")
        figure.locator("[data-plot]").focus()
        page.keyboard.press("ArrowRight")
        expect(figure.locator("[role=status]")).to_contain_text(read[kind])
    assert page.evaluate(OVERFLOW) <= 0
    found = Axe().run(page, context="section.meaning")
    assert found.violations_count == 0, found.generate_report()
