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
from benchdash.inventory.models import Environment
from benchdash.pages.help_chapters import CHAPTERS
from benchdash.results.models import Study
from tests.journeys.conftest import sign_in
from tests.journeys.test_every_page import ACTS
from tests.pages.addresses import addresses
from tests.pages.house import build

FOLDER = Path(os.environ.get("SCREENSHOTS", "var/screenshots"))
WIDTHS = (390, 1440, 3840)
THEMES = ("light", "dark")
LANGUAGES = ("en", "ja")
# out of sight nothing is laid out, and a picture of a whole page never scrolls
ALL_OF_IT = """async () => {
  const parts = document.querySelectorAll(".compared, .section");
  for (const each of parts) each.style.contentVisibility = "visible";
  await new Promise((go) => setTimeout(go, 300));
}"""
LISTS = ("home", "studies", "runs", "configurations", "environments", "compare", "uploads")


@pytest.fixture
def person(transactional_db):
    """Somebody who may do everything that pages offer."""
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    return person


@pytest.fixture(params=product(WIDTHS, THEMES, LANGUAGES), ids="{0[0]}-{0[1]}-{0[2]}".format)
def picture(request, browser, live_server, person):
    """Takes pages in one width, theme and language: `-k 390-light-en` is one part of all."""
    width, theme, language = request.param
    window = browser.new_context(
        base_url=live_server.url,
        viewport={"width": width, "height": 900},
        color_scheme=theme,
        locale=language,
        reduced_motion="reduce",
    )
    page = window.new_page()
    sign_in(page, person)

    def take(pages):
        FOLDER.mkdir(parents=True, exist_ok=True)
        for name, address in pages.items():
            page.goto(address, wait_until="networkidle")
            if name == "api-docs":  # drawn by a script, from what it then reads
                page.locator(".opblock").first.wait_for()
            page.evaluate(ALL_OF_IT)
            path = FOLDER / f"{name}-{width}-{theme}-{language}.png"
            page.screenshot(path=path, full_page=True, timeout=120_000)  # much of it in 4K

    yield take
    sign_in(page, User.objects.create_user("vera", password="correct horse battery"))
    take({"not-allowed": "/uploads/"})
    window.clear_cookies()
    take({"login": "/sign-in/"})
    window.close()


@pytest.mark.timeout(1800)
def test_the_empty_house_is_pictured(picture):
    picture({f"empty-{name}": f"/{name}/" for name in LISTS[1:]})
    picture({"empty-home": "/", "not-found": "/nothing/here/"})


@pytest.mark.timeout(3600)
def test_the_full_house_is_pictured(picture):
    call_command("load_demo")
    house = build(ending=b"\n")
    pages = {name: at for name, (at, _view) in addresses(house).items() if name not in ACTS}
    pages |= {f"study-{each.slug}": f"/studies/{each.slug}/" for each in Study.objects.all()}
    pages["compare"] = f"/compare/?study={house.study.slug}"
    pages["compare-latency"] = "/compare/?study=drbd-between-ec2-zones&family=latency"
    pages |= {f"help-{name}": f"/help/{name}/" for name in CHAPTERS}
    pages["api-docs"] = "/api/docs/"
    pages["runs-filtered"] = "/runs/?filters=counted&columns=offered&tool=fio"
    pages["runs-of-an-upload"] = f"/runs/?upload={house.upload.pk}"
    pages["runs-refused"] = "/runs/?state=nonsense&nothing=1"
    pages["compare-refused"] = "/compare/?study=nothing"
    pages["configuration-with-stack"] = "/configurations/new/?template=drbd"
    pages["refused-upload"] = f"/uploads/{house.refused.pk}/"
    pages["refused-aside"] = "/uploads/refused/?aside=1"
    pages["environment-copy"] = f"/environments/new/?from={house.environment.pk}"
    environments = Environment.objects.order_by("pk").values_list("pk", flat=True)
    pages["environment_diff"] += "?left={}&right={}".format(*environments[:2])
    del pages["login"], pages["chapter"]
    pages["configuration_diff"] += f"?left={house.local.pk}&right={house.mirror.pk}"
    picture(pages)
