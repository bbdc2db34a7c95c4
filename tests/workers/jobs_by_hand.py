"""Jobs as a plan makes them, by hand: any command, on a real host."""

from __future__ import annotations

import shlex

from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.inventory.models import Host
from benchdash.jobs import job_states
from benchdash.jobs.credentials import sealed
from benchdash.jobs.models import Job, JobNode, JobStep, Plan, Target
from workers.tasks import carry_on


def target(server, name="store-1", **fields):
    """The host behind a server, its key approved."""
    host = Host.objects.get_or_create(name=name)[0]
    known = {
        "address": server.address,
        "port": server.port,
        "user": server.user,
        "secret": sealed({"key": server.user_key}),
        "host_key": server.host_key,
        "folder": str(server.folder),
    }
    return Target.objects.create(host=host, **(known | fields))


def job(*steps, on, whatever_conditions=True, wait_minutes=0, **fields):
    """A launched job: `steps` are `step(…)`, `on` targets by role or one target.

    Whatever the conditions: a machine that runs tests is a busy host.
    """
    nodes = on if isinstance(on, dict) else {"node-a": on}
    person = User.objects.get_or_create(username="ann")[0]
    fields_of_plan = {"title": "By hand", "recipe_name": "custom", "launched_by": person}
    plan = Plan.objects.create(
        **fields_of_plan,
        launched_at=timezone.now(),
        whatever_conditions=whatever_conditions,
        wait_minutes=wait_minutes,
    )
    made = Job.objects.create(plan=plan, position=1, **fields)
    for role, each in nodes.items():
        JobNode.objects.create(job=made, role=role, target=each, folder=each.folder)
    for position, each in enumerate(steps, 1):
        folder = f"{position}-{each['name']}"
        JobStep.objects.create(job=made, position=position, folder=folder, **each)
    job_states.move(made, Job.State.QUEUED, by=person)
    return made


def step(*argv, name="measure", phase="measure", **fields):
    """One command."""
    known = {"node": "node-a", "timeout_s": 60, "command": shlex.join(argv), "argv": list(argv)}
    return known | {"name": name, "phase": phase} | fields


def sh(script, **fields):
    """One command of the shell."""
    return step("sh", "-c", script, **fields)


def carried(made, turns=20):
    """The job after its turns, as a worker would take them one after the other."""
    for _turn in range(turns):
        carry_on(made.pk)
        made.refresh_from_db()
        if made.state in job_states.ENDED:
            break
    return made


def due_now(made):
    """As if the time of the next look had come."""
    Job.objects.filter(pk=made.pk).update(look_at=timezone.now())
