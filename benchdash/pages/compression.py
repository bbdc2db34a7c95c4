"""Pages, compressed on their way."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware


class PageCompression(GZipMiddleware):
    """Django's own, which adds bytes of a random number to each answer (against BREACH).

    Only pages: raw output is large and goes as it is, and events must not wait for a full block.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The page in gzip, where the browser takes it."""
        is_page = response.headers.get("Content-Type", "").startswith("text/html")
        if not is_page or response.streaming:
            return response
        return super().process_response(request, response)
