"""What changes how benchdash logs in to hosts. Each change leaves a line with who and when."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash import dispatch
from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import N_, Refused
from benchdash.inventory.models import Host, MachineSnapshot
from benchdash.inventory.records import LONGEST_HOST, checked_name
from benchdash.jobs.credentials import check_private_key, fingerprint, opened, sealed
from benchdash.jobs.job_states import ON_A_HOST
from benchdash.jobs.models import HostEvent, Plan, Target
from benchdash.jobs.models.target import WORKING_FOLDER

SECRETS = {
    Target.Method.KEY: ("key", "passphrase", "certificate"),
    Target.Method.PASSWORD: ("password",),
    Target.Method.AGENT: ("certificate",),
}
NAMED_BY_RESULTS = N_(
    "There are already results from a host with this name, from a study or an upload: if it is "
    "the same machine, add a target on its page; otherwise choose another name."
)
_NO_ADDRESS = N_("“{text}” is not a host name or an IP address.")
_ADDRESS = re.compile(r"[A-Za-z0-9:_.%\-]{1,253}")
_USER = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.@\\\-]{0,62}\$?")
_PATH = re.compile(r"/[^\x00-\x1f\x7f]{0,499}")
_CEPH = re.compile(r"rbd:[\w.@-]{1,100}/[\w.@-]{1,100}|rados:[\w.@-]{1,100}", re.ASCII)
_TAG = re.compile(r"[^\s,]{1,50}")


@dataclass(frozen=True, slots=True)
class Login:
    """A target as a person enters it. `secret` holds only what is entered this time."""

    address: str
    user: str
    port: int = 22
    method: str = Target.Method.KEY
    secret: Mapping[str, str] = field(default_factory=dict)
    jump: Target | None = None
    sudo: bool = False
    tags: tuple[str, ...] = ()
    folder: str = WORKING_FOLDER
    allowed: tuple[str, ...] = ()
    readable: tuple[str, ...] = ()
    servers: tuple[str, ...] = ()
    old_algorithms: bool = False


def login_values(target: Target) -> dict[str, Any]:
    """The values of a target by their names in `Login`, less what is secret."""
    names = [each.name for each in fields(Login) if each.name != "secret"]
    return {name: getattr(target, name) for name in names}


@transaction.atomic
def save_target(target: Target, login: Login, by: User, *, later: bool = False) -> Target:
    """Write a target of `target.host`; Refused names the field.

    A secret that is not entered stays as it is; `later` lets a new target be without one. Another
    address is another machine until it is seen again: its pinned key goes.
    """
    is_new = target.pk is None
    if not is_new:
        _refuse_another_person(target, login)
    moved = not is_new and (target.address, target.port) != (login.address, login.port)
    target.secret = _secret(target, login, later=later)
    _write(target, login)
    if is_new:
        target.created_by = by
    if moved:
        _forget_key(target)
    try:
        with transaction.atomic():
            target.save()
    except IntegrityError as error:
        sentence = _("This host already has a target with this address, port and user.")
        raise Refused(sentence, "address") from error
    note(target, HostEvent.What.MADE if is_new else HostEvent.What.CHANGED, by)
    if any(login.secret.values()):
        note(target, HostEvent.What.CREDENTIALS, by)
    return target


def named_by_results(names: Collection[str]) -> set[str]:
    """Those of the names that recorded machines without a target have; one query.

    A new target under such a name would claim that their results were measured there.
    """
    found = MachineSnapshot.objects.filter(host__name__in=names, host__targets=None)
    return set(found.values_list("host__name", flat=True))


def refuse_name_of_results(name: str) -> None:
    """Refused where `named_by_results` has the name, in the form in which it would be stored."""
    if named_by_results([checked_name(name, LONGEST_HOST)]):
        raise Refused(NAMED_BY_RESULTS, "name")


def _refuse_another_person(target: Target, login: Login) -> None:
    """Refused while a job is there, or what one left, that belongs to the user before."""
    if (target.user, target.sudo) == (login.user, login.sudo):
        return
    if target.parts.filter(job__state__in=ON_A_HOST).exists():
        sentence = _("A job runs there as {user}: change the user or sudo once it is over.")
        raise Refused(sentence.format(user=target.user), "user")
    if target.parts.filter(left_at__isnull=False).exists():
        sentence = _(
            "A job left something there as {user}: change the user or sudo once that is cleaned up "
            "or forgotten."
        )
        raise Refused(sentence.format(user=target.user), "user")


def _refuse_planned(targets: Collection[int]) -> None:
    """Refused where a plan has jobs to come on one of these targets."""
    coming = Plan.objects.filter(Q(launched_at=None) | Q(stopped_at=None, to_make__gt=0))
    for plan in coming.only("title", "nodes"):
        if any(node.get("target") in targets for node in plan.nodes):
            sentence = _(
                "The plan “{title}” still has jobs to run there: discard or cancel it first."
            )
            raise Refused(sentence.format(title=plan.title))


def remove_target(target: Target, by: User) -> None:
    """Refused where a job ran on it or is to, or another target goes through it."""
    _refuse_planned({target.pk})
    name, host = str(target), target.host
    try:
        target.delete()
    except ProtectedError as error:
        sentence = _("Jobs ran here, or other targets go through it: it is kept.")
        raise Refused(sentence) from error
    HostEvent.objects.create(host=host, by=by, what=HostEvent.What.REMOVED, detail=name)


def remove_host(host: Host) -> None:
    """Refused where anything was measured or run on it, or is to be."""
    _refuse_planned(set(host.targets.values_list("pk", flat=True)))
    try:
        with transaction.atomic():
            host.delete()
    except ProtectedError as error:
        sentence = _("Machines were recorded or jobs ran under this name: the host is kept.")
        raise Refused(sentence) from error


def request_check(target: Target, by: User, path: str = "") -> None:
    """Have a worker log in and look; what it finds stands in `findings` within seconds.

    With a path, the machine and the storage under it are recorded as well; Refused where it is
    no absolute path.
    """
    path = path.strip()
    if path and not (_PATH.fullmatch(path) or _CEPH.fullmatch(path)):
        sentence = _(
            "A path begins with “/”; a Ceph image is rbd:POOL/IMAGE, a pool is rados:POOL."
        )
        raise Refused(sentence, "path")
    Target.objects.filter(pk=target.pk).update(check_asked_at=timezone.now())
    note(target, HostEvent.What.CHECK, by, path)
    task = (dispatch.CHECK_TARGET, target.pk, path, by.pk)
    transaction.on_commit(lambda: dispatch.send(*task), robust=True)


@transaction.atomic
def approve_key(target: Target, shown: str, by: User) -> Target:
    """Pin the key that the host offers; `shown` is the fingerprint that the person read.

    Refused where the host shows another one by now, and where a pinned key changed and `by` is no
    admin. Then another check is requested.
    """
    target = Target.objects.select_for_update(of=("self",)).get(pk=target.pk)
    if not target.offered_key or fingerprint(target.offered_key) != shown:
        raise Refused(_("The host now shows a different key: check it again."), "fingerprint")
    if target.host_key and role_of(by) < Role.ADMIN:
        raise Refused(_("Only an admin approves a host key that has changed."), "fingerprint")
    pin(target, target.offered_key, by)
    request_check(target, by)
    return target


def pin(target: Target, host_key: str, by: User) -> None:
    """Trust this key and no other."""
    what = HostEvent.What.APPROVED if target.host_key else HostEvent.What.PINNED
    target.host_key, target.offered_key = host_key, ""
    target.pinned_at, target.pinned_by = timezone.now(), by
    target.save(update_fields=["host_key", "offered_key", "pinned_at", "pinned_by"])
    note(target, what, by, fingerprint(host_key))


def note(target: Target, what: str, by: User | None, detail: str = "") -> None:
    """A line in the host's history."""
    line = " ".join(filter(None, (str(target), detail)))
    HostEvent.objects.create(host_id=target.host_id, by=by, what=what, detail=line)


