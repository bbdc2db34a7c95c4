"""What a line of the log looks like, and which request and which job it is about."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from uuid import uuid4

_request: ContextVar[str] = ContextVar("request", default="-")
job: ContextVar[str] = ContextVar("job", default="-")
_ID = re.compile(r"[\w.:=+/-]{1,64}", re.ASCII)

# for web and workers alike: uvicorn's own handlers are removed, Celery's are never set up
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"context": {"()": "benchdash.log_context.Context"}},
    "formatters": {
        "line": {
            "format": "%(asctime)s %(levelname)s request=%(request_id)s job=%(job_id)s"
            " %(name)s: %(message)s",
            "datefmt": "%Y-%m-%dT%H:%M:%S%z",
        }
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["context"],
            "formatter": "line",
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "uvicorn": {"handlers": [], "level": "WARNING", "propagate": True},
        # asyncssh logs commands, whose arguments may be secret
        **{name: {"level": "WARNING"} for name in ("asyncssh", "celery", "kombu")},
    },
}


class Context(logging.Filter):
    """Gives each record `request` and `job`: their ids, or a dash."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id, record.job_id = _request.get(), job.get()
        return True


@contextmanager
def of_request(given_id: str) -> Iterator[str]:
    """Lines within are about this request: by the id that the proxy gave, where it may be one."""
    known = given_id if _ID.fullmatch(given_id) else uuid4().hex
    token = _request.set(known)
    try:
        yield known
    finally:
        _request.reset(token)
