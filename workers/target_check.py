"""Whether a target can be used: reached, key, user, sudo, tools, clock, space; and the mend of each."""

from __future__ import annotations

import shlex
import time
from collections.abc import Collection, Iterator
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.capture import NAMES_COMMAND, machine_names
from benchdash.errors import N_, Refused, side_by_side
from benchdash.jobs import queueing
from benchdash.jobs.giving_up import conditions_left
from benchdash.jobs.models import HostLock, Target
from benchdash.recipes import guards
from benchdash.recipes.guards import ASK_CEPH, SAY
from benchdash.vocabulary.tools import TOOLS
from workers import cleanup, environment_capture, ssh
from workers.connections import DeniedError, HostError, UntrustedKeyError, route_to
from workers.folders import FOLDERS, MAKE_ROOM, SEARCH_PATH, mend_of_folder, refusal
from workers.recording import record_capture

_HEALTH = "HEALTH_"
_NEW = "new"  # the working folder is not there, and can be made
_SKEW_S, _SPACE_KIB, _LEAST_KIB, _CLEAN_UP_S = 5.0, 2**20, 2**16, 30
_VERSIONS = {name: tool.version_line or tool.version_command for name, tool in TOOLS.items()}
_SCRIPT = f"""
folder=$1; sudo=$2; touches_ceph=$3; {SEARCH_PATH}
{SAY}{ASK_CEPH}
ceph_health() {{ asked "$@" ceph --connect-timeout 5 health && printf '%s\\n' "$answer" | head -n 1; }}
echo "clock=$(date +%s)"
echo "user=$(id -un)"
[ "$sudo" = 1 ] && {{ sudo -n true 2>/dev/null && echo "sudo=1" || echo "sudo=0"; }}
echo "control=$( (find_control && echo "$control") 2>&1 | tail -n 1)"
# A folder that is missing is made by the first job: to look is no reason to leave it there. Whether
# it can be made only making tells, of another name: that of the folder may be a job's by now.
above=
if [ -e "$folder" ] || [ -L "$folder" ]; then
    found=$( (trusted "$folder" make && [ -w "$folder" ] && echo 1) 2>&1 | tail -n 1)
else
    found=$( (trusted "$folder" any && echo "$real") 2>&1 | tail -n 1)
    case $found in
        /*) above=${{found%/*}}/ tried=$above.benchdash-check-$$
            mkdir -- "$tried" 2>/dev/null && rmdir -- "$tried" && found={_NEW} || found= ;;
    esac
fi
echo "folder=$found"
df -P -k -- "${{above:-$folder}}" 2>/dev/null |
    sed -n '2s/^\\(.*[^ ]\\)\\(  *[0-9][0-9]*\\)\\{{2\\}}  *\\([0-9][0-9]*\\)  *[0-9-]*%*  *\\(.*\\)$/free=\\3\\nmade_on=\\4 (\\1)/p'
command -v setsid >/dev/null 2>&1 && echo "setsid=1" || echo "setsid=0"
echo "known_as=$({NAMES_COMMAND})"
echo "kernel=$(uname -r)"
for file in /sys/block/*/queue/scheduler; do
    disk=${{file#/sys/block/}}
    [ ! -r "$file" ] || echo "scheduler:${{disk%%/*}}=$(cat "$file")"
done
modules=/lib/modules/$(uname -r)
[ ! -e /etc/ceph/ceph.conf ] || touches_ceph=1
if [ "$touches_ceph" = 1 ] && command -v ceph >/dev/null 2>&1; then
    echo "ceph=$(ceph_health)"
    [ "$sudo" != 1 ] || echo "ceph_root=$(ceph_health sudo -n)"
fi
echo "loadable=$(cat "$modules/modules.dep" "$modules/modules.builtin" 2>/dev/null |
    sed -n 's,^[^:]*/block/\\([a-z-]*\\)\\.ko.*,\\1,p' | tr '\\n' ' ')"
"""
# modules that bring a scheduler, which is loaded once it is set
_SCHEDULERS = {
    **{name: name for name in ("bfq", "mq-deadline")},
    **{f"{name}-iosched": name for name in ("kyber", "cfq", "deadline", "noop")},
}


class Line(NamedTuple):
    """One finding; `ok` is None where it is neither good nor bad, `mend` is what to do about it.

    `warns` of one that is not bad, but that somebody has to look at.
    """

    name: str
    ok: bool | None
    text: str
    mend: str = ""
    warns: bool = False


