"""The settings of a web process whose hashes wait for the test."""

from __future__ import annotations

from tests.settings import *  # noqa: F403

PASSWORD_HASHERS = [
    "tests.pages.test_password_lane.GatedHasher",
    "django.contrib.auth.hashers.MD5PasswordHasher",
]
