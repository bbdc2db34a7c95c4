"""Comparing in a real browser: from the bare page to the answer, with scripts and without."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from benchdash.results.demonstration import demo_folders, load
from benchdash.results.models import Study
from tests.measured import a_configuration, a_run, an_environment
from tests.workers.running import until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]

SVG_NAME = "{http://www.w3.org/2000/svg}"
STUDY = "/compare/?study=drbd-on-two-pcs&across=file_bytes"
INK = """canvas => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    return data.filter((value, place) => place % 4 === 3 && value > 0).length;
}"""

# the ink of the light theme, which is no colour of the dark one
DARK_INK = """canvas => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4)
        if (`${data.slice(at, at + 4)}` === "26,32,38,255") found += 1;
    return found;
}"""


@pytest.fixture(autouse=True)
def two_pcs(settings):
    settings.PUBLIC_READ = True
    load(next(folder for folder in demo_folders() if folder.name.startswith("1-")))


def drawn(page, title):
    """The canvas of the figure with that title, with something on it."""
    canvas = page.locator("figure", has_text=title).locator("canvas").first
    expect(canvas).to_be_visible()
    assert canvas.evaluate(INK) > 1000
    return canvas


def row(page, label):
    """The group of that name in the table of the first section."""
    return page.locator(".numbers-of").first.locator("tbody tr", has_text=label)


def test_how_much_slower_gfs2_creates_files_is_three_presses_away(page):
    page.goto("/")
    page.get_by_role("link", name="Compare", exact=True).click()
    page.get_by_role("link", name="DRBD with ext3 and GFS2 on two PCs").click()
    page.get_by_role("link", name="Metadata rates").click()
    drawn(page, "Sequential create")
    expect(row(page, "GFS2 mounted on one")).to_contain_text("122")
    expect(page.get_by_text("lowest: 8 Protocol C, GFS2 mounted on both, 1/623")).to_be_visible()
    page.get_by_text("Also differs: File size").click()
    differing = page.get_by_role("group", name="What differs")
    expect(differing.get_by_role("table")).to_contain_text("2.6.18-92.1.6.el5xen")


def test_a_control_changes_the_page_at_once_and_the_address_says_so(page):
    page.goto(STUDY)
    drawn(page, "Sequential write")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Percent of the baseline").check()
    page.wait_for_url("**percent=1**")
    drawn(page, "Sequential write")
    assert "text=" not in page.url
    assert "across=file_bytes" in page.url
    page.get_by_label("Group by").select_option("layer.drbd.protocol")
    page.wait_for_url("**group=layer.drbd.protocol**")
    expect(row(page, "DRBD protocol none")).to_be_visible()
    page.go_back()
    expect(row(page, "Protocol A, ext3")).to_be_visible()


def test_who_goes_back_finds_the_controls_as_the_address_says(page):
    page.goto(STUDY)
    page.get_by_text("More", exact=True).click()
    percent = page.get_by_label("Percent of the baseline")
    percent.check()
    expect(page).to_have_url(re.compile("percent=1"))
    expect(page.get_by_label("Percent of the baseline")).to_be_checked()
    page.go_back()
    expect(page).not_to_have_url(re.compile("percent=1"))
    expect(page.get_by_label("Percent of the baseline")).not_to_be_checked()


def test_a_control_that_was_changed_by_keys_keeps_the_focus(page):
    page.goto(STUDY)
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Axis", exact=True).focus()
    page.keyboard.press("ArrowDown")
    expect(page).to_have_url(re.compile("axis=linear"))
    expect(page.get_by_label("Axis", exact=True)).to_be_focused()


def test_a_date_that_is_half_typed_is_shown_where_it_hinders(page):
    page.goto(STUDY)
    drawer = page.get_by_text("Choose runs")
    drawer.click()
    since = page.get_by_label("Since")
    since.press("1")
    drawer.click()
    expect(since).to_be_hidden()
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Percent of the baseline").check()
    expect(since).to_be_focused()


def test_measures_are_chosen_by_ticking(page):
    page.goto(STUDY)
    page.get_by_text("Choose measures").click()
    expect(page.get_by_role("button", name="Show")).to_have_count(0)
    page.get_by_role("checkbox", name="Random seek · IOPS 8").check()
    page.wait_for_url("**measure=rand_seek.iops.mean**")
    expect(page.locator("figure")).to_have_count(1)
    # who goes on ticking stands where they were
    expect(page.get_by_role("checkbox", name="Random seek · IOPS 8")).to_be_focused()


def test_the_page_is_whole_without_scripts(browser, live_server):
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/compare/")
    page.get_by_label("DRBD with ext3 and GFS2 on two PCs").check()
    page.get_by_role("button", name="Show").first.click()
    page.wait_for_url("**/compare/?study=drbd-on-two-pcs")
    page.get_by_role("link", name="All together").click()
    expect(row(page, "Primary/Secondary")).to_contain_text("36.4")
    expect(page.locator("[data-plot]").first).to_be_hidden()
    context.close()


@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_hinders_anybody(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"{STUDY}&family=metadata")
    drawn(page, "Sequential create")
    since = page.get_by_label("Since")
    expect(since).to_have_attribute("type", "text")
    page.get_by_text("Choose runs").click()
    expect(since).to_have_attribute("type", "date")
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_bar_reads_out_its_row_of_the_table_and_leads_to_its_runs(page):
    page.goto(STUDY)
    canvas = drawn(page, "Sequential write")
    panel = canvas.locator("xpath=..").locator(".tooltip-panel")
    canvas.hover()
    expect(panel).to_contain_text("Median: ")
    canvas.click()
    page.mouse.move(0, 0)
    expect(panel).to_be_visible()
    page.mouse.click(0, 0)
    expect(panel).to_be_hidden()
    canvas.click()
    panel.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(r"/runs/\d+/$"))


def test_a_tap_reaches_the_runs_behind_a_bar(browser, live_server):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context = browser.new_context(base_url=live_server.url, locale="en", **phone)
    page = context.new_page()
    page.goto(STUDY)
    drawn(page, "Sequential write").tap()
    page.locator(".tooltip-panel.pinned").get_by_role("link").first.tap()
    expect(page).to_have_url(re.compile(r"/runs/\d+/$"))
    context.close()


def test_keys_reach_the_runs_behind_a_bar(page):
    page.goto(STUDY)
    drawn(page, "Sequential write")
    plot = page.locator("[data-plot]").first
    plot.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    panel = plot.locator(".tooltip-panel")
    expect(panel.get_by_role("link").first).to_be_focused()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(plot).to_be_focused()


def test_a_chart_can_be_saved_as_a_picture(page):
    page.goto(STUDY)
    drawn(page, "Sequential write")
    with page.expect_download() as download:
        page.get_by_role("button", name="Sequential write · Throughput: save as PNG").click()
    assert download.value.suggested_filename == "seq_write.throughput.mean.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")


def test_charts_are_printed_in_dark_ink_also_from_a_dark_screen(page):
    page.emulate_media(color_scheme="dark")
    page.goto(STUDY)
    canvas = drawn(page, "Sequential write")
    assert canvas.evaluate(DARK_INK) == 0
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_function(f"() => ({DARK_INK})(document.querySelector('canvas')) > 100")


def test_a_table_is_sorted_by_its_headings(page):
    page.goto(f"{STUDY}&measure=seq_write.throughput.mean")
    numbers = page.locator(".numbers-of")
    heading = numbers.get_by_role("columnheader", name="Sequential write")
    heading.get_by_role("button").click()
    expect(page.locator(".numbers-of tbody tr").first).to_contain_text("Xen kernel")
    heading.get_by_role("button").click()
    expect(page.locator(".numbers-of tbody tr").first).to_contain_text("GFS2 mounted on both")


def test_a_chart_can_be_saved_as_lines_and_letters(page):
    page.goto(STUDY)
    drawn(page, "Sequential write")
    complaints = []
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    with page.expect_download() as download:
        page.get_by_role("button", name="Sequential write · Throughput: save as SVG").click()
    assert download.value.suggested_filename == "seq_write.throughput.mean.svg"
    root = ElementTree.fromstring(download.value.path().read_bytes())
    texts = [element.text for element in root.iter(f"{SVG_NAME}text")]
    assert texts[0].startswith("Sequential write · Throughput MB/s")
    assert "92.3" in texts
    assert page.url in "".join(texts)
    assert not list(root.iter(f"{SVG_NAME}image"))
    assert len(list(root.iter(f"{SVG_NAME}path"))) > 8
    assert complaints == []


def test_points_are_reached_and_read_out_by_keys(page):
    page.goto(STUDY)
    drawn(page, "Sequential write")
    chart = page.get_by_role("application", name="Chart of Sequential write · Throughput:")
    chart.focus()
    page.keyboard.press("ArrowDown")
    panel = chart.get_by_role("status")
    expect(panel).to_contain_text("No DRBD, normal kernel")
    page.keyboard.press("End")
    expect(panel).to_contain_text("GFS2 mounted on both")
    expect(panel).to_contain_text("27.8")
    page.keyboard.press("Escape")
    expect(panel).to_be_empty()


def test_a_switch_of_the_theme_redraws_the_charts(page):
    page.goto(STUDY)
    canvas = drawn(page, "Sequential write")
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    page.get_by_role("button", name="Dark").click()
    until(lambda: canvas.evaluate("canvas => canvas.toDataURL()") != before)


def six_groups():
    """Of as many groups as are to be seen at once; their machines are not alike."""
    study = Study.objects.create(slug="six", title="Six")
    for number in range(6):
        place = an_environment(f"e{number}", kernel=f"6.1.{number // 3}", hostname=f"h{number}")
        configuration = a_configuration(f"scheduler {number}", disk__scheduler=f"s{number}")
        for repeat in range(2):
            values = dict.fromkeys(MEASURES, (number + 1) * 1000000.0 + repeat)
            a_run(configuration, values, study=study, environment=place)


MEASURES = ("rand_read.throughput.mean", "rand_read.iops.mean", "rand_read.latency.p99")


def in_sight(page, locator):
    """Whether all of it is, with nothing scrolled."""
    box = locator.bounding_box()
    return (
        page.evaluate("scrollY") == 0 and box["y"] + box["height"] <= page.viewport_size["height"]
    )


def test_the_overview_of_six_groups_and_the_first_chart_are_seen_without_scrolling(page):
    six_groups()
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/compare/?study=six")
    expect(page.locator(".overview tbody tr")).to_have_count(6)
    drawn(page, "Random read")
    assert in_sight(page, page.locator(".overview"))
    assert in_sight(page, page.locator("figure .plot").first)


def test_on_a_phone_the_overview_of_six_groups_is_seen_without_scrolling(page):
    six_groups()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/compare/?study=six")
    assert in_sight(page, page.locator(".overview table"))
    # first its numbers, then the rest
    first = page.locator(".overview tbody tr").first.locator("td").nth(1).bounding_box()
    assert first["x"] + first["width"] <= 390


def test_what_the_machines_differ_in_is_stated_before_the_numbers_and_opens(page):
    six_groups()
    page.goto("/compare/?study=six")
    banner = page.get_by_text("The machines differ too: Kernel")
    expect(banner).to_be_visible()
    overview = page.locator(".overview").bounding_box()
    assert banner.bounding_box()["y"] < overview["y"]
    banner.click()
    columns = page.get_by_role("group", name="What differs").get_by_role("columnheader")
    # what is compared stands behind what was not meant to differ
    expect(columns).to_have_text(["Kernel", "Host name", "disk scheduler"])


def test_any_group_is_the_baseline_with_one_press(page):
    six_groups()
    page.goto("/compare/?study=six")
    line = page.locator(".overview tbody tr", has_text="scheduler 1")
    line.hover()
    line.get_by_role("link", name="baseline: scheduler 1").click()
    expect(page).to_have_url(re.compile("baseline="))
    line = page.locator(".overview tbody tr", has_text="scheduler 3")
    expect(line).to_contain_text("200.0 %")


def test_a_table_that_is_cut_off_fades_out_until_it_was_scrolled_and_keeps_its_names(page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(reduced_motion="no-preference")
    page.goto("/compare/?study=drbd-on-two-pcs")
    box = page.locator(".overview .table-box")
    fade = "box => getComputedStyle(box).maskImage"
    assert "gradient" in box.evaluate(fade)
    name = box.locator("tbody th").first
    before = name.bounding_box()["x"]
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    page.wait_for_function(f"box => ({fade})(box) === 'none'", arg=box.element_handle())
    assert abs(name.bounding_box()["x"] - before) <= 1


@pytest.mark.parametrize("address", ["/", "/studies/", "/runs/", "/configurations/", STUDY])
def test_a_large_screen_is_used(page, address):
    page.set_viewport_size({"width": 3840, "height": 2160})
    page.goto(address)
    main = page.locator("main").bounding_box()
    assert main["width"] > 3600
    assert page.evaluate("document.documentElement.scrollWidth") <= 3840
    # at once: what is counted beside a list arrives meanwhile
    long = page.evaluate("""Array.from(document.querySelectorAll("main p"))
        .filter(p => p.checkVisibility() && p.innerText.length >= 200)
        .map(p => [p.getBoundingClientRect().width / parseFloat(getComputedStyle(p).fontSize), p.innerText])
    """)
    assert [words for measure, words in long if measure > 80] == []
