"""`manage.py prepare`: the static files and the database, ready to be served.

Speaks on standard error; its standard output is the sentence on how to sign in.
"""

from __future__ import annotations

import fcntl
import secrets
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import OperationalError, connection, transaction

from benchdash.accounts.models import User
from benchdash.results.demonstration import demo_folders, refresh
from benchdash.results.models import Artifact
from benchdash.stamps import digest, is_stamped

ADMIN = "admin"
PREPARING = 0x62656E6368  # any number that nobody else locks in this database
AS_BEFORE = "Sign in as you did before."


class Command(BaseCommand):
    help = (
        "Collect the static files, migrate the database, and on the very first start load the "
        "demo studies and make an admin, whose password is printed once."
    )
    requires_system_checks: list[str] = []  # `migrate` runs those that matter here

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--static-only",
            action="store_true",
            help="no database is asked: for building an image",
        )

    def handle(self, *_arguments: Any, static_only: bool, **_options: Any) -> None:
        with (settings.VAR_DIR / "prepare.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # of this folder: static files, and a database in it
            collect_static()
            if not static_only:
                self.stdout.write(prepare_database())


def collect_static() -> None:
    """Compile the translations; collect and compress the static files where they changed."""
    call_command("compilemessages")
    stamp = Path(settings.STATIC_ROOT) / ".stamp"
    content = digest(settings.BASE_DIR, ["frontend/dist", "requirements.txt"])
    if is_stamped(stamp, content):  # collecting takes seconds, at each start
        return
    sys.stderr.write("Collecting the static files …\n")
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(content)


def prepare_database() -> str:
    """Migrate, and fill it where nobody can sign in yet; the sentence on how to sign in."""
    try:
        with alone_on_the_server():
            call_command("migrate", verbosity=0, interactive=False)
            if not User.objects.exists():
                return first_start()
            update_demo()
            return AS_BEFORE
    except OperationalError as error:
        raise SystemExit(f"The database cannot be used: {error}".rstrip()) from None


def update_demo() -> None:
    """Add to the demo studies that are there what their files say since they were loaded."""
    stamp = settings.VAR_DIR / "demo.stamp"
    files = (folder / "study.yaml" for folder in demo_folders())
    names = [str(file.relative_to(settings.BASE_DIR)) for file in files]
    database = str(connection.settings_dict["NAME"])
    content = f"{digest(settings.BASE_DIR, names)} {database}"
    if is_stamped(stamp, content):  # reading them takes seconds, at each start
        return
    for folder in demo_folders():
        refresh(folder)
    stamp.write_text(content)


@contextmanager
def alone_on_the_server() -> Iterator[None]:
    """Wait until no other machine prepares the same database of PostgreSQL."""
    if connection.vendor != "postgresql":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [PREPARING])
    yield
    with connection.cursor() as cursor:  # where the block fails, the connection ends with it
        cursor.execute("SELECT pg_advisory_unlock(%s)", [PREPARING])


@transaction.atomic
def first_start() -> str:
    """Make an admin, and fill a database that holds nothing; says how to sign in."""
    if not Artifact.objects.exists():
        sys.stderr.write("Loading the demo studies …\n")
        call_command("load_demo", stdout=sys.stderr)
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(username=ADMIN, password=password)
    return f"Sign in as {ADMIN} with the password {password} (shown this once)."
