"""The lines that dbench prints, one pattern for all versions, and the figures in them."""

from __future__ import annotations

import math
import re

from benchdash.parsers.result import ParseError

_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,9})?(?:e[+-]?[0-9]{1,3})?"
_FIGURE = rf"(?:{_NUMBER}|-?nan|-?inf|-{_NUMBER})"
_BLANKS = r"[ \t]+"
_KNOWN_ROWS = (
    "NTCreateX Close Rename Unlink Deltree Rmdir Mkdir Qpathinfo Qfileinfo Qfsinfo Sfileinfo Find "
    "WriteX ReadX LockX UnlockX Flush FIND_FIRST SET_FILE_INFORMATION QUERY_FILE_INFORMATION "
    "QUERY_PATH_INFORMATION QUERY_FS_INFORMATION"
)
KNOWN_ROWS = frozenset(_KNOWN_ROWS.lower().split())

LINE = re.compile(
    r"^(?=[^\n]{9})[ \t|*`+.$-]{0,300}+(?:"
    r"dbench version (?P<version>[\w.+-]{1,40})"
    r"|Running for (?P<seconds>[0-9]{1,9}) seconds with load '(?P<load>[^'\n]{0,400})'"
    r"(?: and minimum warmup (?P<warmup>[0-9]{1,9}) secs)?"
    r"|(?P<started>[0-9]{1,9}) clients started"
    rf"|(?:[0-9]+{_BLANKS}[0-9]+{_BLANKS}(?P<rate>{_FIGURE}) MB/sec{_BLANKS}"
    rf"(?P<phase>warmup|execute|cleanup){_BLANKS}(?P<at>[0-9]{{1,9}}) sec"
    rf"(?:{_BLANKS}latency (?P<worst>{_FIGURE}) ms)?)"
    rf"|@(?P<mark>[WRC])@[0-9]+@[0-9]+@(?P<rate_m>{_FIGURE})@(?P<at_m>[0-9]{{1,9}})@"
    rf"(?P<worst_m>{_FIGURE})@"
    rf"|(?P<header>Operation{_BLANKS}Count{_BLANKS}AvgLat{_BLANKS}MaxLat)"
    r"|(?P<per_client>Per client results:)"
    rf"|(?P<name>[A-Za-z][A-Za-z0-9_]{{1,39}}){_BLANKS}(?P<count>[0-9]{{1,15}}){_BLANKS}"
    rf"(?P<average>{_FIGURE}){_BLANKS}(?P<longest>{_FIGURE})[ \t]*$"
    rf"|:(?P<name_m>[A-Za-z][A-Za-z0-9_]{{1,39}}):(?P<count_m>[0-9]{{1,15}}):(?P<average_m>{_FIGURE}):"
    rf"(?P<longest_m>{_FIGURE}):[ \t]*$"
    rf"|;(?P<throughput_m>{_FIGURE});(?P<clients_m>[0-9]{{1,9}});(?P<procs_m>[0-9]{{1,9}});"
    rf"(?P<max_m>{_FIGURE});[ \t]*$"
    r"|(?P<failed>Child failed with status [0-9]+|FAILED TO START [0-9]+ CLIENTS[^\n]{0,60}"
    r"|Child [0-9]+ failed setup with status [0-9]+|dbench: error opening [^\n]{0,200})"
    rf"|(?:\S{{1,120}}:[ \t]*)?Throughput{_BLANKS}(?P<throughput>{_FIGURE}){_BLANKS}MB/sec"
    r"(?P<rest>[^\n]{0,200})"
    r")",
    re.MULTILINE,
)
REST = re.compile(
    rf"(?P<netbench>[ \t]*\(NB={_FIGURE} MB/sec{_BLANKS}{_FIGURE} MBit/sec\))?"
    r"(?P<sync>(?:[ \t]*\(sync (?:open|dirs|mode)\))*)"
    r"(?:[ \t]+(?P<clients>[0-9]{1,9}) clients)?(?:[ \t]+(?P<procs>[0-9]{1,9}) procs)?"
    rf"(?:[ \t]+max_latency=(?P<max>{_FIGURE}) ms)?"
)


def bytes_per_second(megabytes: str) -> float:
    """dbench's MB/sec, which is 1.0e-6 * bytes; ParseError where it is `nan` or damaged."""
    return _shifted(megabytes, 6, "throughput")


def seconds(milliseconds: str) -> float:
    """A latency in ms as seconds, to the nearest double; ParseError where it is none."""
    return _shifted(milliseconds, -3, "latency")


def _shifted(text: str, exponent: int, what: str) -> float:
    """The double nearest to `text` times a power of ten: multiplied, it would be rounded twice."""
    number, _, printed = text.partition("e")
    try:
        value = float(f"{number}e{int(printed or 0) + exponent}")
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise ParseError(f"{text!r} stands where dbench prints a {what}")
    return value
