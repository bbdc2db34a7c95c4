"""Fresh SSH keys, made in the process."""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    SSHCertificateBuilder,
    SSHCertificateType,
)


def private_text(key, passphrase=""):
    """The file that ssh-keygen would write."""
    lock = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    return key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, lock).decode()


def public_line(key):
    """`ssh-ed25519 AAAA…`."""
    return key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH).decode()


def a_key(passphrase=""):
    """The text of a new private key."""
    return private_text(Ed25519PrivateKey.generate(), passphrase)


def a_host_key():
    """The line of a new public key."""
    return public_line(Ed25519PrivateKey.generate())


def a_certificate(key):
    """A certificate of `key` by some authority."""
    builder = SSHCertificateBuilder().public_key(key.public_key()).serial(1).key_id(b"ann")
    builder = builder.type(SSHCertificateType.USER).valid_for_all_principals()
    builder = builder.valid_after(0).valid_before(2**63)
    return builder.sign(Ed25519PrivateKey.generate()).public_bytes().decode()
