"""Sends tasks to workers by name, so that nothing on the Django side imports a worker."""

from __future__ import annotations

from celery import Celery
from kombu.exceptions import OperationalError

READ_UPLOAD = "workers.reading.read_upload"
CARRY_ON = "workers.jobs.carry_on"
UNMAKE = "workers.jobs.unmake"
CHECK_TARGET = "workers.jobs.check_target"
SEND_NOTIFICATION = "workers.notifications.send"

app = Celery("benchdash")
app.config_from_object("django.conf:settings", namespace="CELERY")


def send(task: str, *arguments: int | str) -> None:
    """Send a task. The database holds what is to be done, so a lost message does no harm."""
    app.send_task(task, args=arguments)


def reach_broker() -> None:
    """OSError where the broker does not answer within seconds."""
    with app.connection_for_write(connect_timeout=5) as connection:
        try:
            connection.ensure_connection(max_retries=1, timeout=5)
        except OperationalError as error:
            raise ConnectionError(str(error)) from None
