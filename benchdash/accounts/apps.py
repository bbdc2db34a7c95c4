from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "benchdash.accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        post_migrate.connect(make_groups, sender=self)


def make_groups(using: str, **_rest: Any) -> None:
    """Create the four groups after the first migration, and again after a test's flush."""
    from django.contrib.auth.models import Group  # noqa: PLC0415 - models are not loaded before

    from benchdash.accounts.roles import GROUPS  # noqa: PLC0415

    for name in GROUPS:
        Group.objects.using(using).get_or_create(name=name)
