"""Django's admin, opened by our roles."""

from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class Administration(AdminConfig):
    """Takes the place of `django.contrib.admin`."""

    default_site = "benchdash.administration.Site"
