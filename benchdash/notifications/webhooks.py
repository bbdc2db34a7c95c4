"""A POST of JSON to an address that a person chose: bounded, signed, and never into this machine.

The name is resolved once, and what was checked is what is connected to. Redirects are not followed,
the environment's proxies are not used.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import socket
import ssl
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

from benchdash.errors import N_, Refused
from benchdash.version import VERSION

SIGNATURE = "X-Benchdash-Signature-256"
TIMEOUT_S, WHOLE_S = 5.0, 15.0
_LONGEST = 300  # characters of the answer that are kept
_NAT64 = ip_network("64:ff9b::/96")
TROUBLES = (OSError, HTTPException, ValueError)


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply of the server: `ok` where it took the message."""

    ok: bool
    sentence: str


def check_address(url: str) -> SplitResult:
    """The parts of a webhook's address; Refused where it can be none."""
    try:
        parts = urlsplit(url)
        port_is_valid = parts.port != 0
    except ValueError:
        raise Refused(N_("This is not the address of a web server."), "url") from None
    if parts.scheme not in ("http", "https") or not parts.hostname or not port_is_valid:
        raise Refused(N_("A webhook’s address begins with https:// or http://."), "url")
    if parts.username is not None or parts.password is not None:
        raise Refused(N_("Leave name and password out of the address."), "url")
    if not url.isascii() or any(sign.isspace() for sign in url):
        raise Refused(N_("An address may contain only ASCII, without spaces."), "url")
    # other names are resolved when something is sent: that can take seconds
    is_known_here = parts.hostname == "localhost"
    with suppress(socket.gaierror):
        reachable(parts.hostname, 0, 0 if is_known_here else socket.AI_NUMERICHOST)
    return parts


def post(url: str, payload: Mapping[str, Any], secret: str = "") -> Answer:
    """Send the payload; Refused where the address may not be reached, one of `TROUBLES` as they come."""
    parts = check_address(url)
    host = parts.hostname or ""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    body = json.dumps(payload, ensure_ascii=False).encode()
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"benchdash/{VERSION}",
        "Connection": "close",
    }
    if secret:
        headers[SIGNATURE] = f"sha256={signature(body, secret)}"
    kind = _Tls if parts.scheme == "https" else _Plain
    connection = kind(host, port, timeout=TIMEOUT_S)
    connection.chosen = reachable(host, port)
    # each wait is bounded by the timeout, and all of them together by this
    late = threading.Event()
    clock = threading.Timer(WHOLE_S, _cut, [connection, late])
    clock.start()
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", target, body, headers)
        response = connection.getresponse()
        text = _beginning(response)
    except TROUBLES:
        if late.is_set():
            raise TimeoutError from None
        raise
    finally:
        clock.cancel()
        connection.close()
    reply = " ".join(f"{response.status} {response.reason} {text}".split())[:_LONGEST]
    if 300 <= response.status < 400:
        sentence = N_("The server answered {said}: redirects are not followed.", said=reply)
        return Answer(False, sentence)
    return Answer(200 <= response.status < 300, reply)


def signature(body: bytes, secret: str) -> str:
    """HMAC-SHA256 of the body as it is sent, in hexadecimal digits."""
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def sentence_of(error: Exception) -> str:
    """What went wrong, for whoever sent it."""
    if isinstance(error, TimeoutError):
        return N_("The server did not answer within {n} s.", n=int(WHOLE_S))
    if isinstance(error, socket.gaierror):
        return N_(
            "The name of the server cannot be resolved: {error}", error=error.strerror or error
        )
    text = str(error)[:_LONGEST] or type(error).__name__
    return N_("The server could not be used: {error}", error=text)


def reachable(host: str, port: int, flags: int = 0) -> str:
    """The address behind a name; Refused where any is this machine's, or its link's."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=flags)
    addresses = [str(each[4][0]) for each in found]
    for address in addresses:
        if not _is_allowed(address):
            raise Refused(
                "{address} is the server's own or a link-local address: benchdash sends "
                "nothing there unless its operator lists it in WEBHOOK_NETWORKS.",
                "url",
                address=address,
            )
    return addresses[0]


def _is_allowed(address: str) -> bool:
    ip = _meant(ip_address(address.partition("%")[0]))
    if any(ip in ip_network(each, strict=False) for each in settings.WEBHOOK_NETWORKS):
        return True
    forbidden = ip.is_loopback, ip.is_link_local, ip.is_unspecified, ip.is_multicast, ip.is_reserved
    # 0.0.0.0/8 is this host (RFC 1122, 3.2.1.3)
    return not any(forbidden) and ip not in ip_network("0.0.0.0/8") and not _is_own(ip)


def _is_own(ip: IPv4Address | IPv6Address) -> bool:
    """Whether an interface of this machine has it: what it sends there comes from there."""
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    with socket.socket(family, socket.SOCK_DGRAM) as probe, suppress(OSError):
        probe.connect((str(ip), 9))  # of a datagram this chooses the way and sends nothing
        return ip_address(probe.getsockname()[0].partition("%")[0]) == ip
    return False


def _meant(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 address stands for, where it does."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or ip


class _Plain(HTTPConnection):
    """Connects to the address that was checked, whatever the name leads to by now."""

    chosen = ""

    def connect(self) -> None:
        self.sock = socket.create_connection((self.chosen, self.port), self.timeout)


class _Tls(HTTPSConnection):
    """The same with TLS: the certificate has to be that of the name."""

    chosen = ""

    def connect(self) -> None:
        plain = socket.create_connection((self.chosen, self.port), self.timeout)
        self.sock = ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)


def _beginning(response: HTTPResponse) -> str:
    """Of the body; the status has said already whether the message was taken."""
    try:
        return response.read(4 * _LONGEST).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""


def _cut(connection: HTTPConnection, late: threading.Event) -> None:
    late.set()
    if connection.sock is not None:
        with suppress(OSError):
            connection.sock.shutdown(socket.SHUT_RDWR)
