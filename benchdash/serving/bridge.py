"""Django under an ASGI server, a whole request in one thread of a pool.

Django's own ASGI handler switches threads at each middleware and opens a database connection for
each request; an ASGI-to-WSGI bridge waits for the event loop at each piece of the body and of the
response. Here a request goes to a thread once, with its whole body, and comes back once, with its
response: a slow sender is waited for in the event loop and holds no thread.

Measured side by side, Django's handler takes 1.15 times as long for a page and 1.5 times for an
upload. WSGI servers that buffer the body first (waitress, granian) take 0.85 to 1 times as long,
but hold a thread for everyone who watches a job, have no lanes, and bound neither the bodies
buffered on disk nor the time of an upload: they would be needed beside this one, not instead of it.

It depends on undocumented parts of Django's ASGIHandler: `load_middleware`, `create_request`,
`get_response`, `send_response`, `chunk_size`, and `_handler_class` of a response. Of uvicorn it
depends on `100 Continue` being sent at the first `receive`, and on `http.disconnect` being
delivered once. tests/api/test_serving.py pins all of that, through uvicorn.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextvars import copy_context
from functools import partial
from typing import IO, Any

from django.core import signals
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.http import FileResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix
from django.utils.translation import gettext_lazy as _

from benchdash.serving.lanes import Lanes
from benchdash.serving.protocol import Receive, Send, client_left, refusal
from benchdash.serving.request_body import Bodies, Body, ClientLeft, DiskFull, TooSlow

NO_LENGTH = _("Send the request with a Content-Length, not in chunks.")
TOO_LATE = _("The request did not arrive in time: send it again.")
TOO_MANY = _("Others are sending too much: send this again in a few minutes.")


class Pages(ASGIHandler):
    """Every page and the API."""

    def __init__(self) -> None:
        self.load_middleware(is_async=False)
        self.lanes = Lanes()
        self.bodies = Bodies()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request; a client that leaves before its body is complete gets no response."""
        if _has_unknown_length(scope):
            await self.send_response(refusal(scope, 411, NO_LENGTH), send)
            return
        try:
            async with self.bodies.arrived(scope, receive) as body:
                await self._exchange(scope, body, receive, send)
        except ClientLeft:
            return
        except TooSlow:
            await self.send_response(refusal(scope, 408, TOO_LATE, Connection="close"), send)
        except DiskFull:
            await self.send_response(refusal(scope, 503, TOO_MANY), send)

    async def _exchange(
        self, scope: dict[str, Any], body: Body, receive: Receive, send: Send
    ) -> None:
        """Make the response in a thread and send it from the event loop."""
        # run_in_executor passes no context variables on, and log lines name the request by one
        answer = partial(copy_context().run, self._answer, scope, body.file)
        response = await self.lanes.response(scope, body, answer)
        if not isinstance(response, StreamingHttpResponse):
            await self.send_response(response, send)
            return
        # only a stream is worth stopping early: any other response is complete already
        left = asyncio.create_task(client_left(receive))
        try:
            response.streaming_content = self._parts(iter(response), left)
            await self.send_response(response, send)
        finally:
            left.cancel()
            loop = asyncio.get_running_loop()
            # in a thread: it ends the request in Django, which may close database connections
            await loop.run_in_executor(self.lanes.pages, response.close)

    def _answer(self, scope: dict[str, Any], body: IO[bytes]) -> HttpResponseBase:
        """In a thread, from the first middleware to the end of the request."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=type(self), scope=scope)
        request, refused = self.create_request(scope, body)
        response = refused if request is None else self.get_response(request)
        assert response is not None
        # `close` sends request_finished with it as the sender, as for Django's own handlers
        response._handler_class = type(self)  # type: ignore[attr-defined]  # noqa: SLF001
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        if not isinstance(response, StreamingHttpResponse):
            response.close()
        return response

    async def _parts(
        self, parts: Iterable[bytes], left: asyncio.Task[None]
    ) -> AsyncIterator[bytes]:
        """The pieces of a stream, each made in a thread, until its end or until the client left."""
        loop = asyncio.get_running_loop()
        waiting = iter(parts)
        while not left.done():
            part = await loop.run_in_executor(self.lanes.pages, next, waiting, None)
            if part is None:
                return
            yield part


def _has_unknown_length(scope: dict[str, Any]) -> bool:
    """Whether the body is chunked, so that its size is not known before it has arrived."""
    names = {name for name, _value in scope["headers"]}
    return b"transfer-encoding" in names and b"content-length" not in names
