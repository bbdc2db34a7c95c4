"""The capture of environments: what could spoil a measurement, and what it was measured on."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from django.db.models import QuerySet
from django.utils import timezone

from benchdash.capture import (
    Capture,
    capture_script,
    conditions_during,
    conditions_script,
    read_capture,
    read_conditions,
    read_kernel_log,
)
from benchdash.errors import N_, Refused, side_by_side
from benchdash.inventory.models import Configuration
from benchdash.jobs import job_states, leases
from benchdash.jobs.giving_up import conditions_left
from benchdash.jobs.measuring import recipe_of, roles_measured
from benchdash.jobs.models import Job, JobStep, Target
from benchdash.jobs.queries import known_as
from benchdash.recipes.parameters import Parameter
from benchdash.vocabulary.storage import kind_named
from benchdash.vocabulary.storage.contradictions import contradictions
from benchdash.vocabulary.storage.matching import BELOW
from benchdash.vocabulary.storage.stack import facets
from workers import ssh
from workers.connections import HostError
from workers.folders import root_shell
from workers.recording import Recorded, record_captures
from workers.remote_job import Nodes, RemoteError, RemoteJob, boots_of

_CONDITIONS_S, _CAPTURE_S, _PEER_S = 30, 90, 20
_MOST_PEERS = 4
_MOST_DIFFERENCES = 4  # differences in a sentence
_BUSY = N_("Nothing was measured. {conditions} Wait, or measure regardless of the conditions.")
_BUSY_TO_THE_END = N_(
    "Nothing was measured: the hosts were not quiet for {minutes} minutes. {conditions}"
)
_FOUND_INSTEAD = N_(
    "The plan says “{name}”, but the storage differs: {differences}. The runs belong to "
    "what was found, “{found}”."
)
_NOT_AS_NAMED = N_("The plan says “{name}”, but the storage differs: {differences}.")
_LIES_ELSEWHERE = N_(
    "{folder} is not on {layer}, where the recipe expects it: this was measured without {layer}."
)
_LIES_OTHERWISE = N_("{folder} is on {layer}, but not with {options}, as the recipe expects it.")
_IS_NOT = N_("{what} is {found}, not {named}")


def note_conditions(job: Job, nodes: Nodes, when: str) -> None:
    """Write down how each host is, before the job or after it; what was noted then is replaced."""
    others = [condition for condition in job.conditions if condition["when"] != when]
    leases.record(job, job, conditions=[*others, *_conditions(job, nodes, when)])


def is_quiet(job: Job, nodes: Nodes) -> bool:
    """Whether nothing speaks against measuring now, or somebody insists; False: look again later.

    RemoteError where the job has waited for as long as its plan allows.
    """
    if job.quiet_by or not any(each["when"] == "before" for each in job.conditions):
        note_conditions(job, nodes, "before")
    against = [
        side_by_side([each["host"], each["sentence"]], ": ")
        for each in job.conditions
        if each["when"] == "before" and each["blocking"]
    ]
    if not against or job.whatever_conditions or job.plan.whatever_conditions:
        return True
    now, minutes = timezone.now(), job.plan.wait_minutes
    sentences = side_by_side(against, "\n")
    if not minutes:
        raise RemoteError(N_(_BUSY, conditions=sentences))
    if job.quiet_by and now >= job.quiet_by:
        raise RemoteError(N_(_BUSY_TO_THE_END, minutes=minutes, conditions=sentences))
    reason = N_("Waits until the hosts are quiet. {conditions}", conditions=sentences)
    if job.quiet_by:  # figures change with every look, and are no events
        leases.record(job, job, reason=reason)
    else:
        leases.record(job, job, quiet_by=now + timedelta(minutes=minutes))
        job_states.move(job, job.state, reason)
    return False


def _conditions(job: Job, nodes: Nodes, when: str) -> list[dict[str, object]]:
    outputs = _outputs_by_role(job, nodes, conditions_script, _CONDITIONS_S)
    with_clients = _measures_client(job)
    found = [
        (when, role, condition)
        for role, remote in nodes.by_role.items()
        for condition in (
            *conditions_left(remote.target.host),
            *read_conditions(outputs[role].text, with_clients=with_clients),
        )
    ]
    for part in job.nodes.filter(role__in=nodes.by_role):
        log = read_kernel_log(outputs[part.role].text)
        if when == "before":
            leases.record(job, part, kernel_s=log.newest_s if log else None)
        else:
            states = _states(job, nodes.by_role[part.role], part.role)
            meanwhile = conditions_during(log, part.kernel_s, states)
            found += [("during", part.role, condition) for condition in meanwhile]
    return [
        {
            "when": when,
            "at": timezone.now().isoformat(),
            "node": role,
            "host": nodes.by_role[role].target.host.name,
            "name": condition.name,
            "sentence": condition.sentence,
            "blocking": condition.blocking,
        }
        for when, role, condition in found
    ]


def _measures_client(job: Job) -> bool:
    """Whether its plan measures, in this job or another one, a DRBD that is meant to be diskless."""
    recipe = recipe_of(job.plan)
    return recipe is not None and any(
        ("drbd.diskless", "yes") in parameter.facets_meant and job.values.get(name)
        for name, parameter in recipe.parameters.items()
    )


def _states(job: Job, remote: RemoteJob, role: str) -> list[bytes]:
    """What storage did on a host beside each step that measured there, as far as the host kept it."""
    states = []
    for step in _tools(job).filter(node=role):
        with suppress(RemoteError):
            states.append(remote.states(step))
    return states


def capture_after(job: Job, nodes: Nodes) -> None:
    """How the hosts are after the job, and what was measured on, before settings are put back.

    A host that was rebooted meanwhile need not be what was measured on, and is slow to answer: it
    is captured only for a finished measurement.
    """
    tools = list(_tools(job))
    rebooted = nodes.rebooted_since(boots_of(tools))
    if not rebooted and not any(each["when"] == "after" for each in job.conditions):
        note_conditions(job, nodes, "after")
    if job.environment_id or not tools:
        return
    found = None
    if not rebooted or any(step.state == JobStep.State.DONE for step in tools):
        found = _record_captures_of(job, nodes, tools)
    configuration, sentence = _measured_on(job.plan.configuration, found)
    remarks = [_remark(sentence, nodes)] if sentence else []
    if found and (missing := not_as_meant(job, nodes, found)):
        remarks.append(_remark(missing, nodes) | {"blocking": True})
    leases.record(
        job,
        job,
        environment=found.environment if found else None,
        configuration=configuration,
        conditions=[*job.conditions, *remarks],
    )


def not_as_meant(job: Job, nodes: Nodes, found: Recorded) -> str:
    """What to say of a folder that lies on another layer than the recipe means it to.

    Nothing where such a layer could not be read, or where one folder is meant to lie on several.
    """
    step, recipe = _measuring(job), recipe_of(job.plan)
    if step is None or recipe is None or found.stack is None:
        return ""
    measured = PurePosixPath(nodes.of(step).measured(step))
    above = {str(folder) for folder in (measured, *measured.parents)}
    named: dict[str, list[Parameter]] = {}
    for name, parameter in recipe.parameters.items():
        if parameter.kind == "path" and (value := str(job.values.get(name) or "")) in above:
            named.setdefault(value, []).append(parameter)
    if not named:
        return ""
    folder = max(named, key=len)
    meant, *others = named[folder]
    kind, _blank, options = meant.lies_on.partition(" ")
    parts = [pattern.partition(".")[::2] for pattern in found.unread]
    is_unread = any(name == BELOW or fnmatchcase(kind, of_kind) for of_kind, name in parts)
    is_open = is_unread or any(each.lies_on != meant.lies_on for each in others)
    there = {(key, text) for key, text, _number in facets(found.stack)}
    if is_open or meant.facets_meant <= there:
        return ""
    title = kind_named(kind).title
    if ("layer", kind) in there:
        return N_(_LIES_OTHERWISE, folder=folder, layer=title, options=options)
    return N_(_LIES_ELSEWHERE, folder=folder, layer=title)


def _measured_on(
    chosen: Configuration | None, found: Recorded | None
) -> tuple[Configuration | None, str]:
    """The configuration that the plan names unless what was found is another; and what to say of it."""
    if found is None or chosen is None:
        return (found.configuration, found.remark) if found else (chosen, "")
    against = contradictions(chosen.stack.tree, found.stack, found.unread) if found.stack else ()
    if not against:
        return chosen, ""
    differences = [
        N_(_IS_NOT, what=one.what, found=one.found, named=one.named)
        for one in against[:_MOST_DIFFERENCES]
    ]
    listed = side_by_side(differences)
    if found.configuration is None:
        return None, side_by_side(
            [N_(_NOT_AS_NAMED, name=chosen.name, differences=listed), found.remark], " "
        )
    sentence = N_(
        _FOUND_INSTEAD, name=chosen.name, differences=listed, found=found.configuration.name
    )
    return found.configuration, sentence


def _remark(sentence: str, nodes: Nodes) -> dict[str, object]:
    """Beside the conditions of the host, which go with its runs."""
    role, remote = next(iter(nodes.by_role.items()))
    return {
        "when": "after",
        "at": timezone.now().isoformat(),
        "node": role,
        "host": remote.target.host.name,
        "name": "storage",
        "sentence": sentence,
        "blocking": False,
    }


def _tools(job: Job) -> QuerySet[JobStep]:
    return job.steps.filter(tool__gt="", started_at__isnull=False)


def _record_captures_of(job: Job, nodes: Nodes, tools: Sequence[JobStep]) -> Recorded | None:
    """The hosts as they are, and the storage as the recipe set it, unless a reboot took it away."""
    outputs = _outputs_by_role(job, nodes, capture_script, _CAPTURE_S)
    roles = roles_measured(job)
    parts = {
        roles[role]: (one.target.host, _read(one, [*outputs.values()]))
        for role, one in outputs.items()
    }
    try:
        found = record_captures(parts, job.plan.launched_by)
    except Refused as refused:
        job_states.add_event(job, refused.sentence)
        return None
    return Recorded(found.environment) if nodes.rebooted_since(boots_of(tools)) else found


def capture_host(target: Target, path: str | None) -> Capture:
    """A host as it describes itself, and the storage under a path."""
    (output,) = _run_scripts([(target, capture_script(path))], _CAPTURE_S)
    return _read(output, [output])


@dataclass(frozen=True, slots=True)
class _Output:
    """What a script printed on a host, and when it was started (Unix time)."""

    target: Target
    at: float
    text: bytes


def _outputs_by_role(
    job: Job, nodes: Nodes, script: Callable[[str | None], str], timeout_s: float
) -> dict[str, _Output]:
    """What a script prints on the hosts of a job, about themselves and what is measured there."""
    step = _measuring(job)
    scripts = [
        (remote.target, script(_path(step, role, remote))) for role, remote in nodes.by_role.items()
    ]
    return dict(zip(nodes.by_role, _run_scripts(scripts, timeout_s), strict=True))


def _run_scripts(scripts: Sequence[tuple[Target, str]], timeout_s: float) -> list[_Output]:
    """The output of each script on its host, all run at the same time."""
    at = time.time()
    answers = ssh.run_all(_command(target, script, timeout_s) for target, script in scripts)
    return [
        _Output(target, at, answer.out)
        for (target, _script), answer in zip(scripts, answers, strict=True)
    ]


def _read(one: _Output, everybody: Sequence[_Output]) -> Capture:
    """A host's capture with the legs of DRBD's peers, which only the peers know."""
    peers = [each.text for each in everybody if each is not one]
    found = read_capture(one.text, at=one.at, peers=peers)
    if found.stack is None or not found.peers:
        return found
    host_ids = {each.target.host_id for each in everybody}
    peers += outputs_of_peers(found.peers, host_ids)
    return read_capture(one.text, at=one.at, peers=peers)


def outputs_of_peers(names: Sequence[str], besides: set[int]) -> list[bytes]:
    """The capture of other hosts of these addresses or names, where nothing is measured and they answer."""
    targets = known_as(names).filter(host__lock=None)
    others = targets.exclude(host__in=besides).select_related("host", "jump__jump__jump")
    by_host = {target.host_id: target for target in others.order_by("-pk")}
    outputs = []
    for target in list(by_host.values())[:_MOST_PEERS]:
        with suppress(HostError, Refused):
            (output,) = _run_scripts([(target, capture_script())], _PEER_S)
            outputs.append(output.text)
    return outputs


def _command(target: Target, script: str, timeout_s: float) -> ssh.Command:
    # root reads more: DMI, DRBD, arrays
    shell = root_shell(target) if target.sudo else ["sh"]
    return ssh.Command(target, shlex.join([*shell, "-s"]), script.encode(), timeout_s)


def _measuring(job: Job) -> JobStep | None:
    return job.steps.filter(phase=JobStep.Phase.MEASURE).order_by("position").first()


def _path(step: JobStep | None, role: str, remote: RemoteJob) -> str | None:
    """The storage that was measured, on the host that ran the step."""
    return remote.measured(step) if step is not None and step.node == role else None
