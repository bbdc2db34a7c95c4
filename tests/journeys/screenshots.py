"""`make screenshots`: every page, empty and full, as pictures to look at.

PNG files named page-width-theme-language, under SCREENSHOTS (var/screenshots by default).
"""

from __future__ import annotations

import os
from itertools import product
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command

from benchdash.accounts.models import User
from benchdash.results.models import Study
from tests.journeys.conftest import sign_in
from tests.journeys.test_every_page import ACTS
from tests.pages.addresses import addresses
from tests.pages.house import build

FOLDER = Path(os.environ.get("SCREENSHOTS", "var/screenshots"))
WIDTHS = (390, 1440, 3840)
THEMES = ("light", "dark")
LANGUAGES = ("en", "ja")
LISTS = ("home", "studies", "runs", "configurations", "environments", "compare", "uploads")


@pytest.fixture
def person(transactional_db):
    """Somebody who may do everything that pages offer."""
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    return person


def picture(browser, server, person, pages):
    """Take every page in every width, theme and language."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for width, theme, language in product(WIDTHS, THEMES, LANGUAGES):
        window = browser.new_context(
            base_url=server.url,
            viewport={"width": width, "height": 900},
            color_scheme=theme,
            locale=language,
            reduced_motion="reduce",
        )
        page = window.new_page()
        sign_in(page, person)
        for name, address in pages.items():
            page.goto(address, wait_until="networkidle")
            path = FOLDER / f"{name}-{width}-{theme}-{language}.png"
            page.screenshot(path=path, full_page=True)
        window.close()


@pytest.mark.timeout(1800)
def test_the_empty_house_is_pictured(browser, live_server, person):
    picture(browser, live_server, person, {f"empty-{name}": f"/{name}/" for name in LISTS[1:]})
    picture(browser, live_server, person, {"empty-home": "/", "not-found": "/nothing/here/"})


@pytest.mark.timeout(3600)
def test_the_full_house_is_pictured(browser, live_server, person):
    house = build()
    call_command("load_demo")
    pages = {name: at for name, (at, _view) in addresses(house).items() if name not in ACTS}
    pages |= {f"study-{each.slug}": f"/studies/{each.slug}/" for each in Study.objects.all()}
    pages["compare"] = f"/compare/?study={house.study.slug}"
    pages["configuration_diff"] += f"?left={house.local.pk}&right={house.mirror.pk}"
    picture(browser, live_server, person, pages)
