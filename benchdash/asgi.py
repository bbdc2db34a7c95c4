"""The web process (`uvicorn benchdash.asgi:application`)."""

from __future__ import annotations

import gc
import os
import re
from importlib import import_module
from typing import Any

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
django.setup(set_prefix=False)

from benchdash import health, log_context  # noqa: E402 - Django is set up first
from benchdash.notifications import worker_watchdog  # noqa: E402
from benchdash.pages import job_event_stream  # noqa: E402
from benchdash.serving.bridge import Pages  # noqa: E402

pages = Pages()
import_module(settings.ROOT_URLCONF)  # now, so that the first request does not wait for imports
# Modules are never freed. One page in some 300 waits for a full garbage collection, which takes
# 0.07 s where it traverses them, 0.01 s where they are frozen.
gc.freeze()
worker_watchdog.begin()
_EVENTS = re.compile(r"/jobs/(\d{1,18})/events/", re.ASCII)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Watching a job is served by the event loop and holds no thread; all else goes to Django."""
    if scope["type"] != "http":
        await send({"type": "websocket.close"})  # nothing here speaks it
        return
    requested = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
    with log_context.of_request(requested) as request_id:

        async def send_with_id(message: Any) -> None:
            if message["type"] == "http.response.start":
                named = (b"x-request-id", request_id.encode())
                message = {**message, "headers": [*message["headers"], named]}
            await send(message)

        await _answer(scope, receive, send_with_id)


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    watched = _EVENTS.fullmatch(scope["path"])
    if scope["path"] in health.PATHS:
        await health.application(scope, send)
    elif watched and b"once" not in scope["query_string"]:
        await job_event_stream.application(int(watched[1]), scope, receive, send)
    else:
        await pages(scope, receive, send)
