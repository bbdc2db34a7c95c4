"""Unpacks archives: zip, tar, gz, xz, bz2 and zst, recognised by content.

Nothing is written to disk, and names in an archive are never trusted, only shown. All archives of a
request share one `Budget`: what exceeds it is refused before it is unpacked. Files are yielded one
at a time, and not kept in memory afterwards.
"""

from __future__ import annotations

import io
import lzma
import re
import stat
import struct
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import zstandard

from benchdash.errors import N_
from benchdash.parsers.result import ParseError
from benchdash.parsers.unpacking import Budget, Stream, all_of, kind_of

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
_JUNK = re.compile(r"(?:^|/)(?:__MACOSX(?:/|$)|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
_OFFICE = {"[Content_Types].xml", "META-INF/manifest.xml"}
_LONGEST_NAME = 200
_ENTRY = b"PK\x01\x02"  # signature of each entry in a zip's central directory


@dataclass(frozen=True, slots=True)
class Member:
    """One file: itself (`archive` is ""), or out of an archive ("a.zip/inner.txt").

    `error` is the sentence that says why it cannot be had; `data` is then what there is of it.
    """

    name: str
    data: bytes | None
    archive: str = ""
    error: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of an archive: `data`, or None and the sentence that says why not."""

    name: str
    data: bytes | None
    error: str = ""


def members(data: bytes, name: str, budget: Budget | None = None) -> Iterator[Member]:
    """The files in `data` in their order; `data` itself where it is no archive.

    A damaged archive gives what could be read before the damage, and then itself with an error.
    """
    if kind_of(data) is None:
        yield Member(name, data)
        return
    budget = budget or Budget()
    found = False
    try:
        budget.open(len(data))
        for entry in _entries(data, name, budget, budget.limits.depth):
            found = True
            yield Member(f"{name}/{entry.name}", entry.data, name, entry.error)
            del entry  # its bytes are not held while the next one is unpacked
    except ParseError as error:
        yield Member(name, data, error=error.sentence)
    except _DAMAGE as error:
        yield Member(name, data, error=_damaged(error))
    else:
        if not found:
            yield Member(name, data, error=N_("an archive with no files in it"))


def entries(data: bytes, name: str, budget: Budget) -> Iterator[Entry]:
    """The files of an archive as they lie in it: archives among them are not unpacked.

    ParseError where it is damaged or exceeds what an archive may cost.
    """
    try:
        budget.open(len(data))
        yield from _own_entries(data, name, budget)
    except _DAMAGE as error:
        raise ParseError(_damaged(error)) from None


def _entries(data: bytes, name: str, budget: Budget, depth: int) -> Iterator[Entry]:
    if depth == 0:
        raise ParseError(
            "archives within archives, more than {depth} deep", depth=budget.limits.depth
        )
    for entry in _own_entries(data, name, budget):
        if entry.data is None or kind_of(entry.data) is None:
            yield entry
        else:
            yield from _nested(entry, entry.data, budget, depth - 1)
        del entry


def _own_entries(data: bytes, name: str, budget: Budget) -> Iterator[Entry]:
    kind = kind_of(data)
    if kind == "zip":
        return _zip_entries(data, budget)
    stream = Stream(data, kind or "", budget)
    return _tar_entries(stream, budget) if stream.is_tar() else _alone(stream, name, budget)


def _nested(outer: Entry, data: bytes, budget: Budget, depth: int) -> Iterator[Entry]:
    try:
        for entry in _entries(data, outer.name, budget, depth):
            yield Entry(f"{outer.name}/{entry.name}", entry.data, entry.error)
            del entry
    except _DAMAGE as error:
        yield Entry(outer.name, data, _damaged(error))


def _alone(stream: Stream, name: str, budget: Budget) -> Iterator[Entry]:
    """The one file of a gz, bz2, xz or zst, named as the archive without its ending."""
    budget.count_file()
    left = budget.limits.file_bytes

    def bounded(size: int) -> bytes:
        nonlocal left
        piece = stream.read(size)
        left -= len(piece)
        if left < 0:
            raise ParseError(
                "the file in it is larger than {mebibytes} MiB",
                mebibytes=budget.limits.file_bytes >> 20,
            )
        return piece

    yield Entry(_SUFFIX.sub("", name.rsplit("/", 1)[-1]), all_of(bounded))


def _damaged(error: Exception) -> str:
    if isinstance(error, EOFError):
        return N_("the archive ends too early")
    return N_("the archive is damaged: {error}", error=error)


def _zip_entries(data: bytes, budget: Budget) -> Iterator[Entry]:
    """The files of a zip; any of zipfile's errors where it is damaged."""
    # zipfile makes an object of each entry before it yields the first
    budget.require_files(data.count(_ENTRY))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if _OFFICE & set(archive.namelist()):
            raise ParseError("an office document: save the sheet as CSV or text")
        for info in archive.infolist():
            budget.count_file()
            if not info.is_dir() and not is_junk(info.filename):
                yield _zip_entry(archive, info, budget)


def _zip_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: Budget) -> Entry:
    name = shown_name(_zip_name(info))
    if stat.S_ISLNK(info.external_attr >> 16):
        return Entry(name, None, N_("a link, which is not followed"))
    if info.flag_bits & 1:
        return Entry(name, None, N_("encrypted: pack it again without a password"))
    if info.compress_type not in _METHODS:
        return Entry(name, None, N_("unsupported compression method: pack it again with deflate"))
    if info.file_size > budget.limits.file_bytes:
        return Entry(name, None, _too_large(budget))
    with archive.open(info) as file:

        def paid(size: int) -> bytes:
            # the size in the archive's directory is not trusted
            piece = file.read(size)
            budget.spend(len(piece))
            return piece

        return Entry(name, all_of(paid))


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Names without the UTF-8 flag are in the encoding of the packing machine; zipfile uses cp437."""
    if info.flag_bits & 0x800:
        return info.filename
    raw = info.filename.encode("cp437", "replace")
    for encoding in ("utf-8", "cp932"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename


def _tar_entries(stream: Stream, budget: Budget) -> Iterator[Entry]:
    """The files of a tar; any of tarfile's errors where it is damaged."""

    class Header(tarfile.TarInfo):
        @classmethod
        def fromtarfile(cls, archive: tarfile.TarFile) -> Self:
            with stream.in_header():
                return super().fromtarfile(archive)

    with tarfile.open(  # type: ignore[call-overload]  # a stream needs no more than read()
        fileobj=stream, mode="r|", errors="surrogateescape", tarinfo=Header
    ) as archive:
        for info in archive:
            budget.count_file()
            if not info.isdir() and not is_junk(info.name):
                yield _tar_entry(archive, info, budget)


