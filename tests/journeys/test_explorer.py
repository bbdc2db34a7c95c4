"""Somebody looks for runs among many, and takes all that were found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

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
    contributor.goto("/runs/")
    for facet, value in (
        ("Pattern", "randwrite"),
        ("Block size", "4 KiB"),
        ("Host", "store-a"),
        ("Since", "last 30 days"),
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
    contributor.get_by_role("link", name="Take away Host: store-a").click()
    expect(contributor.locator("tbody tr")).to_have_count(2)


def test_ticking_all_takes_all_that_match_and_the_bar_stays_in_sight(contributor):
    for number in range(60):
        a_run(tool="dbench", label=f"load {number}")
    kept = a_run(tool="fio", label="stays")
    contributor.goto("/runs/?tool=dbench")
    bar = contributor.locator("[data-ticked]")
    expect(bar).to_be_hidden()
    contributor.locator("thead input[type=checkbox]").check()
    expect(bar).to_be_in_viewport()
    expect(bar.locator("[data-count]")).to_have_text("60")
    expect(contributor.locator("#tray")).to_be_visible()
    box, tray = bar.bounding_box(), contributor.locator("#tray").bounding_box()
    assert box["y"] + box["height"] <= tray["y"]
    contributor.locator("tbody input[type=checkbox]").first.uncheck()
    expect(bar.locator("[data-count]")).to_have_text("49")
    contributor.locator("thead input[type=checkbox]").check()
    contributor.get_by_label("Tags").fill("all of them")
    contributor.get_by_role("button", name="Tag", exact=True).click()
    expect(contributor.get_by_text("60 runs tagged.")).to_be_visible()
    assert set(Run.objects.exclude(tags=None)) == set(Run.objects.exclude(pk=kept.pk))
