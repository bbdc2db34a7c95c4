"""What may be said of groups, and in which order they ran, in a real browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import sin

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from benchdash.results.models import Study
from tests.measured import a_configuration, a_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

READ, P99 = "rand_read.iops.mean", "rand_read.completion_latency.p99"
BEGIN = datetime(2026, 3, 1, 8, tzinfo=UTC)
SPEEDS = {"none": 1000.0, "mq-deadline": 1150.0, "bfq": 700.0, "kyber": 1003.0}
# the page is as wide as the window, whatever its tables are
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def noise(nth):
    """Within one percent, never twice the same."""
    return 1 + sin(7.3 * nth) / 100


@pytest.fixture
def schedulers(settings, transactional_db):
    """Four schedulers: eight rounds, then again one after the other, then two of each."""
    settings.PUBLIC_READ = True
    configurations = {name: a_configuration(name) for name in SPEEDS}
    for slug, repeats, interleaved in (
        ("rounds", 8, True),
        ("blocks", 5, False),
        ("few", 2, False),
    ):
        study = a_study(slug, configurations.values())
        for group, (name, configuration) in enumerate(configurations.items()):
            for nth in range(repeats):
                place = len(SPEEDS) * nth + group if interleaved else repeats * group + nth
                rate = SPEEDS[name] * noise(place)
                values = {READ: rate, P99: 20 / rate * noise(3 * place)}
                a_run(
                    configuration,
                    values,
                    study=study,
                    started_at=BEGIN + timedelta(minutes=place),
                    workload={"block_bytes": 4096},
                    format="fio/json",
                    tool_version="fio-3.39",
                )


def a_study(slug, configurations):
    study = Study.objects.create(slug=slug, title=slug.title())
    for position, configuration in enumerate(configurations):
        study.conditions.create(
            position=position, configuration=configuration, is_baseline=position == 0
        )
    return study


def verdicts_of(page, measure):
    """What is said of each group by one measure, below the table."""
    own = page.locator(".verdicts").get_by_role("list", name=measure, exact=True)
    return own.get_by_role("listitem")


def order(page):
    return page.get_by_role("img", name="Order of the runs")


def test_the_order_is_a_picture_with_words(page, schedulers):
    page.goto("/compare/?study=rounds")
    expect(page.get_by_text("interleaved: 8 rounds")).to_be_visible()
    picture = order(page)
    expect(picture).to_be_visible()
    assert picture.locator("rect").count() == 32
    own, *others = SPEEDS
    names = [f"Configuration {own}", *others]  # of a group that is called "none" nobody knows what
    assert picture.locator(".lane").all_inner_texts() == names
    assert ", ".join([*names, names[0]]) in picture.get_attribute("aria-label")
    # a mark of each group in turn: they step down from lane to lane
    lefts = [
        lane.locator("rect").first.bounding_box()["x"] for lane in picture.locator("svg").all()
    ]
    assert lefts == sorted(lefts) and len(set(lefts)) == 4
    page.goto("/compare/?study=blocks")
    expect(page.get_by_text("not interleaved").first).to_be_visible()
    (first, second, *_rest) = order(page).locator("svg").all()
    last = first.locator("rect").last.bounding_box()["x"]
    assert last < second.locator("rect").first.bounding_box()["x"]


def test_a_word_stands_in_the_table_and_its_reasons_below(page, schedulers):
    page.goto("/compare/?study=rounds")
    rows = page.locator(".numbers-of tbody tr")
    better = rows.filter(has_text="mq-deadline").locator(".better")
    expect(better).to_have_text(["better", "better"])  # IOPS, and the tail of the latency
    expect(rows.filter(has_text="bfq").locator(".worse")).to_have_text(["worse", "worse"])
    verdicts = verdicts_of(page, "Random read · IOPS")
    expect(verdicts.filter(has_text="mq-deadline")).to_contain_text("95 % interval")
    assert verdicts.count() == 3
    page.goto("/compare/?study=blocks")
    kyber = page.locator(".numbers-of tbody tr", has_text="kyber")
    expect(kyber).to_be_visible()
    expect(kyber).not_to_contain_text("better")


def test_a_point_has_its_verdict_in_words(page, schedulers):
    page.goto("/compare/?study=rounds")
    figure = page.locator("figure.chart[data-drawn]").filter(has_text="Random read").first
    own = verdicts_of(page, "Random read · IOPS").filter(has_text="mq-deadline")
    sentence = own.inner_text().split(": ", 1)[1]
    plot = figure.locator("[data-plot]")
    plot.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(figure.locator(".tooltip-panel")).to_contain_text(sentence)


def test_below_five_samples_nothing_is_firm(page, schedulers):
    page.goto("/compare/?study=few")
    expect(page.locator("figure.chart").first).to_be_visible()
    words = page.locator("main").inner_text()
    assert "is best" not in words and "is worst" not in words
    assert page.locator(".against :is(.better, .worse)").count() == 0
    assert page.locator(".against .leans_worse").count() > 0


def test_a_larger_difference_that_matters_weakens_words(page, schedulers):
    page.goto("/compare/?study=rounds")
    assert page.locator(".against .better").count() > 0
    page.get_by_text("More", exact=True).click()
    page.get_by_label("δ").fill("40")
    page.get_by_label("δ").press("Enter")
    page.wait_for_url("**delta=40**")
    expect(page.locator("figure.chart").first).to_be_visible()
    assert page.locator(".against .better").count() == 0


def test_two_modes_are_two(page, schedulers):
    study = Study.objects.get(slug="rounds")
    configuration = a_configuration("two modes")
    for nth in range(12):
        rate = (700.0 if nth % 2 else 1400.0) * noise(nth)
        a_run(
            configuration,
            {READ: rate},
            study=study,
            started_at=BEGIN + timedelta(minutes=nth),
            workload={"block_bytes": 4096},
        )
    page.goto(f"/compare/?study=rounds&measure={READ}")
    row = page.locator(".numbers-of tbody tr", has_text="two modes")
    expect(row).to_contain_text("701 / 1,399")
    expect(row.locator(".none")).to_be_visible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_it_fits_on_a_phone_and_is_accessible(browser, live_server, schedulers, language):
    context = browser.new_context(
        base_url=live_server.url, viewport={"width": 390, "height": 844}, locale=language
    )
    page = context.new_page()
    page.goto("/compare/?study=rounds")
    expect(page.locator("figure.chart[data-drawn]").first).to_be_visible()
    assert page.evaluate(OVERFLOW) <= 0
    picture = page.locator(".lanes")
    expect(picture).to_be_visible()
    assert picture.bounding_box()["width"] <= 390
    found = Axe().run(page).response["violations"]
    assert not found, [(one["id"], one["nodes"][0]["html"]) for one in found]
    context.close()