def _write(target: Target, login: Login) -> None:
    for name, check in CHECKED.items():
        setattr(target, name, check(getattr(login, name)))
    target.method, target.sudo = login.method, login.sudo
    target.old_algorithms = login.old_algorithms
    target.jump = _jump(target, login.jump)


def _secret(target: Target, login: Login, *, later: bool) -> str:
    """What is known and still fits the method, with what is entered over it; sealed.

    The target's public key goes with its private one.
    """
    names = SECRETS[Target.Method(login.method)]
    entered = {name: text for name, text in login.secret.items() if text and name in names}
    if not entered and target.pk and target.method == login.method:
        return target.secret
    old = opened(target.secret) if target.method == login.method and "key" not in entered else {}
    secret = {name: text for name, text in (old | entered).items() if name in names}
    target.public_key = ""
    if "key" in secret:
        target.public_key = check_private_key(
            secret["key"], secret.get("passphrase", ""), secret.get("certificate", "")
        )
    if login.method in ("key", "password") and names[0] not in secret and not later:
        raise Refused(_missing(login.method), names[0])
    return sealed(secret)


def _missing(method: str) -> str:
    if method == Target.Method.KEY:
        return _("Paste a private key that the host accepts, or make a key pair.")
    return _("Enter the password.")


def _jump(target: Target, jump: Target | None) -> Target | None:
    """Refused where the route would lead in a circle."""
    via = jump
    while via is not None:
        if via.pk == target.pk:
            raise Refused(_("The route through this jump host is circular."), "jump")
        via = via.jump
    return jump


