"""The parts of a run's name in a question: `4 KiB`, `QD 8`, `4 jobs`, `70/30`, `22 Nov 08:45`.

What the interface says of runs (`random write`, `degraded`) is one part each, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache

from django.db.models import Q
from django.utils.dates import MONTHS_3
from django.utils.timezone import get_current_timezone, localtime

from benchdash.results.interface_words import phrase_condition, phrases
from benchdash.results.lookups import Meaning, always, one_of_found
from benchdash.results.models import Workload
from benchdash.vocabulary.units import bytes_from

# signs that stand between the parts of a name, and are no words
_BETWEEN = ("·", "×")
# what a question is written with, and a name without; “a” and “c” may be protocols
_STOP_WORDS = frozenset(("and", "at", "for", "from", "in", "of", "on", "the", "to", "with"))
_CLOCK = r"(?: (?P<{0}hour>\d{{1,2}}):(?P<{0}minute>\d{{2}}))?"
_KINDS = (
    r"(?P<size>\d{1,9}(?:\.\d{1,3})? ?(?:[KMGTP](?:i?B)?|B))",
    r"(?:QD|iodepth=?) ?(?P<queue_depth>\d{1,9})",
    r"(?P<jobs>\d{1,9}) ?(?:jobs?|threads?|ジョブ|スレッド)",
    r"(?P<clients>\d{1,9}) ?(?:clients?|クライアント)",
    r"(?P<files>\d{1,9}) ?(?:files?|ファイル)",
    r"(?:scale|スケール) (?P<scale>\d{1,9})",
    r"× (?P<concurrency>\d{1,9})(?= ·|$)",
    r"(?P<tool>rados|rbd) bench",
    r"(?P<read>\d{1,3}(?:\.\d)?)/\d{1,3}(?:\.\d)?",
    r"(?:stored |about )?(?P<day>\d{1,2}) (?P<month>[^\W\d]{3,4})(?: (?P<year>\d{4}))?"
    + _CLOCK.format(""),
    r"(?:保存 |およそ )?(?:(?P<ja_year>\d{4})年)?(?P<ja_month>\d{1,2})月(?P<ja_day>\d{1,2})日"
    + _CLOCK.format("ja_"),
)
_LARGEST = 2**62  # bytes; more than any disk has, and less than a column holds
_AXES = ("queue_depth", "jobs", "clients", "files", "scale", "concurrency")


@cache
def _part() -> re.Pattern[str]:
    return re.compile(rf"(?<!\S)(?:{'|'.join(_KINDS)}|{phrases()})(?!\S)", re.IGNORECASE)


def name_parts(text: str) -> list[str]:
    """The words of a question, those that are one part of a name together."""
    text = re.sub(r"[,\s]+", " ", text).strip()
    parts, end = [], 0
    for match in _part().finditer(text):
        parts += [*text[end : match.start()].split(), match[0]]
        end = match.end()
    return without_stop_words([*parts, *text[end:].split()])


def without_stop_words(words: Sequence[str]) -> list[str]:
    """Nor the signs between the parts of a name; words that are all stop words stay."""
    found = [word for word in words if word not in _BETWEEN]
    return [word for word in found if word.casefold() not in _STOP_WORDS] or found


def named_part(part: str) -> Meaning | None:
    """The condition on runs that a part of a name means; None for any other word."""
    match = _part().fullmatch(part)
    groups = match.groupdict() if match else {}
    parts = {name: text for name, text in groups.items() if text is not None}
    if not parts:
        return phrase_condition(part)
    for axis in _AXES:
        if axis in parts:
            return _with_workload(Q(**{axis: int(parts[axis])}))
    if "size" in parts:
        # names round to three digits
        size = min(bytes_from(parts["size"]) or 0, _LARGEST)
        near = (size * 995 // 1000, -(-size * 1005 // 1000))
        return _with_workload(Q(block_bytes__range=near) | Q(file_bytes__range=near))
    if "read" in parts:
        share = float(parts["read"]) / 100
        return _with_workload(Q(read_fraction__range=(share - 0.0005, share + 0.0005)))
    if "tool" in parts:
        return always(Q(tool__iexact=parts["tool"]))
    return _on_date({name.removeprefix("ja_"): text for name, text in parts.items()})


def _with_workload(condition: Q) -> Meaning:
    return always(Q(one_of_found("workload", Workload.objects.filter(condition).values("pk"))))


def _on_date(parts: dict[str, str]) -> Meaning | None:
    """Begun on that day or in that minute, or stored then where the output does not say."""
    months = {str(name).strip(".").casefold(): month for month, name in MONTHS_3.items()}
    month = parts["month"]
    try:
        since = datetime(
            int(parts.get("year", localtime().year)),
            int(month) if month.isdecimal() else months[month.casefold()],
            *(int(parts["day"]), int(parts.get("hour", 0)), int(parts.get("minute", 0))),
            tzinfo=get_current_timezone(),
        )
        until = since + (timedelta(minutes=1) if "hour" in parts else timedelta(days=1))
    except (ValueError, KeyError, OverflowError):  # no such day, no such month
        return None
    return always(Q(measured_at__gte=since, measured_at__lt=until))
