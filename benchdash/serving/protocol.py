"""The parts of ASGI that benchdash handles itself: messages, disconnects, refusals before Django."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from io import BytesIO
from typing import TYPE_CHECKING, Any

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.utils.translation import get_language_from_request, override

from benchdash.errors import PROBLEM, problem_body

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


async def client_left(receive: Receive) -> None:
    """Returns when the client disconnects: after the body a server delivers no other message."""
    while (await receive())["type"] != "http.disconnect":
        pass


def request_without_body(scope: Scope) -> ASGIRequest:
    """Django's request, for its headers, cookies and query."""
    return ASGIRequest(dict(scope), BytesIO())


def refusal(scope: Scope, status: int, sentence: StrPromise, **headers: str) -> HttpResponse:
    """The sentence in the reader's language; under /api/ as a problem document (RFC 9457)."""
    with override(get_language_from_request(request_without_body(scope))):
        body, kind = str(sentence), "text/plain; charset=utf-8"
    if scope["path"].startswith("/api/"):
        body, kind = json.dumps(problem_body(status, body)), PROBLEM
    headers |= {"Content-Length": str(len(body.encode()))}
    return HttpResponse(body, kind, status, headers=headers)
