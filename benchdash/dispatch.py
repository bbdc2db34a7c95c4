"""How the Django side asks a worker: a task by name, so that nothing above imports a worker."""

from __future__ import annotations

from celery import Celery
from kombu.exceptions import OperationalError

READ_UPLOAD = "workers.reading.read_upload"
CARRY_ON = "workers.jobs.carry_on"
CHECK_TARGET = "workers.jobs.check_target"

app = Celery("benchdash")
app.config_from_object("django.conf:settings", namespace="CELERY")


def ask(task: str, *arguments: int | str) -> None:
    """Ring the doorbell: the database holds what is to be done, the message only says look."""
    app.send_task(task, args=arguments)


def reach_broker() -> None:
    """OSError where the broker does not answer within seconds."""
    with app.connection_for_write(connect_timeout=5) as connection:
        try:
            connection.ensure_connection(max_retries=1, timeout=5)
        except OperationalError as error:
            raise ConnectionError(str(error)) from None
