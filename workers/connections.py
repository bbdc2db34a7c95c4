"""One SSH connection a target in each worker, kept and shared; whose key a host shows is verified.

A connection that stays silent for 15 s is given up: what runs on the host goes on, and the next
contact reads on where this one ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections import defaultdict
from dataclasses import dataclass, field

import asyncssh

from benchdash.errors import N_
from benchdash.jobs.credentials import opened
from benchdash.jobs.models import Target

CONNECT_S = 10
KEEPALIVE_S = 5
NO_SHA1 = {"kex_algs": "-*sha1", "mac_algs": "-hmac-sha1*", "signature_algs": "-ssh-rsa"}
OLD_ALGORITHMS = {  # CentOS 5
    "kex_algs": "+diffie-hellman-group14-sha1,diffie-hellman-group-exchange-sha1,"
    "diffie-hellman-group1-sha1",
    "encryption_algs": "+aes128-cbc,aes256-cbc,3des-cbc",
    "mac_algs": "+hmac-sha1",
    "signature_algs": "+ssh-rsa",
}
asyncssh.set_log_level("WARNING")


class HostError(Exception):
    """Why a command could not be run on a host: a sentence for people."""


class UnreachableError(HostError):
    """No connection, or it broke: what runs on the host goes on."""


class DeniedError(HostError):
    """The host answers and does not let this user in; or there is nothing to log in with."""

    def __init__(self, sentence: str, target: int) -> None:
        super().__init__(sentence)
        self.target = target


class UntrustedKeyError(HostError):
    """The host shows a key that nobody approved; `changed` where another one was approved."""

    def __init__(self, sentence: str, target: int, offered: str, *, changed: bool) -> None:
        super().__init__(sentence)
        self.target = target
        self.offered = offered
        self.changed = changed


@dataclass(frozen=True)
class Route:
    """How to reach a target: directly, or through jump hosts; credentials in the open, in memory only."""

    target: int
    address: str
    port: int
    user: str
    method: str
    host_key: str
    old_algorithms: bool
    via: Route | None
    secret: dict[str, str] = field(repr=False, hash=False)

    @property
    def name(self) -> str:
        """Address and port, as sentences name it."""
        return f"{self.address}:{self.port}"


def route_to(target: Target) -> Route:
    """Read a target and its jump hosts; Refused where credentials cannot be opened."""
    return Route(
        target=target.pk,
        address=target.address,
        port=target.port,
        user=target.user,
        method=target.method,
        host_key=target.host_key.strip(),
        old_algorithms=target.old_algorithms,
        via=route_to(target.jump) if target.jump else None,
        secret=opened(target.secret),
    )


# Of this process alone. A target's connection is made by one task at a time; the others wait, so
# that a host is not knocked at by all of its steps at once (sshd's MaxStartups refuses at ten).
_pool: dict[int, tuple[Route, asyncssh.SSHClientConnection]] = {}
_turns: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)


async def connection(route: Route) -> asyncssh.SSHClientConnection:
    """The connection of this route, made where there is none; HostError where it cannot be."""
    async with _turns[route.target]:
        known, made = _pool.get(route.target, (None, None))
        if made is not None and known == route and not made.is_closed():
            return made
        if made is not None:
            made.abort()
        fresh = await _connect(route)
        _pool[route.target] = route, fresh
        return fresh


def forget(route: Route) -> None:
    """Give a connection up; the next question makes a new one."""
    _, made = _pool.pop(route.target, (None, None))
    if made is not None:
        made.abort()


async def offered_key(route: Route) -> str:
    """The key that the host shows now, as a line of OpenSSH; nothing is trusted by asking."""
    tunnel = await connection(route.via) if route.via else None
    why = ""
    # the kind that was approved, where there is one: a host has several keys
    for kinds in dict.fromkeys([_algorithms_of(route), ()]):
        try:
            async with asyncio.timeout(CONNECT_S):
                key = await asyncssh.get_server_host_key(
                    route.address,
                    route.port,
                    tunnel=tunnel,
                    config=None,
                    server_host_key_algs=kinds,
                )
        except (OSError, asyncssh.Error, TimeoutError) as error:
            number = getattr(error, "errno", None) or 0
            # asyncio says which call failed, the number why
            why = os.strerror(number) if number > 0 else str(error) or N_("no answer")
            continue
        if key is not None:
            return " ".join(key.export_public_key("openssh").decode().split()[:2])
    if why:
        raise UnreachableError(
            N_("{host} did not show its key: {reason}.", host=route.name, reason=why.rstrip("."))
        )
    raise UnreachableError(N_("{host} did not show its key.", host=route.name))


def _algorithms_of(route: Route) -> tuple[str, ...]:
    """Signatures by the kind of key that was approved; empty: whatever the host has."""
    kind = route.host_key.split()[0] if route.host_key else ""
    if kind != "ssh-rsa":
        return (kind,) if kind else ()
    modern = ("rsa-sha2-512", "rsa-sha2-256")
    return (*modern, "ssh-rsa") if route.old_algorithms else modern


async def _connect(route: Route) -> asyncssh.SSHClientConnection:
    if not route.host_key:
        sentence = N_(
            "{host} is not trusted yet: check its fingerprint and approve its key.",
            host=route.name,
        )
        offered = await offered_key(route)
        raise UntrustedKeyError(sentence, route.target, offered, changed=False)
    tunnel = await connection(route.via) if route.via else None
    try:
        async with asyncio.timeout(CONNECT_S), contextlib.AsyncExitStack() as agents:
            return await asyncssh.connect(
                route.address,
                route.port,
                username=route.user,
                tunnel=tunnel,
                known_hosts=([asyncssh.import_public_key(route.host_key)], [], []),
                config=None,
                keepalive_interval=KEEPALIVE_S,
                keepalive_count_max=3,
                **await _credentials(route, agents),
                server_host_key_algs=_algorithms_of(route),
                **(OLD_ALGORITHMS if route.old_algorithms else NO_SHA1),
            )
    except asyncssh.HostKeyNotVerifiable:
        offered = await offered_key(route)
        if offered == " ".join(route.host_key.split()[:2]):
            raise UnreachableError(N_("{host} closed the connection.", host=route.name)) from None
        sentence = N_(
            "{host} shows a key other than the approved one: nothing was sent to it.",
            host=route.name,
        )
        raise UntrustedKeyError(sentence, route.target, offered, changed=True) from None
    except asyncssh.PermissionDenied:
        sentence = N_(
            "{host} does not let {user} in: check the user and the credentials.",
            host=route.name,
            user=route.user,
        )
        raise DeniedError(sentence, route.target) from None
    except TimeoutError:
        sentence = N_(
            "{host} did not answer within {seconds} s.", host=route.name, seconds=CONNECT_S
        )
        raise UnreachableError(sentence) from None
    except (OSError, asyncssh.Error) as error:
        raise UnreachableError(broken(route, error)) from None


def broken(route: Route, error: BaseException) -> str:
    """Why a connection could not be made or broke, in one sentence."""
    number = getattr(error, "errno", None)
    # asyncio's own text is "Connect call failed" whatever the cause
    known = os.strerror(number) if isinstance(number, int) and number > 0 else ""
    cause = known or getattr(error, "reason", None) or str(error)
    return N_("{host} cannot be reached: {cause}.", host=route.name, cause=str(cause).rstrip("."))


async def _credentials(route: Route, agents: contextlib.AsyncExitStack) -> dict[str, object]:
    """What is offered to the host, and nothing that happens to lie on this machine.

    An agent is asked to sign until `agents` ends.
    """
    password, keys = None, None
    if route.method == Target.Method.PASSWORD:
        password = route.secret.get("password")
    elif route.method == Target.Method.KEY:
        keys = [_client_key(route)]
    else:
        keys = await _agent_keys(route, agents)
    return {"password": password, "client_keys": keys, "agent_path": None, "gss_auth": False}


async def _agent_keys(route: Route, agents: contextlib.AsyncExitStack) -> list[object] | None:
    """The keys of the agent that the worker was started with; None where it has none."""
    try:
        path = os.environ.get("SSH_AUTH_SOCK", "")
        agent = await agents.enter_async_context(asyncssh.connect_agent(path))
        return list(await agent.get_keys()) or None
    except (OSError, ValueError, asyncssh.Error):
        sentence = N_(
            "The worker has no SSH agent to log in to {host} with: set SSH_AUTH_SOCK.",
            host=route.name,
        )
        raise DeniedError(sentence, route.target) from None


def _client_key(route: Route) -> object:
    try:
        key = asyncssh.import_private_key(
            route.secret["key"], route.secret.get("passphrase") or None
        )
        if "certificate" not in route.secret:
            return key
        return key, asyncssh.import_certificate(route.secret["certificate"])
    except (KeyError, ValueError, asyncssh.Error):
        sentence = N_(
            "The private key of {user} on {host} cannot be read: enter it again.",
            user=route.user,
            host=route.name,
        )
        raise DeniedError(sentence, route.target) from None
