"""The hosts of a job, by the parts they play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.jobs import leases
from benchdash.jobs.models import Job, JobStep, Target
from benchdash.jobs.progress import IllegalChangeError
from benchdash.jobs.scripts import work_folder
from benchdash.recipes.guards import guard_script, reasons
from benchdash.recipes.steps import Touch
from workers import ssh
from workers.connections import HostError
from workers.remote_job import RemoteError, RemoteJob, install


@dataclass(frozen=True, slots=True)
class Nodes:
    """A job's folder on each of its hosts."""

    job: Job
    by_role: dict[str, RemoteJob]

    def of(self, step: JobStep) -> RemoteJob:
        """Where a step runs."""
        return self.by_role[step.node]

    def contact(self) -> None:
        """Reach every host, and make the job's folder where it is missing; HostError if one fails."""
        install(self.by_role.values())

    def rebooted_since(self, steps: Iterable[JobStep]) -> bool:
        """Whether a host is in another boot than a step on it was; False where it cannot be said."""
        boots = {(step.node, boot) for step in steps if (boot := step.identity.get("boot"))}
        roles = sorted({role for role, _boot in boots})
        ask = "cat /proc/sys/kernel/random/boot_id"
        answers = ssh.run_all(ssh.Question(self.by_role[role].target, ask) for role in roles)
        told = (answer.out.decode("utf-8", "replace").strip() for answer in answers)
        now = dict(zip(roles, told, strict=True))
        return any(now[role] and now[role] != boot for role, boot in boots)

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Reach every host; where one fails, or the block does, no folder of the job is left."""
        made = []
        try:
            for remote in self.by_role.values():
                remote.install()
                made.append(remote)
            yield
        except (HostError, Refused, IllegalChangeError):
            leases.keep(self.job)  # whoever took the job over needs its folders
            for remote in made:
                with suppress(HostError, Refused):
                    remote.clean()
            raise

    def clean(self) -> None:
        """Remove the job's folders."""
        for remote in self.by_role.values():
            remote.clean()


def nodes_of(job: Job) -> Nodes:
    """The nodes of a job, with the jump hosts of their targets."""
    parts = job.nodes.select_related("target__host", "target__jump__jump__jump")
    root = set(job.steps.filter(root=True).values_list("node", flat=True))
    remotes = {
        part.role: RemoteJob(
            job, part.target, work_folder(part.folder, job.token), part.role in root
        )
        for part in parts
    }
    return Nodes(job, remotes)


def as_root(target: Target, *argv: str) -> list[str]:
    """A command that needs root, for this user."""
    return [*argv] if target.user == "root" else ["sudo", "-n", *argv]


def refuse_to_touch(step: JobStep, target: Target) -> None:
    """Ask the host right before something is written to; RemoteError with what speaks against it.

    What the job wrote to before is its own: the filesystem there now is the one that it made.
    """
    own = _touched_before(step)
    for each in step.touches:
        touch = Touch(each["kind"], each["name"])
        if touch in own:
            continue
        if touch.name not in target.allowed:
            sentence = _("{name} is not on the list of what may be written on {host}.")
            raise RemoteError(sentence.format(name=touch.name, host=target.host.name))
        shell = as_root(target, "sh", "-s") if step.root else ["sh", "-s"]
        answer = ssh.run(target, " ".join(shell), guard_script(touch).encode())
        against = reasons(answer.out.decode("utf-8", "replace"))
        if against:
            sentence = _("Nothing is written to {name}: {reasons}.")
            raise RemoteError(sentence.format(name=touch.name, reasons="; ".join(against)))


def _touched_before(step: JobStep) -> set[Touch]:
    """What an earlier step of the job, on the same node, was let write to."""
    earlier = JobStep.objects.filter(
        job=step.job_id, node=step.node, position__lt=step.position, started_at__isnull=False
    )
    touches = earlier.exclude(touches=[]).values_list("touches", flat=True)
    return {Touch(each["kind"], each["name"]) for some in touches for each in some}
