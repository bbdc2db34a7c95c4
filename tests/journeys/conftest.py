from __future__ import annotations

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client

from benchdash.accounts.models import User
from tests.pages.house import build


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


@pytest.fixture
def playwright_requests(page, live_server):
    """`playwright_requests(token)` calls the API as a script elsewhere would."""

    def make(token):
        context = page.context.browser.new_context(
            base_url=live_server.url, extra_http_headers={"Authorization": f"Token {token}"}
        )
        return context.request

    return make
