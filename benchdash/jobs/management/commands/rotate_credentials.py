"""`manage.py rotate_credentials`: all stored credentials under the newest key."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from benchdash.errors import N_, Refused
from benchdash.jobs.credentials import sealed_anew
from benchdash.jobs.models import Target


class Command(BaseCommand):
    """Seal each secret anew; those that no key opens are named, and stay."""

    help = "Encrypts all credentials with the first key of FIELD_ENCRYPTION_KEY."

    def handle(self, *_args: Any, **_options: Any) -> None:
        rotated, closed = 0, []
        for pk in Target.objects.exclude(secret="").values_list("pk", flat=True):
            name = _rotate(pk)
            rotated += not name
            closed += [name] if name else []
        self.stdout.write(f"{rotated} encrypted anew")
        if closed:
            sentence = N_("No key opens the credentials of {names}.", names=", ".join(closed))
            raise CommandError(sentence)


@transaction.atomic
def _rotate(pk: int) -> str:
    """The name of the target where its credentials stay closed, else nothing."""
    target = Target.objects.select_for_update(of=("self",)).get(pk=pk)
    try:
        target.secret = sealed_anew(target.secret)
    except Refused:
        return str(target)
    target.save(update_fields=["secret"])
    return ""
