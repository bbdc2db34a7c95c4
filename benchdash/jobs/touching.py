"""What a plan writes to outside its own folders: allowed on the host, and confirmed by typing.

Right before it is touched, the worker asks the host itself as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.jobs.models import JobNode, JobStep, Plan, Target
from benchdash.recipes import Step


@dataclass(frozen=True, slots=True)
class Touched:
    """A device or path on a host, and whether its name was typed."""

    kind: str
    name: str
    host: str
    confirmed: bool


def refuse_what_is_not_allowed(steps: Iterable[Step], targets: Mapping[str, Target]) -> None:
    """Refused where a step writes to what is not on its host's list."""
    for step in steps:
        target = targets[step.node]
        for touch in step.touches:
            if touch.name not in target.allowed:
                sentence = _(
                    "{name} is not on the list of what may be written on {host}: "
                    "an admin adds it to the target {target}."
                )
                values = {"name": touch.name, "host": target.host.name, "target": target}
                raise Refused(sentence.format(**values), "targets")


def touched(plan: Plan) -> list[Touched]:
    """Everything outside its own folders that the plan writes to, by host."""
    hosts = dict(
        JobNode.objects.filter(job__plan=plan).values_list("role", "target__host__name").distinct()
    )
    rows = JobStep.objects.filter(job__plan=plan).exclude(touches=[]).values_list("node", "touches")
    found = {
        (hosts[node], touch["kind"], touch["name"]) for node, touches in rows for touch in touches
    }
    return [Touched(kind, name, host, name in plan.confirmed) for host, kind, name in sorted(found)]


def confirm(plan: Plan, typed: Iterable[str]) -> None:
    """Keep the names that a person typed; Refused where one is missing. Changes the plan's row."""
    wanted = {touch.name for touch in touched(plan)}
    plan.confirmed = sorted(wanted & {name.strip() for name in typed} | {*plan.confirmed})
    missing = sorted(wanted - set(plan.confirmed))
    if missing:
        sentence = _("This plan writes to {names}: type the name to confirm it.")
        raise Refused(sentence.format(names=", ".join(missing)), "confirmed")
    plan.save(update_fields=["confirmed"])
