"""Each page in the real browser: no axe finding, no sideways scrolling, nothing from elsewhere."""

from __future__ import annotations

from pprint import pformat

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group
from django.core.management import call_command
from playwright.sync_api import expect

from benchdash.accounts.models import User
from benchdash.inventory.models import Environment
from benchdash.jobs.models import Job, Target
from benchdash.pages.help_chapters import CHAPTERS
from benchdash.results.models import Study
from tests.jobs.keys import a_host_key
from tests.jobs.records import a_job, a_plan, a_target
from tests.journeys.conftest import sign_in
from tests.pages.addresses import addresses
from tests.pages.house import build

pytestmark = pytest.mark.once

ACTS = {
    "change_plan",
    "counted_filters",
    "run_columns",
    "change_run",
    "change_runs",
    "dismiss_doubt",
    "take_back_dismissal",
    "change_condition",
    "change_study",
    "new_study_of_runs",
    "study_file",
    "study_with_outputs",
    "change_configuration",
    "choose_theme",
    "set_language",
    "upload_files",
    "recent_uploads",
    "machines_of_uploads",
    "settings_from_names",
}
ACTS |= {
    "new_permalink",
    "save_filter",
    "forget_filter",
    "change_tray",
    "new_token",
    "revoke_token",
    "logout",
    "run_raw",
    "upload_raw",
    "check_target",
    "approve_host_key",
    "target_state",
    "sent_notifications",
    "change_job",
    "job_progress",
    "job_events",
    "plan_matrix",
    "launch_plan",
    "add_rounds",
    "add_to_plan",
    "machine_rows",
    "give_up_job",
}


# what `idle-layout.ts` leaves for later has no height of its own: what is below lies over it
LAID_OUT = """() => [...document.querySelectorAll(".compared, .compared-section ~ .section")]
    .every(part => part.style.contentVisibility)"""
OPEN = """() => {
  for (const each of document.querySelectorAll("main details")) each.open = true;
}"""
# further rows are made as these are, and axe looks at each element of each row
FIRST_ROWS = """() => {
  for (const body of document.querySelectorAll("tbody"))
    for (const row of [...body.rows].slice(6)) row.remove();
}"""


@pytest.fixture
def admin(page, transactional_db, live_server):
    """The window of somebody whom every page opens for, and that asks nobody but the house."""
    requested, complaints = set(), []
    page.on("request", lambda request: requested.add(request.url))
    page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    sign_in(page, person)
    yield page
    elsewhere = {u for u in requested if not u.startswith((live_server.url, "data:", "blob:"))}
    assert elsewhere == set()
    assert [text for text in complaints if "404" not in text] == []


def visited(house):
    return [address for name, (address, _v) in addresses(house).items() if name not in ACTS] + [
        "/nothing/here/",
        *(f"/help/{chapter}/" for chapter in CHAPTERS),
        f"/configurations/diff/?left={house.local.pk}&right={house.mirror.pk}",
        f"/compare/?study={house.study.slug}",
    ]


@pytest.fixture
def full(transactional_db):
    """The house beside the demonstration, a key pair made, and two records in every list."""
    call_command("load_demo")
    return build(ending=b"\n")


def filled(house):
    """All pages, those of the demonstration too."""
    environments = Environment.objects.order_by("pk").values_list("pk", flat=True)
    made = Target.objects.create(
        host=house.target.host, address="10.0.0.77", user="bench", public_key=a_host_key()
    )
    return [
        *visited(house),
        *(f"/studies/{each.slug}/" for each in Study.objects.all()),
        "/compare/?study=drbd-between-ec2-zones&family=latency",
        "/compare/?study=drbd-on-two-pcs&chart=heat",
        "/environments/diff/?left={}&right={}".format(*environments[:2]),
        f"/environments/new/?from={house.environment.pk}",
        f"/uploads/{house.refused.pk}/",
        f"/hosts/{made.host_id}/",
        f"/targets/{made.pk}/",
        "/search/?q=drbd",
        "/plans/new/custom/",
        "/api/docs/",
    ]


# rules about what is drawn: the others find in the dark and on a phone what they find on a desk
DRAWN = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(3))
def test_axe_finds_nothing_where_there_is_much(admin, full, part):
    """On a desk, and as drawn in the dark on a phone."""
    fill_tray(admin)
    found = {}
    for address in filled(full)[part::3]:
        admin.set_viewport_size({"width": 1440, "height": 900})
        admin.emulate_media(color_scheme="light")
        admin.goto(address)
        settle(admin)
        found |= violations(admin, address)
        admin.set_viewport_size({"width": 390, "height": 900})
        admin.emulate_media(color_scheme="dark")
        settle(admin)
        found |= violations(admin, f"{address} on a phone", DRAWN)
    assert found == {}, pformat(found)


def test_axe_finds_nothing_where_there_is_nothing(admin):
    found = {}
    lists = ("", "studies/", "runs/", "configurations/", "environments/", "hosts/", "jobs/")
    for address in (*lists, "compare/", "uploads/", "search/?q=nothing"):
        admin.goto(f"/{address}")
        settle(admin)
        found |= violations(admin, address)
    assert found == {}, pformat(found)


def fill_tray(page):
    """Two runs, so that each page has the tray and its Compare button."""
    page.goto("/runs/")
    for box in page.locator("input[data-tick]").all()[:2]:
        with page.expect_response("**/tray/"):
            box.check()


