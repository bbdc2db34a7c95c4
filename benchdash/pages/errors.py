"""Error pages that help. None of them asks the database, which may be the one that failed."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string

from benchdash.errors import PROBLEM, problem_body

Answering = Callable[[HttpRequest], HttpResponseBase]

TOO_LARGE = (RequestDataTooBig, TooManyFilesSent)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the request was larger than the settings allow."""
    if request.path.startswith("/api/"):
        host = isinstance(exception, DisallowedHost)
        told = (
            "This server has another name: see ALLOWED_HOSTS."
            if host
            else "No such request is read."
        )
        return JsonResponse(problem_body(400, told), status=400, content_type=PROBLEM)
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


def forms_only(get_response: Answering) -> Answering:
    """Middleware: 405 with a page where somebody goes to an address that forms are sent to."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        if not isinstance(answer, HttpResponseNotAllowed):
            return answer
        page = render(request, "errors/405.html", status=405)
        page["Allow"] = answer["Allow"]
        return page

    return answered


def failed(request: HttpRequest) -> HttpResponse:
    """500, without the request's context: who is signed in stands in the database."""
    return HttpResponse(render_to_string("errors/500.html"), status=500)
