"""`ssh_config` of OpenSSH, as far as it says how to reach hosts: the first value of a word wins."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from django.utils.translation import gettext as _

from benchdash.errors import Refused

LONGEST_TEXT = 200_000
MOST_LINES = 5000
MOST_HOSTS = 500
_PORT = re.compile(r"[0-9]{1,5}")
_WORDS = ("hostname", "port", "user", "proxyjump", "identityfile", "certificatefile")


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
    words: dict[str, str]


def read_ssh_config(text: str) -> tuple[SshHost, ...]:
    """The hosts in the order of the file; Refused names the line that cannot be read."""
    blocks = _blocks(text)
    names = [name for block in blocks for name in block.patterns if not _is_pattern(name)]
    hosts = tuple(_host(name, blocks) for name in list(dict.fromkeys(names))[:MOST_HOSTS])
    if not hosts:
        raise Refused(_("No “Host” with a name stands in this."), "text")
    return hosts


def unread(text: str) -> tuple[str, ...]:
    """Lines of another kind that would have had a say: Include and Match."""
    words = (line.split(maxsplit=1)[0].lower() for line in text.splitlines() if line.strip())
    return tuple(sorted({word for word in words if word in ("include", "match")}))


def _blocks(text: str) -> list[_Block]:
    blocks = [_Block(("*",), {})]
    for number, word, value in _lines(text[:LONGEST_TEXT]):
        if word == "host":
            blocks.append(_Block(tuple(_split(value, number)), {}))
        elif word == "match":
            blocks.append(_Block((), {}))  # what holds under conditions holds for no host here
        elif word in _WORDS:
            blocks[-1].words.setdefault(word, " ".join(_split(value, number)))
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
        sentence = _("Line {number}: a quotation mark is not closed.").format(number=number)
        raise Refused(sentence, "text") from None


def _is_pattern(name: str) -> bool:
    return any(letter in name for letter in "*?!")


def _host(name: str, blocks: list[_Block]) -> SshHost:
    said: dict[str, str] = {}
    for block in blocks:
        if _holds(block.patterns, name):
            said = block.words | said
    port = said.get("port", "")
    return SshHost(
        name=name,
        address=said.get("hostname", name).replace("%h", name),
        port=int(port) if _PORT.fullmatch(port) and 0 < int(port) < 65536 else 22,
        user=said.get("user", ""),
        jump="" if said.get("proxyjump", "none") == "none" else said["proxyjump"],
        identity=said.get("identityfile", ""),
        certificate=said.get("certificatefile", ""),
    )


def _holds(patterns: tuple[str, ...], name: str) -> bool:
    if any(fnmatchcase(name, each[1:]) for each in patterns if each.startswith("!")):
        return False
    return any(fnmatchcase(name, each) for each in patterns)
