"""Django under an ASGI server, a whole request in one thread of a pool.

Django's own ASGI handler changes threads at each middleware and opens a connection for each
request; a bridge to WSGI waits for the loop at each part of the body and of the answer. Here a
request crosses to a thread once, with its body, and comes back once, with its answer: who sends
slowly is waited for in the loop and holds no thread.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from tempfile import SpooledTemporaryFile
from typing import IO, TYPE_CHECKING, Any

from django.conf import settings
from django.core import signals
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix
from django.utils.translation import get_language_from_request, override
from django.utils.translation import gettext_lazy as _

from benchdash.errors import PROBLEM, problem_body
from benchdash.upload_limit import is_too_large

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

THREADS = 10
PIECE_S, BODY_S = 30, 1800  # how long each piece of a body may take, and all of it
MEMORY_BYTES = 2**16  # as uvicorn holds of a body; what is larger waits on the disk
MOST_DROPPED = 2**30  # of a body that is refused, and read so that the refusal arrives
AT_ONCE = 16  # times MAX_UPLOAD_BYTES that wait there, whoever sends them
TOO_LATE = _("The request did not come in time: send it again.")
TOO_MANY = _("Too much is being sent by others: send this again in a few minutes.")
NO_LENGTH = _("Send the request with a Content-Length, not in chunks.")


class Pages(ASGIHandler):
    """Every page and the API."""

    def __init__(self) -> None:
        self.load_middleware(is_async=False)
        self.threads = ThreadPoolExecutor(THREADS, "pages")
        self.held_bytes = 0

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request; who leaves before the body is whole gets no answer."""
        if _is_of_untold_length(scope):
            await self.send_response(_refusal(scope, 411, NO_LENGTH), send)
            return
        with SpooledTemporaryFile(MEMORY_BYTES) as body:
            size = 0
            try:
                async for piece in _pieces(scope, receive):
                    size += body.write(piece)
                    self.held_bytes += len(piece)
                    self._check_room(size)
                body.seek(0)
            except ConnectionResetError:
                return
            except TimeoutError:
                await self.send_response(_refusal(scope, 408, TOO_LATE, Connection="close"), send)
            except BlockingIOError:
                await self.send_response(_refusal(scope, 503, TOO_MANY), send)
            else:
                await self._exchange(scope, body, receive, send)
            finally:
                self.held_bytes -= size

    def _check_room(self, size: int) -> None:
        """BlockingIOError where a body of this size is on a disk that holds enough of them."""
        if size > MEMORY_BYTES and self.held_bytes > AT_ONCE * settings.MAX_UPLOAD_BYTES:
            raise BlockingIOError

    async def _exchange(
        self, scope: dict[str, Any], body: IO[bytes], receive: Receive, send: Send
    ) -> None:
        """The answer, made in a thread and sent from the loop, while somebody is there."""
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(self.threads, self._answer, scope, body)
        if not isinstance(response, StreamingHttpResponse):
            await self.send_response(response, send)
            return
        left = asyncio.create_task(_left(receive))
        try:
            response.streaming_content = self._parts(iter(response), left)
            await self.send_response(response, send)
        finally:
            left.cancel()
            await loop.run_in_executor(self.threads, response.close)

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> HttpResponseBase:
        """In a thread, from the first middleware to the end of the request."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, body)
        response = refusal if request is None else self.get_response(request)
        assert response is not None
        response._handler_class = type(self)  # type: ignore[attr-defined]  # noqa: SLF001 - as Django's handlers say it
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not isinstance(response, StreamingHttpResponse):
            response.close()
        return response

    async def _parts(
        self, parts: Iterable[bytes], left: asyncio.Task[None]
    ) -> AsyncIterator[bytes]:
        """A file, read in threads, until its end or until the client left."""
        loop = asyncio.get_running_loop()
        waiting = iter(parts)
        while not left.done():
            part = await loop.run_in_executor(self.threads, next, waiting, None)
            if part is None:
                return
            yield part


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _pieces(scope: Mapping[str, Any], receive: Receive) -> AsyncIterator[bytes]:
    """The body; nothing of one that is refused for its length by who reads it.

    TimeoutError where a piece does not come, ConnectionResetError where the client left.
    """
    headers = dict(scope["headers"])
    length = int(headers.get(b"content-length", 0))
    refused = is_too_large(length)
    # a connection that closes takes the answer with it from under who still sends
    is_sent = headers.get(b"connection", b"").lower() == b"close" and b"expect" not in headers
    missing = 0 if refused and not (is_sent and length <= MOST_DROPPED) else length
    now = asyncio.get_running_loop().time
    end = now() + BODY_S
    while missing > 0:
        async with asyncio.timeout_at(min(end, now() + PIECE_S)):
            message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        missing -= len(message["body"])
        if not refused:
            yield message["body"]


def _is_of_untold_length(scope: Mapping[str, Any]) -> bool:
    names = {name for name, _value in scope["headers"]}
    return b"transfer-encoding" in names and b"content-length" not in names


def _refusal(
    scope: Mapping[str, Any], status: int, sentence: StrPromise, **headers: str
) -> HttpResponse:
    """For people the sentence in their language, for scripts a problem document (RFC 9457)."""
    with override(get_language_from_request(ASGIRequest(dict(scope), BytesIO()))):
        told, kind = str(sentence), "text/plain; charset=utf-8"
    if scope["path"].startswith("/api/"):
        told, kind = json.dumps(problem_body(status, told)), PROBLEM
    headers |= {"Content-Length": str(len(told.encode()))}
    return HttpResponse(told, kind, status, headers=headers)
