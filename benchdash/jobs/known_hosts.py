"""`known_hosts` of OpenSSH (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT), plain and hashed names."""

from __future__ import annotations

import base64
import hashlib
import hmac
from binascii import Error as NoBase64
from dataclasses import dataclass
from fnmatch import fnmatchcase

from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.jobs.ssh_keys import fingerprint

LONGEST_TEXT = 1_000_000
MOST_LINES = 5000
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
    lines = text[:LONGEST_TEXT].splitlines()[:MOST_LINES]
    found = tuple(key for line in lines if (key := _read(line)))
    if not found:
        raise Refused(_("No line of this is a key of known_hosts."), "text")
    return found


def key_of(keys: tuple[KnownKey, ...], address: str, port: int) -> str:
    """The line to pin for this address, "" where none is known; Ed25519 before ECDSA before RSA."""
    lines = [key.host_key for key in keys if key.is_of(address, port)]
    return min(lines, key=_rank, default="")


def _rank(line: str) -> int:
    kind = line.partition(" ")[0]
    return _PREFERRED.index(kind) if kind in _PREFERRED else len(_PREFERRED)


def _read(line: str) -> KnownKey | None:
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
