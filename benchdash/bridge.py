"""Django under an ASGI server, a whole request in one thread of a pool.

Django's own ASGI handler changes threads at each middleware and opens a connection for each
request; a bridge to WSGI waits for the loop at each part of the body and of the answer. Here a
small request crosses to a thread once, with its body, and comes back once, with its answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BufferedReader, BytesIO, RawIOBase
from typing import IO, Any, cast

from django.core import signals
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

THREADS = 10
SMALL_BYTES = 2**16  # what uvicorn takes in of a body before anybody asks for it


class Pages(ASGIHandler):
    """Every page and the API."""

    def __init__(self) -> None:
        self.load_middleware(is_async=False)
        self.threads = ThreadPoolExecutor(THREADS, "pages")

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request; who leaves before a small body is whole gets no answer."""
        body = await _body(scope, receive)
        if body is None:
            return
        loop = asyncio.get_running_loop()
        response = await loop.run_in_executor(self.threads, self._answer, scope, body)
        if not isinstance(response, StreamingHttpResponse):
            await self.send_response(response, send)
            return
        try:
            response.streaming_content = self._parts(iter(response))
            await self.send_response(response, send)
        finally:
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

    async def _parts(self, parts: Iterable[bytes]) -> AsyncIterator[bytes]:
        """A file, read in threads."""
        loop = asyncio.get_running_loop()
        waiting = iter(parts)
        while (part := await loop.run_in_executor(self.threads, next, waiting, None)) is not None:
            yield part


async def _body(scope: Mapping[str, Any], receive: Receive) -> IO[bytes] | None:
    """A small body whole, a large one as it comes, none where its length was not told."""
    length = int(dict(scope["headers"]).get(b"content-length", 0))
    if length > SMALL_BYTES:
        incoming = Incoming(receive, asyncio.get_running_loop())
        return cast("IO[bytes]", BufferedReader(incoming, SMALL_BYTES))
    body = BytesIO()
    while body.tell() < length:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body.write(message["body"])
    body.seek(0)
    return body


class Incoming(RawIOBase):
    """What a client still sends, waited for by the thread that reads it."""

    def __init__(self, receive: Receive, loop: asyncio.AbstractEventLoop) -> None:
        self.receive, self.loop = receive, loop
        self.rest = memoryview(b"")
        self.more = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """How many bytes were put there, 0 at the end; OSError where the client left."""
        while self.more and not self.rest:
            waited_for = asyncio.run_coroutine_threadsafe(self._next(), self.loop)
            message = waited_for.result()
            if message["type"] == "http.disconnect":
                raise ConnectionResetError("The client left before the request was whole.")
            self.rest = memoryview(message["body"])
            self.more = message["more_body"]
        count = min(len(buffer), len(self.rest))
        buffer[:count] = self.rest[:count]
        self.rest = self.rest[count:]
        return count

    async def _next(self) -> Mapping[str, Any]:
        return await self.receive()