def _folder(text: str) -> str:
    """A folder of its own: what lies in it is benchdash's to write and to remove."""
    folder = _path(text, "folder")
    if folder.count("/") < 2:
        raise Refused(
            _(
                "Give a folder only for benchdash, inside an existing one, such as "
                "/var/tmp/benchdash."
            ),
            "folder",
        )
    return folder


def _writable(text: str) -> str:
    return text if _CEPH.fullmatch(text) else _path(text, "allowed")


def _path(text: str, name: str) -> str:
    if not _PATH.fullmatch(text):
        raise Refused(
            "“{path}” is not an absolute path: it must begin with “/”.", name, path=text[:100]
        )
    return "/" + posixpath.normpath(text).lstrip("/")


def _matching(pattern: re.Pattern[str], name: str, sentence: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        # what begins with a dash would be an option where it stands in a command
        if text.startswith("-") or not pattern.fullmatch(text):
            raise Refused(sentence, name, text=text[:100])
        return text

    return read


def _port(number: int) -> int:
    if not 1 <= number <= 65535:
        raise Refused(_("A port is a number from 1 to 65535."), "port")
    return number


def _each(read: Callable[[str], str]) -> Callable[[Iterable[str]], list[str]]:
    return lambda texts: [read(text) for text in dict.fromkeys(texts)]


# by its name in `Login` what makes a value the one that is stored; Refused names the field
CHECKED: dict[str, Callable[[Any], Any]] = {
    "address": _matching(_ADDRESS, "address", _NO_ADDRESS),
    "user": _matching(_USER, "user", N_("“{text}” is not a user name.")),
    "port": _port,
    "folder": _folder,
    "tags": _each(
        _matching(
            _TAG,
            "tags",
            N_("“{text}” cannot be a tag: it takes up to 50 characters without spaces or commas."),
        )
    ),
    "allowed": _each(_writable),
    "readable": _each(lambda name: _path(name, "readable")),
    "servers": _each(_matching(_ADDRESS, "servers", _NO_ADDRESS)),
}


def _forget_key(target: Target) -> None:
    target.host_key = target.offered_key = ""
    target.pinned_at = target.pinned_by = target.checked_at = None
    target.findings = {}
