"""Lanes of threads: one for pages, one for files, one for passwords."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus

from django.http.response import HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.throttling import network_of
from benchdash.serving.protocol import Scope, refusal
from benchdash.serving.request_body import MEMORY_BYTES, Body

THREADS = 10
THREADS_FOR_FILES = 2  # parsing takes memory: few at once, so that no number of uploads fills it
HASHING = {  # views that hash a password
    *("login", "change_password"),
    *("admin:accounts_user_add", "admin:auth_user_password_change"),
}
MOST_WAITING, MOST_OF_ONE = 100, 10  # for the hashing threads: in all, and from one address
FAILURE_S = 1.0
TOO_MANY_PASSWORDS = _("Too many sign-ins at the moment: try again in a few seconds.")

Answer = Callable[[], HttpResponseBase]


class Lanes:
    """The threads of one web process."""

    def __init__(self) -> None:
        self.pages = ThreadPoolExecutor(THREADS, "pages")
        self.files = ThreadPoolExecutor(THREADS_FOR_FILES, "files")
        self.passwords = PasswordLane()

    async def response(self, scope: Scope, body: Body, answer: Answer) -> HttpResponseBase:
        """The response of `answer`, called in a thread of the lane of the request."""
        if _hashes_a_password(scope):
            return await self.passwords.response(scope, answer)
        threads = self.files if _has_files(scope, body) else self.pages
        return await asyncio.get_running_loop().run_in_executor(threads, answer)


def _has_files(scope: Scope, body: Body) -> bool:
    kind: bytes = dict(scope["headers"]).get(b"content-type", b"")
    return body.size_bytes > MEMORY_BYTES or kind.lower().startswith(b"multipart/")


def _hashes_a_password(scope: Scope) -> bool:
    if scope["method"] != "POST":
        return False
    try:
        return resolve(scope["path"]).view_name in HASHING
    except Resolver404:
        return False


class PasswordLane:
    """Requests that hash a password: two at a time, in threads of their own.

    Hashing takes memory and a core on purpose, and must not hold up pages. A failure is answered
    a second after the request arrived, without holding a thread: guessing in a loop is slow, and
    the response time does not reveal whether a name exists.
    """

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(2, "passwords")
        self.waiting: Counter[str] = Counter()

    async def response(self, scope: Scope, answer: Answer) -> HttpResponseBase:
        """The response of `answer`, or a refusal where too many requests wait for the threads."""
        loop = asyncio.get_running_loop()
        arrived = loop.time()
        client = network_of((scope.get("client") or [""])[0])
        response: HttpResponseBase
        if self.waiting[client] >= MOST_OF_ONE or self.waiting.total() >= MOST_WAITING:
            response = refusal(scope, 503, TOO_MANY_PASSWORDS, **{"Retry-After": "5"})
        else:
            self.waiting[client] += 1
            try:
                response = await loop.run_in_executor(self.threads, answer)
            finally:
                self.waiting -= Counter([client])  # `-=` drops counts of zero, `[…] -= 1` would not
        if response.status_code != HTTPStatus.FOUND:  # a success redirects
            await asyncio.sleep(arrived + FAILURE_S - loop.time())
        return response
