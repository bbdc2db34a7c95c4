"""The body of a request as it arrives: its size, its time, and where it waits to be read.

This is the one place where the size of a request is checked: DATA_UPLOAD_MAX_MEMORY_SIZE is off,
and what Django bounds yet is how many files and fields one has.
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
from django.core.exceptions import RequestDataTooBig

from benchdash.serving.protocol import Receive, Scope

FRAME_BYTES = 2**16  # what a form puts round its files, which MAX_UPLOAD_BYTES does not count
PIECE_S, BODY_S = 30, 1800  # how long each piece of a body may take, and all of it
MEMORY_BYTES = 2**16  # as uvicorn holds of a body; what is larger waits on the disk
MOST_DROPPED = 2**30  # of a body that is refused, and read so that the refusal arrives
AT_ONCE = 16  # times MAX_UPLOAD_BYTES that wait on the disk, whoever sends them


class ClientLeft(Exception):
    """Before the body was whole."""


class TooSlow(Exception):
    """A piece of the body, or all of it, did not come in time."""


class DiskFull(Exception):
    """As many bodies wait on the disk as may."""


class TooLarge(RawIOBase):
    """In place of a body that is too large: tells whoever reads it, so that each face can say so.

    A request whose body nobody reads (its sender may not send one, say) is answered as ever.
    """

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> NoReturn:
        raise RequestDataTooBig("The body is larger than MAX_UPLOAD_BYTES.")


@dataclass(frozen=True, slots=True)
class Body:
    """What a view is to read, and how many bytes of it came."""

    file: IO[bytes]
    size_bytes: int


class Bodies:
    """The bodies of one web process; what they take of its disk together is bounded."""

    def __init__(self) -> None:
        self.held_bytes = 0

    @asynccontextmanager
    async def arrived(self, scope: Scope, receive: Receive) -> AsyncIterator[Body]:
        """A whole body, kept until the block is left; ClientLeft, TooSlow or DiskFull before it."""
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
    """Read a refused body away where its sender is to close the connection.

    A connection that closes takes the answer with it from under who still sends. uvicorn leaves
    one that goes on open until the body came, and who said `Expect` has not begun.
    """
    closes = headers.get(b"connection", b"").lower() == b"close" and b"expect" not in headers
    if closes and length <= MOST_DROPPED:
        async for _piece in _pieces(length, receive):
            pass


async def _pieces(length: int, receive: Receive) -> AsyncIterator[bytes]:
    """`length` bytes of a body, as they come."""
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
