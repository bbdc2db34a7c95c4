"""The apps that this project sets up in its own way."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class Benchdash(AppConfig):
    """What belongs to no room: the commands that prepare the whole."""

    name = "benchdash"


class Administration(AdminConfig):
    """Takes the place of `django.contrib.admin`."""

    default_site = "benchdash.accounts.admin_site.Site"
