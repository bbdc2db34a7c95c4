"""The web process (`uvicorn benchdash.asgi:application`)."""

from __future__ import annotations

import os
import re
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
django.setup(set_prefix=False)

from benchdash.bridge import Pages  # noqa: E402 - Django is set up first
from benchdash.pages import live  # noqa: E402

pages = Pages()
_EVENTS = re.compile(r"/jobs/(\d{1,18})/events/", re.ASCII)


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Those who watch a job wait in the loop, and hold no thread; all else is a page."""
    if scope["type"] != "http":
        await send({"type": "websocket.close"})  # nothing here speaks it
        return
    watched = _EVENTS.fullmatch(scope["path"])
    if watched and b"once" not in scope["query_string"]:
        await live.application(int(watched[1]), scope, receive, send)
    else:
        await pages(scope, receive, send)
