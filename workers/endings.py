"""How a step ended, in the sentence that a sysadmin needs."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.jobs import leases, logs
from benchdash.jobs.models import Job, JobStep, LogChunk
from workers.remote_job import Status

S = JobStep.State
PACKAGES = {
    "fio": "fio",
    "bonnie++": "bonnie++",
    "dbench": "dbench",
    "pgbench": "postgresql-contrib",
}
_NOT_FOUND, _NOT_ALLOWED = 127, 126
_FULL_KIB = 64


def settle(job: Job, step: JobStep, status: Status) -> None:
    """Write down how a step ended: `done`, or `failed` and `lost` with the reason."""
    state, reason = _verdict(step, status)
    code = status.number("code") if status.state == "ended" else None
    ended = {"state": state, "reason": reason, "exit_code": code, "ended_at": timezone.now()}
    leases.record(job, step, **ended)


def no_result(step: JobStep, status: Status) -> str:
    """Why a step has no result: fio says nothing where the file it writes it to finds no room."""
    if _disk_is_full(status, ""):
        sentence = _("The disk is full: {step} printed no result.")
    else:
        sentence = _("{step} printed no result.")
    return sentence.format(step=step.name)


def _verdict(step: JobStep, status: Status) -> tuple[str, str]:
    if status.state == "rebooted":
        return S.FAILED, _("The host was rebooted while {step} ran.").format(step=step.name)
    if status.state != "ended":
        sentence = _("The host answers, and neither {step} nor its exit code is there.")
        return S.LOST, sentence.format(step=step.name)
    if status.number("code") == 0:
        return S.DONE, ""
    return S.FAILED, _failure(step, status)


def _failure(step: JobStep, status: Status) -> str:
    words = {"step": step.name, "code": status.number("code"), "seconds": step.timeout_s}
    words["said"] = (
        logs.last_lines(step, LogChunk.Stream.ERR) or logs.last_lines(step, "out") or "–"
    )
    program = step.argv[0] if step.argv else step.name
    if status.words.get("over") == "1":
        sentence = _("{step} did not end within its time limit of {seconds} s and was stopped.")
    elif words["code"] == _NOT_FOUND:
        words |= {"program": program, "package": PACKAGES.get(step.tool, program)}
        sentence = _(
            "{program} is not on the host: install it (package {package}). It said: {said}"
        )
    elif words["code"] == _NOT_ALLOWED or "ermission denied" in str(words["said"]):
        sentence = _("{step} was not allowed on the host (exit code {code}). It said: {said}")
    elif _disk_is_full(status, str(words["said"])):
        sentence = _("The disk is full: {step} ended with exit code {code}. It said: {said}")
    elif "sudo:" in str(words["said"]):
        sentence = _("{step} needs root, and sudo asks for a password. It said: {said}")
    else:
        sentence = _("{step} ended with exit code {code}. It said: {said}")
    return sentence.format(**words)


def _disk_is_full(status: Status, said: str) -> bool:
    free = status.words.get("free", "")
    return "No space left" in said or (free.isdecimal() and int(free) < _FULL_KIB)
