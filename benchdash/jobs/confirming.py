"""What a plan writes to outside its own folders, which a person confirms by typing each name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchdash.errors import Refused
from benchdash.jobs.models import Plan
from benchdash.jobs.plan_contents import targets_of
from benchdash.recipes.steps import WRITTEN

POOL = "rados:"


@dataclass(frozen=True, slots=True)
class Touched:
    """A device or path on a host, and whether its name was typed.

    What is on it is `destroyed`, unless it is a path, below which a folder of its own is made, a
    pool of Ceph, to which objects of its own are added, or a device that is only read.
    """

    kind: str
    name: str
    host: str
    confirmed: bool
    destroyed: bool = True

    @property
    def is_pool(self) -> bool:
        """Whether it is a pool of Ceph."""
        return self.name.startswith(POOL)


def touched(plan: Plan) -> list[Touched]:
    """Everything outside its own folders that the plan writes to, by host."""
    targets = targets_of(plan)
    found: dict[tuple[str, str, str], bool] = {}
    for each in plan.reaches:
        if each["kind"] in WRITTEN:
            host = targets[each.get("zone", ""), each["node"]].host.name
            one = host, each["kind"], each["name"]
            keeps = each.get("only_read") or each["name"].startswith(POOL)
            is_lost = each["kind"] == "device" and not keeps
            found[one] = found.get(one, False) or is_lost
    return [
        Touched(kind, name, host, name in plan.confirmed, is_lost)
        for (host, kind, name), is_lost in sorted(found.items())
    ]


def confirmed_names(plan: Plan, typed: Iterable[str]) -> list[str]:
    """What is confirmed with the names that a person typed; Refused where one is missing."""
    wanted = {touch.name for touch in touched(plan)}
    confirmed = wanted & {name.strip() for name in typed} | {*plan.confirmed}
    missing = sorted(wanted - confirmed)
    if missing:
        raise Refused(
            "This plan writes to {names}: type the name to confirm it.",
            "confirmed",
            names=", ".join(missing),
        )
    return sorted(confirmed)
