"""Error pages that help. None of them asks the database, which may be the one that failed."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string

TOO_LARGE = (RequestDataTooBig, TooManyFilesSent)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the request was larger than the settings allow."""
    if isinstance(exception, TOO_LARGE):
        return render(request, "errors/413.html", {"settings": settings}, status=413)
    return render(request, "errors/400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: which group may, and who is signed in."""
    return render(request, "errors/403.html", {"group": str(exception)}, status=403)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, with ways to go on."""
    return render(request, "errors/404.html", status=404)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 of the CSRF check: the page was open for too long, or cookies are off."""
    return render(request, "errors/csrf.html", status=403)


def failed(request: HttpRequest) -> HttpResponse:
    """500, without the request's context: who is signed in stands in the database."""
    return HttpResponse(render_to_string("errors/500.html"), status=500)