def check(target: Target, path: str = "", by: User | None = None) -> None:
    """Look at a target now, and write down what was found.

    With a path, record the machine and the storage under it as well. Where another key was approved
    meanwhile, a check of that one was requested: its findings count.
    """
    begun = time.monotonic()
    found: dict[str, object] = {"known_as": target.findings.get("known_as", [])}
    try:
        answers, answered_at = _answers_of(target)
        found["known_as"] = machine_names(answers.get("known_as", ""))
        found |= _kernel(answers)
        if free := _free_kib(answers):
            found["free_bytes"] = free * 1024
        if answers.get("folder") == _NEW:
            found["folder_made_on"] = answers.get("made_on", "")
        lines = [*_findings(target, answers, answered_at), *_left_by_jobs(target)]
        if path:
            found["capture"] = _recorded(target, path, by)
        state = "ok" if all(line.ok is not False for line in lines) else "trouble"
        took = time.monotonic() - begun
        sentence = N_("Checked in {seconds} s.", seconds=f"{took:.1f}")
    except (HostError, Refused) as error:
        note_refusal(error)
        state, sentence, lines = _state_of(error), str(error), []
    found |= {"state": state, "sentence": sentence, "lines": [line._asdict() for line in lines]}
    same_key = Target.objects.filter(pk=target.pk, host_key=target.host_key)
    same_key.update(findings=found, checked_at=timezone.now())
    if state in ("ok", "trouble"):
        queueing.look_again(target)


def _recorded(target: Target, path: str, by: User | None) -> dict[str, object]:
    capture = environment_capture.capture_host(target, path)
    found = record_capture(target.host, "node-a", capture, by)
    return {
        "path": path,
        "environment": found.environment.pk,
        "configuration": found.configuration.pk if found.configuration else None,
        "configuration_name": found.configuration.name if found.configuration else "",
        "unread": [*capture.unread, *filter(None, [found.remark if found.stack else ""])],
    }


def note_refusal(error: Exception) -> None:
    """Keep for a person to look at: the key that nobody approved, or that a login was refused."""
    if isinstance(error, UntrustedKeyError):
        unapproved = Target.objects.exclude(host_key__startswith=error.offered)
        unapproved.filter(pk=error.target).update(offered_key=error.offered)
    if isinstance(error, DeniedError):
        for target in Target.objects.filter(_on_the_way(error.target)):
            target.findings |= {"state": "refused", "sentence": str(error), "lines": []}
            target.checked_at = timezone.now()
            target.save(update_fields=["findings", "checked_at"])


def _on_the_way(target: int) -> Q:
    """The target itself, and those behind it: up to three jump hosts are followed."""
    return Q(pk=target) | Q(jump=target) | Q(jump__jump=target) | Q(jump__jump__jump=target)


def note_reached(targets: Collection[int]) -> None:
    """Take back what a check said of hosts that a job has reached since: they are unchecked now."""
    reached = Q(pk__in=targets) | Q(behind__in=targets)  # and the jump hosts on the way
    away = Target.objects.filter(reached, findings__state__in=("unreachable", "refused"))
    for target in away.distinct():
        sentence = N_("A job has reached it since the last check: check it again for its tools.")
        findings = target.findings | {"state": "unchecked", "sentence": sentence, "lines": []}
        # unless it was checked again meanwhile
        same = Target.objects.filter(pk=target.pk, checked_at=target.checked_at)
        same.update(findings=findings)


def _state_of(error: Exception) -> str:
    if isinstance(error, UntrustedKeyError):
        return "changed_key" if error.changed else "new_key"
    return "refused" if isinstance(error, (DeniedError, Refused)) else "unreachable"


def _answers_of(target: Target) -> tuple[dict[str, str], float]:
    """The answers by name, and when they were given by our clock (Unix time)."""
    switches = ["1" if on else "0" for on in (target.sudo, _touches_ceph(target))]
    command = shlex.join(["sh", "-s", target.folder, *switches])
    sent_at = time.time()
    tools = "".join(
        f'echo "{name}=$({command} 2>&1 | head -n 1)"\n' for name, command in _VERSIONS.items()
    )
    answer = ssh.run(target, command, (FOLDERS + _SCRIPT + tools).encode(), timeout_s=60)
    half_way = (time.time() + sent_at) / 2
    pairs = (line.split("=", 1) for line in answer.out.decode("utf-8", "replace").splitlines())
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2}, half_way


def _kernel(answers: dict[str, str]) -> dict[str, object]:
    """What recipes can ask of the kernel: by disk the schedulers that it has, and those to be loaded."""
    schedulers = {
        name.removeprefix("scheduler:"): text.replace("[", "").replace("]", "").split()
        for name, text in answers.items()
        if name.startswith("scheduler:")
    }
    words = answers.get("loadable", "").split()
    loadable = sorted({_SCHEDULERS[word] for word in words if word in _SCHEDULERS})
    return {
        "kernel": answers.get("kernel", ""),
        "schedulers": schedulers,
        "loadable_schedulers": loadable,
    }


