"""A recipe of one's own, from a browser: written, mended, and planned with."""

from __future__ import annotations

import re

from django.contrib.auth.models import Group
from playwright.sync_api import expect

from benchdash.accounts.models import User
from tests.jobs.records import OWN_RECIPE, a_target
from tests.journeys.conftest import sign_in


def test_an_admin_writes_mends_and_plans_with_a_recipe(page, transactional_db):
    person = User.objects.create_user("ada", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    sign_in(page, person)
    a_target()
    page.goto("/plans/new/")
    page.get_by_role("link", name="New recipe").click()
    page.get_by_label("Contents").fill(OWN_RECIPE.replace("measure:", "measur:"))
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text(
        "“measur” is not known here. Did you mean “measure”?"
    )
    page.get_by_label("Contents").fill(OWN_RECIPE)
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/plans/new/sync-writes/")
    page.goto("/plans/new/")
    page.get_by_role("link", name="Edit").click()  # within a card that is a link itself
    expect(page.get_by_label("Contents")).to_have_value(re.compile("randwrite"))