def settle(page):
    """What is drawn and fetched after a page is there, and what opens on it is open."""
    if page.url.endswith("/api/docs/"):
        page.get_by_text("/api/v1/uploads/", exact=True).first.wait_for()
    page.evaluate(OPEN)
    page.wait_for_function("!document.querySelector('[data-chart]:not([data-attached])')")
    page.wait_for_function(LAID_OUT)


def violations(page, where, rules=None):
    """By page and rule the first elements that break it; by all rules where none are named."""
    # what is in order takes long to list
    options = {"resultTypes": ["violations"], "preload": False}
    page.evaluate(FIRST_ROWS)
    if rules:
        options["runOnly"] = {"type": "rule", "values": rules}
    found = Axe().run(page, options=options).response["violations"]
    return {
        (where, each["id"]): [node["html"][:120] for node in each["nodes"][:3]] for each in found
    }


def test_no_page_scrolls_sideways_on_a_phone(admin, house):
    admin.set_viewport_size({"width": 390, "height": 800})
    wide = {}
    for address in visited(house):
        admin.goto(address)
        width = admin.evaluate("document.documentElement.scrollWidth")
        if width > 390:
            wide[address] = width
    assert wide == {}


def test_the_description_of_the_api_is_shown(admin):
    admin.goto("/api/docs/")
    admin.get_by_text("/api/v1/uploads/", exact=True).first.wait_for()


@pytest.fixture(params=["en", "ja"])
def phone(request, browser, admin):
    """The window of the same person on a phone, in either language."""
    context = browser.new_context(
        base_url=admin.evaluate("location.origin"),
        locale=request.param,
        viewport={"width": 390, "height": 800},
    )
    context.add_cookies(admin.context.cookies())
    yield context.new_page()
    context.close()


def test_the_whole_menu_is_in_sight_on_a_phone(phone, house):
    phone.goto("/compare/")
    places = phone.locator(".menu a").evaluate_all(
        "links => links.map(link => link.getBoundingClientRect().right)"
    )
    assert len(places) == 7
    assert max(places) <= 390


def test_fields_beside_each_other_stand_on_one_line(phone, house):
    phone.goto("/runs/")
    tops = (
        phone.locator(".filters")
        .first.locator("input, select")
        .evaluate_all("fields => fields.map(field => field.getBoundingClientRect().top)")
    )
    pairs = [tops[place : place + 2] for place in range(0, len(tops) - 1, 2)]
    assert pairs
    assert [pair for pair in pairs if pair[0] != pair[1]] == []


def test_a_word_of_a_drawing_is_never_broken(phone, house):
    call_command("load_demo")
    phone.goto("/studies/ceph-rbd-under-kvm/")
    names = phone.locator(".layer-name")
    assert names.count() > 5
    heights = names.evaluate_all("all => all.map(one => one.getClientRects().length)")
    assert set(heights) == {1}


def test_the_first_number_of_each_table_is_in_sight_on_a_phone(phone, house):
    call_command("load_demo")
    for slug in ("drbd-on-two-pcs", "ext4-lvm-raid6", "ceph-rbd-under-kvm"):
        phone.goto(f"/studies/{slug}/")
        phone.wait_for_function(LAID_OUT)
        places = phone.locator(":is(.overview, .numbers-of) tbody tr:first-child").evaluate_all(
            "rows => rows.map(row => row.querySelectorAll('td.number')[1].getBoundingClientRect().right)"
        )
        assert places
        assert max(places) <= 390, slug


def test_the_numbers_of_one_group_fit_a_phone(phone, house):
    phone.goto(f"/compare/?run={house.run.pk}&across=tool")
    expect(phone.locator(".one-group dd").first).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    narrowest = "all => Math.min(...all.map(one => one.clientWidth))"
    assert phone.locator(".one-group dd").evaluate_all(narrowest) > 150


# of each row of a list how far below its name its first value stands, and where values begin
PLACES = """rows => rows.map(row => {
  const cells = [...row.querySelectorAll("td:not(.tick-cell)")].filter(cell => cell.offsetHeight);
  const value = cell => cell.matches(".of-operation") ? cell.querySelector("data, em") : cell;
  const begin = cell => {
    const of = document.createRange();
    of.selectNodeContents(value(cell));
    return [...of.getClientRects()].reduce((least, box) => Math.min(least, box.left), Infinity);
  };
  const name = row.querySelector("th").getBoundingClientRect();
  return {
    below: Math.min(...cells.map(cell => cell.getBoundingClientRect().top)) - name.bottom,
    begins: cells.map(cell => Math.round(begin(cell))),
  };
})"""


@pytest.mark.parametrize("name", ["runs", "jobs", "plans", "configurations", "hosts", "uploads"])
def test_values_of_a_list_begin_at_one_place_below_its_names_on_a_phone(phone, house, name):
    for state in (Job.State.PLANNED, Job.State.DONE, Job.State.FAILED):
        a_job(state, a_target(f"store-{state}.example.org"), a_plan(title=f"{state} " * 9))
    phone.goto(f"/{name}/")
    rows = phone.locator(".table-box.folds tbody tr").evaluate_all(PLACES)
    assert len(rows) > 1
    assert [row for row in rows if row["below"] < 0] == []
    assert len({place for row in rows for place in row["begins"]}) == 1
