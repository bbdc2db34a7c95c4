"""`manage.py rotate_credentials`: all stored credentials under the newest key."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Model

from benchdash.errors import N_, Refused
from benchdash.jobs.credentials import sealed_anew
from benchdash.jobs.models import Target
from benchdash.notifications.models import Preference

SEALED: tuple[tuple[type[Model], str], ...] = ((Target, "secret"), (Preference, "webhook"))


class Command(BaseCommand):
    """Seal each secret anew; those that no key opens are named, and stay."""

    help = "Encrypts all credentials with the first key of FIELD_ENCRYPTION_KEY."

    def handle(self, *_args: Any, **_options: Any) -> None:
        rotated, closed = 0, []
        for model, field in SEALED:
            rows = model._default_manager.exclude(**{field: ""})
            for pk in rows.values_list("pk", flat=True):
                name = _rotate(model, field, pk)
                rotated += not name
                closed += [name] if name else []
        self.stdout.write(f"{rotated} encrypted anew")
        if closed:
            sentence = N_("No key opens the credentials of {names}.", names=", ".join(closed))
            raise CommandError(sentence)


@transaction.atomic
def _rotate(model: type[Model], field: str, pk: int) -> str:
    """The name of the record where its credentials stay closed, else nothing."""
    record = model._default_manager.select_for_update(of=("self",)).get(pk=pk)
    try:
        setattr(record, field, sealed_anew(getattr(record, field)))
    except Refused:
        return str(record)
    record.save(update_fields=[field])
    return ""
