"""What a plan will cost, before it is launched: time and bytes written, by what earlier jobs took.

Without earlier jobs of the recipe on these hosts both are the recipe's own word, and said so.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import prod
from statistics import mean, median
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, Subquery

from benchdash.errors import Refused
from benchdash.inventory.models import MachineSnapshot
from benchdash.jobs.measuring import roles_where
from benchdash.jobs.models import Job, JobEvent, JobNode, JobStep, Plan
from benchdash.jobs.plan_contents import Targets, cells_of_plan, targets_of
from benchdash.recipes.blocks import blocks_made
from benchdash.recipes.durations import bytes_at_least
from benchdash.recipes.steps import WRITTEN
from benchdash.results.models import HostTrace
from benchdash.vocabulary.host_quantities import DEVICE
from benchdash.vocabulary.storage.normal_form import Tree
from benchdash.vocabulary.storage.stack import walk

Place = tuple[int, str]  # a host and its disk
_MOST_EARLIER = 200
_MOST_WITH_TRACES = 20
# the axes of a workload that decide how much it writes in a second
_DECIDE = ("pattern", "block_bytes", "read_fraction", "queue_depth", "jobs")


@dataclass(frozen=True, slots=True)
class Disk:
    """What a disk of a host will take; `share` of its size, None where no capture has that.

    Of the far end of a mirror the `name` is "" where the plan does not make the mirror of it.
    """

    host: str
    name: str
    written_bytes: float
    share: float | None


@dataclass(frozen=True, slots=True)
class Sharing:
    """What jobs of a block have in common: the `steps` that make it, so many times, for so many jobs."""

    steps: list[str]
    times: int
    jobs: int


@dataclass(frozen=True, slots=True)
class Room:
    """A working folder that had less free at the last check of its host than a job writes there."""

    host: str
    folder: str
    free_bytes: float
    needed_bytes: float


@dataclass(frozen=True, slots=True)
class NewFolder:
    """A working folder that was not there at the last check of its host, and where a job makes it."""

    host: str
    folder: str
    filesystem: str


@dataclass(frozen=True, slots=True)
class Cost:
    """`earlier` jobs tell the time, `traced` ones the bytes; 0: the recipe does.

    `written_bytes` by the recipe is a lower bound. None: unknown.
    """

    cells: int
    jobs: int
    expected_s: float | None
    earlier: int
    written_bytes: float | None
    traced: int
    disks: list[Disk] = field(default_factory=list)
    shared: Sharing | None = None
    too_small: list[Room] = field(default_factory=list)
    new_folders: list[NewFolder] = field(default_factory=list)


def cost_of(plan: Plan) -> Cost:
    """The cost of all jobs of a plan; seven queries."""
    jobs = plan.cell_count * plan.rounds_planned
    targets = targets_of(plan)
    hosts = _hosts(targets)
    earlier = _earlier(plan, hosts)
    by_recipe = _by_recipe(plan)
    took_s = _time(earlier, plan)
    levels = _levels(plan)
    alike = [
        job
        for job in earlier
        if _places(job.plan) == _places(plan)
        and all(str(job.values[name]) in own for name, own in levels.items() if name in job.values)
    ]
    written, sizes, traced = _written(alike, plan)
    disks = _disks({each: amount * jobs for each, amount in written.items()}, sizes, hosts)
    written_bytes = sum(by_recipe) * plan.rounds_planned if by_recipe else None
    if traced:
        written_bytes = sum(each.written_bytes for each in disks)
    return Cost(
        cells=plan.cell_count,
        jobs=jobs,
        expected_s=_by_steps(plan) if took_s is None else took_s,
        earlier=0 if took_s is None else len(earlier),
        written_bytes=written_bytes,
        traced=traced,
        disks=disks,
        shared=_sharing(plan),
        too_small=_too_small(plan, targets, max(by_recipe, default=0.0)),
        new_folders=_new_folders(plan, targets),
    )


def expected_of(plan: Plan) -> float | None:
    """The seconds that `cost_of` has, alone; None: unknown. Two queries."""
    took_s = _time(_earlier(plan, _hosts(targets_of(plan))), plan)
    return _by_steps(plan) if took_s is None else took_s


def _sharing(plan: Plan) -> Sharing | None:
    """None where nothing is made for several jobs."""
    if plan.block_factors is None:
        return None
    steps: dict[str, None] = {}
    times, jobs = 0, 0
    for cells in cells_of_plan(plan):
        made = blocks_made(cells, plan.block_factors, has_peers=len(plan.nodes) > 1)
        in_each = len(cells) // prod(len(cells.axes[name]) for name in plan.block_factors)
        times += made * plan.rounds_planned
        jobs += made * in_each * plan.rounds_planned
        steps |= dict.fromkeys(
            step.name for step in cells.recipe.steps if step.shared and step.phase == "prepare"
        )
    return Sharing([*steps], times, jobs) if jobs > times else None


def _hosts(targets: Targets) -> dict[int, str]:
    return {target.host_id: target.host.name for target in targets.values()}


def _too_small(plan: Plan, targets: Targets, needed: float) -> list[Room]:
    """Folders of hosts that measure alone: what several write is not theirs in equal parts.

    None where a plan names the places that it writes to: nobody has looked how full these are.
    """
    if _places(plan) or len({role for _zone, role in targets}) > 1:
        return []
    known = [(one, one.findings.get("free_bytes")) for one in targets.values()]
    return [
        Room(one.host.name, one.folder, free, needed)
        for one, free in known
        if free is not None and free < needed
    ]


def _new_folders(plan: Plan, targets: Targets) -> list[NewFolder]:
    """None where a plan names the places that it writes to: working folders are not measured then."""
    if _places(plan):
        return []
    known = {one.pk: one for one in targets.values() if one.findings.get("folder_made_on")}
    return [
        NewFolder(one.host.name, one.folder, one.findings["folder_made_on"])
        for one in known.values()
    ]


def _by_steps(plan: Plan) -> float | None:
    """What the recipe says that its steps take."""
    return None if plan.round_s is None else plan.round_s * plan.rounds_planned


def _earlier(plan: Plan, hosts: Mapping[int, str]) -> list[Job]:
    """The newest jobs of the recipe that were done on the plan's hosts, as many at once, and no others."""
    done = Job.objects.filter(
        plan__recipe_name=plan.recipe_name, state=Job.State.DONE, started_at__isnull=False
    )
    here = Q(nodes__target__host__in=list(hosts))
    sizes = Counter(node.get("zone", "") for node in plan.nodes)
    guessed = JobStep.objects.filter(job=OuterRef("pk"), estimated=True).exclude(tool="")
    began = JobEvent.objects.filter(job=OuterRef("pk"), after=Job.State.RUNNING)
    same = done.annotate(
        nodes_here=Count("nodes", filter=here, distinct=True),
        nodes_all=Count("nodes", distinct=True),
        is_guess=Exists(guessed),
        running_at=Subquery(began.order_by("pk").values("at")[:1]),
    ).filter(nodes_here=F("nodes_all"), nodes_all__in={*sizes.values()})
    columns = ("started_at", "ended_at", "quiet_by", "expected_s", "values", "plan__reaches")
    return list(same.select_related("plan").only(*columns).order_by("-pk")[:_MOST_EARLIER])


