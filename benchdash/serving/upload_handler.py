"""Stores all files of a request one after the other in a single temporary file.

Django's own handler opens a file for each, and 1,024 is the usual limit of open files.
"""

from __future__ import annotations

import os
from io import RawIOBase
from tempfile import TemporaryFile
from typing import IO, Any

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler


class TogetherOnDisk(FileUploadHandler):
    """Comes after MemoryFileUploadHandler, which takes the files of small requests."""

    _disk: IO[bytes] | None = None
    _start = 0

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        if self._disk is None:
            self._disk = TemporaryFile(buffering=0)  # noqa: SIM115 - the parts of it outlive this
        self._start = self._disk.tell()

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        assert self._disk is not None
        self._disk.write(raw_data)

    def file_complete(self, file_size: int) -> UploadedFile[bytes]:
        assert self._disk is not None
        part: Any = _Part(self._disk, self._start, file_size)
        return UploadedFile(part, self.file_name, self.content_type, file_size, self.charset)

    def upload_interrupted(self) -> None:
        if self._disk is not None:
            self._disk.close()


class _Part(RawIOBase):
    """A range of the file; Django closes all parts together, at the end of the request."""

    def __init__(self, disk: IO[bytes], start: int, size: int) -> None:
        self._disk, self._start, self._size, self._position = disk, start, size, 0

    def close(self) -> None:
        super().close()
        self._disk.close()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        origin = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: self._size}[whence]
        self._position = min(max(0, origin + offset), self._size)
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        left = self._size - self._position
        wanted = left if size is None or size < 0 else min(size, left)
        data = os.pread(self._disk.fileno(), wanted, self._start + self._position)
        self._position += len(data)
        return data
