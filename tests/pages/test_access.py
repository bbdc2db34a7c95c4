"""Every address under every role: a view names its role, and holds to it."""

from __future__ import annotations

import pytest
from django.test import Client

from benchdash.accounts.roles import GROUPS, Role
from tests.pages.addresses import addresses, names

pytestmark = pytest.mark.django_db
ONLY_POST = {
    *("choose_theme", "set_language", "change_run", "change_condition", "upload_files"),
    *("machines_of_uploads", "dismiss_doubt", "take_back_dismissal"),
    *("change_study", "change_configuration", "new_study_of_runs"),
    *("new_token", "revoke_token", "logout"),
    *("save_filter", "forget_filter", "new_permalink", "change_tray"),
    *(
        "check_target",
        "approve_host_key",
        "change_job",
        "give_up_job",
        "launch_plan",
        "change_plan",
        "add_rounds",
        "add_to_plan",
        "machine_rows",
        "settings_from_names",
    ),
}
WRITES = {
    *("new_study", "edit_study", "study_conditions", "change_condition", "change_run", "runs"),
    *("new_configuration", "edit_configuration", "new_environment", "name_of_environment"),
    *(
        "uploads",
        "upload_files",
        "machines_of_uploads",
        "upload",
        "change_tags",
        "new_note",
        "edit_note",
    ),
    *("refused_uploads", "machine_rows", "settings_from_names", "study_from_file"),
    *("change_study", "change_configuration", "new_study_of_runs"),
    *("new_permalink", "new_host", "import_hosts", "edit_host", "new_target", "edit_target"),
    *("check_target", "approve_host_key", "change_job", "give_up_job", "launch_plan", "add_rounds"),
    "add_to_plan",
    *("new_recipe", "edit_recipe", "dismiss_doubt", "take_back_dismissal"),
}


def opened(client, name, house):
    """(status, the role the view names) of a GET, or of an empty POST where there is no GET."""
    address, view = addresses(house)[name]
    send = client.post if name in ONLY_POST else client.get
    needed = view.needs_to_write if name in ONLY_POST else view.needs
    return send(address), needed


@pytest.mark.parametrize("group", list(GROUPS))
def test_pages_open_for_their_role_and_above(signed_in, house, settings, group):
    settings.PUBLIC_READ = False
    client = signed_in(group)
    for name in names():
        client.force_login(client.person)
        answer, needed = opened(client, name, house)
        allowed = needed == "a person" or GROUPS[group] >= needed
        assert (answer.status_code == 403) == (not allowed), name
        assert answer.status_code < 500, name


@pytest.mark.parametrize("public", [True, False])
def test_visitors_are_asked_to_sign_in_for_the_rest(house, settings, public):
    settings.PUBLIC_READ = public
    role = Role.VISITOR if public else Role.NOBODY
    for name in names():
        answer, needed = opened(Client(), name, house)
        redirected = answer.status_code == 302 and answer.url.startswith("/sign-in/?next=")
        assert redirected == (needed == "a person" or role < needed), name


def test_what_visitors_may_read_is_decided_here(house):
    open_to_all = {n for n, (_a, view) in addresses(house).items() if view.needs == Role.NOBODY}
    readable = {n for n, (_a, view) in addresses(house).items() if view.needs == Role.VISITOR}
    assert open_to_all == {"login", "logout", "choose_theme", "set_language", "help", "chapter"}
    assert readable == {
        *(
            "home",
            "studies",
            "study",
            "study_file",
            "runs",
            "run",
            "compare",
            "permalink",
        ),
        *("search", "design", "counted_filters", "run_columns"),
        "change_tray",
        *("configurations", "configuration", "configuration_diff", "history"),
        *("environments", "environment", "environment_diff"),
    }


def test_viewers_write_nothing(signed_in, house):
    viewer = signed_in("viewer")
    for name in WRITES:
        address, _view = addresses(house)[name]
        answer = viewer.post(address, {"act": "delete", "runs": house.run.pk})
        assert answer.status_code == 403, name


def test_visitors_see_neither_uploads_nor_who_brought_them(house, contributor, settings):
    settings.PUBLIC_READ = True
    type(house.upload).objects.update(created_by=contributor.person, name="secret/path.txt")
    type(house.run).objects.update(created_by=contributor.person)
    address = f"/runs/{house.run.pk}/"
    assert str(contributor.person) in contributor.get(address).text
    assert str(contributor.person) not in Client().get(address).text
    assert "secret/path.txt" in contributor.get(address).text
    assert "secret/path.txt" not in Client().get(address).text
    assert "notes/README" not in Client().get("/").text


def test_who_may_not_is_informed_which_group_may(signed_in):
    answer = signed_in("viewer").get("/uploads/")
    assert answer.status_code == 403
    assert "Contributor" in answer.text


@pytest.mark.parametrize(
    ("came_from", "leads_to"),
    [
        ("http://testserver/runs/?tool=fio", "/runs/%3Ftool%3Dfio"),
        ("https://elsewhere.example/runs/", "/"),
        ("", "/"),
    ],
)
def test_who_signs_in_to_send_a_form_comes_back_to_the_page_of_the_form(house, came_from, leads_to):
    """The address of a form alone may answer no GET."""
    headers = {"referer": came_from} if came_from else {}
    for address in ("/runs/filters/", f"/runs/{house.run.pk}/change/"):
        answer = Client().post(address, {"name": "Mine"}, headers=headers)
        assert answer.url == f"/sign-in/?next={leads_to}"