def _tar_entry(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget) -> Entry:
    name = shown_name(info.name)
    if info.issym() or info.islnk():
        return Entry(name, None, N_("a link, which is not followed"))
    # the holes of a sparse file cost nothing in the archive and everything in memory
    file = archive.extractfile(info) if info.isreg() and not info.issparse() else None
    if file is None:
        return Entry(name, None, N_("not a plain file: a device, a pipe or a sparse file"))
    if info.size > budget.limits.file_bytes:
        return Entry(name, None, _too_large(budget))
    return Entry(name, all_of(file.read))


def _too_large(budget: Budget) -> str:
    return N_("larger than {mebibytes} MiB", mebibytes=budget.limits.file_bytes >> 20)


def is_junk(name: str) -> bool:
    """What macOS and Windows add to every archive."""
    return _JUNK.search(name) is not None


def shown_name(raw: str) -> str:
    """A relative name for people: no way up, no drive, no control characters, never empty."""
    parts = [p for p in re.split(r"[/\\]+", raw) if p not in ("", ".", "..")]
    if parts and re.fullmatch(r"[A-Za-z]:", parts[0]):
        parts = parts[1:]
    name = "".join(c if _is_shown(c) else "\ufffd" for c in "/".join(parts))
    return f"…{name[-_LONGEST_NAME:]}" if len(name) > _LONGEST_NAME else name or "unnamed"


def _is_shown(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] != "C" and category not in ("Zl", "Zp")
