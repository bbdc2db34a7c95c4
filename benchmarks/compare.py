"""The compare page against its SQL and statistics written by hand, on PostgreSQL."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from benchmarks.report import Row
from tools import servers


def run() -> list[Row]:
    """In a process of its own: Django is set up once a process, and this is its database."""
    with servers.postgres() as url:
        environment = os.environ | {
            "DATABASE_URL": url,
            "PUBLIC_READ": "true",
            "ALLOWED_HOSTS": "testserver",
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.within.compare"],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return [Row(**row) for row in json.loads(done.stdout)]
