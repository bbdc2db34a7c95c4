"""What the kernel wrote about storage, links and heat: what came and went between two looks.

Its times are seconds since boot and of its own clock, so only those of two of its lines are held
against each other. Without a time in front (old kernels without printk.time) nothing is known.
Texts of DRBD: 8.3, 8.4 and 9; of md, block devices and network cards: those of Linux since 2.6.18.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from benchdash.capture.probe import Probe
from benchdash.capture.spans import Span
from benchdash.errors import N_, Sentence

_MOST_LINES = 400
# the marks of all lines below, for grep -E; dmesg may be long, and most of it is of no interest
_MARKS = (
    r"drbd.* conn\( |md/.*Disk failure|md: .* of RAID array|I/O error|[Ll]ink is [Dd]own|"
    r"clock.* throttled|hard resetting link|nvme.* timeout|"
    r"libceph: .*(down|socket closed)"
)
_COMMAND = (
    "dmesg >/dev/null 2>&1 || exit 0; "
    f"dmesg | grep -E '{_MARKS}' | tail -n {_MOST_LINES}; dmesg | tail -n 1"
)
_LINE = re.compile(r"(?:<\d+>)?\[ *(\d{1,10}\.\d{1,9})\](?:\[ *[TC]\d+\])? ?(.*)")
_STATE = re.compile(r"(?:block )?(drbd\S*(?: \S+)*?): .*?conn\( (\w+) -> (\w+) \)")
_LINKED = {
    *("Connected", "WFReportParams", "WFBitMapS", "WFBitMapT", "SyncSource", "SyncTarget"),
    *("PausedSyncS", "PausedSyncT", "VerifyS", "VerifyT", "Ahead", "Behind"),
    *("StartingSyncS", "StartingSyncT", "WFSyncUUID"),  # a resync begins
}


class _Kind(NamedTuple):
    """Lines that are counted by what their group `name` names; `array` is that of a disk."""

    pattern: re.Pattern[str]
    name: str
    sentence: str


class Counted(NamedTuple):
    """A sentence with its kind of doubt; of arrays which one, and whether it resynced."""

    kind: str
    sentence: str
    array: str = ""
    is_resync: bool = False


_COUNTED = (
    _Kind(
        re.compile(r"md/[^: ]*:(?P<array>\w+): Disk failure on (?P<name>[\w!-]+)"),
        "storage_changed",
        N_("An array lost the disk {name} while the job ran ({n} ×)."),
    ),
    _Kind(
        re.compile(
            r"md: (?:resync|recovery|data-check|requested-resync|reshape)\S* of RAID array "
            r"(?P<name>(?P<array>\w+))"
        ),
        "storage_changed",
        N_("{name} started a resync or a check while the job ran ({n} ×)."),
    ),
    _Kind(
        re.compile(r"I/O error.*?(?:dev|device) (?P<name>[\w!-]+)"),
        "storage_changed",
        N_("The kernel reported I/O errors on {name} while the job ran ({n} ×)."),
    ),
    _Kind(
        re.compile(r"(?P<name>[\w.-]+):? (?:NIC )?[Ll]ink is [Dd]own"),
        "storage_changed",
        N_("The network link of {name} went down while the job ran ({n} ×)."),
    ),
    _Kind(
        re.compile(r"(?P<name>ata\d+)(?:\.\d+)?: hard resetting link"),
        "storage_changed",
        N_("The kernel reset {name} while the job ran ({n} ×)."),
    ),
    _Kind(
        re.compile(r"(?P<name>nvme\d+)\S*: .*timeout"),
        "storage_changed",
        N_("{name} did not answer in time while the job ran ({n} ×)."),
    ),
    _Kind(
        re.compile(r"libceph: (?P<name>osd\d+|mon\d+).*?(?:down|socket closed)"),
        "storage_changed",
        N_("The connection to Ceph’s {name} was lost while the job ran ({n} ×)."),
    ),
    _Kind(
        re.compile(r"(?P<name>CPU\d+): .*clock.* throttled"),
        "temperature",
        N_("{name} was throttled while the job ran ({n} ×): it was too hot."),
    ),
)


@dataclass(frozen=True, slots=True)
class KernelLog:
    """Lines of interest as (seconds after boot, text), and when the newest of all was written."""

    lines: tuple[tuple[float, str], ...]
    newest_s: float

    def links_lost(self, since_s: float) -> list[Span]:
        """How long each connection of DRBD was away, after a line of that time."""
        found: list[Span] = []
        away: dict[str, float] = {}
        for at, text in self._after(since_s):
            if state := _STATE.match(text):
                name, before, now = state.groups()
                if before in _LINKED and now not in _LINKED:
                    away.setdefault(name, at)
                elif now in _LINKED and name in away:
                    found.append(Span(name, "connection", at - away.pop(name)))
        still = (
            Span(name, "connection", self.newest_s - at, whole=False) for name, at in away.items()
        )
        return [*found, *still]

    def counted(self, since_s: float) -> Iterator[Counted]:
        """What else is in it, after a line of that time."""
        found: dict[tuple[_Kind, str, str], int] = {}
        for _at, text in self._after(since_s):
            for kind in _COUNTED:
                if match := kind.pattern.search(text):
                    key = kind, match["name"], match.groupdict().get("array", "")
                    found[key] = found.get(key, 0) + 1
                    break
        for (kind, name, array), n in found.items():
            sentence = Sentence(kind.sentence, name=name, n=n)
            yield Counted(kind.name, sentence, array, is_resync=array == name)

    def _after(self, since_s: float) -> list[tuple[float, str]]:
        return [line for line in self.lines if line[0] > since_s]


def _read(output: str) -> KernelLog | None:
    """None where no line has a time."""
    found = [(float(line[1]), line[2]) for line in map(_LINE.match, output.splitlines()) if line]
    return KernelLog(tuple(found[:-1]), found[-1][0]) if found else None


KERNEL_LOG = Probe("kernel_log", "", _read, _COMMAND)
