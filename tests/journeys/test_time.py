"""Somebody looks at results over months, and at runs over each other: zooms, moves, comes back."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from benchdash.results.models import Doubt
from tests.journeys.conftest import open_before_charts
from tests.measured import a_configuration, a_run, a_trace, an_environment
from tests.workers.running import until

DAY = datetime(2026, 1, 1, 8, tzinfo=UTC)
WORKLOAD = {"pattern": "randwrite", "block_bytes": 4096}


def many_runs(count=60):
    """Of one workload on one host, whose kernel was changed in the middle."""
    configuration = a_configuration("DRBD C")
    places = [an_environment(kernel, host="store-a", kernel=kernel) for kernel in ("5.10", "6.1")]
    for day in range(count):
        run = a_run(
            configuration,
            {"rand_write.iops.mean": 40_000.0 + day % 7 * 100, "rand_write.latency.mean": 1e-3},
            workload=WORKLOAD,
            environment=places[day * 2 // count],
            started_at=DAY + timedelta(days=day),
        )
    Doubt.objects.create(run=run, kind="load", sentence="It was busy.", operations=[])
    return configuration


def runs_with_courses(*starts):
    configuration = a_configuration("DRBD C")
    runs = []
    for nth, start in enumerate(starts):
        run = a_run(
            configuration,
            {"rand_write.iops.mean": 40_000.0 + nth},
            workload=WORKLOAD,
            started_at=start,
            label=f"pass {nth}",
        )
        a_trace(run, "rand_write.iops", [40_000.0 + second % 50 for second in range(600)])
        runs.append(run)
    return runs


def plot(page):
    place = page.locator("[data-plot]").first
    expect(page.locator("figure[data-drawn]").first).to_be_visible()
    return place


def sight(page):
    return page.locator("[data-sight]").first


def test_a_history_is_drawn_read_out_and_walked_by_keys(contributor):
    many_runs()
    contributor.goto("/history/?host=store-a")
    place = plot(contributor)
    expect(contributor.locator("figure ol li")).to_contain_text("Kernel 5.10 → 6.1")
    expect(contributor.locator("tr.differs")).to_have_count(1)
    place.focus()
    contributor.keyboard.press("End")
    status = place.get_by_role("status")
    expect(status).to_contain_text("1 Mar 2026")
    expect(status).to_contain_text("Random write · IOPS kIOPS: 40.3")
    expect(status).to_contain_text("Doubts: load")
    contributor.keyboard.press("Enter")
    contributor.keyboard.press("Enter")
    expect(contributor).to_have_url(re.compile("/runs/"))


def test_the_measure_and_the_workload_are_chosen_at_once(contributor):
    configuration = many_runs()
    contributor.goto(f"/configurations/{configuration.pk}/")
    contributor.get_by_role("link", name="All workloads and measures").click()
    contributor.get_by_label("Measure").select_option("rand_write.latency.mean")
    expect(contributor).to_have_url(re.compile("measure=rand_write.latency.mean"))
    plot(contributor)
    expect(contributor.locator("figcaption")).to_contain_text("Random write · Latency")
    contributor.get_by_label("Workload").select_option(index=1)
    expect(contributor).to_have_url(re.compile("series=fio-"))
    assert "measure=rand_write.latency.mean" in contributor.url


def test_a_history_is_zoomed_by_mouse_buttons_and_keys_and_comes_back(contributor):
    many_runs()
    contributor.goto("/history/?host=store-a")
    place = plot(contributor)
    box = place.bounding_box()
    contributor.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 100)
    contributor.mouse.down()
    contributor.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 120, steps=4)
    contributor.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + 140, steps=4)
    contributor.mouse.up()
    expect(sight(contributor)).to_contain_text("Jan")
    expect(sight(contributor)).to_contain_text("Feb")
    dragged = sight(contributor).text_content()
    # who drew a frame did not ask for the point under its end
    expect(place.locator(".tooltip-panel.pinned")).to_have_count(0)
    contributor.emulate_media(color_scheme="dark")
    contributor.get_by_role("button", name="Later (Shift →)").click()
    expect(sight(contributor)).not_to_have_text(dragged)
    contributor.get_by_role("button", name="Whole range").click()
    whole = sight(contributor).text_content()
    place.focus()
    contributor.keyboard.press("+")
    expect(sight(contributor)).not_to_have_text(whole)
    closer = sight(contributor).text_content()
    contributor.keyboard.press("Shift+ArrowLeft")
    expect(sight(contributor)).not_to_have_text(closer)
    contributor.keyboard.press("0")
    expect(sight(contributor)).to_have_text(whole)


def test_a_point_out_of_sight_comes_into_sight_by_arrow_keys(contributor):
    many_runs()
    contributor.goto("/history/?host=store-a")
    place = plot(contributor)
    place.focus()
    for _ in range(4):
        contributor.keyboard.press("+")
    expect(sight(contributor)).not_to_contain_text("Mar")
    contributor.keyboard.press("End")
    expect(sight(contributor)).to_contain_text("Mar")


def test_a_picture_of_what_is_in_sight_can_be_saved(contributor):
    many_runs()
    contributor.goto("/history/?host=store-a")
    plot(contributor).focus()
    contributor.keyboard.press("+")
    for kind in ("PNG", "SVG"):
        with contributor.expect_download() as saving:
            contributor.get_by_role("button", name=f"save as {kind}").click()
        assert saving.value.suggested_filename.endswith(f".history.{kind.lower()}")
        if kind == "SVG":
            text = saving.value.path().read_text()
            assert "1 Kernel 5.10 → 6.1" in text


def test_a_chart_that_is_drawn_moves_nothing(contributor):
    many_runs()
    draw = open_before_charts(contributor, "/history/?host=store-a")
    table = contributor.locator("figure table")
    expect(table).to_be_visible()
    before = table.bounding_box()
    draw()
    plot(contributor)
    assert table.bounding_box() == before


def test_courses_stand_over_each_other_from_the_start_or_by_the_clock(contributor):
    runs = runs_with_courses(DAY, DAY + timedelta(minutes=5), None)
    contributor.goto(f"/runs/{runs[0].pk}/")
    contributor.get_by_role("link", name="Compare with other runs over time").click()
    plot(contributor)
    chart = contributor.locator("figure[data-chart=over-time]")
    expect(chart.locator("tbody tr")).to_have_count(3)
    expect(chart).to_contain_text("1 run has no start time")
    chart.get_by_role("link", name="By the clock").click()
    expect(contributor).to_have_url(re.compile(r"clock=wall.*#over-time-1-1"))
    place = chart.locator("[data-plot]")
    expect(chart).to_have_attribute("data-drawn", "")
    place.focus()
    contributor.keyboard.press("ArrowDown")
    contributor.keyboard.press("Home")
    expect(place.get_by_role("status")).to_contain_text("1 Jan 2026, 08:05:01")
    contributor.keyboard.press("+")
    expect(sight(chart)).to_contain_text("08:0")
    # the choice stays when something else is chosen
    contributor.get_by_label("Group by").select_option("configuration")
    expect(contributor).to_have_url(re.compile("clock=wall"))
    chart.get_by_role("link", name="From the start").click()
    expect(contributor).not_to_have_url(re.compile("clock=wall"))


def test_without_any_start_there_is_no_clock_to_choose(contributor):
    runs = runs_with_courses(None, None)
    ids = "&".join(f"run={run.pk}" for run in runs)
    contributor.goto(f"/compare/?{ids}&measure=rand_write.iops.mean&clock=wall")
    plot(contributor)
    expect(contributor.get_by_text("None of these runs has a start time")).to_be_visible()
    expect(contributor.get_by_role("link", name="By the clock")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_hinders_anybody(contributor, width, scheme):
    many_runs()
    contributor.set_viewport_size({"width": width, "height": 900})
    contributor.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    contributor.goto("/history/?host=store-a")
    plot(contributor)
    assert contributor.evaluate("document.documentElement.scrollWidth <= innerWidth")
    found = Axe().run(contributor)
    assert found.violations_count == 0, found.generate_report()


def test_who_zooms_into_a_long_course_sees_its_points(contributor):
    run = a_run(a_configuration("array"), {"rand_write.iops.mean": 1000.0})
    a_trace(run, "rand_write.iops", [1000.0 + nth % 7 for nth in range(3000)])
    contributor.goto(f"/compare/?run={run.pk}&measure=rand_write.iops.mean")
    place = plot(contributor)
    readout = place.get_by_role("status")
    place.focus()
    contributor.keyboard.press("Home")
    expect(readout).to_contain_text("7 s:")  # the middle of the first of 200 stretches
    contributor.keyboard.press("Escape")
    place.focus()
    for _ in range(3):
        contributor.keyboard.press("+")
    with contributor.expect_response(lambda answer: "from_s=0&" in answer.url) as fetched:
        for _ in range(60):
            contributor.keyboard.press("Shift+ArrowLeft")
    # asked again: the browser drops a body that a later answer has overtaken
    points = contributor.request.get(fetched.value.url).json()
    assert points["lines"][0]["stretches"][0][0] == 0

    def reads_the_first_point():
        contributor.keyboard.press("Home")
        return readout.text_content().endswith(", 0 s: 1 kIOPS")

    until(reads_the_first_point)
    # a theme of another colour draws the same points
    contributor.emulate_media(color_scheme="dark")
    until(reads_the_first_point)
