"""What every page shows around its content: theme, tray, and what the menu may offer."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit, urlunsplit

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from benchdash.accounts.roles import Role, role_of
from benchdash.pages.preferences import theme_of
from benchdash.pages.tray import tray_of


def frame(request: HttpRequest) -> dict[str, Any]:
    """Context of every template; one query for who has signed in, none for visitors."""
    role = role_of(request.user) if hasattr(request, "user") else Role.NOBODY
    return {
        "return_to": _return_to(request),
        "theme": theme_of(request),
        "tray": SimpleLazyObject(lambda: tray_of(request)),
        "may": {
            "read": role >= Role.VISITOR,
            "view": role >= Role.VIEWER,
            "contribute": role >= Role.CONTRIBUTOR,
            "operate": role >= Role.OPERATOR,
            "administer": role >= Role.ADMIN,
        },
    }


def _return_to(request: HttpRequest) -> str:
    """Where to come back to: of a form that was refused, the page that it was sent from."""
    before = urlsplit(request.headers.get("Referer", ""))
    if request.method == "POST" and before.netloc == request.get_host() and before.path:
        return urlunsplit(("", "", before.path, before.query, ""))
    return request.get_full_path()
