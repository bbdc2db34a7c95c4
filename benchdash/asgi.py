"""The web process (`uvicorn benchdash.asgi:application`)."""

from __future__ import annotations

import os
import re
from typing import Any

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
# A whole request in one thread of a pool: Django's own ASGI handler changes threads at each
# middleware and opens a connection for each request, which costs 2.4 ms of CPU more.
pages = WSGIMiddleware(get_wsgi_application(), workers=10)  # type: ignore[arg-type]  # Django's environ is a dict

from benchdash.pages import live  # noqa: E402 - Django is set up first

_EVENTS = re.compile(r"/jobs/(\d{1,18})/events/", re.ASCII)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Those who watch a job wait in the loop, and hold no thread; all else is a page."""
    watched = _EVENTS.fullmatch(scope["path"]) if scope["type"] == "http" else None
    if watched and b"once" not in scope["query_string"]:
        await live.application(int(watched[1]), scope, receive, send)
    else:
        await pages(scope, receive, send)
