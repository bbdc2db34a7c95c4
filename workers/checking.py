"""Whether a target can be used: reached, key, user, sudo, tools, clock, space; and the mend of each."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from typing import NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.facts.own_names import ASK_OWN_NAMES, own_names
from benchdash.jobs.capturing import record_capture
from benchdash.jobs.giving_up import conditions_left
from benchdash.jobs.models import HostLock, Target
from benchdash.jobs.scripts import SEARCH_PATH
from workers import leaving, ssh, surroundings
from workers.connections import DeniedError, HostError, UntrustedKeyError, way_to
from workers.endings import PACKAGES

_SKEW_S, _SPACE_KIB, _CLEAN_UP_S = 5.0, 2**20, 30
_TOOLS = {
    "fio": "fio --version",
    # it knows no such option, and says its version among those that it knows
    "bonnie++": "bonnie++ -version 2>&1 | sed -n 's/^Version: */bonnie++ /p'",
    "dbench": "dbench --version",
    "pgbench": "pgbench --version",
}
_ASK = f"""
folder=$1; sudo=$2; {SEARCH_PATH}
echo "clock=$(date +%s)"
echo "user=$(id -un)"
[ "$sudo" = 1 ] && {{ sudo -n true 2>/dev/null && echo "sudo=1" || echo "sudo=0"; }}
mkdir -p -- "$folder" 2>/dev/null && [ -w "$folder" ] && echo "folder=1" || echo "folder=0"
echo "free=$(df -P -k -- "$folder" 2>/dev/null | awk 'NR == 2 {{ print $4 }}')"
command -v setsid >/dev/null 2>&1 && echo "setsid=1" || echo "setsid=0"
echo "known_as=$({ASK_OWN_NAMES})"
"""


class Line(NamedTuple):
    """One finding; `ok` is None where it is neither good nor bad, `mend` says what to do."""

    name: str
    ok: bool | None
    text: str
    mend: str = ""


def check(target: Target, path: str = "", by: User | None = None) -> None:
    """Look at a target now, and write down what was found.

    With a path, record the machine and the storage under it as well. Where another key was approved
    meanwhile, a check of that one was asked for: it is the one that tells.
    """
    begun = time.monotonic()
    found: dict[str, object] = {"known_as": target.findings.get("known_as", [])}
    try:
        said, at = _asked(target)
        found["known_as"] = own_names(said.get("known_as", ""))
        lines = [*_findings(target, said, at), *_left(target)]
        if path:
            found["capture"] = _recorded(target, path, by)
        state = "ok" if all(line.ok is not False for line in lines) else "trouble"
        took = time.monotonic() - begun
        sentence = _("Checked in {seconds} s.").format(seconds=f"{took:.1f}")
    except (HostError, Refused) as error:
        note_offered_key(error)
        state, sentence, lines = _state_of(error), str(error), []
    found |= {"state": state, "sentence": sentence, "lines": [line._asdict() for line in lines]}
    same_key = Target.objects.filter(pk=target.pk, host_key=target.host_key)
    same_key.update(findings=found, checked_at=timezone.now())


def _recorded(target: Target, path: str, by: User | None) -> dict[str, object]:
    said = surroundings.captured(target, path)
    environment, configuration = record_capture(target.host, "node-a", said, by)
    return {
        "path": path,
        "environment": environment.pk,
        "configuration": configuration.pk if configuration else None,
        "configuration_name": configuration.name if configuration else "",
        "unread": [*said.unread],
    }


def note_offered_key(error: Exception) -> None:
    """Keep the key that a host showed and nobody approved until now, for a person to look at."""
    if isinstance(error, UntrustedKeyError):
        unapproved = Target.objects.exclude(host_key__startswith=error.offered)
        unapproved.filter(pk=error.target).update(offered_key=error.offered)


def _state_of(error: Exception) -> str:
    if isinstance(error, UntrustedKeyError):
        return "changed_key" if error.changed else "new_key"
    return "refused" if isinstance(error, (DeniedError, Refused)) else "unreachable"


def _asked(target: Target) -> tuple[dict[str, str], float]:
    """What the host says, by words, and when by our clock (Unix time)."""
    words = shlex.join(["sh", "-s", target.folder, "1" if target.sudo else "0"])
    asked_at = time.time()
    tools = "".join(f'echo "{name}=$({ask} 2>&1 | head -n 1)"\n' for name, ask in _TOOLS.items())
    answer = ssh.run(target, words, (_ASK + tools).encode(), timeout_s=60)
    half_way = (time.time() + asked_at) / 2
    pairs = (line.split("=", 1) for line in answer.out.decode("utf-8", "replace").splitlines())
    return {pair[0]: pair[1].strip() for pair in pairs if len(pair) == 2}, half_way


def _findings(target: Target, said: dict[str, str], at: float) -> Iterator[Line]:
    reached = _("{host}, with the approved key").format(host=way_to(target).name)
    yield Line(_("reached"), True, reached)
    yield Line(_("user"), True, said.get("user", target.user))
    if "sudo" in said:
        mend = _("Allow it without a password: {line}").format(
            line=f"{target.user} ALL=(root) NOPASSWD: ALL"
        )
        able = said["sudo"] == "1"
        yield Line(
            "sudo", able, _("works") if able else _("asks for a password"), "" if able else mend
        )
    yield _folder(target, said)
    yield _clock(said, at)
    for name in _TOOLS:
        yield _tool(name, said.get(name, ""))


def _left(target: Target) -> Iterator[Line]:
    """What jobs that are over left on the host is seen to now, unless another job measures there."""
    if HostLock.objects.filter(host=target.host_id).exists():
        return
    try:
        leaving.see_to_left([target.host_id], time.monotonic() + _CLEAN_UP_S)
    except HostError as error:
        yield Line(_("left by a job"), False, str(error))
    for condition in conditions_left(target.host):
        yield Line(_("left by a job"), False, condition.sentence)


def _folder(target: Target, said: dict[str, str]) -> Line:
    name = _("working folder")
    if said.get("folder") != "1":
        mend = _("Make {folder} on the host, and let {user} write to it.")
        text = _("{folder} cannot be written").format(folder=target.folder)
        return Line(name, False, text, mend.format(folder=target.folder, user=target.user))
    free = int(said["free"]) if said.get("free", "").isdecimal() else 0
    text = _("{gib} GiB free in {folder}").format(gib=f"{free / 2**20:.1f}", folder=target.folder)
    mend = "" if free > _SPACE_KIB else _("Make room, or choose another folder.")
    return Line(name, free > _SPACE_KIB, text, mend)


def _clock(said: dict[str, str], now: float) -> Line:
    if not said.get("clock", "").isdecimal():
        return Line(_("clock"), None, _("could not be read"))
    skew = int(said["clock"]) + 0.5 - now
    text = _("{seconds} s from ours").format(seconds=f"{round(skew):+d}")
    mend = "" if abs(skew) < _SKEW_S else _("Set the clock; durations are measured without it.")
    return Line(_("clock"), True if not mend else None, text, mend)


def _tool(name: str, said: str) -> Line:
    if not said or "not found" in said:
        return Line(
            name,
            None,
            _("is missing"),
            _("Install the package {package}.").format(package=PACKAGES[name]),
        )
    return Line(name, True, said[:100])
