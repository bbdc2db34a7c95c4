"""Workers that are all gone notify nobody: the web process looks for that, and sends what it finds."""

from __future__ import annotations

import logging
import time
from threading import Thread

from django.db import Error, connection
from django.utils import timezone

from benchdash.jobs import queueing
from benchdash.notifications import delivery, news
from benchdash.notifications.models import Notification

log = logging.getLogger(__name__)
_EVERY_S = 60.0


def begin() -> None:
    """Look every minute from now on, in a thread that ends with the process."""
    Thread(target=_keep_looking, name="workers-gone", daemon=True).start()


def look() -> None:
    """Notify who launched plans that no worker carries on, at once; nothing while one does."""
    left_at = queueing.left_alone_since()
    if left_at is None or left_at > timezone.now() - news.NO_WORKER_AFTER:
        return
    for plan in news.plans_to_look_at():
        delivery.write_down(plan)
    due = Notification.objects.filter(
        state=Notification.State.WAITING, next_at__lte=timezone.now()
    ).order_by("next_at")
    # a worker that sends them is harmless: whoever begins with one is the only one
    for pk in list(due.values_list("pk", flat=True)[: delivery.MOST_AT_ONCE]):
        delivery.attempt(pk)


def _keep_looking() -> None:
    while True:
        time.sleep(_EVERY_S)
        try:
            look()
        except Error:  # while a database is away nobody is notified, and is looked at again
            log.warning("workers could not be looked for", exc_info=True)
        finally:
            connection.close()
