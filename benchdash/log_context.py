"""Which request and which job a line of the log is about."""

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


class Context(logging.Filter):
    """Gives each record `request` and `job`: their ids, or a dash."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id, record.job_id = _request.get(), job.get()
        return True


@contextmanager
def of_request(asked: str) -> Iterator[str]:
    """Lines within are about this request: by the id that the proxy gave, where it may be one."""
    known = asked if _ID.fullmatch(asked) else uuid4().hex
    token = _request.set(known)
    try:
        yield known
    finally:
        _request.reset(token)
