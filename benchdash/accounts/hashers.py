"""How passwords are hashed."""

from __future__ import annotations

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane, OWASP's first choice for servers.

    Django's defaults, 100 MiB and eight lanes, take all cores and a hundred megabytes per attempt:
    an attacker gets that for the price of a request. Hashes made with other parameters stay valid,
    and are renewed at their person's next sign-in.

    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
    """

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1
