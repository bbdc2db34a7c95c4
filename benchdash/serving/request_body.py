"""Buffers the body of a request as it arrives; bounds its size, its time, and the disk for all.

This is the only place that checks the size of a request: DATA_UPLOAD_MAX_MEMORY_SIZE is off, and
Django bounds only the number of files and fields.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from io import RawIOBase
from tempfile import SpooledTemporaryFile
from typing import IO, NoReturn

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent

from benchdash.errors import N_
from benchdash.serving.protocol import Receive, Scope

FRAME_BYTES = 2**16  # multipart headers and form fields, which MAX_UPLOAD_BYTES does not count
PIECE_S, BODY_S = 30, 1800  # how long each piece of a body may take, and all of it
MEMORY_BYTES = 2**16  # as much as uvicorn buffers itself; larger bodies are buffered on disk
MOST_DROPPED = 2**30  # bytes of a refused body that are read so that the refusal arrives
TOO_MUCH = (RequestDataTooBig, TooManyFilesSent, TooManyFieldsSent)  # what Django raises
AT_ONCE = 16  # times MAX_UPLOAD_BYTES: the bound on all bodies buffered on disk


class ClientLeft(Exception):
    """The client disconnected before the body was complete."""


class TooSlow(Exception):
    """A piece of the body, or all of it, did not arrive in time."""


class DiskFull(Exception):
    """The bodies buffered on disk are at their bound."""


class TooLarge(RawIOBase):
    """Stands for a body that is too large: raises when it is read, so that pages and API answer it.

    A request whose body is never read (one without permission, for example) is answered as usual.
    """

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> NoReturn:
        raise RequestDataTooBig("The body is larger than MAX_UPLOAD_BYTES.")


@dataclass(frozen=True, slots=True)
class Body:
    """The buffered body, and how many bytes of it arrived."""

    file: IO[bytes]
    size_bytes: int


def too_much(error: Exception) -> str:
    """The sentence for one of TOO_MUCH, in English: Django's own words name its settings alone."""
    if isinstance(error, TooManyFilesSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        return N_("One request carries at most {most} files: send the rest in another.", most=most)
    if isinstance(error, TooManyFieldsSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FIELDS
        return N_("One request has at most {most} fields: send the rest in another.", most=most)
    return N_(
        "The request is too large: the limit is {mebibytes} MiB (MAX_UPLOAD_BYTES). Send "
        "fewer files at once, or compress them: archives are read too.",
        mebibytes=f"{settings.MAX_UPLOAD_BYTES / 2**20:.4g}",
    )


class Bodies:
    """The bodies of one web process; the disk space of all of them together is bounded."""

    def __init__(self) -> None:
        self.held_bytes = 0

    @asynccontextmanager
    async def arrived(self, scope: Scope, receive: Receive) -> AsyncIterator[Body]:
        """A complete body, kept until the block is left; else ClientLeft, TooSlow or DiskFull."""
        headers = dict(scope["headers"])
        length = int(headers.get(b"content-length", 0))
        if length > settings.MAX_UPLOAD_BYTES + FRAME_BYTES:
            await _drop(headers, length, receive)
            yield Body(TooLarge(), 0)  # type: ignore[arg-type]  # only ever read
            return
        size = 0
        with SpooledTemporaryFile(MEMORY_BYTES) as file:
            try:
                async for piece in _pieces(length, receive):
                    size += file.write(piece)
                    self.held_bytes += len(piece)
                    if size > MEMORY_BYTES and self._is_full():
                        raise DiskFull
                file.seek(0)
                yield Body(file, size)
            finally:
                self.held_bytes -= size

    def _is_full(self) -> bool:
        return bool(self.held_bytes > AT_ONCE * settings.MAX_UPLOAD_BYTES)


async def _drop(headers: dict[bytes, bytes], length: int, receive: Receive) -> None:
    """Discard a refused body where the client asked to close the connection after the response.

    Closing a connection while the client still sends resets it, and the response is lost. uvicorn
    keeps a keep-alive connection open until the body has arrived, and a client that sent `Expect`
    has not begun to send.
    """
    closes = headers.get(b"connection", b"").lower() == b"close" and b"expect" not in headers
    if closes and length <= MOST_DROPPED:
        async for _piece in _pieces(length, receive):
            pass


async def _pieces(length: int, receive: Receive) -> AsyncIterator[bytes]:
    """`length` bytes of a body, as they arrive."""
    now = asyncio.get_running_loop().time
    end = now() + BODY_S
    while length > 0:
        try:
            async with asyncio.timeout_at(min(end, now() + PIECE_S)):
                message = await receive()
        except TimeoutError:
            raise TooSlow from None
        if message["type"] == "http.disconnect":
            raise ClientLeft
        length -= len(message["body"])
        yield message["body"]
