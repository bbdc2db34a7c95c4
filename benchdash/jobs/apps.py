from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "benchdash.jobs"
    verbose_name = _("Plans, jobs and hosts")
