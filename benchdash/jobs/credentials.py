"""What opens hosts: credentials at rest, private keys and certificates checked for form, host keys named.

Credentials are sealed with Fernet under FIELD_ENCRYPTION_KEY. Several keys may stand there, parted
by commas: all of them open, the first one seals, so that a key is changed without losing anything.
"""

from __future__ import annotations

import base64
import hashlib
import json
import shlex
from binascii import Error as NoBase64
from collections.abc import Mapping
from functools import cache

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    SSHCertificate,
    load_pem_private_key,
    load_ssh_private_key,
    load_ssh_public_identity,
)
from django.conf import settings
from django.utils.translation import gettext as _

from benchdash.errors import Refused

LONGEST_KEY = 32_768
_OPENSSH = "-----BEGIN OPENSSH PRIVATE KEY-----"


def new_private_key() -> str:
    """A new Ed25519 key as the file that `ssh-keygen` would write, without a passphrase."""
    made = Ed25519PrivateKey.generate()
    return made.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()


def check_private_key(key: str, passphrase: str = "", certificate: str = "") -> str:
    """The line of its public key; Refused where it does not open, or the certificate is another's."""
    private = _loaded(key.strip() + "\n", passphrase)
    line = _line(private.public_key())
    if not certificate:
        return line.decode()
    try:
        identity = load_ssh_public_identity(certificate.strip().encode())
    except (ValueError, UnsupportedAlgorithm):
        identity = None
    if not isinstance(identity, SSHCertificate):
        raise Refused(
            _("This is not an OpenSSH certificate: paste the line from the file …-cert.pub."),
            "certificate",
        )
    if _line(identity.public_key()) != line:
        raise Refused(_("This certificate belongs to another key."), "certificate")
    return line.decode()


def authorizing_command(public_key: str) -> str:
    """What a user runs on a host, once or more often, so that the key opens their account."""
    line = shlex.quote(f"{public_key} benchdash")
    file = "~/.ssh/authorized_keys"
    # a file whose last line has no end would swallow the key
    append = f"printf '\\n%s\\n' {line} >> {file}"
    return (
        f"mkdir -p ~/.ssh && chmod 700 ~/.ssh && {{ grep -qsxF {line} {file} || {append}; }}"
        f" && chmod 600 {file}"
    )


def _loaded(key: str, passphrase: str) -> PrivateKeyTypes:
    load = load_ssh_private_key if key.startswith(_OPENSSH) else load_pem_private_key
    if "PRIVATE KEY-----" not in key or len(key) > LONGEST_KEY:
        raise Refused(
            _(
                "This is not a private key: paste the whole file, from its line “-----BEGIN” to “-----END”."
            ),
            "key",
        )
    try:
        opened: PrivateKeyTypes = load(key.encode(), passphrase.encode() or None)
    except TypeError:  # a passphrase where none is wanted, or none where one is
        sentence = (
            _("This key has no passphrase: leave that field empty.")
            if passphrase
            else _("This key has a passphrase: enter it too.")
        )
        raise Refused(sentence, "passphrase") from None
    except (ValueError, UnsupportedAlgorithm):
        sentence = (
            _("The passphrase does not unlock this key.")
            if passphrase
            else _("This private key cannot be read: it is damaged or incomplete.")
        )
        raise Refused(sentence, "passphrase" if passphrase else "key") from None
    return opened


def _line(public: object) -> bytes:
    encoded: bytes = public.public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)  # type: ignore[attr-defined]  # each kind of public key has it
    return encoded


def kind_of(host_key: str) -> str:
    """`ssh-ed25519` of the line `ssh-ed25519 AAAA…`; "" where there is none."""
    return host_key.partition(" ")[0]


def fingerprint(host_key: str) -> str:
    """As `ssh-keygen -l` prints it: `SHA256:…`; "" where the line holds no key."""
    parts = host_key.split()
    try:
        blob = base64.b64decode(parts[1], validate=True) if len(parts) > 1 else b""
    except (NoBase64, ValueError):
        blob = b""
    digest = base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
    return f"SHA256:{digest}" if blob else ""


@cache
def _box(keys: str) -> MultiFernet:
    return MultiFernet([Fernet(key.strip()) for key in keys.split(",") if key.strip()])


def sealed(secret: Mapping[str, str]) -> str:
    """`{"password": …}` or `{"key": …, "passphrase": …, "certificate": …}` as ciphertext."""
    filled = {name: value for name, value in secret.items() if value}
    text = json.dumps(filled).encode()
    return _box(settings.FIELD_ENCRYPTION_KEY).encrypt(text).decode() if filled else ""


def opened(ciphertext: str) -> dict[str, str]:
    """What was sealed; Refused where no key opens it."""
    if not ciphertext:
        return {}
    try:
        text = _box(settings.FIELD_ENCRYPTION_KEY).decrypt(ciphertext.encode())
    except InvalidToken:
        sentence = _("This FIELD_ENCRYPTION_KEY cannot decrypt the credentials: enter them again.")
        raise Refused(sentence, "secret") from None
    return dict(json.loads(text))


def sealed_anew(ciphertext: str) -> str:
    """The same secret under the newest key; Refused where no key opens it."""
    return sealed(opened(ciphertext))