def _findings(target: Target, answers: dict[str, str], answered_at: float) -> Iterator[Line]:
    reached = N_("{host}, with the approved key", host=route_to(target).name)
    yield Line(N_("reached"), True, reached)
    yield Line(N_("user"), True, answers.get("user", target.user))
    if "sudo" in answers:
        rule = f"{target.user} ALL=(root) NOPASSWD: ALL"
        mend = N_("Allow it without a password: {line}", line=rule)
        able = answers["sudo"] == "1"
        yield Line(
            "sudo", able, N_("works") if able else N_("asks for a password"), "" if able else mend
        )
    yield _control(target, answers)
    yield _folder(target, answers)
    yield _clock(answers, answered_at)
    for name in TOOLS:
        yield _tool(name, answers.get(name, ""))
    if "ceph" in answers:
        yield _ceph(target, answers)


def _left_by_jobs(target: Target) -> Iterator[Line]:
    """What jobs that are over left on the host is finished now, unless another job measures there."""
    if HostLock.objects.filter(host=target.host_id).exists():
        return
    try:
        cleanup.finish_left_jobs([target.host_id], time.monotonic() + _CLEAN_UP_S)
    except HostError as error:
        yield Line(N_("left by a job"), False, str(error))
    for condition in conditions_left(target.host):
        yield Line(N_("left by a job"), False, condition.sentence)


def _control(target: Target, answers: dict[str, str]) -> Line:
    name, found = N_("scripts and logs"), answers.get("control", "")
    if found.startswith("/"):
        text = N_(
            "in {folder}, which only {user} may enter; the working folder holds only data",
            folder=found,
            user=target.user,
        )
        return Line(name, True, text)
    mend = refusal(target, found) or found
    return Line(name, False, N_("nowhere that only {user} may enter", user=target.user), mend)


def _folder(target: Target, answers: dict[str, str]) -> Line:
    name, found = N_("working folder"), answers.get("folder", "")
    if refused := refusal(target, found):
        text = N_("{folder} cannot be trusted", folder=target.folder)
        return Line(name, False, text, refused)
    if found not in ("1", _NEW):
        text = N_("{folder} cannot be written", folder=target.folder)
        return Line(name, False, text, mend_of_folder(target, target.folder))
    free = _free_kib(answers)
    gib = f"{free / 2**20:.1f}"
    if found == _NEW:
        text = N_(
            "{folder} does not exist yet: it will be made on {filesystem}, {gib} GiB free",
            folder=target.folder,
            filesystem=answers.get("made_on", ""),
            gib=gib,
        )
    else:
        text = N_("{gib} GiB free in {folder}", gib=gib, folder=target.folder)
    if free > _SPACE_KIB:
        # a mistyped folder would measure another disk: somebody has to see on which it lies
        return Line(name, None if found == _NEW else True, text, warns=found == _NEW)
    # little is enough for small files; a plan says what it writes, and where that does not fit
    is_enough = free > _LEAST_KIB
    return Line(name, None if is_enough else False, text, MAKE_ROOM, warns=is_enough)


def _free_kib(answers: dict[str, str]) -> int:
    """0 where it is full, or nobody could say."""
    return int(answers["free"]) if answers.get("free", "").isdecimal() else 0


def _clock(answers: dict[str, str], now: float) -> Line:
    if not answers.get("clock", "").isdecimal():
        return Line(N_("clock"), None, N_("could not be read"))
    skew = int(answers["clock"]) + 0.5 - now
    text = N_("{seconds} s from ours", seconds=f"{round(skew):+d}")
    mend = "" if abs(skew) < _SKEW_S else N_("Set the clock; durations are measured without it.")
    return Line(N_("clock"), True if not mend else None, text, mend)


def _touches_ceph(target: Target) -> bool:
    return any(name.startswith(("rbd:", "rados:")) for name in target.allowed)


def _ceph(target: Target, answers: dict[str, str]) -> Line:
    """Its health, as far as the key that is read here may ask; trouble where it is to be measured."""
    health, by_root = answers["ceph"], answers.get("ceph_root", "")
    mend = ""
    if not health.startswith(_HEALTH) and by_root.startswith(_HEALTH):
        health = by_root
        mend = N_(
            "Only root can read Ceph's key: choose “As root” in recipes, or let {user} read it.",
            user=target.user,
        )
    if not health.startswith(_HEALTH):
        return Line("Ceph", False if _touches_ceph(target) else None, guards.reason(health))
    if not health.startswith("HEALTH_OK"):
        waits = N_("Jobs wait until it is healthy, unless they measure regardless of conditions.")
        mend = side_by_side(filter(None, [mend, waits]), " ")
    return Line("Ceph", None if mend else True, health[:300], mend)


def _tool(name: str, answer: str) -> Line:
    if not answer or "not found" in answer:
        return Line(
            name,
            None,
            N_("is missing"),
            N_("Install the package {package}.", package=TOOLS[name].package),
        )
    return Line(name, True, answer[:100])
