"""Somebody connects a host with a key pair that is made by a press."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import expect

from benchdash.accounts.models import User
from benchdash.jobs.models import Target
from tests.journeys.conftest import sign_in


@pytest.fixture
def admin(page, transactional_db):
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="admin"))
    sign_in(page, person)
    return page


@pytest.mark.parametrize("clipboard", [True, False])
def test_a_pair_is_made_and_its_command_copied(admin, clipboard):
    admin.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if not clipboard:  # as over plain HTTP
        admin.add_init_script("delete Clipboard.prototype.writeText")
    admin.goto("/hosts/new/")
    admin.get_by_label("Name", exact=True).fill("store-a")
    admin.get_by_label("Address").fill("127.0.0.1")
    admin.get_by_label("User", exact=True).fill("bench")
    admin.get_by_role("button", name="Make a key pair and save").click()
    command = admin.get_by_label("Command for the host")
    expect(command).to_contain_text("authorized_keys")
    admin.get_by_role("button", name="Copy the command").click()
    expect(admin.get_by_text("Copied")).to_be_visible()
    copied = admin.evaluate("navigator.clipboard.readText()")
    assert copied.strip() == Target.objects.get().authorizing_command


def test_enter_saves_what_was_pasted_and_makes_no_pair(admin):
    admin.goto("/hosts/new/")
    admin.get_by_label("Name", exact=True).fill("store-a")
    admin.get_by_label("Address").fill("127.0.0.1")
    admin.get_by_label("User", exact=True).fill("bench")
    admin.get_by_label("User", exact=True).press("Enter")
    expect(admin.get_by_text("or make a key pair")).to_be_visible()
    assert not Target.objects.exists()
