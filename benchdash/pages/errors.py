"""Error pages that help. None of them asks the database, which may be the one that failed."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _

from benchdash import health
from benchdash.accounts.roles import group_title
from benchdash.errors import PROBLEM, problem_body
from benchdash.results.language import in_language
from benchdash.serving.request_body import TOO_MUCH, too_much

Answering = Callable[[HttpRequest], HttpResponseBase]

log = logging.getLogger(__name__)


def error_page(
    request: HttpRequest,
    status: int,
    heading: str,
    sentence: str,
    way: tuple[str, str] | None = None,
) -> HttpResponse:
    """What went wrong, and the (address, words) of a way on: the home page where none is given."""
    way = way or (reverse("home"), _("Go to the home page"))
    context = {"heading": heading, "sentence": sentence, "way": way}
    return render(request, "errors/page.html", context, status=status)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, or 413 where the request was larger than the settings allow."""
    if request.path.startswith("/api/"):
        host = isinstance(exception, DisallowedHost)
        sentence = (
            "This server has another name: see ALLOWED_HOSTS."
            if host
            else "No such request is read."
        )
        return JsonResponse(problem_body(400, sentence), status=400, content_type=PROBLEM)
    if isinstance(exception, TOO_MUCH):
        way = (reverse("uploads"), _("Back to the upload page"))
        sentence = in_language(too_much(exception))
        return error_page(request, 413, _("That is too much at once"), sentence, way)
    sentence = _(
        "The address or the form holds something that cannot be read. Go back and try again."
    )
    return error_page(request, 400, _("This request could not be read"), sentence)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: which group may, and who is signed in."""
    sentence = _(
        "This needs the group “%(group)s”. You are signed in as %(name)s; an admin can "
        "add you to the group."
    )
    names = {"group": group_title(str(exception)), "name": request.user.get_username()}
    return error_page(request, 403, _("You do not have access to this"), sentence % names)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404, with ways to go on."""
    sentence = _("It may have been deleted, or the address may be mistyped.")
    return error_page(request, 404, _("There is nothing at this address"), sentence)


def forged(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403 of the CSRF check: the page was open for too long, or cookies are off."""
    sentence = _(
        "Nothing was changed. The page was open while you signed in or out elsewhere, or cookies "
        "are blocked for this site. Go back, reload the page, and send it again."
    )
    return error_page(request, 403, _("The form could not be trusted"), sentence)


def forms_only(get_response: Answering) -> Answering:
    """Middleware: 405 with a page where somebody goes to an address that forms are sent to."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        answer = get_response(request)
        if not isinstance(answer, HttpResponseNotAllowed):
            return answer
        sentence = _(
            "There is nothing to see here. Go back to the page with the form, and send it "
            "again if need be."
        )
        page = error_page(request, 405, _("This address only accepts forms"), sentence)
        page["Allow"] = answer["Allow"]
        return page

    return answered


def failed(request: HttpRequest) -> HttpResponse:
    """500, or 503 where the database is away; Django calls it while it handles the exception.

    Without the request's context: who is signed in stands in the database.
    """
    error = sys.exc_info()[1]
    if not health.is_away(error):
        return HttpResponse(render_to_string("errors/500.html"), status=500)
    log.warning("%s %s: the database is away: %s", request.method, request.path, error)
    if request.path.startswith("/api/"):
        body = problem_body(503, str(health.AWAY))
        answer: HttpResponse = JsonResponse(body, status=503, content_type=PROBLEM)
    else:
        page = render_to_string("errors/503.html", {"sentence": health.AWAY})
        answer = HttpResponse(page, status=503)
    answer["Retry-After"] = health.RETRY_AFTER_S
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001 - a line is enough, without where it was met
    return answer
