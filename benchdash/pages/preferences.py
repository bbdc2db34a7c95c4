"""Choices that live in the browser: language and theme."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs

choose_language = needs(Role.NOBODY)(set_language)
THEMES = ("auto", "light", "dark")
A_YEAR = 365 * 24 * 3600


@needs(Role.NOBODY)
@require_POST
def choose_theme(request: HttpRequest) -> HttpResponse:
    """Keep the theme for a year and go back to where the switch was pressed."""
    response = HttpResponseRedirect(way_back(request))
    theme = request.POST.get("theme", "")
    if theme in THEMES:
        response.set_cookie(
            "theme", theme, max_age=A_YEAR, samesite="Lax", secure=request.is_secure()
        )
    return response


def way_back(request: HttpRequest) -> str:
    """The address in `next` where it is one of ours, else the home page."""
    address = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(address, {request.get_host()}, request.is_secure())
    return address if ours else reverse("home")


def theme_of(request: HttpRequest) -> str:
    """The theme chosen in this browser; `auto` follows the system."""
    theme = request.COOKIES.get("theme", "auto")
    return theme if theme in THEMES else "auto"
