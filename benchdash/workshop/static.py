"""`python -m benchdash.workshop.static`: translations compiled, static files collected and compressed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
django.setup()

from django.conf import settings  # noqa: E402 - Django's settings come first
from django.core.management import call_command  # noqa: E402

from benchdash.workshop.place import BUNDLE, ROOT, digest, is_stamped  # noqa: E402
from benchdash.workshop.translations import compile_translations  # noqa: E402


def collect_static() -> None:
    """Make what the web server gives away, where it or the packages changed."""
    compile_translations()
    stamp = Path(settings.STATIC_ROOT) / ".stamp"
    content = digest([BUNDLE, ROOT / "requirements.txt"])
    if is_stamped(stamp, content):
        return
    print("Collecting the static files …", file=sys.stderr)
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(content)


if __name__ == "__main__":
    collect_static()
