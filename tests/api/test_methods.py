"""Every address of the API answers every method in order."""

from __future__ import annotations

import re

import pytest
from django.urls import get_resolver, reverse

pytestmark = pytest.mark.django_db
METHODS = ["OPTIONS", "HEAD", "GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"]


def routes(patterns, before="/api/"):
    """The addresses of all routes, with something in each hole that is not there."""
    for pattern in patterns:
        text = re.sub(r"<int:\w+>", "987654", str(pattern.pattern))
        address = before + re.sub(r"<\w+:\w+>", "nowhere", text)
        if hasattr(pattern, "url_patterns"):
            yield from routes(pattern.url_patterns, address)
        else:
            yield address


ROUTES = sorted(set(routes(get_resolver("benchdash.api.urls").url_patterns)))


@pytest.mark.parametrize("method", METHODS)
def test_no_method_fails_anywhere(client, signed_in, method):
    assert len(ROUTES) > 40
    assert reverse("api:docs") in ROUTES
    admin = signed_in("admin")
    for address in ROUTES:
        for browser in (client, admin):
            for accept in ("*/*", "text/html", "application/json"):
                answer = browser.generic(method, address, headers={"accept": accept})
                assert answer.status_code < 500, (method, address, accept, answer.content[:300])
