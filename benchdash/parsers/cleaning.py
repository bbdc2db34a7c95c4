"""Restores what the tool printed: undoes what terminals, mails, web pages and loggers changed.

Everything works on UTF-8 bytes: a str with a single emoji takes four bytes per character. Loggers,
containers and comments put times, names, numbers and marks before every line; such a prefix is
removed only where nearly all lines have it, since a few could be the tool's own.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from itertools import pairwise

from benchdash.parsers.decoding import pieces, to_utf8

_ESCAPE = re.compile(
    rb"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b]*+(?:\x07|\x1b\\)|[ -/]++[0-~]|[0-Z\\^-~])"
)
_TO_LINE_END = bytes.maketrans(b"\r\v\f", b"\n\n\n")
_DROPPED = bytes(set(range(32)) - set(b"\t\n\v\f\r")) + b"\x7f"
_SPACES = [chr(c).encode() for c in (0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)]
_LINE_ENDS = [chr(c).encode() for c in (0x85, 0x2028, 0x2029)]
_NOTHING = [chr(c).encode() for c in (0xAD, *range(0x200B, 0x2010), 0x2060, 0xFEFF)]

_QUOTED_PRINTABLE = re.compile(rb"=(?:3D|\r?\n)")
_NO_ESCAPE = re.compile(rb"=(?![0-9A-F]{2}|\r?\n)")

_FULL_WIDTH_DIGIT = re.compile(rb"\xef\xbc[\x90-\x99]")
_FULL_WIDTH_LINES = re.compile(
    rb"(?:^(?:[\t -~]|\xef\xbc[\x81-\xbf]|\xef\xbd[\x80-\x9e])++$\n?)++", re.MULTILINE
)
_TO_ASCII = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

_BLOCK = rb"(?:br|p|pre|div|table|tbody|tr|li|ul|ol|h[1-6]|html|head|body|title|!doctype)"
_INLINE = (
    rb"(?:a|abbr|b|blockquote|button|code|dd|dl|dt|em|font|hr|i|img|kbd|label|link|main|meta|nav|"
    rb"samp|script|section|small|span|strong|style|sub|sup|svg|thead|time|tt|u|var)"
)
_PAGE = re.compile(rb"<(?:!doctype html|html|body|pre|code|br|p|div|table|tr)\b[^<>]*>", re.I)
_BLOCK_TAGS = re.compile(rb"(?:\n?</?" + _BLOCK + rb"\b[^<>]*+>\n?)++", re.I)
_CELL_TAGS = re.compile(rb"</?t[dh]\b[^<>]*+>", re.I)
_INLINE_TAGS = re.compile(rb"</?" + _INLINE + rb"\b[^<>]*+>", re.I)
_ESCAPED = re.compile(rb"&(?:gt|lt|quot|nbsp);")
_ENTITIES = {
    b"&nbsp;": b" ",
    b"&#160;": b" ",
    b"&gt;": b">",
    b"&lt;": b"<",
    b"&quot;": b'"',
    b"&#34;": b'"',
    b"&#39;": b"'",
    b"&apos;": b"'",
    b"&amp;": b"&",  # last: what it makes is plain text
}

# a quoted line of a mail; but `>=64=0.0%` begins a wrapped line of fio
_NO_DEPTH = re.compile(rb">(?!=)")
_QUOTATION = re.compile(rb"^[ \t]*+(?:>[ \t]?)++(?!=)", re.MULTILINE)
_COMMENT = re.compile(rb"^[ \t]*+#++ ?", re.MULTILINE)

_DATE = rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_TIME = rb"(?:" + _DATE + rb"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})?)"
_UNIT = rb"(?: [^\s:]{1,64} [^\s:\[]{1,64}\[\d{1,9}\]:)?"  # syslog: host, program, process
_CONTAINER = rb"(?:\[[\w./-]{1,200}+\]|[\w.-]{1,100}+ *+\|)"  # kubectl --prefix, docker compose
_STAMP = rb"(?:" + _CONTAINER + rb" )?(?:\[" + _TIME + rb"\]|" + _TIME + _UNIT + rb")|" + _CONTAINER
_NUMBER = rb" *\d{1,9}\t"  # cat -n
_MARK = rb"[ \t]*(?://|--|[%;|*])"
# the prefix of a line: a stamp, a comment mark, a number; the `+` of a patch has no blank after it
_MARGIN = re.compile(
    rb"^(?:(?:" + _STAMP + rb"|" + _MARK + rb")(?:[ \t]|(?=\r?$))|" + _NUMBER + rb"|\+)",
    re.MULTILINE,
)
# cat -n whose tabs became blanks: many tools print a number first, but never the line's own
_COUNT = re.compile(rb"^ *(\d{1,9}) {1,2}", re.MULTILINE)
_TEXT = re.compile(rb"\S")
_BLANK = re.compile(rb"^[ \t\r]*+$", re.MULTILINE)
_FEWEST = 3


def cleaned(data: bytes) -> bytes:
    """Valid UTF-8 as the tool printed it: lines that end in `\\n`, plain spaces, no markup.

    A carriage return within a line begins a new one (progress lines overwrite each other).
    """
    data = _without_quoted_printable(data)
    is_page = b"<" in data and _PAGE.search(data) is not None
    margin = _margin_of(data)
    # a piece at a time: re.sub keeps a list of all that it did not replace
    return b"".join(
        _lines_cleaned(piece, is_page=is_page, margin=margin) for piece in pieces(data, 2**17)
    )


def _lines_cleaned(lines: bytes, *, is_page: bool, margin: re.Pattern[bytes] | None) -> bytes:
    # looking for one byte costs next to nothing, and most files need none of this
    if b"\x1b" in lines:
        lines = _ESCAPE.sub(b"", lines)
    lines = _with_line_ends(lines)
    if margin is not None:
        lines = margin.sub(b"", lines)
    if not lines.isascii():
        lines = _with_plain_characters(lines)
    if is_page:
        lines = _INLINE_TAGS.sub(b"", _CELL_TAGS.sub(b" ", _BLOCK_TAGS.sub(b"\n", lines)))
    if is_page or (b"&" in lines and _ESCAPED.search(lines)):
        for entity, character in _ENTITIES.items():
            lines = lines.replace(entity, character)
    if _NO_DEPTH.search(lines):
        lines = _QUOTATION.sub(b"", lines)
    return _COMMENT.sub(b"", lines) if b"#" in lines else lines


def _without_quoted_printable(data: bytes) -> bytes:
    # fio's text is full of bare "=", which quoted-printable text has only in the headers of a mail
    marks = sum(1 for _ in _QUOTED_PRINTABLE.finditer(data))
    if not marks or sum(1 for _ in _NO_ESCAPE.finditer(data)) >= marks:
        return data
    return to_utf8(binascii.a2b_qp(data))


def _with_line_ends(lines: bytes) -> bytes:
    if b"\r" in lines:
        while b"\r\r\n" in lines:
            lines = lines.replace(b"\r\r\n", b"\r\n")
        lines = lines.replace(b"\r\n", b"\n")
    return lines.translate(_TO_LINE_END, _DROPPED)


def _with_plain_characters(lines: bytes) -> bytes:
    for found, plain in ((_SPACES, b" "), (_LINE_ENDS, b"\n"), (_NOTHING, b"")):
        for sequence in found:
            lines = lines.replace(sequence, plain)
    if _FULL_WIDTH_DIGIT.search(lines):
        lines = _FULL_WIDTH_LINES.sub(_half_width, lines)
    return lines


def _half_width(lines: re.Match[bytes]) -> bytes:
    if not _FULL_WIDTH_DIGIT.search(lines[0]):
        return lines[0]
    return lines[0].decode().translate(_TO_ASCII).encode()


def _margin_of(data: bytes) -> re.Pattern[bytes] | None:
    """The prefix that nearly every line has; None, and cheaply, where the first line has none."""
    first = _TEXT.search(data)
    start = data.rfind(b"\n", 0, first.start()) + 1 if first else 0
    kind = next((kind for kind in (_MARGIN, _COUNT) if first and kind.match(data, start)), None)
    if kind is None:
        return None
    sample = data[: 2**18]
    lines = sample.count(b"\n") + 1 - sum(1 for _ in _BLANK.finditer(sample))
    found = kind.finditer(sample)
    begun = _counted(found) if kind is _COUNT else sum(1 for _ in found)
    return kind if begun >= max(_FEWEST, lines * 9 // 10) else None


def _counted(lines: Iterator[re.Match[bytes]]) -> int:
    """How many lines have the number after that of the line before."""
    numbers = (int(line[1]) for line in lines)
    return 1 + sum(1 for before, after in pairwise(numbers) if after == before + 1)
