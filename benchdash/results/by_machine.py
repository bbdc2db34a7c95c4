"""Files of several machines that came together: which are whose, and what each was measured on before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Max, Q, QuerySet

from benchdash.inventory.models import Configuration
from benchdash.inventory.queries import MOST_NAMES
from benchdash.results.models import Run
from benchdash.results.models.run import BEFORE_MACHINE, LIVING, MAY_NAME_ITS_MACHINE

MOST_MACHINES = 30
MOST_FITTING = 5
_HOST = "environment__parts__snapshot__host__name"


@dataclass(slots=True)
class MachineRuns:
    """The runs of one machine by the artifact that they are in, and configurations that fit, best first."""

    name: str
    runs: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    seen_with: list[str] = field(default_factory=list)
    named_alike: list[str] = field(default_factory=list)


def machine_of(tool: str, label: str) -> str:
    """The machine that a run's output names; "" where it names none.

    bonnie++ prints it as its label, fio with clients behind the name of the job.
    """
    return (
        label.strip()
        if tool == "bonnie++"
        else label.rpartition(BEFORE_MACHINE)[2] * (BEFORE_MACHINE in label)
    )


def naming_machines(names: Collection[str]) -> QuerySet[Run, Any]:
    """The ids of the runs without an environment whose output names one of these machines."""
    may = Run.objects.filter(MAY_NAME_ITS_MACHINE).order_by()
    named = may.filter(tool="bonnie++", label__in=names)
    behind = reduce(or_, (Q(label__endswith=f"{BEFORE_MACHINE}{name}") for name in names))
    # one query with OR would read the labels of bonnie++ as well, instead of looking them up
    clients = may.filter(behind).exclude(tool="bonnie++")
    return named.values("pk").union(clients.values("pk"), all=True)


def machines_in(artifacts: Iterable[int]) -> list[MachineRuns]:
    """The machines that the results of these files name; none where they are fewer than two.

    One query, and three more for what fits where there are several machines.
    """
    found: dict[str, MachineRuns] = {}
    rows = Run.objects.filter(LIVING, artifact__in=set(artifacts)).order_by("pk")
    for pk, artifact, tool, label in rows.values_list("pk", "artifact", "tool", "label"):
        if name := machine_of(tool, label):
            found.setdefault(name, MachineRuns(name)).runs[artifact].append(pk)
    if len(found) < 2:
        return []
    machines = sorted(found.values(), key=lambda machine: machine.name)[:MOST_MACHINES]
    _suggest(machines)
    return machines


def _suggest(machines: Sequence[MachineRuns]) -> None:
    """First what runs of the host have, newest first; then configurations of a similar name."""
    by_name = {machine.name: machine for machine in machines}
    assigned = Run.objects.filter(LIVING, configuration__isnull=False).order_by()
    for key in (_HOST, "label"):
        of_them = assigned.filter(**{f"{key}__in": list(by_name)})
        rows = of_them.values_list(key, "configuration__name").annotate(newest=Max("pk"))
        for name, configuration, _newest in sorted(rows, key=lambda row: -row[2]):
            seen = by_name[name].seen_with
            if configuration not in seen and len(seen) < MOST_FITTING:
                seen.append(configuration)
    names = list(
        Configuration.objects.filter(deleted_at=None).values_list("name", flat=True)[:MOST_NAMES]
    )
    for machine in machines:
        inside = [name for name in names if machine.name.casefold() in name.casefold()]
        alike = dict.fromkeys([*inside, *get_close_matches(machine.name, names, MOST_FITTING)])
        machine.named_alike = [name for name in alike if name not in machine.seen_with]
        del machine.named_alike[MOST_FITTING:]
