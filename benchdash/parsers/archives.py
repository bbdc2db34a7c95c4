"""Archives to the files in them: zip, tar, gz, xz, bz2 and zst, told by content.

Nothing is ever written to disk, and no name in an archive is trusted: names are for showing.
An archive is read within `Limits`: what goes beyond them is refused before it is unpacked.
"""

from __future__ import annotations

import lzma
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import zstandard

from benchdash.parsers.archive_entries import Entry, tar_entries, zip_entries
from benchdash.parsers.result import ParseError
from benchdash.parsers.unpacking import Budget, Limits, Stream, kind_of

_DAMAGE = (
    zipfile.BadZipFile,
    tarfile.TarError,
    lzma.LZMAError,
    zlib.error,
    zstandard.ZstdError,
    EOFError,
    OSError,
    ValueError,
    RuntimeError,
    struct.error,
)
_SUFFIX = re.compile(r"\.(?:gz|bz2|xz|zst)$", re.IGNORECASE)
_DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Member:
    """One file: itself (`archive` is ""), or out of an archive ("a.zip/inner.txt").

    `error` is the sentence that says why it cannot be had; `data` is then what there is of it.
    """

    name: str
    data: bytes | None
    archive: str = ""
    error: str = ""


def members(data: bytes, name: str, limits: Limits = _DEFAULT) -> Iterator[Member]:
    """The files in `data` in their order; `data` itself where it is no archive.

    A damaged archive gives what could be read before the damage, and then itself with an error.
    """
    if kind_of(data) is None:
        yield Member(name, data)
        return
    found = False
    try:
        for entry in _entries(data, name, Budget(limits, len(data)), limits.depth):
            found = True
            yield Member(f"{name}/{entry.name}", entry.data, name, entry.error)
    except ParseError as error:
        yield Member(name, data, error=error.sentence)
    except _DAMAGE as error:
        yield Member(name, data, error=_damaged(error))
    else:
        if not found:
            yield Member(name, data, error="an archive without a file in it")


def _entries(data: bytes, name: str, budget: Budget, depth: int) -> Iterator[Entry]:
    if depth == 0:
        raise ParseError(f"archives within archives, more than {budget.limits.depth} deep")
    kind = kind_of(data)
    if kind == "zip":
        entries = zip_entries(data, budget)
    else:
        stream = Stream(data, kind or "", budget)
        entries = tar_entries(stream, budget) if stream.is_tar() else _alone(stream, name, budget)
    for entry in entries:
        if entry.data is None or kind_of(entry.data) is None:
            yield entry
            continue
        yield from _nested(entry, entry.data, budget, depth - 1)


def _nested(outer: Entry, data: bytes, budget: Budget, depth: int) -> Iterator[Entry]:
    try:
        for entry in _entries(data, outer.name, budget, depth):
            yield Entry(f"{outer.name}/{entry.name}", entry.data, entry.error)
    except _DAMAGE as error:
        yield Entry(outer.name, data, _damaged(error))


def _alone(stream: Stream, name: str, budget: Budget) -> Iterator[Entry]:
    """The one file of a gz, bz2, xz or zst, named as the archive without its ending."""
    budget.count_file()
    content = stream.read(budget.limits.file_bytes + 1)
    if len(content) > budget.limits.file_bytes:
        raise ParseError(f"the file in it is larger than {budget.limits.file_bytes >> 20} MiB")
    yield Entry(_SUFFIX.sub("", name.rsplit("/", 1)[-1]), content)


def _damaged(error: Exception) -> str:
    if isinstance(error, EOFError):
        return "the archive ends too early"
    return f"the archive is damaged: {error}"
