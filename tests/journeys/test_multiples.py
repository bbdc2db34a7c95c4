"""Small charts beside each other, in a real browser: few groups and many, short names and long."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.measured import a_configuration, a_run, an_environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

SPEED, READ = "rand_read.throughput.mean", "rand_read.iops.mean"
LATENCY, P99 = "rand_read.latency.mean", "rand_read.completion_latency.p99"
COLUMNS = """all => new Set(all.map(each => Math.round(each.getBoundingClientRect().left))).size"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# how many pixels have the colour of a bar of the first series, in the light theme
FIRST_SERIES = """canvas => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4)
        if (`${data.slice(at, at + 4)}` === "0,114,178,255") found += 1;
    return found;
}"""


@pytest.fixture(autouse=True)
def public(settings):
    settings.PUBLIC_READ = True


def measured(name, rate=1000.0, environment=None, **workload):
    values = {SPEED: 4096 * rate, READ: rate, LATENCY: 1 / rate, P99: 3 / rate}
    configuration = name if not isinstance(name, str) else a_configuration(name)
    return a_run(configuration, values, environment=environment, workload=workload)


def figures(page):
    found = page.locator(".multiples > figure[data-drawn]")
    expect(found.first).to_be_visible()
    return found


@pytest.mark.parametrize(("width", "columns"), [(390, 1), (1024, 2), (3840, 4)])
def test_charts_stand_beside_each_other_where_there_is_room(page, width, columns):
    for nth, name in enumerate(("one", "two", "three"), 1):
        measured(name, 1000.0 * nth)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/compare/?tool=fio")
    expect(figures(page)).to_have_count(4)
    assert figures(page).evaluate_all(COLUMNS) == columns
    assert page.evaluate(OVERFLOW) <= 0
    table = figures(page).first.locator("[data-plot]").get_attribute("aria-details")
    assert page.locator(f"#{table} tbody tr").count() == 3


@pytest.mark.parametrize("width", [390, 1440])
def test_forty_groups_with_long_names_fit(page, width):
    for nth in range(40):
        measured(f"array {nth} of the second rack, with a rather long name for its RAID", 900 + nth)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/compare/?tool=fio")
    canvas = figures(page).first.locator("canvas")
    # a row is as high as the three lines of its name
    assert canvas.bounding_box()["height"] >= 40 * 40
    assert page.locator(".numbers-of tbody tr").count() == 40
    assert page.evaluate(OVERFLOW) <= 0


def test_a_logarithmic_axis_has_no_bars(page):
    for nth, name in enumerate(("one", "two", "three")):
        measured(name, 10.0 * 100**nth)
    page.goto(f"/compare/?tool=fio&measure={READ}&axis=linear")
    bars = figures(page).locator("canvas").first.evaluate(FIRST_SERIES)
    page.goto(f"/compare/?tool=fio&measure={READ}")
    dots = figures(page).locator("canvas").first.evaluate(FIRST_SERIES)
    assert 0 < dots < bars / 10


def test_two_crossed_factors_have_a_legend_and_hinder_nobody(page):
    kernels = [an_environment(f"kernel {name}", kernel=name) for name in ("5.14", "6.1")]
    for configuration in map(a_configuration, ("ext4", "xfs")):
        for nth, kernel in enumerate(kernels, 1):
            measured(configuration, 1000.0 * nth, environment=kernel)
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto("/compare/?tool=fio&group=configuration,environment.kernel")
    plot = figures(page).first.locator("[data-plot]")
    assert "coloured" in plot.get_attribute("class")
    plot.focus()
    page.keyboard.press("End")
    expect(plot.locator(".tooltip-panel")).to_contain_text("xfs · Kernel 6.1")
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()


def test_a_sweep_says_iops_and_latency_of_one_point(page):
    array = a_configuration("array")
    for depth in (1, 8, 64):
        measured(array, 1000.0 * depth**0.5, queue_depth=depth)
    page.goto("/compare/?tool=fio")
    figure = figures(page).filter(has_text="kIOPS").first
    figure.locator("[data-plot]").focus()
    page.keyboard.press("ArrowRight")
    panel = figure.locator(".tooltip-panel")
    expect(panel).to_contain_text("Median: 1.00 kIOPS")
    expect(panel).to_contain_text("Random read · Latency: 1,000 µs")


def test_a_chart_is_as_high_as_the_table_beside_it(page):
    run = measured("one")
    points = {
        f"rand_read.completion_latency.p{each}": each / 1e4 for each in (1, *range(5, 100, 5))
    }
    run = a_run(run.configuration, points)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"/runs/{run.pk}/")
    figure = page.locator(".tails[data-drawn]")
    expect(figure).to_be_visible()
    heights = [figure.locator(part).bounding_box()["height"] for part in (".plot", ".table-box")]
    assert heights[1] > 500
    assert heights[0] == pytest.approx(heights[1], abs=1)
