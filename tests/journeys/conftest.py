from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client

from benchdash.accounts.models import User
from tests.pages.house import build

READ_AND_STYLED = """() => document.readyState !== "loading" &&
    [...document.querySelectorAll("link[rel=stylesheet]")].every(each => each.sheet)"""


@pytest.fixture
def house(transactional_db):
    return build()


@pytest.fixture
def contributor(page, transactional_db):
    """The window of somebody who may upload."""
    person = User.objects.create_user("ann", password="correct horse battery")
    person.groups.add(Group.objects.get(name="contributor"))
    sign_in(page, person)
    return page


def sign_in(page, person):
    """Give the window the session of a person."""
    client = Client()
    client.force_login(person)
    cookie = client.cookies[settings.SESSION_COOKIE_NAME]
    page.goto("/sign-in/")
    origin = page.evaluate("location.origin")
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": origin}])


def open_before_charts(page, address):
    """Open a page without the script that draws its charts; the answer lets the script come."""
    held = []
    script = "**/chunks/all-*.js"
    page.route(script, lambda route: held.append(route))  # noqa: PLW0108 - Playwright marks it
    with page.expect_request(script):
        # The held script keeps `DOMContentLoaded` and `load` from coming.
        page.goto(address, wait_until="commit")
    page.wait_for_function(READ_AND_STYLED)
    return held[0].continue_


@pytest.fixture
def playwright_requests(page, live_server):
    """`playwright_requests(token)` calls the API as a script elsewhere would."""

    def make(token):
        context = page.context.browser.new_context(
            base_url=live_server.url, extra_http_headers={"Authorization": f"Token {token}"}
        )
        return context.request

    return make
