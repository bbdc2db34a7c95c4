"""What changes the inventory: machines and stacks are recorded by content, names are moved.

The same content is the same row, also where two people record it at once: the digest is unique,
and whoever comes second is answered with the first one's row.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.inventory.models import (
    Capture,
    Environment,
    EnvironmentMachine,
    EnvironmentName,
    Host,
    MachineSnapshot,
)
from benchdash.vocabulary import canonical, machines

LONGEST_NAME = 200


@dataclass(frozen=True, slots=True)
class Look:
    """How and when the facts were looked at; not part of the content."""

    source: str = Capture.Source.TYPED
    captured_at: datetime | None = None
    captured_by: AbstractBaseUser | None = None
    info: dict[str, object] = field(default_factory=dict)


@transaction.atomic
def record_environment(
    facts: Mapping[str, object],
    network: object = None,
    *,
    name: str = "",
    look: Look = Look(),
    hosts: Mapping[str, Host] | None = None,
) -> Environment:
    """The environment of these machines (`{role: facts}`) and the network between them.

    `hosts` are the machines' own records by role; without them they are found by host name.

    Facts that were recorded before are the same environment with one more capture; `name` points
    at it from now on. Refused where a word is not known or a value not possible.
    """
    if not facts:
        raise Refused(_("An environment has at least one machine."), "machines")
    read = {
        machines.checked_role(role): machines.normalised(raw, role) for role, raw in facts.items()
    }
    contents = {role: content for role, (content, _info) in read.items()}
    snapshots = _snapshots(contents, hosts or {})
    environment = _environment(snapshots, machines.normalised_network(network or {}))
    known = {role: info for role, (_content, info) in read.items() if info}
    Capture.objects.create(
        environment=environment,
        source=look.source,
        captured_at=look.captured_at,
        captured_by_id=look.captured_by.pk if look.captured_by else None,
        info=look.info | known,
    )
    if name:
        name_environment(environment, name)
    return environment


def name_environment(environment: Environment, name: str) -> None:
    """Let `name` mean this content from now on; other contents that had it keep it as a past name."""
    name = checked_name(name)
    newest = EnvironmentName.objects.filter(name=name).first()
    if newest is None or newest.environment_id != environment.pk:
        EnvironmentName.objects.create(name=name, environment=environment)


def record_host(name: str, notes: str = "") -> Host:
    """The host of that name, made where there is none."""
    return Host.objects.get_or_create(name=checked_name(name, 253), defaults={"notes": notes})[0]


def change_host(host: Host, *, name: str, notes: str) -> Host:
    """Give a host another name or other notes; Refused where the name is another host's."""
    host.name, host.notes = checked_name(name, 253), notes
    try:
        with transaction.atomic():
            host.save(update_fields=["name", "notes"])
    except IntegrityError as error:
        raise Refused(_("There is a host of this name."), "name") from error
    return host


def checked_name(name: str, longest: int = LONGEST_NAME) -> str:
    """`name` with single blanks; Refused where it is empty, too long or not to be printed."""
    name = " ".join(name.split())
    if not name:
        raise Refused(_("Give it a name."), "name")
    if len(name) > longest or not name.isprintable():
        sentence = _("A name is printable and has at most {longest} characters.")
        raise Refused(sentence.format(longest=longest), "name")
    return name


def _snapshots(
    contents: Mapping[str, machines.Facts], known: Mapping[str, Host]
) -> dict[str, MachineSnapshot]:
    """One row a content, made in one order for everyone: two writers never wait in a circle."""
    named = {
        role: content["hostname"] for role, content in contents.items() if "hostname" in content
    }
    unknown = sorted({name for role, name in named.items() if role not in known})
    by_name = {name: record_host(name) for name in unknown}
    hosts = {role: by_name[name] for role, name in named.items() if role not in known} | {**known}
    digests = {role: canonical.digest(content) for role, content in contents.items()}
    return {
        role: MachineSnapshot.objects.get_or_create(
            digest=digests[role], defaults={"facts": contents[role], "host": hosts.get(role)}
        )[0]
        for role in sorted(contents, key=digests.__getitem__)
    }


def _environment(
    snapshots: Mapping[str, MachineSnapshot], network: Mapping[str, object]
) -> Environment:
    parts = {role: snapshot.digest for role, snapshot in snapshots.items()}
    digest = canonical.digest({"machines": parts, "network": network})
    environment, is_new = Environment.objects.get_or_create(
        digest=digest, defaults={"network": network}
    )
    if is_new:
        EnvironmentMachine.objects.bulk_create(
            EnvironmentMachine(environment=environment, role=role, snapshot=snapshot)
            for role, snapshot in snapshots.items()
        )
    return environment
