"""Who may see a page: every view names its role, and a test walks all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of

View = Callable[..., HttpResponseBase]


def needs(role: Role, *, to_write: Role | None = None) -> Callable[[View], View]:
    """Open a view to `role` and above; requests that change something may need `to_write`.

    Who has not signed in is sent to the form; who has, and may not, reads which group may.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            wanted = role if request.method in ("GET", "HEAD") else to_write or role
            if role_of(request.user) >= wanted:
                return view(request, *args, **kwargs)
            if request.user.is_authenticated:
                raise PermissionDenied(wanted.name.lower())
            return _redirect_to_sign_in(request)

        checked.needs = role  # type: ignore[attr-defined]  # read by tests/pages/test_access.py
        checked.needs_to_write = to_write or role  # type: ignore[attr-defined]
        return checked

    return decorate


def needs_a_person(view: View) -> View:
    """Open a view to whoever has signed in, in a group or not yet: it is about themselves."""

    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        return _redirect_to_sign_in(request)

    checked.needs = checked.needs_to_write = "a person"  # type: ignore[attr-defined]
    return checked


def person(request: HttpRequest) -> User:
    """Who has signed in; for views that visitors cannot reach."""
    assert isinstance(request.user, User)
    return request.user


def _redirect_to_sign_in(request: HttpRequest) -> HttpResponse:
    """Then back to the page; a form may stand at an address that is none."""
    if request.method in ("GET", "HEAD"):
        return redirect_to_login(request.get_full_path())
    came_from, here = request.headers.get("referer", ""), request.build_absolute_uri("/")
    return redirect_to_login(
        f"/{came_from.removeprefix(here)}" if came_from.startswith(here) else "/"
    )
