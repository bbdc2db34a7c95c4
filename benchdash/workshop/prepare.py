"""`python -m benchdash.workshop.prepare`: the static files and the database, ready to be served.

Speaks on standard error; its standard output is the sentence on how to sign in.
"""

from __future__ import annotations

import os
import secrets
import sys

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
django.setup()

from django.core.management import call_command  # noqa: E402 - Django's settings come first
from django.db import OperationalError, transaction  # noqa: E402

from benchdash.accounts.models import User  # noqa: E402
from benchdash.results.models import Artifact  # noqa: E402
from benchdash.workshop.static import collect_static  # noqa: E402

ADMIN = "admin"
AS_BEFORE = "Sign in as you did before."


def main() -> None:
    """Collect, migrate, and on the very first start load the demo studies and make an admin."""
    collect_static()
    try:
        call_command("migrate", verbosity=0, interactive=False)
    except OperationalError as error:
        raise SystemExit(f"The database cannot be used: {error}".rstrip()) from None
    print(AS_BEFORE if User.objects.exists() else first_start())


@transaction.atomic
def first_start() -> str:
    """Make an admin, and fill a database that holds nothing; says how to sign in."""
    if not Artifact.objects.exists():
        print("Loading the demo studies …", file=sys.stderr)
        call_command("load_demo", stdout=sys.stderr)
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(username=ADMIN, password=password)
    return f"Sign in as {ADMIN} with the password {password} (shown this once)."


if __name__ == "__main__":
    main()
