"""Bytes to UTF-8: byte order marks, UTF-16, Shift_JIS, EUC-JP; refuses what is not text."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from benchdash.errors import N_
from benchdash.parsers.result import ParseError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is a prefix of it
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
BINARY = (
    (b"\x89PNG", N_("it is a PNG image")),
    (b"\xff\xd8\xff", N_("it is a JPEG image")),
    (b"GIF8", N_("it is a GIF image")),
    (b"%PDF-", N_("it is a PDF: copy the output out of it")),
    (b"\x7fELF", N_("it is a program")),
    (b"\xd0\xcf\x11\xe0", N_("it is an old office document: save it as text or CSV")),
)
_ENCODINGS = ("utf-8", "euc-jp", "cp932")  # Shift_JIS last: nearly any bytes are valid in it
_NEVER_SHIFT_JIS = re.compile(rb"[\xfd-\xff]")  # though Python's cp932 decodes them
_HIGH = re.compile(rb"[\x80-\xff]+")
_LETTER = re.compile(rb"[A-Za-z]")
_PIECE = 2**16
# with shorter lines than any real text has, decoding each would only cost time
_LINES_A_PIECE = _PIECE // 32
_SAMPLE = 2**16
_MARKED = tuple(mark for mark, _encoding in _MARKS)
_MAGIC = tuple(magic for magic, _kind in BINARY)
_HEAD = 2**12  # a program or an image shows itself at once, and small files are many
_CONTROLS = bytes(set(range(32)) - set(b"\0\a\b\t\n\v\f\r\x0e\x0f\x1a\x1b"))


def to_utf8(data: bytes) -> bytes:
    """`data` in valid UTF-8 without a mark: itself, uncopied, where it is that already.

    Bytes that are no UTF-8 are read as EUC-JP or Shift_JIS, where need be a line at a time, else
    replaced: they never stop an ASCII result. ParseError: "empty file", "not text".
    """
    data, encoding = _unmarked(data)
    if encoding != "utf-8":
        data = data.decode(encoding, "replace").encode()
    if not data or data.isspace():
        raise ParseError("empty file")
    is_ascii = data.isascii()
    _require_text(data, is_ascii=is_ascii)
    if is_ascii or all(_in_encoding(piece, "utf-8") for piece in pieces(data, 2**20)):
        return data
    return b"".join(map(_transcoded, pieces(data, _PIECE)))


def _unmarked(data: bytes) -> tuple[bytes, str]:
    for mark, encoding in _MARKS if data.startswith(_MARKED) else ():
        if data.startswith(mark):
            return data[len(mark) :].strip(b"\0") if encoding == "utf-8" else data[
                len(mark) :
            ], encoding
    wide = _wide_encoding(data[:_SAMPLE])
    # a log that was cut or preallocated by the file system begins or ends with NULs
    return (data, wide) if wide else (data.strip(b"\0"), "utf-8")


def _wide_encoding(sample: bytes) -> str:
    """UTF-16 without a mark: every second byte of its ASCII is NUL, and none of the others."""
    if b"\0" not in sample:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    least = len(sample) // 20
    if odd > least and even * 20 < odd:
        return "utf-16-le"
    return "utf-16-be" if even > least and odd * 20 < even else ""


def _require_text(data: bytes, *, is_ascii: bool) -> None:
    if data.startswith(_MAGIC):
        kind = next(kind for magic, kind in BINARY if data.startswith(magic))
        raise ParseError("not text: {kind}", kind=kind)
    nul = data.find(b"\0")
    if nul < 0 and is_ascii:
        return
    sample = data[:_HEAD]
    if (len(sample) - len(sample.translate(None, _CONTROLS))) * 100 > len(sample):
        raise ParseError("not text: it looks like a binary file")
    if nul >= 0:
        line = data.count(b"\n", 0, nul) + 1
        raise ParseError("not text: line {line} holds NUL bytes", line=line)


def pieces(data: bytes, size: int) -> Iterator[bytes]:
    """`data` in pieces of about `size` that end with a line, or in very long lines with a character."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + size, start + 2 * size) + 1
        if not end:
            end = start + 2 * size
            end += next((n for n, byte in enumerate(data[end : end + 4]) if byte & 0xC0 != 0x80), 0)
        yield data[start:end]
        start = end


def _transcoded(piece: bytes) -> bytes:
    encodings = ("utf-8", "cp1252") if _is_western(piece) else _ENCODINGS
    encoding = next((e for e in encodings if _in_encoding(piece, e)), None)
    if encoding:
        return piece.decode(encoding).encode()
    lines = piece.splitlines(keepends=True)
    if 1 < len(lines) < _LINES_A_PIECE:
        return b"".join(map(_transcoded, lines))
    # one question mark a byte: a replacement character would take three
    return piece.decode("utf-8", "surrogateescape").encode("utf-8", "replace")


def _is_western(piece: bytes) -> bool:
    """Accented letters of Windows-1252 within words: one or two at a time, beside ASCII letters.

    Japanese encodings have bytes below 0xC0 or longer runs in nearly every word.
    """
    runs = list(_HIGH.finditer(piece))
    return bool(runs) and all(
        len(run[0]) <= 2
        and min(run[0]) >= 0xC0
        and (
            _LETTER.match(piece, run.end())
            or _LETTER.fullmatch(piece, max(0, run.start() - 1), run.start())
        )
        for run in runs
    )


def _in_encoding(piece: bytes, encoding: str) -> bool:
    if encoding == "cp932" and _NEVER_SHIFT_JIS.search(piece):
        return False
    try:
        piece.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True
