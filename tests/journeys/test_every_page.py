"""Each page in the real browser: no axe finding, no sideways scrolling, nothing from elsewhere."""

from __future__ import annotations

from pprint import pformat

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import Group

from benchdash.accounts.models import User
from tests.journeys.conftest import sign_in
from tests.pages.addresses import addresses

pytestmark = pytest.mark.looks

ACTS = {"change_run", "change_condition", "choose_theme", "set_language", "upload_files"}
ACTS |= {
    "new_permalink",
    "save_filter",
    "forget_filter",
    "change_tags",
    "change_tray",
    "new_note",
    "new_token",
    "revoke_token",
    "logout",
    "run_raw",
    "upload_raw",
    "check_target",
    "approve_host_key",
    "target_state",
    "change_job",
    "job_progress",
    "job_events",
    "plan_matrix",
    "launch_plan",
    "machine_rows",
    "give_up_job",
}


@pytest.fixture
def admin(page, transactional_db):
    """The window of somebody whom every page opens for."""
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    sign_in(page, person)
    return page


def visited(house):
    return [address for name, (address, _v) in addresses(house).items() if name not in ACTS] + [
        "/nothing/here/",
        f"/configurations/diff/?left={house.local.pk}&right={house.mirror.pk}",
        f"/compare/?study={house.study.slug}",
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(admin, house, theme):
    admin.emulate_media(color_scheme=theme)
    found = {}
    for address in visited(house):
        admin.goto(address)
        results = Axe().run(admin)
        if results.violations_count:
            found[address] = [
                (v["id"], [node["html"][:120] for node in v["nodes"][:3]])
                for v in results.response["violations"]
            ]
    assert found == {}, pformat(found)


def test_no_page_scrolls_sideways_on_a_phone(admin, house):
    admin.set_viewport_size({"width": 390, "height": 800})
    wide = {}
    for address in visited(house):
        admin.goto(address)
        width = admin.evaluate("document.documentElement.scrollWidth")
        if width > 390:
            wide[address] = width
    assert wide == {}


def test_nothing_is_loaded_from_elsewhere_and_nothing_is_blocked(admin, house, live_server):
    asked, complaints = set(), []
    admin.on("request", lambda request: asked.add(request.url))
    admin.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
    for address in [*visited(house), "/api/docs/"]:
        admin.goto(address, wait_until="networkidle")
    elsewhere = {u for u in asked if not u.startswith((live_server.url, "data:", "blob:"))}
    assert elsewhere == set()
    assert [text for text in complaints if "404" not in text] == []


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_whole_menu_is_in_sight_on_a_phone(browser, admin, house, language):
    context = browser.new_context(
        base_url=admin.evaluate("location.origin"),
        locale=language,
        viewport={"width": 390, "height": 800},
    )
    context.add_cookies(admin.context.cookies())
    page = context.new_page()
    page.goto("/compare/")
    places = page.locator(".menu a").evaluate_all(
        "links => links.map(link => link.getBoundingClientRect().right)"
    )
    assert len(places) == 7
    assert max(places) <= 390
    context.close()
