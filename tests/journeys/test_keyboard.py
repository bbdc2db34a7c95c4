"""Everything by keyboard, in few stops."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.measured import a_run

FEW = 10


@pytest.fixture
def long_list(contributor, house):
    """Fifty runs on a page, two of them in the tray, the window as it comes from the server."""
    for n in range(50):
        a_run(house.local, {"rand_write.iops.mean": 1000.0 + n}, label=f"run {n}")
    contributor.goto("/runs/")
    boxes = contributor.locator("input[data-tick]")
    for place in (0, 1):
        with contributor.expect_response("**/tray/"):
            boxes.nth(place).check()
    contributor.goto("/runs/")
    contributor.wait_for_selector(".table-box[data-part=row-keys][data-attached]")
    return contributor


def presses_to(page, key, is_there, most=100):
    """How often a key is pressed until the focus is where `is_there` says."""
    for count in range(1, most):
        page.keyboard.press(key)
        if page.evaluate(f"(() => {{ const it = document.activeElement; return {is_there}; }})()"):
            return count
    raise AssertionError("never reached")


COMPARE = "it.matches('#tray a.primary')"
SKIP = "it.matches('.skip[href=\"#tray\"]')"


def test_from_the_top_of_a_list_to_comparing_in_few_stops(long_list):
    stops = presses_to(long_list, "Tab", SKIP)
    long_list.keyboard.press("Enter")
    stops += 1 + presses_to(long_list, "Tab", COMPARE)
    assert stops <= FEW
    long_list.keyboard.press("Enter")
    long_list.wait_for_url("**/compare/?**")


def test_from_a_row_to_comparing_in_few_stops(long_list):
    long_list.locator("input[data-tick]").nth(20).focus()
    stops = presses_to(long_list, "Tab", SKIP)
    long_list.keyboard.press("Enter")
    assert stops + 1 + presses_to(long_list, "Tab", COMPARE) <= FEW


def test_arrows_walk_the_rows_and_a_space_ticks(long_list):
    boxes = long_list.locator("input[data-tick]")
    boxes.nth(2).focus()
    long_list.keyboard.press("ArrowDown")
    expect(boxes.nth(3)).to_be_focused()
    long_list.keyboard.press("End")
    expect(boxes.nth(boxes.count() - 1)).to_be_focused()
    long_list.keyboard.press("ArrowUp")
    with long_list.expect_response("**/tray/"):
        long_list.keyboard.press("Space")
    expect(boxes.nth(boxes.count() - 2)).to_be_checked()
    long_list.keyboard.press("Tab")
    in_row = long_list.evaluate("document.activeElement.closest('tr').rowIndex")
    assert in_row == boxes.count() - 1
    long_list.keyboard.press("Shift+Tab")
    expect(boxes.nth(boxes.count() - 2)).to_be_focused()


def test_keys_show_the_shortcuts_and_lead_where_they_say(long_list):
    long_list.locator("#main").focus()
    long_list.keyboard.press("?")
    dialog = long_list.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    long_list.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    long_list.keyboard.press("t")
    expect(long_list.locator("#tray")).to_be_focused()
    long_list.keyboard.press("c")
    long_list.wait_for_url("**/compare/?**")
    for keys, address in (("gs", "studies/"), ("gr", "runs/"), ("gh", "")):
        long_list.wait_for_selector("dialog[data-attached]", state="attached")
        for key in keys:
            long_list.keyboard.press(key)
        long_list.wait_for_url(re.compile(rf"^http://[^/]+/{address}$"))


def test_shortcuts_are_turned_off_and_letters_are_typed(long_list):
    long_list.get_by_role("button", name="Keyboard shortcuts").click()
    long_list.get_by_label("Single-key shortcuts").uncheck()
    long_list.get_by_role("button", name="Close").click()
    long_list.reload()
    long_list.wait_for_selector("dialog[data-attached]", state="attached")
    long_list.keyboard.press("?")
    expect(long_list.get_by_role("dialog")).to_be_hidden()
    long_list.get_by_role("button", name="Keyboard shortcuts").click()
    long_list.get_by_label("Single-key shortcuts").check()
    long_list.get_by_role("button", name="Close").click()
    box = long_list.get_by_label("Search over everything")
    box.focus()
    long_list.keyboard.type("c?t")
    expect(box).to_have_value("c?t")


def test_charts_are_reached_by_a_key_each_and_headings_are_one_stop(page, house):
    page.goto(f"/compare/?study={house.study.slug}")
    charts = page.locator("figure [role=application]")
    page.wait_for_selector("table[data-part=sortable][data-attached]", state="attached")
    page.keyboard.press("j")
    expect(charts.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(charts.nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(charts.nth(0)).to_be_focused()
    table = page.locator("table[data-part=sortable]").first
    buttons = table.locator("button.sort")
    expect(buttons).not_to_have_count(0)  # they come once the charts are there
    assert buttons.evaluate_all("all => all.filter(one => one.tabIndex === 0).length") == 1
    buttons.first.focus()
    page.keyboard.press("ArrowRight")
    expect(buttons.nth(1)).to_be_focused()
