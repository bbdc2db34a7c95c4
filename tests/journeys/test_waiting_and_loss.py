"""What people see while they wait, and when the answer does not come."""

from __future__ import annotations

from playwright.sync_api import expect


def test_a_lost_connection_is_shown_and_goes_when_it_is_back(contributor, house):
    contributor.goto("/configurations/new/")
    contributor.wait_for_load_state("networkidle")
    contributor.context.set_offline(True)
    contributor.get_by_label("Layers", exact=True).fill("xfs\ndisk")
    notice = contributor.get_by_role("alert").filter(has_text="connection to the server is lost")
    expect(notice).to_be_visible()
    contributor.context.set_offline(False)
    contributor.get_by_label("Layers", exact=True).fill("xfs\ndisk count=2")
    expect(contributor.locator("#drawing").get_by_text("2 × disk")).to_be_visible()
    expect(notice).to_be_hidden()


def test_a_tick_without_a_connection_is_not_passed_over(page, house, settings):
    settings.PUBLIC_READ = True
    page.goto("/configurations/")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.get_by_label(f"Add {house.local} to the tray").check()
    expect(page.get_by_text("connection to the server is lost")).to_be_visible()


def test_who_was_signed_out_elsewhere_is_informed_instead_of_losing_the_drawing(contributor, house):
    contributor.goto("/configurations/new/")
    contributor.wait_for_load_state("networkidle")
    contributor.get_by_label("Layers", exact=True).fill("xfs\ndisk count=2")
    expect(contributor.locator("#drawing").get_by_text("2 × disk")).to_be_visible()
    contributor.context.clear_cookies()
    contributor.get_by_label("Layers", exact=True).fill("xfs\ndisk count=3")
    expect(contributor.get_by_text("You are no longer signed in")).to_be_visible()
    expect(contributor.locator("#drawing").get_by_text("2 × disk")).to_be_visible()


def test_a_slow_answer_shows_that_it_is_awaited(page, house, settings):
    settings.PUBLIC_READ = True
    page.goto("/configurations/")
    page.wait_for_load_state("networkidle")
    held = []
    page.route("**/tray/", lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    page.get_by_label(f"Add {house.local} to the tray").check()
    expect(page.locator(".loading-bar")).to_be_visible()
    held[0].continue_()
    expect(page.locator("#tray")).to_contain_text("1 in the tray")
    expect(page.locator(".loading-bar")).to_be_hidden()


def test_files_that_did_not_arrive_can_be_sent_again(contributor, house):
    contributor.goto("/uploads/")
    contributor.wait_for_load_state("networkidle")
    contributor.context.set_offline(True)
    file = {"name": "a.txt", "mimeType": "text/plain", "buffer": b"nothing was measured"}
    contributor.set_input_files("input[type=file]", [file])
    again = contributor.get_by_role("button", name="Send it again")
    expect(again).to_be_visible()
    contributor.context.set_offline(False)
    again.click()
    expect(contributor.locator("[data-outcomes]").get_by_text("refused")).to_be_visible()


def test_a_form_that_finds_nobody_keeps_what_was_typed(contributor, house):
    contributor.goto("/studies/new/")
    contributor.wait_for_load_state("networkidle")
    contributor.get_by_label("Title", exact=True).fill("Typed with care")
    contributor.get_by_label("Question", exact=True).fill("Is it lost?")
    contributor.context.set_offline(True)
    contributor.get_by_role("button", name="Save").click()
    notice = contributor.get_by_text("connection to the server is lost")
    expect(notice).to_be_in_viewport()
    expect(contributor.locator(".loading-bar")).to_be_hidden()
    expect(contributor.get_by_label("Title", exact=True)).to_have_value("Typed with care")
    contributor.context.set_offline(False)
    contributor.get_by_role("button", name="Save").click()
    expect(contributor.get_by_role("heading", name="Typed with care")).to_be_visible()


def test_a_lost_connection_is_shown_where_one_looks(page, house, settings):
    settings.PUBLIC_READ = True
    page.set_viewport_size({"width": 600, "height": 250})
    page.goto("/configurations/")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    tick = page.get_by_label(f"Add {house.local} to the tray")
    tick.scroll_into_view_if_needed()
    page.mouse.wheel(0, 2000)
    tick.check()
    expect(page.get_by_text("connection to the server is lost")).to_be_in_viewport(ratio=1)


def test_a_job_that_is_followed_no_more_says_so_until_it_is_again(contributor, house):
    contributor.route("**/events/**", lambda route: route.abort())
    contributor.goto(f"/jobs/{house.job.pk}/")
    notice = contributor.get_by_text("connection to the server is lost")
    expect(notice).to_be_visible(timeout=20_000)
    contributor.unroute("**/events/**")
    expect(notice).to_be_hidden(timeout=20_000)


def test_a_job_is_followed_again_behind_a_proxy_that_refused_for_a_while(contributor, house):
    contributor.route("**/events/**", lambda route: route.fulfill(status=502))
    contributor.goto(f"/jobs/{house.job.pk}/")
    notice = contributor.get_by_text("connection to the server is lost")
    expect(notice).to_be_visible(timeout=20_000)
    contributor.unroute("**/events/**")
    expect(notice).to_be_hidden(timeout=20_000)
