"""The files in which OpenSSH keeps what it knows of hosts: `known_hosts` and `ssh_config`.

sshd(8), SSH_KNOWN_HOSTS FILE FORMAT, with plain and hashed names; ssh_config(5), as far as it says
how to reach hosts: the first value of a word wins.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import shlex
from binascii import Error as NoBase64
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.jobs.credentials import fingerprint

LONGEST_KNOWN_HOSTS = 1_000_000
LONGEST_CONFIG = 200_000
MOST_LINES = 5000
MOST_HOSTS = 500
_PORT = re.compile(r"[0-9]{1,5}")
_OPTIONS = ("hostname", "port", "user", "proxyjump", "identityfile", "certificatefile")
# the ones that are asked for first
_PREFERRED = ("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521")


@dataclass(frozen=True, slots=True)
class KnownKey:
    """One line: patterns (or one hashed name) and `ssh-ed25519 AAAA…`."""

    names: tuple[str, ...]
    host_key: str

    def is_of(self, address: str, port: int) -> bool:
        """Whether the line speaks of this address; a name after `!` takes it out."""
        wanted = address.lower() if port == 22 else f"[{address.lower()}]:{port}"
        if any(_matches(name[1:], wanted) for name in self.names if name.startswith("!")):
            return False
        return any(_matches(name, wanted) for name in self.names)


def read_known_hosts(text: str) -> tuple[KnownKey, ...]:
    """The keys in the order of the file; revoked ones and authorities are left out.

    Refused where nothing in the text is a key.
    """
    lines = text[:LONGEST_KNOWN_HOSTS].splitlines()[:MOST_LINES]
    found = tuple(key for line in lines if (key := _known_key(line)))
    if not found:
        raise Refused(_("None of these lines is a known_hosts key."), "text")
    return found


def key_of(keys: tuple[KnownKey, ...], address: str, port: int) -> str:
    """The line to pin for this address, "" where none is known; Ed25519 before ECDSA before RSA."""
    lines = [key.host_key for key in keys if key.is_of(address, port)]
    return min(lines, key=_rank, default="")


def _rank(line: str) -> int:
    kind = line.partition(" ")[0]
    return _PREFERRED.index(kind) if kind in _PREFERRED else len(_PREFERRED)


def _known_key(line: str) -> KnownKey | None:
    parts = line.split()
    if len(parts) < 3 or line.lstrip().startswith(("#", "@")):
        return None
    host_key = f"{parts[1]} {parts[2]}"
    return KnownKey(tuple(parts[0].split(",")), host_key) if fingerprint(host_key) else None


def _matches(name: str, wanted: str) -> bool:
    if name.startswith("|1|"):
        return _is_hash_of(name, wanted)
    # a port stands in brackets, which fnmatch takes for a set of letters
    return fnmatchcase(wanted, name.lower().replace("[", "[[]"))


def _is_hash_of(name: str, wanted: str) -> bool:
    try:
        salt, digest = (base64.b64decode(part, validate=True) for part in name.split("|")[2:4])
    except (NoBase64, ValueError):
        return False
    return hmac.compare_digest(hmac.new(salt, wanted.encode(), hashlib.sha1).digest(), digest)


@dataclass(frozen=True, slots=True)
class SshHost:
    """One `Host` without a pattern; what the file does not say is empty.

    `jump` is as written: names of other hosts or `user@host:port`, parted by commas.
    """

    name: str
    address: str
    port: int
    user: str
    jump: str
    identity: str
    certificate: str


@dataclass(frozen=True, slots=True)
class _Block:
    patterns: tuple[str, ...]
    options: dict[str, str]


def read_ssh_config(text: str) -> tuple[SshHost, ...]:
    """The hosts in the order of the file; Refused names the line that cannot be read."""
    blocks = _blocks(text)
    names = [name for block in blocks for name in block.patterns if not _is_pattern(name)]
    hosts = tuple(_host(name, blocks) for name in list(dict.fromkeys(names))[:MOST_HOSTS])
    if not hosts:
        raise Refused(_("This contains no “Host” with a name."), "text")
    return hosts


def unread(text: str) -> tuple[str, ...]:
    """Lines of another kind that would have counted: Include and Match."""
    words = (line.split(maxsplit=1)[0].lower() for line in text.splitlines() if line.strip())
    return tuple(sorted({word for word in words if word in ("include", "match")}))


def _blocks(text: str) -> list[_Block]:
    blocks = [_Block(("*",), {})]
    for number, word, value in _lines(text[:LONGEST_CONFIG]):
        if word == "host":
            blocks.append(_Block(tuple(_split(value, number)), {}))
        elif word == "match":
            blocks.append(_Block((), {}))  # what holds under conditions holds for no host here
        elif word in _OPTIONS:
            blocks[-1].options.setdefault(word, " ".join(_split(value, number)))
    return blocks


def _lines(text: str) -> Iterator[tuple[int, str, str]]:
    for number, line in enumerate(text.splitlines()[:MOST_LINES], 1):
        word, _space, value = line.strip().replace("=", " ", 1).partition(" ")
        if word and not word.startswith("#"):
            yield number, word.lower(), value.strip()


def _split(value: str, number: int) -> list[str]:
    try:
        return shlex.split(value, comments=True)
    except ValueError:
        raise Refused(
            "Line {number}: a quotation mark is not closed.", "text", number=number
        ) from None


def _is_pattern(name: str) -> bool:
    return any(letter in name for letter in "*?!")


def _host(name: str, blocks: list[_Block]) -> SshHost:
    options: dict[str, str] = {}
    for block in blocks:
        if _applies(block.patterns, name):
            options = block.options | options
    port = options.get("port", "")
    return SshHost(
        name=name,
        address=options.get("hostname", name).replace("%h", name),
        port=int(port) if _PORT.fullmatch(port) and 0 < int(port) < 65536 else 22,
        user=options.get("user", ""),
        jump="" if options.get("proxyjump", "none") == "none" else options["proxyjump"],
        identity=options.get("identityfile", ""),
        certificate=options.get("certificatefile", ""),
    )


def _applies(patterns: tuple[str, ...], name: str) -> bool:
    if any(fnmatchcase(name, each[1:]) for each in patterns if each.startswith("!")):
        return False
    return any(fnmatchcase(name, each) for each in patterns)
