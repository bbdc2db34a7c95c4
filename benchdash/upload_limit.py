"""No request of files that is larger than MAX_UPLOAD_BYTES, whichever form it comes by.

Django bounds the fields of a form and not its files; this looks at the length that was told
before a byte is read, the CSRF check's first look included.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

FRAME_BYTES = 2**16  # what a form puts round its files


def is_too_large(length: int) -> bool:
    """Whether a request of so many bytes is refused."""
    return bool(length > settings.MAX_UPLOAD_BYTES + FRAME_BYTES)


class UploadLimit(FileUploadHandler):
    """The first of the handlers: refuses the request, or passes each file on as it is."""

    def handle_raw_input(
        self,
        input_data: Any,
        META: Any,  # noqa: N803 - Django's name
        content_length: int,
        boundary: Any,
        encoding: Any = None,
    ) -> None:
        if is_too_large(content_length):
            raise RequestDataTooBig(f"{content_length} bytes of files in one request")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
