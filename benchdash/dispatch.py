"""How the Django side asks a worker: a task by name, so that nothing above imports a worker."""

from __future__ import annotations

from celery import Celery

READ_UPLOAD = "workers.reading.read_upload"
CARRY_ON = "workers.jobs.carry_on"
CHECK_TARGET = "workers.jobs.check_target"

app = Celery("benchdash")
app.config_from_object("django.conf:settings", namespace="CELERY")


def ask(task: str, *arguments: int | str) -> None:
    """Ring the doorbell: the database holds what is to be done, the message only says look."""
    app.send_task(task, args=arguments)
