"""What can speak against a number: the kinds of doubt, and how each is mended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from benchdash.errors import N_


class Doubt(NamedTuple):
    """One reason to distrust a run or the record of machines: a kind of KINDS, and a sentence with a number in it.

    `operations` are those that it concerns; empty: the whole run.
    """

    kind: str
    sentence: str
    operations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Kind:
    """`title` is what lists say in few words, `mend` what would make the number sound."""

    name: str
    title: str
    mend: str


_IDLE = N_("Measure again while nothing else runs on the machine.")
_WHOLE = N_("Measure again once the storage is healthy and in sync.")

KINDS = {
    kind.name: kind
    for kind in (
        # while it was measured, as the host said
        Kind("load", N_("load"), _IDLE),
        Kind("benchmark", N_("another benchmark"), _IDLE),
        Kind("resync", N_("resync"), _WHOLE),
        Kind("degraded", N_("degraded"), _WHOLE),
        Kind("drbd", N_("DRBD not healthy"), _WHOLE),
        Kind("ceph", N_("Ceph not healthy"), _WHOLE),
        Kind(
            "temperature",
            N_("too hot"),
            N_("Cool the machine, and measure again at its full clock rate."),
        ),
        Kind(
            "left",
            N_("settings of an earlier job"),
            N_("Restore the settings on the host, and measure again."),
        ),
        Kind(
            "skew",
            N_("hosts began apart"),
            N_("Measure again while the hosts and the network between them are idle."),
        ),
        Kind(
            "storage_changed",
            N_("storage changed during the run"),
            N_("Find out why the storage changed, and measure again."),
        ),
        Kind(
            "storage",
            N_("other storage than meant"),
            N_("Name a folder on the storage that the plan is about, and measure again."),
        ),
        # in the result itself
        Kind(
            "output",
            N_("damaged output"),
            N_("Compare the last figures with the output, and upload the whole file."),
        ),
        Kind(
            "errors",
            N_("errors"),
            N_("Read the tool’s messages, remove the cause, and measure again."),
        ),
        Kind("short", N_("too short"), N_("Measure longer, or with more data.")),
        Kind(
            "steady_state",
            N_("not steady"),
            N_("Fill the device first, or give the tool more time to settle."),
        ),
        Kind(
            "trend",
            N_("drifts"),
            N_("Measure longer and leave out the beginning, e.g. with a ramp time."),
        ),
        Kind(
            "clock",
            N_("clock"),
            N_("Check the machine’s clock and its log for stalls, and measure again."),
        ),
        # held against the configuration and the environment
        Kind(
            "too_fast",
            N_("faster than possible"),
            N_(
                "A cache answered, or the record is wrong: use direct I/O or more data, or "
                "correct the configuration and the environment."
            ),
        ),
        Kind(
            "cached",
            N_("fits into memory"),
            N_("Use files of at least twice the memory, or direct I/O."),
        ),
        # held against an environment
        Kind(
            "unread",
            N_("not read"),
            N_(
                "Install what is missing on the machine, or let the target’s account read it, "
                "e.g. with sudo, and measure again."
            ),
        ),
    )
}
# by what can tell: the result alone, its configuration and environment, or the host meanwhile
OF_RESULT = ("output", "errors", "short", "steady_state", "trend", "clock")
OF_PLACE = ("too_fast", "cached")
# what a capture says against the environment that it recorded; `unread` is no run's
OF_CAPTURE = ("unread", "clock")
OF_RUNS = tuple(kind for kind in KINDS if kind != "unread")


def title(kind: str) -> str:
    """English; a kind that is no longer known keeps its own name."""
    return KINDS[kind].title if kind in KINDS else kind


def mend(kind: str) -> str:
    """What to do about it, in English; "" for a kind that is no longer known."""
    return KINDS[kind].mend if kind in KINDS else ""
