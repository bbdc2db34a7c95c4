"""Bytes to UTF-8: byte order marks, UTF-16, Shift_JIS, EUC-JP, and what is no text at all."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from benchdash.parsers.result import ParseError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # begins with UTF-16's mark, so it is asked first
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_BINARY = (
    (b"\x89PNG", "it is a PNG image"),
    (b"\xff\xd8\xff", "it is a JPEG image"),
    (b"GIF8", "it is a GIF image"),
    (b"%PDF-", "it is a PDF: copy the output out of it"),
    (b"\x7fELF", "it is a program"),
    (b"\xd0\xcf\x11\xe0", "it is an old office document: save it as text or CSV"),
)
_CHUNK = 2**20
_SAMPLE = 2**16
_CONTROLS = bytes(set(range(32)) - set(b"\0\a\b\t\n\v\f\r\x0e\x0f\x1a\x1b"))


def to_utf8(data: bytes) -> bytes:
    """`data` in valid UTF-8 without a mark: itself, uncopied, where it is that already.

    Bytes that are no UTF-8 are read as EUC-JP or Shift_JIS a line at a time, else replaced:
    they never stop an ASCII result. ParseError: "empty file", "not text".
    """
    data, encoding = _unmarked(data)
    if encoding != "utf-8":
        data = data.decode(encoding, "replace").encode()
    if not data or data.isspace():
        raise ParseError("empty file")
    _require_text(data)
    if data.isascii() or all(map(_is_utf8, _chunks(data))):
        return data
    return b"".join(c if _is_utf8(c) else _transcoded(c) for c in _chunks(data))


def _unmarked(data: bytes) -> tuple[bytes, str]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].strip(b"\0") if encoding == "utf-8" else data[
                len(mark) :
            ], encoding
    wide = _wide_encoding(data[:_SAMPLE])
    # a log that was cut or preallocated by the file system begins or ends with NULs
    return (data, wide) if wide else (data.strip(b"\0"), "utf-8")


def _wide_encoding(sample: bytes) -> str:
    """UTF-16 without a mark: every second byte of its ASCII is NUL, and none of the others."""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    least = len(sample) // 20
    if odd > least and even * 20 < odd:
        return "utf-16-le"
    return "utf-16-be" if even > least and odd * 20 < even else ""


def _require_text(data: bytes) -> None:
    for magic, kind in _BINARY:
        if data.startswith(magic):
            raise ParseError(f"not text: {kind}")
    sample = data[:_SAMPLE]
    if (len(sample) - len(sample.translate(None, _CONTROLS))) * 100 > len(sample):
        raise ParseError("not text: it looks like a binary file")
    nul = data.find(b"\0")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise ParseError(f"not text: line {line} holds NUL bytes")


def _chunks(data: bytes) -> Iterator[bytes]:
    """Pieces of about a megabyte that end with a line, so that no character is cut in two."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _CHUNK) + 1 or len(data)
        yield data[start:end]
        start = end


def _is_utf8(chunk: bytes) -> bool:
    try:
        chunk.decode()
    except UnicodeDecodeError:
        return False
    return True


def _transcoded(chunk: bytes) -> bytes:
    return b"".join(map(_transcoded_line, re.findall(rb"[^\n]*\n?", chunk)))


def _transcoded_line(line: bytes) -> bytes:
    for encoding in ("utf-8", "euc-jp", "cp932"):
        try:
            return line.decode(encoding).encode()
        except UnicodeDecodeError:
            continue
    return line.decode("utf-8", "replace").encode()
