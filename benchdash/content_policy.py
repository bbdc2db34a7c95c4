"""What a browser may load and run, said with every answer: nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

Answering = Callable[[HttpRequest], HttpResponseBase]


def content_policy(answer: Answering) -> Answering:
    """The middleware: CONTENT_SECURITY_POLICY, where an answer has no stricter one of its own."""
    directives = settings.CONTENT_SECURITY_POLICY.items()
    policy = "; ".join(f"{name} {sources}" for name, sources in directives)

    def answer_with_policy(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        return response

    return answer_with_policy
