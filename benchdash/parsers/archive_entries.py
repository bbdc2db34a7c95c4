"""The entries of a zip and of a tar file, read one by one, their names made safe to show."""

from __future__ import annotations

import io
import re
import stat
import tarfile
import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass

from benchdash.parsers.result import ParseError
from benchdash.parsers.unpacking import Budget, Stream

_CHUNK = 2**18
_JUNK = re.compile(r"(?:^|/)(?:__MACOSX(?:/|$)|\.DS_Store$|\._[^/]*$|Thumbs\.db$|desktop\.ini$)")
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2)
_OFFICE = {"[Content_Types].xml", "META-INF/manifest.xml"}
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of an archive: `data`, or None and the sentence that says why not."""

    name: str
    data: bytes | None
    error: str = ""


def zip_entries(data: bytes, budget: Budget) -> Iterator[Entry]:
    """The files of a zip; any of zipfile's errors where it is damaged."""
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
        return Entry(name, None, "a link, which is not followed")
    if info.flag_bits & 1:
        return Entry(name, None, "encrypted: pack it again without a password")
    if info.compress_type not in _METHODS:
        return Entry(name, None, "packed by a method that is not read: pack it again with deflate")
    if info.file_size > budget.limits.file_bytes:
        return Entry(name, None, _too_large(budget))
    with archive.open(info) as file:
        chunks = []
        # the size that the archive states is not believed
        while chunk := file.read(_CHUNK):
            budget.spend(len(chunk))
            chunks.append(chunk)
    return Entry(name, b"".join(chunks))


def _zip_name(info: zipfile.ZipInfo) -> str:
    """Names without the UTF-8 flag are whatever the packing machine spoke; zipfile says cp437."""
    if info.flag_bits & 0x800:
        return info.filename
    raw = info.filename.encode("cp437", "replace")
    for encoding in ("utf-8", "cp932"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename


def tar_entries(stream: Stream, budget: Budget) -> Iterator[Entry]:
    """The files of a tar; any of tarfile's errors where it is damaged."""
    with tarfile.open(fileobj=stream, mode="r|", errors="surrogateescape") as archive:  # type: ignore[call-overload]  # a stream needs no more than read()
        for info in archive:
            budget.count_file()
            if not info.isdir() and not is_junk(info.name):
                yield _tar_entry(archive, info, budget)


def _tar_entry(archive: tarfile.TarFile, info: tarfile.TarInfo, budget: Budget) -> Entry:
    name = shown_name(info.name)
    if info.issym() or info.islnk():
        return Entry(name, None, "a link, which is not followed")
    # the holes of a sparse file cost nothing in the archive and everything in memory
    file = archive.extractfile(info) if info.isreg() and not info.issparse() else None
    if file is None:
        return Entry(name, None, "no plain file: a device, a pipe or a sparse file")
    if info.size > budget.limits.file_bytes:
        return Entry(name, None, _too_large(budget))
    return Entry(name, file.read())


def _too_large(budget: Budget) -> str:
    return f"larger than {budget.limits.file_bytes >> 20} MiB"


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
