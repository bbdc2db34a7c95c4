"""The lines that pgbench 9.0 to 18 prints, in the order in which it prints them.

`KEYS` is that order: a line that comes earlier in it than the line before, or a second time,
belongs to the next run. So runs are told apart where a grep left two lines of each.
"""

from __future__ import annotations

import re

_NUMBER = r"-?(?:[0-9]{1,18}(?:[.,][0-9]{1,18}){0,6}|nan|NaN|inf|Infinity)"
_COUNT = r"[0-9]{1,18}(?:,[0-9]{3})*"
_SHARE = r"(?:[ \t]*\([0-9.,]+ ?%\))?"

KEYS = {
    "version": r"pgbench \((?:PostgreSQL\) )?(?P<version>[0-9][^\s(),]{0,40})"
    r"(?:, server (?P<server>[0-9][^\s(),]{0,40}))?",
    "progress": rf"progress: (?P<at>{_NUMBER}) s, (?P<rate>{_NUMBER}) tps"
    rf"(?:, lat (?P<lat>{_NUMBER}) ms)?",
    "script": r"transaction type: (?P<script>[^\n]{1,400})",
    "scale": rf"scaling factor: (?P<scale>{_COUNT})",
    "partition_method": r"partition method: (?P<partition_method>\w{1,40})",
    "partitions": rf"partitions: (?P<partitions>{_COUNT})",
    "query_mode": r"query mode: (?P<query_mode>\w{1,40})",
    "clients": rf"number of clients: (?P<clients>{_COUNT})",
    "threads": rf"number of threads: (?P<threads>{_COUNT})",
    "max_tries": rf"maximum number of tries: (?P<max_tries>{_COUNT})",
    "per_client": rf"number of transactions per client: (?P<per_client>{_COUNT})",
    "duration": rf"duration: (?P<duration>{_COUNT}) s\b",
    "processed": rf"number of transactions actually processed: (?P<processed>{_COUNT})"
    rf"(?:/{_COUNT})?(?: \(tps = (?P<processed_rate>{_NUMBER})\))?",
    "failed": rf"number of failed transactions: (?P<failed>{_COUNT}){_SHARE}",
    "serialization_failures": rf"number of serialization failures: "
    rf"(?P<serialization_failures>{_COUNT}){_SHARE}",
    "deadlock_failures": rf"number of deadlock failures: (?P<deadlock_failures>{_COUNT}){_SHARE}",
    "other_failures": rf"number of other failures: (?P<other_failures>{_COUNT}){_SHARE}",
    "retried": rf"number of transactions retried: (?P<retried>{_COUNT}){_SHARE}",
    "retries": rf"total number of retries: (?P<retries>{_COUNT})",
    "skipped": rf"number of transactions skipped: (?P<skipped>{_COUNT}){_SHARE}",
    "late": rf"number of transactions above the (?P<limit>{_NUMBER}) ms latency limit: "
    rf"(?P<late>{_COUNT})(?:/{_COUNT})?{_SHARE}",
    "latency": rf"latency average(?P<sign> =|:) (?P<latency>{_NUMBER}) ms",
    "stddev": rf"latency stddev(?: =|:) (?P<stddev>{_NUMBER}) ms",
    "lag": rf"rate limit schedule lag: avg (?P<lag>{_NUMBER}) \(max (?P<lag_max>{_NUMBER})\) ms",
    "connecting": rf"(?P<connecting_kind>initial|average) connection time = "
    rf"(?P<connecting>{_NUMBER}) ms",
    "rate_with": rf"tps = (?P<rate_with>{_NUMBER}) \(including connections establishing\)",
    "rate_without": rf"tps = (?P<rate_without>{_NUMBER}) \("
    r"(?P<rate_kind>excluding connections establishing|without initial connection time"
    r"|including reconnection times)\)",
}
_OTHERS = {
    "sql_script": r"SQL script [0-9]{1,6}: (?P<sql_script>[^\n]{1,400})",
    "weight": rf"weight: (?P<weight>{_COUNT}) \(targets [^\n]{{1,20}}% of total\)",
    "share": rf"(?P<share>{_COUNT}) transactions \([^\n]{{1,20}}% of total"
    rf"(?:, tps = (?P<share_rate>{_NUMBER}))?\)",
    "statements": r"statement latencies in milliseconds(?P<statements>[^\n:]{0,40}):",
    "aborted": r"(?:pgbench: error: )?(?P<aborted>Run was aborted[;,] the above results are incomplete\.)",
    "fatal": r"pgbench: (?:error|fatal): (?P<fatal>[^\n]{1,300})",
}
LINE = re.compile(
    r"^(?=[^\n]{12})[ \t|*`>$]{0,60}+(?:--+[ \t]{0,20}+)?(?P<dash>- {1,3})?(?:"
    + "|".join(f"(?P<is_{key}>{pattern})" for key, pattern in (KEYS | _OTHERS).items())
    + ")",
    re.MULTILINE,
)
RANK = {key: rank for rank, key in enumerate(KEYS)}
FIELDS = {key: tuple(re.compile(pattern).groupindex) for key, pattern in (KEYS | _OTHERS).items()}
OF_SCRIPTS = frozenset(
    [
        "processed",
        "failed",
        "serialization_failures",
        "deadlock_failures",
        "other_failures",
        "retried",
        "retries",
        "skipped",
        "latency",
        "stddev",
    ]
)
STATEMENTS: dict[
    tuple[str, ...], re.Pattern[str]
] = {  # by what the heading counts beside latencies
    names: re.compile(
        rf"[^\n]*\n[ \t|*`>]{{0,60}}+({_NUMBER})[ \t]+" + rf"({_COUNT})[ \t]+" * len(names) + "(.+)"
    )
    for names in ((), ("failures",), ("failures", "retries"))
}
_GROUPED = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")


def number(text: str, *, decimal_comma: bool = False) -> float:
    """A printed figure; ValueError for `nan`, and where a comma may mean two things.

    Groups of three digits are read beside a point, other commas as the decimal sign of a locale;
    `1,234` is either, unless the run shows its locale elsewhere.
    """
    return _plain(text, "", decimal_comma=decimal_comma)


def seconds(milliseconds: str, *, decimal_comma: bool = False) -> float:
    """A printed figure in ms as seconds, to the nearest double; ValueError as in `number`."""
    return _plain(milliseconds, "e-3", decimal_comma=decimal_comma)


def _plain(text: str, exponent: str, *, decimal_comma: bool) -> float:
    if "," in text:
        if _GROUPED.fullmatch(text) and not decimal_comma:
            if "." not in text and text.count(",") == 1:
                raise ValueError(text)
            text = text.replace(",", "")
        elif text.count(",") == 1 and "." not in text:
            text = text.replace(",", ".")
        else:
            raise ValueError(text)
    value = float(text + exponent)
    if not 0 <= value < float("inf"):
        raise ValueError(text)
    return value


def count(text: str) -> int:
    """A printed count, with or without groups of three digits."""
    return int(text.replace(",", ""))
