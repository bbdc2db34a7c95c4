"""Credentials at rest: Fernet under FIELD_ENCRYPTION_KEY, the newest key first.

Several keys stand side by side, parted by commas: all of them open, the first one closes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.translation import gettext as _

from benchdash.errors import Refused


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
        sentence = _(
            "The credentials cannot be opened with this FIELD_ENCRYPTION_KEY: enter them again."
        )
        raise Refused(sentence, "secret") from None
    return dict(json.loads(text))


def sealed_anew(ciphertext: str) -> str:
    """The same secret under the newest key; Refused where no key opens it."""
    return sealed(opened(ciphertext))
