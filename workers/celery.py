"""The worker process (`celery -A workers.celery worker`)."""

from __future__ import annotations

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
django.setup()

from benchdash.dispatch import app  # noqa: E402 - Django's settings come first

__all__ = ["app"]
