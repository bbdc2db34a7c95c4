"""Somebody makes a token in the browser; a script uses it; somebody ends it."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.results.result_files import bonnie_row


def test_a_token_uploads_until_it_is_revoked(contributor, live_server, playwright_requests):
    contributor.goto("/profile/")
    contributor.get_by_label("Name of the token").fill("storage host")
    contributor.get_by_role("button", name="Make a token").click()
    secret = contributor.locator("[data-secret]").inner_text()
    script = playwright_requests(secret)
    file = {"name": "a.csv", "mimeType": "text/csv", "buffer": bonnie_row().encode()}
    assert script.post("/api/v1/uploads/", multipart={"file": file}).status == 201
    contributor.goto("/profile/")
    expect(contributor.get_by_text(secret)).to_have_count(0)
    expect(contributor.get_by_text("never")).to_have_count(0)
    contributor.get_by_role("button", name="Revoke").click()
    assert script.get("/api/v1/runs/").status == 401


def test_signing_in_and_out(contributor):
    contributor.goto("/")
    contributor.get_by_text("ann", exact=True).click()
    contributor.get_by_role("button", name="Sign out").click()
    contributor.get_by_role("link", name="Sign in").first.click()
    contributor.get_by_label("Username").fill("ann")
    contributor.get_by_label("Password").fill("correct horse battery")
    contributor.get_by_role("button", name="Sign in").click()
    expect(contributor.get_by_text("ann", exact=True)).to_be_visible()
