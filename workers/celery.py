"""The worker process (`celery -A workers.celery worker`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import django
from celery.signals import setup_logging, task_prerun

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchdash.settings")
django.setup()

from benchdash import log_context  # noqa: E402 - Django's settings come first
from benchdash.dispatch import CARRY_ON, app  # noqa: E402

__all__ = ["app"]


@setup_logging.connect
def keep_our_logging(**_how: object) -> None:
    """Celery sets up its own where nobody is connected: settings.LOGGING stays."""


@task_prerun.connect
def name_job(task: Any, args: Sequence[Any], **_how: object) -> None:
    """Lines of the log are about this job, until this thread takes the next task."""
    log_context.job.set(str(args[0]) if task.name == CARRY_ON else "-")
