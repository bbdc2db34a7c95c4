"""How passwords are hashed."""

from __future__ import annotations

from django.contrib.auth.hashers import Argon2PasswordHasher


class Argon2(Argon2PasswordHasher):
    """Argon2id with 19 MiB, two passes and one lane, OWASP's first choice for servers.

    Django's own 100 MiB and eight lanes take all cores and a hundred megabytes a try, which whoever
    sends wrong passwords has for nothing. What was hashed with other numbers opens as before, and
    is hashed anew when its person signs in.

    https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html#argon2id
    """

    memory_cost = 19 * 1024  # KiB
    time_cost = 2
    parallelism = 1
