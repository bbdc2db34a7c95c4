"""`python -m workshop.prepare`: the database and the static files, ready to be served.

Speaks on standard error; its standard output is the sentence on how to sign in.
"""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
django.setup()

from django.conf import settings  # noqa: E402 - Django's settings come first
from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402

from benchdash.accounts.models import User  # noqa: E402
from workshop.place import BUNDLE, ROOT, digest, is_stamped  # noqa: E402
from workshop.translations import compile_translations  # noqa: E402

ADMIN = "admin"
AS_BEFORE = "Sign in as you did before."


def main() -> None:
    """Migrate, collect, and on the very first start make an admin."""
    compile_translations()
    call_command("migrate", verbosity=0, interactive=False)
    collect_static()
    print(AS_BEFORE if User.objects.exists() else first_start())


def collect_static() -> None:
    """Collect and compress the static files where they or the packages changed."""
    stamp = Path(settings.STATIC_ROOT) / ".stamp"
    content = digest([BUNDLE, ROOT / "requirements.txt"])
    if is_stamped(stamp, content):
        return
    print("Collecting the static files …", file=sys.stderr)
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(content)


@transaction.atomic
def first_start() -> str:
    """Make an admin; says how to sign in."""
    password = secrets.token_urlsafe(12)
    User.objects.create_superuser(username=ADMIN, password=password)
    return f"Sign in as {ADMIN} with the password {password} (shown this once)."


if __name__ == "__main__":
    main()
