"""Somebody looks around: from the home page to the raw output behind a number."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from benchdash.inventory.models import Configuration
from benchdash.results.ingest import ingest
from benchdash.results.models import Run
from benchdash.results.readings import File
from tests.results.result_files import bonnie_row


def test_from_the_home_page_to_the_raw_output(page, house):
    page.goto("/")
    page.get_by_role("link", name="DRBD on two PCs").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("DRBD on two PCs")
    expect(page.get_by_role("rowheader", name="Mirrored").first).to_be_visible()
    page.get_by_role("link", name="Runs of this study").click()
    page.get_by_role("link", name="xen01.example.org").first.click()
    expect(page.get_by_label("Raw output")).to_contain_text("Sequential Output")


def test_of_a_file_of_several_runs_the_page_shows_the_lines_of_its_own(page, db):
    lines = "".join(bonnie_row(f"host-{number}", write=90_000 + number) for number in range(90))
    ingest([File("night.csv", lines.encode())])
    page.goto(f"/runs/{Run.objects.get(label='host-80').pk}/")
    page.get_by_label("Raw output").scroll_into_view_if_needed()
    expect(page.get_by_text("host-80,16G")).to_be_in_viewport()


def test_everything_can_be_read_without_scripts(browser, live_server, house):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"/studies/{house.study.slug}/")
    expect(page.get_by_role("cell", name="87.0").first).to_be_visible()
    page.goto(f"/runs/{house.run.pk}/")
    expect(page.get_by_text("90.1 MB/s").first).to_be_visible()
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("heading", name="すべての数値")).to_be_visible()
    page.get_by_role("button", name="ダーク").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    context.close()


def test_the_theme_switches_at_once_and_stays(page, house):
    page.goto("/")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    with page.expect_response("**/theme/"):
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate(ground) != light
    page.reload()
    assert page.evaluate(ground) != light


def test_the_keyboard_reaches_the_content_at_once(page, house):
    page.goto("/runs/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_a_menu_closes_on_escape(contributor, house):
    contributor.goto("/")
    contributor.get_by_text("ann", exact=True).click()
    expect(contributor.get_by_role("link", name="Profile and tokens")).to_be_visible()
    contributor.keyboard.press("Escape")
    expect(contributor.get_by_role("link", name="Profile and tokens")).to_be_hidden()


def test_layers_are_drawn_while_they_are_typed(contributor, house):
    contributor.goto("/configurations/new/")
    contributor.get_by_label("Layers", exact=True).fill("xfs\nmd level=6\ndisk count=8")
    drawing = contributor.locator("#drawing")
    expect(drawing.get_by_text("8 × disk")).to_be_visible()
    contributor.get_by_label("Layers", exact=True).fill("xfs\nmd level=7")
    expect(drawing).to_contain_text("level")


def test_options_are_filled_in_and_written_into_the_layers(contributor, house):
    contributor.goto("/configurations/new/?template=drbd")
    contributor.wait_for_load_state("networkidle")
    contributor.get_by_label("protocol", exact=True).select_option("A")
    layers = contributor.get_by_label("Layers", exact=True)
    expect(layers).to_have_value(re.compile("^ext4\ndrbd protocol=A "))
    expect(contributor.locator("#drawing")).to_contain_text("protocol A")
    layers.fill(layers.input_value().replace("ext4", "xfs"))
    expect(contributor.locator("#layer-fields summary").first).to_have_text("XFS")
    contributor.locator("#layer-fields summary").first.click()
    contributor.get_by_label("agcount").fill("many")
    contributor.keyboard.press("Tab")
    expect(contributor.get_by_text("“many” is not a whole number")).to_be_visible()
    contributor.get_by_label("Name", exact=True).fill("XFS on a mirror")
    contributor.get_by_label("agcount").fill("8")
    contributor.keyboard.press("Tab")
    expect(layers).to_have_value(re.compile("^xfs agcount=8\n"))
    contributor.get_by_role("button", name="Save").click()
    expect(contributor.get_by_role("heading", name="XFS on a mirror")).to_be_visible()


def test_ticked_runs_are_counted_and_set_aside(contributor, house):
    contributor.goto("/runs/?tool=bonnie%2B%2B")
    contributor.get_by_label("Add to the tray", exact=True).check()
    expect(contributor.locator("[data-ticked] [data-count]")).to_have_text("3")
    contributor.get_by_label("Reason").fill("array was resyncing")
    contributor.get_by_role("button", name="Set aside").click()
    expect(contributor.get_by_role("status")).to_have_text("3 runs set aside.")


def test_ticked_runs_are_set_aside_without_scripts(browser, contributor, house):
    origin = contributor.evaluate("location.origin")
    window = browser.new_context(base_url=origin, java_script_enabled=False, locale="en")
    window.add_cookies(contributor.context.cookies())
    page = window.new_page()
    page.goto("/runs/")
    page.get_by_label(f"Add run {house.run.pk} to the tray").check()
    page.get_by_role("button", name="Choose what to do with the ticked runs").click()
    expect(page.get_by_label(f"Add run {house.run.pk} to the tray")).to_be_checked()
    page.get_by_label("Reason").fill("array was resyncing")
    page.get_by_role("button", name="Set aside").click()
    expect(page.get_by_role("status")).to_have_text("1 run set aside.")
    window.close()


def test_a_slash_goes_to_the_search_box_and_stays_a_slash_while_typing(contributor, house):
    contributor.goto("/runs/")
    contributor.wait_for_selector("form.search[data-attached]")
    contributor.wait_for_load_state("networkidle")
    contributor.keyboard.press("/")
    contributor.keyboard.type("protocol/")
    assert contributor.input_value("header input[name=q]") == "protocol/"
    contributor.fill("header input[name=q]", "drbd C")
    contributor.keyboard.press("Enter")
    contributor.click("text=DRBD C")
    contributor.wait_for_url(f"**/configurations/{house.mirror.pk}/")


def test_what_is_ticked_comes_along_to_the_comparison(page, house, settings):
    settings.PUBLIC_READ = True
    page.goto("/configurations/")
    page.get_by_label(f"Add {house.local} to the tray").check()
    expect(page.locator("#tray")).to_contain_text("1 in the tray")
    page.goto(f"/configurations/{house.mirror.pk}/")
    page.get_by_label("Add to the tray").first.check()
    expect(page.locator("#tray")).to_contain_text("2 in the tray")
    page.get_by_text("2 in the tray").click()
    page.get_by_role("button", name=f"Remove {house.local} from the tray").click()
    expect(page.locator("#tray")).to_contain_text("1 in the tray")
    page.goto("/configurations/")
    expect(page.get_by_label(f"Add {house.local} to the tray")).not_to_be_checked()
    page.get_by_label(f"Add {house.local} to the tray").check()
    expect(page.locator("#tray")).to_contain_text("2 in the tray")
    page.locator("#tray").get_by_role("link", name="Compare").click()
    page.wait_for_url(f"**/compare/?configuration={house.mirror.pk}&configuration={house.local.pk}")


def test_a_tick_before_the_scripts_are_there_is_not_lost(page, house, settings):
    settings.PUBLIC_READ = True
    late = re.compile(r"/htmx[^/]*\.js$")
    held = []
    page.route(late, lambda route: held.append(route))  # noqa: PLW0108 - its arguments are counted
    with page.expect_request(late):
        page.goto("/configurations/")
    page.get_by_label(f"Add {house.local} to the tray").check()
    held[0].continue_()
    expect(page.locator("#tray")).to_contain_text("1 in the tray")


def test_the_tray_serves_without_scripts(browser, live_server, house, settings):
    settings.PUBLIC_READ = True
    window = browser.new_context(base_url=live_server.url, java_script_enabled=False, locale="en")
    page = window.new_page()
    page.goto("/runs/")
    page.get_by_label(f"Add run {house.run.pk} to the tray").check()
    page.get_by_role("button", name="Add the ticked ones to the tray").click()
    expect(page.locator("#tray")).to_contain_text("1 in the tray")
    assert page.url.endswith("/runs/")
    page.get_by_role("button", name="Empty the tray").click()
    assert page.locator("#tray").is_hidden()
    window.close()


def test_a_common_stack_takes_nothing_of_what_was_typed_and_enter_saves(contributor):
    contributor.goto("/configurations/new/")
    contributor.get_by_label("Name", exact=True).fill("Two disks")
    contributor.get_by_label("Notes", exact=True).fill("as delivered")
    contributor.get_by_role("button", name="XFS on LVM").click()
    expect(contributor.get_by_label("Layers", exact=True)).to_have_value(re.compile("xfs"))
    expect(contributor.get_by_label("Notes", exact=True)).to_have_value("as delivered")
    contributor.get_by_label("Name", exact=True).press("Enter")
    expect(contributor.get_by_role("heading", name="Two disks")).to_be_visible()
    assert Configuration.objects.get(name="Two disks").notes == "as delivered"


def test_a_stack_is_built_by_keyboard_and_the_text_follows(contributor, house):
    contributor.goto("/configurations/new/")
    contributor.wait_for_load_state("networkidle")
    layers = contributor.get_by_label("Layers", exact=True)
    for kind, text in (("ext4", "ext4"), ("md", "ext4\nmd"), ("disk", "ext4\nmd\ndisk")):
        contributor.get_by_label("Layer to add").select_option(kind)
        contributor.get_by_role("button", name="Add the layer").press("Enter")
        expect(layers).to_have_value(text)
    contributor.get_by_role("button", name="Move 1 · ext4 down").press("Enter")
    expect(layers).to_have_value("md\next4\ndisk")
    expect(contributor.get_by_role("button", name="Move 1 · md down")).to_be_visible()
    contributor.get_by_role("button", name="Move 2 · ext4 up").press("Enter")
    expect(layers).to_have_value("ext4\nmd\ndisk")
    layers.fill("ext4 on md RAID6 chunk 64 KiB on 8 × disk mq-deadline")
    expect(contributor.locator("#drawing")).to_contain_text("8 × disk")
    level = contributor.get_by_label("level", exact=True)
    expect(level).to_have_value("6")
    level.select_option("5")
    expect(layers).to_have_value(re.compile("level=5"))
    expect(contributor.get_by_label("spares")).to_be_hidden()
    contributor.get_by_label("Show all options").nth(1).check()
    contributor.get_by_label("spares").fill("1")
    contributor.keyboard.press("Tab")
    expect(layers).to_have_value(re.compile("spares=1"))
    expect(contributor.get_by_label("bitmap")).to_be_visible()
    contributor.get_by_role("button", name="Remove 1 · ext4").click()
    expect(layers).to_have_value(
        "md level=5 spares=1 chunk_bytes=64K\ndisk scheduler=mq-deadline count=8"
    )
    contributor.get_by_label("Name", exact=True).fill("Built")
    contributor.get_by_role("button", name="Save").click()
    expect(contributor.get_by_role("heading", level=1)).to_have_text("Built")


def test_a_field_that_was_pulled_larger_leaves_no_complaint_when_a_layer_is_added(contributor):
    complaints = []
    contributor.on("console", lambda message: complaints.append(message.text))
    contributor.goto("/configurations/new/")
    larger = "all => all.forEach(one => { one.style.height = '300px' })"
    contributor.locator("textarea").evaluate_all(larger)  # as a browser does at its corner
    with contributor.expect_response("**/configurations/**"):
        contributor.get_by_role("button", name="Add the layer").first.click()
    contributor.wait_for_timeout(500)
    assert [one for one in complaints if "Content Security Policy" in one] == []
