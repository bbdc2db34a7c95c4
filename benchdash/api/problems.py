"""Every error as RFC 9457 problem details, with one readable sentence in `detail`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from django.core.signals import got_request_exception
from django.http import UnreadablePostError
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import exception_handler

from benchdash import health
from benchdash.errors import PROBLEM, Refused, UnknownName, problem_body
from benchdash.results.language import in_language
from benchdash.serving.request_body import TOO_MUCH, too_much

_LONGEST = 1000

log = logging.getLogger(__name__)


class ProblemSerializer(serializers.Serializer[Any]):
    """RFC 9457; `field` names the input."""

    type = serializers.CharField(default="about:blank")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    field = serializers.CharField(required=False)


class Gone(APIException):
    """410"""

    status_code = HTTPStatus.GONE


def problem(status: int, detail: str, **members: Any) -> Response:
    """A problem document; `members` are added to it."""
    body = problem_body(status, _bounded(detail))
    return Response(body | members, status=status, content_type=PROBLEM)


def _bounded(sentence: str) -> str:
    """A sentence may quote what was sent."""
    return sentence if len(sentence) <= _LONGEST else f"{sentence[: _LONGEST - 1]}…"


def problem_response(error: Exception, context: dict[str, Any]) -> Response:
    """What DRF asks for an answer to any exception of a view: JSON, whatever the view speaks."""
    context["request"].accepted_renderer = JSONRenderer()
    context["request"].accepted_media_type = JSONRenderer.media_type
    if isinstance(error, Refused):
        status = 400 if isinstance(error, UnknownName) else 422
        return problem(
            status, in_language(error.sentence), **({"field": error.field} if error.field else {})
        )
    if isinstance(error, TOO_MUCH):
        return problem(413, in_language(too_much(error)))
    if isinstance(error, UnreadablePostError):
        return problem(400, _("The request ended before it was complete."))
    response = exception_handler(error, context)
    if response is None and health.is_away(error):
        return _away(error, context["request"])
    if response is None:
        return _bug(error, context["request"])
    sentences = dict(_sentences(response.data))
    if isinstance(error, ValidationError):
        detail = " ".join(f"{field}: {text}" for field, text in sentences.items())
        answer = problem(response.status_code, detail, field=_bounded(next(iter(sentences), "")))
    else:
        answer = problem(response.status_code, " ".join(sentences.values()))
    for name, value in response.items():
        answer.headers.setdefault(name, value)
    return answer


def _sentences(data: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """DRF's nested errors as `("field.inner", "sentence sentence")`."""
    if isinstance(data, dict):
        for name, inner in data.items():
            yield from _sentences(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(data, list):
        plain = " ".join(str(each) for each in data if not isinstance(each, dict | list))
        if plain:
            yield path or "request", plain
        for index, inner in enumerate(data):
            if isinstance(inner, dict | list):
                yield from _sentences(inner, f"{path}.{index}" if path else str(index))
    else:
        yield path or "request", str(data)


def _away(error: Exception, request: Request) -> Response:
    log.warning("%s %s: the database is away: %s", request.method, request.path, error)
    answer = problem(503, str(health.AWAY))
    answer["Retry-After"] = health.RETRY_AFTER_S
    answer._has_been_logged = True  # type: ignore[attr-defined]  # noqa: SLF001 - as of pages
    return answer


def _bug(error: Exception, request: Request) -> Response:
    """As loud as any other bug, and still JSON for the script that met it."""
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    got_request_exception.send(sender=None, request=request._request)  # noqa: SLF001 - what Django sends
    return problem(500, _("This is a fault in benchdash. It was logged with the time it happened."))
