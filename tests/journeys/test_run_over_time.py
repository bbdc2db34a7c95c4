"""The page of a run in a browser: what the tool and its host did, on one clock."""

from __future__ import annotations

import pytest

from tests.measured import a_run, a_trace
from tests.pages.test_run_over_time import RATE, measured, stack_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]


@pytest.fixture
def run(settings):
    settings.PUBLIC_READ = True
    made = measured(stack_log([0.99, 0.97, 0.98, 0.3, 0.25]), seconds=10.0)
    a_trace(made, "rand_write.throughput", [1e6 * n for n in range(1, 11)], range(1, 11))
    return made


AREAS = """() => [...document.querySelectorAll(".clocked")].map((figure) => {
  const [canvas] = figure.getElementsByTagName("canvas");
  const { x, width } = canvas.getBoundingClientRect();
  const context = canvas.getContext("2d");
  const scale = canvas.width / canvas.clientWidth;
  return { x, width, drawn: context.getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean), scale };
})"""


@pytest.mark.parametrize("width", [1440, 390])
def test_all_figures_are_drawn_below_each_other_and_fit(page, run, width):
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"/runs/{run.pk}/")
    page.wait_for_function("() => document.querySelectorAll('.clocked[data-drawn]').length >= 4")
    areas = page.evaluate(AREAS)
    assert all(area["drawn"] for area in areas)
    assert len({(area["x"], area["width"]) for area in areas}) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_arrow_keys_read_out_the_points_of_a_device(page, run):
    page.goto(f"/runs/{run.pk}/")
    page.wait_for_function("() => document.querySelectorAll('.clocked[data-drawn]').length >= 4")
    plot = page.locator('.clocked:has-text("Devices · busy") [data-plot]')
    plot.focus()
    plot.press("ArrowRight")
    plot.press("ArrowDown")
    page.wait_for_function(
        "() => [...document.querySelectorAll('[role=status]')].some((one) => one.textContent.startsWith('md0, 1 s: 97 %'))"
    )


def test_a_run_without_any_of_it_brings_no_charts(page, settings, transactional_db):
    settings.PUBLIC_READ = True
    run = a_run(values={RATE: 1e6})
    page.goto(f"/runs/{run.pk}/")
    assert page.locator(".clocked").count() == 0
    assert page.locator('script[src*="charts/all"]').count() == 0
