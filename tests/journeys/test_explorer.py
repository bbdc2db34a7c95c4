"""Somebody looks for runs among many, and takes all that were found."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from benchdash.results.models import Run
from tests.measured import a_run, an_environment


def some_runs():
    """One that is looked for, and others that differ from it in one thing each."""
    now = datetime.now(UTC)
    here, there = an_environment("a", host="store-a"), an_environment("b", host="store-b")
    wanted = {"pattern": "randwrite", "block_bytes": 4096}
    recent, old = now - timedelta(days=3), now - timedelta(days=100)
    for label, place, workload, started_at in (
        ("the wanted one", here, wanted, recent),
        ("elsewhere", there, wanted, recent),
        ("another pattern", here, wanted | {"pattern": "randread"}, recent),
        ("larger", here, wanted | {"block_bytes": 2**20}, recent),
        ("long ago", here, wanted, old),
    ):
        a_run(
            None,
            {"rand_write.iops.mean": 1000.0},
            label=label,
            environment=place,
            workload=workload,
            started_at=started_at,
        )


def test_small_random_writes_on_a_host_of_the_last_month_take_four_presses(contributor):
    some_runs()
    # hosts with more runs stand before the one that is looked for
    for number in range(12):
        place = an_environment(f"c{number}", host=f"db-{number}")
        for depth in range(1, 6):
            a_run(
                None,
                {"rand_write.iops.mean": 1000.0},
                environment=place,
                workload={"pattern": "randwrite", "block_bytes": 4096, "queue_depth": depth},
                started_at=datetime.now(UTC),
            )
    contributor.goto("/runs/")
    for facet, value in (  # four presses
        ("Pattern", "randwrite"),
        ("Block size", "4 KiB"),
        ("Host", "store-a"),
        ("When", "last 30 days"),
    ):
        contributor.get_by_role("region", name=facet, exact=True).get_by_role(
            "link", name=value
        ).click()
    expect(contributor.locator("tbody tr")).to_have_count(1)
    expect(contributor.locator("tbody tr")).to_contain_text("the wanted one")
    assert "workload.block_bytes=4096" in contributor.url
    # the address is the state
    contributor.reload()
    expect(contributor.locator("tbody tr")).to_have_count(1)
    contributor.get_by_role("link", name="Remove Host: store-a").click()
    expect(contributor.locator("tbody tr")).to_have_count(50)


def test_a_column_is_added_and_a_run_tagged_by_keyboard(contributor):
    """Fields that are fetched once they are opened are reached with Tab like any others."""
    some_runs()
    contributor.goto("/runs/?text=wanted")
    contributor.get_by_text("Columns", exact=True).focus()
    contributor.keyboard.press("Enter")
    depth = contributor.get_by_role("checkbox", name="Pattern", exact=True)
    expect(depth).to_be_visible()
    contributor.keyboard.press("Tab")
    expect(contributor.locator(".drawer form :focus")).to_have_count(1)
    depth.focus()
    contributor.keyboard.press("Space")
    contributor.keyboard.press("Enter")
    expect(contributor.locator("tbody tr")).to_contain_text("randwrite")
    assert "column=workload.pattern" in contributor.url and "text=wanted" in contributor.url
    contributor.goto(f"/runs/{Run.objects.get(label='the wanted one').pk}/")
    contributor.locator("summary", has_text="Edit the tags").focus()
    contributor.keyboard.press("Enter")
    expect(contributor.get_by_label("Tags")).to_be_visible()
    contributor.keyboard.press("Tab")
    expect(contributor.get_by_label("Tags")).to_be_focused()
    contributor.keyboard.type("nightly")
    contributor.keyboard.press("Enter")
    expect(contributor.get_by_role("link", name="nightly")).to_be_visible()


def test_ticking_all_takes_all_that_match_and_the_bar_stays_in_sight(contributor):
    for number in range(60):
        a_run(tool="dbench", label=f"load {number}")
    untagged = a_run(tool="fio", label="stays")
    contributor.goto("/runs/?tool=dbench")
    bar = contributor.locator("[data-ticked]")
    expect(bar).to_be_hidden()
    contributor.locator("thead input[type=checkbox]").check()
    expect(bar).to_be_in_viewport()
    expect(bar.locator("[data-count]")).to_have_text("60")
    compare = bar.get_by_role("link", name="Compare all 60")
    expect(compare).to_have_attribute("href", "/compare/?tool=dbench")
    # what is meant now are not the 50 that the tray holds
    expect(contributor.locator("#tray")).to_be_hidden()
    # by the keyboard: what is fetched beside and below the list may move it under a pointer
    expect(contributor.get_by_label("Tags")).to_be_visible()
    first = contributor.locator("tbody input[type=checkbox]").first
    first.press("Space")
    expect(first).not_to_be_checked()
    expect(bar.locator("[data-count]")).to_have_text("49")
    expect(contributor.locator("#tray")).to_be_visible()
    expect(compare).to_be_hidden()
    contributor.locator("thead input[type=checkbox]").check()
    contributor.get_by_label("Tags").fill("all of them")
    contributor.get_by_role("button", name="Add tags").click()
    expect(contributor.get_by_text("60 runs tagged.")).to_be_visible()
    assert set(Run.objects.exclude(tags=None)) == set(Run.objects.exclude(pk=untagged.pk))


def test_a_tick_that_is_set_again_before_the_tray_answers_stays(contributor):
    a_run(tool="dbench", label="load")
    a_run(tool="dbench", label="more load")
    contributor.goto("/runs/?tool=dbench")
    first = contributor.locator("tbody input[type=checkbox]").first
    tray = contributor.locator("#tray")
    first.check()
    contributor.locator("tbody input[type=checkbox]").nth(1).check()
    expect(tray).to_contain_text("2 in the tray")
    answers = []
    contributor.route("**/tray/", lambda route: answers.append(route))  # noqa: PLW0108 - Playwright marks it
    first.uncheck()
    first.check()
    answers.pop().continue_()
    expect(tray).to_contain_text("1 in the tray")
    expect(first).to_be_checked()
    answers.pop().continue_()  # of the second change, which waited
    expect(tray).to_contain_text("2 in the tray")
    expect(first).to_be_checked()


@pytest.mark.parametrize("width", [390, 1440])
def test_the_bar_and_the_tray_are_one_and_hide_nothing_at_the_end_of_the_page(contributor, width):
    for number in range(8):
        a_run(tool="dbench", label=f"load {number}")
    contributor.set_viewport_size({"width": width, "height": 700})
    contributor.goto("/runs/?tool=dbench")
    contributor.locator("tbody input[type=checkbox]").nth(1).check()
    expect(contributor.locator("#tray")).to_be_visible()
    at_hand = contributor.locator(".at-hand")
    bar, tray, box = (
        part.bounding_box()
        for part in (at_hand.locator("[data-ticked]"), at_hand.locator("#tray"), at_hand)
    )
    assert bar["y"] + bar["height"] <= tray["y"] + 1
    assert round(tray["y"] + tray["height"]) <= round(box["y"] + box["height"])
    # what the keyboard reaches comes out from behind it
    contributor.locator("tbody input[type=checkbox]").last.focus()
    focused = contributor.locator("tbody input[type=checkbox]").last.bounding_box()
    # the browser scrolls by whole pixels
    assert focused["y"] + focused["height"] <= at_hand.bounding_box()["y"] + 1
    delete = contributor.get_by_role("button", name=re.compile(r"^Delete \d+$"))
    expect(delete).to_be_visible()
    contributor.evaluate("scrollTo(0, document.body.scrollHeight)")
    last, box = delete.bounding_box(), at_hand.bounding_box()
    assert last["y"] + last["height"] <= box["y"]
    # rows of text end at fractions of a pixel, what sticks at whole ones
    assert box["y"] + box["height"] <= contributor.locator(".foot").bounding_box()["y"] + 0.5
    # acts, bar, tray: as they stand
    delete.focus()
    reached = []
    for _ in range(4):
        contributor.keyboard.press("Tab")
        reached.append(contributor.evaluate("document.activeElement.textContent.trim()"))
    assert reached[:2] == ["New study", "Assign, tag, set aside or delete"]
    assert reached[2].startswith("1 in the tray")
