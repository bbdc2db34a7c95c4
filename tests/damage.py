"""Damage as files meet it on their way, made from a source of chance: for properties and fuzzing."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_NUMBER = re.compile(rb"\d+(?:\.\d+)?")
_ODD_NUMBERS = [
    *(b"", b"0", b"-0", b"-5", b"1e999", b"1e308", b"nan", b"-nan", b"inf", b"Infinity", b"NaN"),
    *(b"99999999999999999999", b"9" * 400, b"18446744073709551616", b"1.2.3", b"1,234", b"12,5"),
    *(
        b"0x10",
        b"1_000",
        b"+++++",
        b"\xef\xbc\x91",
        b"\xd9\xa1",
        b"1K",
        b"-",
        b".",
        b"null",
        b'"7"',
    ),
]
_ODD_BYTES = [
    *(b"\0", b"\r", b"\x1b[31m", b"\xff", b"\xe3\x80", b"\xc2\xa0", b"=\n", b"&gt;", b"<br>", b"%"),
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b'"',
        b"\\",
        b"\\u0000",
        b"\\ud800",
        b",",
        b";",
        b":",
        b"=",
        b"(",
        b")",
    ),
    *(b"\xe2\x80\xa8", b"\xf0\x9f\x9a\x80", b"\xef\xbb\xbf", b"\x1a", b"> ", b"# ", b"\t", b"\n\n"),
]


def _cut(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data) + 1)]


def _without_head(data: bytes, random: Random) -> bytes:
    return data[random.randrange(len(data) + 1) :]


def _flip(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.randint(1, 6)):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _lines(change: Callable[[list[bytes], Random], None]) -> Callable[[bytes, Random], bytes]:
    def damage(data: bytes, random: Random) -> bytes:
        lines = data.split(b"\n")
        change(lines, random)
        return b"\n".join(lines)

    return damage


def _delete(lines: list[bytes], random: Random) -> None:
    start = random.randrange(len(lines))
    del lines[start : start + random.randint(1, 5)]


def _double(lines: list[bytes], random: Random) -> None:
    start = random.randrange(len(lines))
    end = start + random.randint(1, 20)
    lines[end:end] = lines[start:end]


def _shuffle(lines: list[bytes], random: Random) -> None:
    start = random.randrange(len(lines))
    window = lines[start : start + random.randint(2, 12)]
    random.shuffle(window)
    lines[start : start + len(window)] = window


def _join(lines: list[bytes], random: Random) -> None:
    start = random.randrange(len(lines))
    end = start + random.randint(2, 4)
    lines[start:end] = [b" ".join(lines[start:end])]


def _numbers(data: bytes, random: Random) -> bytes:
    found = list(_NUMBER.finditer(data))
    for match in sorted(
        random.sample(found, min(len(found), random.randint(1, 3))), key=_backwards
    ):
        data = data[: match.start()] + random.choice(_ODD_NUMBERS) + data[match.end() :]
    return data


def _backwards(match: re.Match[bytes]) -> int:
    return -match.start()


def _insert(data: bytes, random: Random) -> bytes:
    place = random.randrange(len(data) + 1)
    return data[:place] + random.choice(_ODD_BYTES) * random.choice((1, 1, 1, 70)) + data[place:]


DAMAGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    *(_cut, _without_head, _flip, _numbers, _numbers, _insert),
    *(_lines(_delete), _lines(_double), _lines(_shuffle), _lines(_join)),
)


def damaged(data: bytes, other: bytes, random: Random) -> bytes:
    """`data` after one to four mishaps, now and then with a piece of `other` in the middle."""
    for _ in range(random.choice((1, 1, 2, 4))):
        if data:
            data = random.choice(DAMAGES)(data, random)
    if random.random() < 0.1:
        place = random.randrange(len(data) + 1)
        data = data[:place] + _without_head(_cut(other, random) or b"\n", random) + data[place:]
    return data
