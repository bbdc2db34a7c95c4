"""The table before the charts where groups are many, on small and on large screens."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from benchdash.inventory.models import Configuration
from tests.measured import a_configuration, a_run

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

WRITE, READ = "seq_write.throughput.mean", "seq_read.throughput.mean"
PAGE = "/compare/?tool=fio"


@pytest.fixture(autouse=True)
def twenty_disks(settings):
    settings.PUBLIC_READ = True
    for number in range(20):
        a_run(a_configuration(f"disk {number}"), {WRITE: 1e8 + 1e6 * number, READ: 2e8 - number})


def rows(page):
    return page.locator(".overview tbody tr").filter(visible=True)


def test_the_best_twelve_are_seen_at_first_and_all_by_one_press(page):
    page.goto(PAGE)
    expect(rows(page)).to_have_count(12)
    expect(rows(page).first).to_contain_text("disk 0")
    button = page.get_by_role("button", name="Show all 20")
    expect(button).to_have_attribute("aria-expanded", "false")
    button.focus()
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(20)
    page.get_by_role("button", name="Show fewer").click()
    expect(rows(page)).to_have_count(12)


def test_a_heading_sorts_all_of_them(page):
    page.goto(PAGE)
    heading = page.locator(".overview").get_by_role("button", name="Sequential write")
    heading.click()
    expect(rows(page).first).to_contain_text("disk 19")
    heading.click()
    expect(rows(page).first).to_contain_text("disk 0")
    expect(rows(page)).to_have_count(12)


def test_the_address_of_a_sorted_table_shows_it_to_others_too(page, browser):
    page.goto(f"{PAGE}#overview")
    heading = page.locator(".overview").get_by_role("button", name="Sequential write")
    heading.click()
    heading.click()
    expect(page).to_have_url(re.compile(rf"/compare/\?tool=fio&sort={WRITE}#overview$"))
    first = rows(page).first.inner_text()
    other = browser.new_page()
    other.goto(page.url)
    expect(rows(other).first).to_have_text(first, use_inner_text=True)
    other.locator(".overview").get_by_role("button", name="Sequential write").click()
    expect(rows(other).first).to_contain_text("disk 19")
    other.close()
    # a control that makes another address of it keeps the order
    page.locator("summary", has_text="More").click()
    page.get_by_label("Axis").select_option("log")
    expect(page).to_have_url(re.compile(rf"axis=log.*sort={WRITE}"))


def test_the_baseline_is_always_among_them(page):
    last = Configuration.objects.get(name="disk 19")
    page.goto(f"{PAGE}&baseline={last.pk}")
    expect(rows(page)).to_have_count(13)
    expect(rows(page).last).to_contain_text("disk 19")


def test_without_scripts_all_are_there(browser, live_server):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(PAGE)
    expect(rows(page)).to_have_count(20)
    expect(page.get_by_role("button", name="Show all 20")).to_be_hidden()
    context.close()


def test_a_large_screen_has_the_numbers_beside_the_charts(page):
    page.set_viewport_size({"width": 3840, "height": 2160})
    page.goto(PAGE)
    charts = page.locator(".multiples").first.bounding_box()
    numbers = page.locator(".numbers-of").first.bounding_box()
    assert numbers["x"] > charts["x"] + charts["width"] - 1
    assert numbers["x"] + numbers["width"] > 3700
    assert abs(numbers["y"] - charts["y"]) < 60


def test_the_tray_is_below_a_comparison_and_on_no_part_of_it(page):
    page.goto("/runs/")
    page.locator("input[data-tick]").first.check()
    expect(page.get_by_text("1 in the tray")).to_be_visible()
    page.goto(PAGE)
    tray = page.locator(".at-hand")
    expect(tray).to_be_visible()
    main, box = page.locator("main").bounding_box(), tray.bounding_box()
    assert box["y"] >= main["y"] + main["height"] - 1
    page.locator("#tray").get_by_role("link", name="Compare").click()
    expect(page.locator("#tray")).to_have_count(0)


def test_what_is_cut_off_fades_until_it_was_scrolled_to_for_those_who_want_less_motion_too(page):
    page.set_viewport_size({"width": 300, "height": 800})
    page.emulate_media(reduced_motion="reduce")
    page.goto(PAGE)
    box = page.locator("#overview")
    assert box.evaluate("box => box.scrollWidth > box.clientWidth")
    expect(box).to_have_css("mask-image", re.compile("gradient"))
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    expect(box).to_have_css("mask-image", "none")
