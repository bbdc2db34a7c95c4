"""Another process of the house on the database of the test."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager

from django.db import connection


def database_url():
    """The address of the test database."""
    told = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{told['NAME']}"
    return f"postgres://{told['USER']}@{told['HOST']}:{told['PORT']}/{told['NAME']}"


@contextmanager
def another_process(*arguments, **environment):
    """A Python process that is killed when the block is left."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | {"DATABASE_URL": database_url()} | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()
