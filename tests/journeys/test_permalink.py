"""A comparison linked to in a real browser, without scripts, and opened by somebody else."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from benchdash.results.models import Run


def test_a_link_is_made_by_one_press_and_says_later_what_changed(contributor, house):
    context = contributor.context.browser.new_context(
        base_url=contributor.url.split("/sign-in")[0],
        java_script_enabled=False,
        storage_state=contributor.context.storage_state(),
    )
    page = context.new_page()
    page.goto(f"/compare/?study={house.study.slug}")
    page.get_by_role("button", name="Link to this").click()
    page.wait_for_url(re.compile(r"/c/[0-9a-z]{10}/$"))
    written = page.locator(".numbers-of table").first.inner_text()
    house.run.measurements.filter(measure__operation="seq_write").update(value=1e6)
    Run.objects.filter(pk=house.run.pk).update(digest="0" * 64, parser_version=99)
    page.reload()
    expect(page.get_by_text("Numbers changed since.")).to_be_visible()
    expect(page.get_by_role("row", name="Sequential write").first).to_contain_text("1.00 MB/s")
    assert page.locator(".numbers-of table").first.inner_text() == written
    context.close()
