"""Commands on hosts, for tasks: asyncssh runs in a loop of its own thread, tasks in theirs."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Coroutine, Hashable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, cast

import asyncssh

from benchdash.errors import N_
from benchdash.jobs.models import Target
from workers import connections
from workers.connections import HostError, Route, UnreachableError, broken, route_to

T = TypeVar("T")
MOST_BYTES = 16 * 2**20
_PIECE_BYTES = 2**16
_loop_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command printed, and how it ended (a signal counts as 128 and more)."""

    code: int
    out: bytes
    err: str


@dataclass(frozen=True, slots=True)
class Command:
    """A command for a host, with `data` on its standard input."""

    target: Target
    line: str
    data: bytes = b""
    timeout_s: float = 30


class Inbox:
    """What commands print, as it comes, from the loop's thread to a task's."""

    def __init__(self) -> None:
        self._pieces: queue.Queue[tuple[Hashable, bytes | HostError]] = queue.Queue(maxsize=256)

    def read(self, timeout_s: float) -> tuple[Hashable, bytes] | None:
        """Whose and what; None where nothing came in time, no bytes at the end.

        HostError where a connection broke.
        """
        try:
            key, piece = self._pieces.get(timeout=timeout_s)
        except queue.Empty:
            return None
        if isinstance(piece, HostError):
            raise piece
        return key, piece

    def put(self, key: Hashable, piece: bytes | HostError) -> bool:
        """False where the reader is behind: to be put again."""
        with suppress(queue.Full):
            self._pieces.put_nowait((key, piece))
            return True
        return False


def run(target: Target, command: str, data: bytes = b"", timeout_s: float = 30) -> Answer:
    """Run a command with `data` on its standard input; HostError where that cannot be."""
    (answer,) = run_all([Command(target, command, data, timeout_s)])
    return answer


def run_all(commands: Iterable[Command]) -> list[Answer]:
    """Run commands on several hosts at the same time; HostError where one of them cannot be."""
    return _wait(_run_all([(route_to(command.target), command) for command in commands]))


@contextmanager
def stream(command: Command, inbox: Inbox, key: Hashable, aside: Hashable) -> Iterator[None]:
    """A command's output into `inbox`, under `key`; leaving the block ends its standard input.

    Its standard error comes under `aside`, without a mark of its end.
    """
    route = route_to(command.target)
    process = _wait(_process(route, command.line))
    _loop().call_soon_threadsafe(process.stdin.write, command.data)
    pumps = [_pump(route, process, inbox, key), _pump_aside(process, inbox, aside)]
    running = [asyncio.run_coroutine_threadsafe(pump, _loop()) for pump in pumps]
    try:
        yield
    finally:
        for pump in running:
            pump.cancel()
        _loop().call_soon_threadsafe(process.close)


def offered_key(target: Target) -> str:
    """The key that the host shows now, as a line of OpenSSH; nothing is trusted by asking."""
    return _wait(connections.offered_key(route_to(target)))


def forget(target: Target) -> None:
    """Give the connection of a target up."""
    _loop().call_soon_threadsafe(connections.forget, route_to(target))


def _loop() -> asyncio.AbstractEventLoop:
    with _loop_lock:  # of tasks that start together, `cache` would let each make a loop of its own
        return _running_loop()


@cache
def _running_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="ssh", daemon=True).start()
    return loop


def _wait(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run_coroutine_threadsafe(work, _loop()).result()


async def _process(route: Route, command: str) -> asyncssh.SSHClientProcess[bytes]:
    """Open a channel; a connection that died unnoticed is replaced once."""
    for attempt in (1, 2):
        link = await connections.connection(route)
        try:
            async with asyncio.timeout(connections.CONNECT_S):
                return await link.create_process(command, encoding=None)
        except (OSError, asyncssh.Error, TimeoutError) as error:
            connections.forget(route)
            if attempt == 2:
                raise UnreachableError(broken(route, error)) from None
    raise AssertionError


async def _run_all(commands: list[tuple[Route, Command]]) -> list[Answer]:
    runs = (_run(route, command) for route, command in commands)
    answers = await asyncio.gather(*runs, return_exceptions=True)
    for answer in answers:  # once all are there: nothing goes on behind the caller
        if isinstance(answer, BaseException):
            raise answer
    return cast("list[Answer]", answers)


async def _run(route: Route, command: Command) -> Answer:
    process = await _process(route, command.line)
    try:
        async with asyncio.timeout(command.timeout_s):
            if command.data:
                process.stdin.write(command.data)
            process.stdin.write_eof()
            out, err = await asyncio.gather(_bounded(process.stdout), _bounded(process.stderr))
            await process.wait_closed()
    except TimeoutError:
        connections.forget(route)
        sentence = N_(
            "{host} did not finish a command within {seconds} s.",
            host=route.name,
            seconds=int(command.timeout_s),
        )
        raise UnreachableError(sentence) from None
    except (OSError, asyncssh.Error) as error:
        raise UnreachableError(broken(route, error)) from None
    finally:
        process.close()
    if process.returncode is None:  # the connection ended, not the command
        raise UnreachableError(broken(route, ConnectionResetError(N_("the connection ended"))))
    return Answer(_code(process.returncode), out, err.decode("utf-8", "replace").strip())


def _code(returncode: int) -> int:
    return returncode if returncode >= 0 else 128 - returncode


async def _bounded(reader: asyncssh.SSHReader[bytes]) -> bytes:
    """All that comes, up to MOST_BYTES; what is more is read and thrown away."""
    data = bytearray()
    while piece := await reader.read(_PIECE_BYTES):
        if len(data) < MOST_BYTES:
            data += piece
    return bytes(data)


async def _pump(
    route: Route, process: asyncssh.SSHClientProcess[bytes], inbox: Inbox, key: Hashable
) -> None:
    last: bytes | HostError = b""
    try:
        while data := await process.stdout.read(_PIECE_BYTES):
            await _put(inbox, key, data)
        await process.wait_closed()
        if process.returncode is None:
            last = UnreachableError(broken(route, ConnectionResetError(N_("the connection ended"))))
    except (OSError, asyncssh.Error) as error:
        last = UnreachableError(broken(route, error))
    await _put(inbox, key, last)


async def _pump_aside(
    process: asyncssh.SSHClientProcess[bytes], inbox: Inbox, key: Hashable
) -> None:
    with suppress(OSError, asyncssh.Error):  # the other pump reports it
        while data := await process.stderr.read(_PIECE_BYTES):
            await _put(inbox, key, data)


async def _put(inbox: Inbox, key: Hashable, piece: bytes | HostError) -> None:
    while not inbox.put(key, piece):
        await asyncio.sleep(0.05)