def _places(plan: Plan) -> set[tuple[str, str]]:
    """What a plan writes to outside its own folders: on another disk it would wear that one."""
    return {(each["kind"], each["name"]) for each in plan.reaches if each["kind"] in WRITTEN}


def _levels(plan: Plan) -> dict[str, set[str]]:
    """The levels of each parameter in `_DECIDE`, as text: a read says nothing of what a write writes."""
    try:
        cells = list(cells_of_plan(plan))
    except Refused:  # the language of recipes has changed since
        return {}
    found: dict[str, set[str]] = {}
    for own in cells:
        for name, one in own.recipe.parameters.items():
            if one.axis in _DECIDE:
                levels = own.axes[name] if name in own.axes else [own.fixed[name]]
                found.setdefault(name, set()).update(map(str, levels))
    return found


def _time(earlier: Sequence[Any], plan: Plan) -> float | None:
    """Seconds: what the recipe says, and what jobs took besides; their own where it says nothing.

    None where none is known. Where the recipe guesses, they took so many times as long.
    """
    took: list[tuple[float, float | None]] = [
        (_took_s(job), job.expected_s) for job in earlier if job.ended_at and job.started_at
    ]
    known = [(seconds, expected) for seconds, expected in took if expected]
    jobs = plan.cell_count * plan.rounds_planned
    if (expected_s := _by_steps(plan)) and known:
        besides = median(seconds - expected for seconds, expected in known)
        if besides < 0 or any(job.is_guess for job in earlier):
            return expected_s * median(seconds / expected for seconds, expected in known)
        return expected_s + besides * jobs
    return jobs * median([seconds for seconds, _expected in took]) if took else None


def _took_s(job: Any) -> float:
    """Of a job of `_earlier`, without its wait for quiet hosts: that says nothing of other jobs."""
    began = (job.quiet_by and job.running_at) or job.started_at
    seconds: float = (job.ended_at - began).total_seconds()
    return seconds


def _duration_ratio(plan: Plan, job: Job) -> float:
    """The expected duration of the plan's mean job over that of an earlier one; 1 where unknown."""
    own_s = plan.round_s / plan.cell_count if plan.round_s and plan.cell_count else None
    return own_s / job.expected_s if own_s and job.expected_s else 1.0


