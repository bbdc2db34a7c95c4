"""The worker process (`celery -A workers.celery worker`), and what is to be done every so often."""

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

_OR_NEVER = {"expires": 5.0}  # seconds: the next one does the same
app.conf.beat_schedule = {
    "uploads whose message was lost": {"task": "workers.reading.ring_again", "schedule": 60.0},
    "jobs that are due": {"task": "workers.jobs.sweep", "schedule": 5.0, "options": _OR_NEVER},
    "commits to disk": {
        "task": "workers.reading.checkpoint",
        "schedule": 5.0,
        "options": _OR_NEVER,
    },
    "forget wrong passwords": {"task": "workers.reading.forget_attempts", "schedule": 3600.0},
    "count long lists": {"task": "workers.reading.count_the_whole", "schedule": 300.0},
    "notify of plans": {
        "task": "workers.notifications.notify",
        "schedule": 30.0,
        "options": _OR_NEVER,
    },
    "purge deleted runs": {"task": "workers.reading.purge_deleted", "schedule": 3600.0},
}


@setup_logging.connect
def keep_our_logging(**_how: object) -> None:
    """Celery sets up its own where nobody is connected: settings.LOGGING stays."""


@task_prerun.connect
def name_job(task: Any, args: Sequence[Any], **_how: object) -> None:
    """Lines of the log are about this job, until this thread takes the next task."""
    log_context.job.set(str(args[0]) if task.name == CARRY_ON else "-")
