from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ResultsConfig(AppConfig):
    name = "benchdash.results"
    verbose_name = _("What was measured")