def _written(earlier: list[Job], plan: Plan) -> tuple[dict[Place, float], dict[Place, float], int]:
    """Bytes a job on each disk, sizes of far ends in bytes, and how many jobs tell.

    As the hosts counted them, scaled to the expected duration of the plan's jobs.
    """
    newest = {job.pk: job for job in earlier[:_MOST_WITH_TRACES]}
    steps = JobStep.objects.filter(job__in=newest, artifact__isnull=False)
    rows = (
        HostTrace.objects.filter(part=DEVICE, run__artifact__steps__in=steps)
        .annotate(
            job=F("run__artifact__steps__job"),
            began=F("run__artifact__steps__started_at"),
            ended=F("run__artifact__steps__ended_at"),
        )
        .order_by("job", "run", "role", "position")
        .values(
            *("job", "run", "role", "depth", "name", "quantities", "began", "ended"),
            artifact=F("run__artifact"),
        )
    )
    nodes: dict[int, dict[str, int]] = defaultdict(dict)  # hosts by their roles in the job
    for job, role, host in JobNode.objects.filter(job__in=newest).values_list(
        "job", "role", "target__host"
    ):
        nodes[job][role] = host
    ran: dict[int, set[str]] = defaultdict(set)
    for job, role in (
        JobStep.objects.filter(job__in=newest).exclude(tool="").values_list("job", "node")
    ):
        ran[job].add(role)
    roles = {job: roles_where(own, ran[job]) for job, own in nodes.items()}
    # by their roles where they were measured, as in traces and stacks
    hosts = {
        (job, roles[job][role]): host for job, own in nodes.items() for role, host in own.items()
    }
    far_ends = {
        job: _far_ends(tree)
        for job, tree in Job.objects.filter(pk__in=newest, configuration__isnull=False).values_list(
            "pk", "configuration__stack__tree"
        )
    }
    by_job: dict[int, dict[Place, float]] = defaultdict(lambda: defaultdict(float))
    sizes: dict[Place, float] = {}
    found = list(rows)
    traced: dict[tuple[int, int], set[int]] = defaultdict(set)
    for each in found:
        traced[each["job"], each["artifact"]].add(each["run"])
    for row, after in pairwise([*found, None]):
        assert row is not None
        job, rate = row["job"], row["quantities"].get("written")
        if not rate or not row["ended"] or (job, row["role"]) not in hosts:
            continue
        # runs of one step ran in turn, or saw the same: each has its share of the step's time
        runs = len(traced[job, row["artifact"]])
        seconds = (row["ended"] - row["began"]).total_seconds() / runs
        amount = rate[1] * seconds * _duration_ratio(plan, newest[job])
        is_mirror = str(row["name"]).startswith("drbd")
        if not (is_mirror or _has_below(row, after)):  # one without a disk of its own
            by_job[job][hosts[job, row["role"]], str(row["name"])] += amount
        if is_mirror:  # what it wrote went to its other ends, too
            for role, size in far_ends.get(job, ()):
                if (job, role) in hosts:
                    there = hosts[job, role], _named_at(newest[job].plan, roles[job][role])
                    by_job[job][there] += amount
                    sizes |= {there: float(size)} if size else {}
    disks = {disk for amounts in by_job.values() for disk in amounts}
    amounts = {
        disk: mean(each.get(disk, 0.0) for each in by_job.values()) for disk in sorted(disks)
    }
    return amounts, sizes, len(by_job)


def _far_ends(tree: Tree) -> list[tuple[str, Any]]:
    """`(role, size in bytes)` of the legs that a connected DRBD has on other machines."""
    layers = [*walk(tree)]
    return [
        (leg.node, leg.options.get("size_bytes"))
        for leg in layers
        if leg.above is not None and (above := layers[leg.above]).node != leg.node
        if above.kind.name == "drbd" and above.options.get("connected", True)
    ]


def _named_at(plan: Plan, role: str) -> str:
    """The device that a plan makes its mirror of on a host, "" where it makes none."""
    names = {
        each["name"].removeprefix("/dev/")
        for each in plan.reaches
        if each["kind"] == "device" and each["node"] == role
    }
    return names.pop() if len(names) == 1 else ""


def _has_below(row: Mapping[str, Any], after: Mapping[str, Any] | None) -> bool:
    """Whether a device lies on others, which come after it: their bytes are its own."""
    alike = after and all(row[name] == after[name] for name in ("job", "run", "role"))
    return bool(alike and after and after["depth"] > row["depth"])


def _disks(
    written: Mapping[Place, float], far_sizes: Mapping[Place, float], hosts: Mapping[int, str]
) -> list[Disk]:
    sizes: dict[tuple[int | None, str], float] = {}
    newest = MachineSnapshot.objects.filter(host__in={host for host, _name in written})
    for host, facts in newest.order_by("pk").values_list("host", "facts"):
        for disk in facts.get("disks", []):
            if disk.get("size_bytes") and disk.get("device"):
                sizes[host, disk["device"].removeprefix("/dev/")] = float(disk["size_bytes"])
    found = []
    for (host, name), amount in written.items():
        size = sizes.get((host, name.removeprefix("/dev/"))) or far_sizes.get((host, name))
        found.append(Disk(hosts[host], name, amount, amount / size if size else None))
    return found


def _by_recipe(plan: Plan) -> list[float]:
    """What the recipe says that the jobs of a round write at least, each; none where it does not say."""
    try:
        cells = list(cells_of_plan(plan))
    except Refused:  # the language of recipes has changed since
        return []
    known = [
        bytes_at_least(own.recipe, own.values(n)) for own in cells for n in range(1, len(own) + 1)
    ]
    return [each for each in known if each is not None]
