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

from benchdash.bridge import Pages  # noqa: E402 - Django is set up first
from benchdash.pages import live  # noqa: E402

pages = Pages()
import_module(settings.ROOT_URLCONF)  # with what its pages need, which else the first one loads
gc.freeze()  # what was loaded stays: to look through it takes a request now and then 0.1 s
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
