"""Machines are typed in a browser: rows come and go without a new page, and nothing is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from benchdash.inventory.models import Environment
from benchdash.inventory.queries import machines_of
from benchdash.results.models import Run
from tests.pages.house import SAMPLES


def test_rows_come_and_go_without_a_new_page(contributor):
    contributor.goto("/environments/new/")
    contributor.get_by_label("Name", exact=True).fill("Pair")
    contributor.evaluate("window.here = true")
    contributor.get_by_label("Kernel").fill("6.1")
    contributor.locator("#m0-disks-0-model").fill("PM883")
    contributor.get_by_role("button", name="Add a disk").click()
    contributor.locator("#m0-disks-1-model").fill("PM893")
    contributor.get_by_role("button", name="Duplicate this machine").click()
    contributor.locator("#m1-role").fill("node-b")
    contributor.get_by_role("button", name="Remove disk 1").nth(1).click()
    expect(contributor.locator("#m1-disks-1-model")).to_have_count(0)
    expect(contributor.locator("#m1-disks-0-model")).to_have_value("PM893")
    assert contributor.evaluate("window.here")
    contributor.locator("#m1-role").press("Enter")
    expect(contributor.get_by_role("heading", level=1)).to_have_text("Pair")
    one, two = {"model": "PM883"}, {"model": "PM893"}
    assert machines_of(Environment.objects.get()) == {
        "node-a": {"kernel": "6.1", "disks": [one, two]},
        "node-b": {"kernel": "6.1", "disks": [two]},
    }


@pytest.mark.parametrize("scripts", [True, False])
def test_a_batch_is_given_machines_that_are_new(browser, contributor, house, scripts):
    context = browser.new_context(
        base_url=contributor.evaluate("location.origin"), java_script_enabled=scripts
    )
    context.add_cookies(contributor.context.cookies())
    page = context.new_page()
    page.goto("/uploads/")
    page.get_by_label("Choose files").set_input_files(SAMPLES / "bonnie++/local-2.00a-c4-table.txt")
    page.get_by_text("A new environment").click()
    page.locator("#m0-kernel").fill("6.1")
    page.get_by_role("button", name="Add a machine").click()
    page.locator("#m1-role").fill("node-b")
    page.locator("#m1-kernel").fill("6.2")
    page.get_by_label("Environment", exact=True).fill("New pair")
    expect(page.locator("[name=assign]")).to_be_checked()
    page.locator("[data-submit]").click()
    expect(page.get_by_text("1 run assigned.")).to_be_visible()
    environment = Run.objects.latest("pk").environment
    assert environment.title == "New pair"
    assert machines_of(environment) == {"node-a": {"kernel": "6.1"}, "node-b": {"kernel": "6.2"}}
    context.close()
