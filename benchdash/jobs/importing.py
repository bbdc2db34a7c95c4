"""Hosts and keys that OpenSSH knows already, taken over: first what would be done, then done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from django.db import transaction
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.records import record_host
from benchdash.jobs.credentials import fingerprint
from benchdash.jobs.models import Target
from benchdash.jobs.openssh import SshHost, key_of, read_known_hosts, read_ssh_config
from benchdash.jobs.targets import NAMED_BY_RESULTS, Login, named_by_results, pin, save_target
from benchdash.results.language import in_language


@dataclass(frozen=True, slots=True)
class FoundKey:
    """A target that the text has a key for; `state` is new, same or changed."""

    target: Target
    host_key: str
    state: str

    @property
    def fingerprint(self) -> str:
        return fingerprint(self.host_key)


@dataclass(frozen=True, slots=True)
class FoundHost:
    """A host of the text; `trouble` says why it cannot be made ("": it can)."""

    host: SshHost
    user: str
    trouble: str


def found_keys(text: str) -> list[FoundKey]:
    """The keys of the targets that are here; Refused where the text holds none."""
    keys = read_known_hosts(text)
    targets = Target.objects.select_related("host")
    found = ((target, key_of(keys, target.address, target.port)) for target in targets)
    return [FoundKey(target, key, _state(target, key)) for target, key in found if key]


def _state(target: Target, key: str) -> str:
    if not target.host_key:
        return "new"
    return "same" if fingerprint(target.host_key) == fingerprint(key) else "changed"


@transaction.atomic
def pin_found(text: str, targets: Iterable[int], by: User) -> int:
    """Pin the keys of the targets chosen; how many were pinned."""
    chosen = set(targets)
    wanted = [each for each in found_keys(text) if each.target.pk in chosen]
    for each in wanted:
        pin(each.target, each.host_key, by)
    return len(wanted)


def found_hosts(text: str, user: str = "") -> list[FoundHost]:
    """The hosts of an ssh_config; `user` where the file names none. Refused where none is."""
    hosts = read_ssh_config(text)
    there = set(Target.objects.values_list("address", "port", "user"))
    taken = named_by_results([host.name for host in hosts])
    return [
        FoundHost(host, host.user or user, _trouble(host, host.user or user, there, taken))
        for host in hosts
    ]


def _trouble(host: SshHost, user: str, there: set[tuple[str, int, str]], taken: set[str]) -> str:
    if not user:
        return _("The file names no user.")
    if (host.address, host.port, user) in there:
        return _("It is already registered.")
    if host.name in taken:
        return in_language(NAMED_BY_RESULTS)
    if "," in host.jump:
        return _("It is reached through several hosts: enter it by hand.")
    return ""


@transaction.atomic
def make_found(text: str, names: Iterable[str], by: User, user: str = "") -> list[Target]:
    """Make the hosts chosen with the jump hosts they need; keys are pasted afterwards."""
    hosts = {each.host.name: each for each in found_hosts(text, user)}
    made: dict[str, Target] = {}
    for name in dict.fromkeys(chain.from_iterable(_with_jumps(each, hosts) for each in names)):
        made[name] = _made(hosts[name], made, by)
    return list(made.values())


def _with_jumps(
    name: str, hosts: dict[str, FoundHost], through: tuple[str, ...] = ()
) -> Iterator[str]:
    """The names that are to be made for this one, each after the host it is reached through."""
    if name in through:
        raise Refused(_("The route through this jump host is circular."), "text")
    if name not in hosts or hosts[name].trouble:
        return
    yield from _with_jumps(hosts[name].host.jump, hosts, (*through, name))
    yield name


def _made(found: FoundHost, made: dict[str, Target], by: User) -> Target:
    host = found.host
    login = Login(
        address=host.address,
        port=host.port,
        user=found.user,
        jump=_jump(host, made) if host.jump else None,
    )
    return save_target(Target(host=record_host(host.name)), login, by, later=True)


def _jump(host: SshHost, made: dict[str, Target]) -> Target:
    """By its name in the file, else a target of that name or address that is here."""
    if host.jump in made:
        return made[host.jump]
    address = host.jump.rpartition("@")[2].partition(":")[0]
    known = Target.objects.filter(host__name=address) | Target.objects.filter(address=address)
    jump = known.order_by("pk").first()
    if jump is None:
        raise Refused(
            "{name} is reached through {jump}, which is not registered: add that host first.",
            "text",
            name=host.name,
            jump=host.jump,
        )
    return jump
