"""What was captured of hosts as records: an environment, and the configuration it was found in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.capture import Capture
from benchdash.errors import N_, Refused, side_by_side
from benchdash.inventory.models import Capture as CaptureRow
from benchdash.inventory.models import Configuration, Environment, Host
from benchdash.inventory.records import (
    CaptureInfo,
    configuration_with,
    configurations_fitting,
    free_name,
    record_configuration,
    record_environment,
    record_stack,
    restore_configuration,
)
from benchdash.results.doubts import judge_capture

_MOST_NAMED = 3
_AS_FAR = N_("The configuration is “{name}”, as far as the storage could be read. {missing}")
_SEVERAL = N_("No configuration: {n} match what could be read of the storage ({names}). {missing}")
_NONE = N_("No configuration: none matches what could be read of the storage. {missing}")


class Recorded(NamedTuple):
    """What machines are; `remark` where the storage was read in part alone.

    `stack` is the storage as it was read, `unread` as in `vocabulary.storage.matching`.
    """

    environment: Environment
    configuration: Configuration | None = None
    remark: str = ""
    stack: dict[str, Any] | None = None
    unread: Sequence[str] = ()


def record_capture(host: Host, role: str, capture: Capture, by: User | None = None) -> Recorded:
    """The environment and the configuration of one machine; no configuration without a path."""
    return record_captures({role: (host, capture)}, by)


@transaction.atomic
def record_captures(
    parts: Mapping[str, tuple[Host, Capture]], by: User | None = None, network: object = None
) -> Recorded:
    """The same of machines that were looked at together; the stack is that of the first that has one.

    Refused where nothing was learned of a machine, or a role is no name.
    """
    captures = {role: capture for role, (_host, capture) in parts.items()}
    unread = {role: [*one.unread] for role, one in captures.items() if one.unread}
    environment = record_environment(
        {role: one.machine | one.good_to_know for role, one in captures.items()},
        network,
        capture=CaptureInfo(CaptureRow.Source.SSH, timezone.now(), by, {"unread": unread}),
        hosts={role: host for role, (host, _capture) in parts.items()},
    )
    skews = {
        role: float(one.good_to_know["clock_skew_s"])
        for role, one in captures.items()
        if "clock_skew_s" in one.good_to_know
    }
    judge_capture(environment.pk, {role: one.unread_facts for role, one in captures.items()}, skews)
    found = next((parts[role][1] for role in sorted(parts) if parts[role][1].stack), None)
    if found is None:
        of_storage = (
            sentence
            for one in captures.values()
            for sentence in one.unread
            if sentence not in one.unread_facts
        )
        missing = side_by_side(list(dict.fromkeys(of_storage)), " ")
        return Recorded(environment, remark=N_(_NONE, missing=missing) if missing else "")
    not_read = [pattern for gap in found.gaps for pattern in gap.layers]
    return Recorded(environment, *_configuration(found, by), found.stack, not_read)


def _configuration(capture: Capture, by: User | None) -> tuple[Configuration | None, str]:
    """The configuration that has these layers, else a new one; and what makes it uncertain.

    What was read in part is no configuration of its own: it is the one that it fits. Only what can
    never be read here, such as what takes root, is a new one where none fits.
    """
    assert capture.stack is not None
    may_change = any(gap.is_passing for gap in capture.gaps)
    equal = configuration_with(capture.stack)
    if equal and not may_change:
        return restore_configuration(equal), ""
    unread = [pattern for gap in capture.gaps for pattern in gap.layers]
    fitting = configurations_fitting(capture.stack, unread)
    missing = side_by_side([gap.sentence for gap in capture.gaps], " ")
    if len(fitting) == 1:
        return fitting[0], N_(_AS_FAR, name=fitting[0].name, missing=missing)
    if fitting:
        names = ", ".join(f"“{each.name}”" for each in fitting[:_MOST_NAMED])
        return None, N_(_SEVERAL, n=len(fitting), names=names, missing=missing)
    if may_change and not equal:
        return None, N_(_NONE, missing=missing)
    known = restore_configuration(equal) if equal else _new_configuration(capture.stack, by)
    return known, ""


def _new_configuration(tree: Mapping[str, object], by: User | None) -> Configuration:
    """One of these layers under a name that nobody has, or what another worker made meanwhile."""
    stack = record_stack(tree)  # waits for whoever records the same layers
    if known := configuration_with(tree):
        return restore_configuration(known)
    while True:
        try:
            return record_configuration(free_name(stack), tree, by=by)
        except Refused:  # somebody has just taken the name for other layers
            continue
