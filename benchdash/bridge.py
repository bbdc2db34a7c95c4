"""Django under an ASGI server, a whole request in one thread of a pool.

Django's own ASGI handler changes threads at each middleware and opens a connection for each
request; a bridge to WSGI waits for the loop at each part of the body and of the answer. Here a
request crosses to a thread once, with its body, and comes back once, with its answer: who sends
slowly is waited for in the loop and holds no thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django.core import signals
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

from benchdash.upload_limit import is_too_large

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]

THREADS = 10
PIECE_S = 30  # how long each piece of a body may take
MEMORY_BYTES = 2**16  # as uvicorn holds of a body; what is larger waits on the disk


class Pages(ASGIHandler):
    """Every page and the API."""

    def __init__(self) -> None:
        self.load_middleware(is_async=False)
        self.threads = ThreadPoolExecutor(THREADS, "pages")

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request; who leaves before the body is whole gets no answer."""
        with SpooledTemporaryFile(MEMORY_BYTES) as body:
            try:
                await _take_in(body, scope, receive)
            except ConnectionResetError:
                return
            except TimeoutError:
                await self.send_response(_too_late(), send)
            else:
                await self._exchange(scope, body, send)

    async def _exchange(self, scope: dict[str, Any], body: IO[bytes], send: Send) -> None:
        """The answer, made in a thread and sent from the loop."""
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


async def _take_in(body: IO[bytes], scope: Mapping[str, Any], receive: Receive) -> None:
    """The body whole, nothing of one whose length is not told, or is refused by who reads it.

    TimeoutError where a piece does not come, ConnectionResetError where the client left.
    """
    length = int(dict(scope["headers"]).get(b"content-length", 0))
    received = length if is_too_large(length) else 0
    while received < length:
        async with asyncio.timeout(PIECE_S):
            message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        received += body.write(message["body"])
    body.seek(0)


def _too_late() -> HttpResponse:
    sentence = f"Nothing more of the request came within {PIECE_S} seconds: send it again."
    headers = {"Content-Length": len(sentence), "Connection": "close"}
    return HttpResponse(sentence, "text/plain", 408, headers=headers)
