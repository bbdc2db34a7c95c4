from __future__ import annotations

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ResultsConfig(AppConfig):
    name = "benchdash.results"
    verbose_name = _("What was measured")

    def ready(self) -> None:
        from benchdash.results import bulk, doubts  # noqa: PLC0415 - models are loaded by now

        # `flush` speaks of itself as a migration too
        post_migrate.connect(bulk.forget, sender=self)
        post_migrate.connect(doubts.forget, sender=self)
