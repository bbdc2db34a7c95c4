"""Liveness (`/healthz`) and readiness (`/readyz`) of the web process, for supervisors and proxies.

Probes come to any address of the container, without HTTPS, so they are answered before Django
could refuse the host name or redirect.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import Error, InterfaceError, OperationalError, connection
from django.db.migrations.executor import MigrationExecutor
from django.utils.translation import gettext_lazy as _

from benchdash import dispatch

log = logging.getLogger(__name__)

Send = Callable[[Mapping[str, Any]], Awaitable[None]]

PATHS = frozenset({"/healthz", "/readyz"})
AWAY = _("The database is not answering. No partial changes were saved: try again in a minute.")
RETRY_AFTER_S = 10
_CACHED_S = 1.0  # many probes within it cost one query
_SQLITE_BUGS = (
    "no such ",
    "near ",
    "unrecognized token",
)  # PostgreSQL has other exceptions for these

# a thread of its own: it answers even while all page threads wait for the database
_thread = ThreadPoolExecutor(1, thread_name_prefix="health")
_last: tuple[float, str] = (0.0, "")


def is_away(error: BaseException | None) -> bool:
    """Whether the error means that the database is unavailable; any other one is a bug."""
    if isinstance(error, InterfaceError):
        return True
    return isinstance(error, OperationalError) and not str(error).startswith(_SQLITE_BUGS)


async def application(scope: Mapping[str, Any], send: Send) -> None:
    """200 with `ok`, or 503 with what is missing."""
    trouble = ""
    if scope["path"] == "/readyz":
        loop = asyncio.get_running_loop()
        trouble = await loop.run_in_executor(_thread, _recent_trouble)
    body = (trouble or "ok").encode() + b"\n"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    status = 503 if trouble else 200
    await send({"type": "http.response.start", "status": status, "headers": headers})
    sent = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": sent})


def _recent_trouble() -> str:
    global _last  # noqa: PLW0603 - one thread reads and writes it
    at, trouble = _last
    if time.monotonic() - at > _CACHED_S:
        trouble = _trouble()
        _last = time.monotonic(), trouble
    return trouble


def _trouble() -> str:
    """What is missing, "" for nothing; without addresses, since anybody may read it."""
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return "The database lacks migrations: run prepare."
    except Error as error:
        log.warning("not ready: %s", error)
        return "The database does not answer."
    finally:
        connection.close()
    try:
        dispatch.reach_broker()
    except OSError as error:
        log.warning("not ready: %s", error)
        return "The broker does not answer."
    return ""
