"""Writes to the inventory: machines and stacks are recorded by content, names are moved.

Equal content is one row, even when two people record it at the same time: the digest is unique,
and the second writer gets the first one's row.

Layers that were measured never change: a configuration with runs can get another name and other
notes; other layers are another configuration.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, combinations, count

from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction
from django.db.models import F, Prefetch, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.inventory.models import (
    Capture,
    Configuration,
    Environment,
    EnvironmentMachine,
    EnvironmentName,
    Facet,
    Host,
    Layer,
    MachineSnapshot,
    Stack,
)
from benchdash.vocabulary import canonical, machines
from benchdash.vocabulary.storage import kind_named
from benchdash.vocabulary.storage import stack as stacks
from benchdash.vocabulary.storage.matching import fits
from benchdash.vocabulary.storage.normal_form import normalised
from benchdash.vocabulary.storage.shown import option_words

LONGEST_NAME = 200
LONGEST_HOST = 253
LONGEST_TEXT = 20_000
_MOST_NAMED = 4  # options in a name


@dataclass(frozen=True, slots=True)
class CaptureInfo:
    """How, when and by whom facts were captured; not part of the content."""

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
    capture: CaptureInfo = CaptureInfo(),
    hosts: Mapping[str, Host] | None = None,
) -> Environment:
    """The environment of these machines (`{role: facts}`) and the network between them.

    `hosts` are the machines' own records by role; without them they are found by host name.

    Facts that were recorded before are the same environment with one more capture; `name` points
    at it from now on. Refused where a fact is not known or a value is not possible.
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
        source=capture.source,
        captured_at=capture.captured_at,
        captured_by_id=capture.captured_by.pk if capture.captured_by else None,
        info=capture.info | known,
    )
    if name:
        name_environment(environment, name)
    return environment


def environment_with(facts: Mapping[str, object], network: object = None) -> Environment | None:
    """The environment of exactly these machines and this network."""
    contents = {role: machines.normalised(raw, role)[0] for role, raw in facts.items()}
    parts = {role: canonical.digest(content) for role, content in contents.items()}
    digest = _environment_digest(parts, machines.normalised_network(network or {}))
    return Environment.objects.filter(digest=digest).first()


def name_environment(environment: Environment, name: str) -> None:
    """Let `name` mean this content from now on; other contents that had it keep it as a past name."""
    name = checked_name(name)
    newest = EnvironmentName.objects.filter(name=name).first()
    if newest is None or newest.environment_id != environment.pk:
        EnvironmentName.objects.create(name=name, environment=environment)


def record_host(name: str, notes: str = "") -> Host:
    """The host of that name, made where there is none; Refused where the notes are too long."""
    notes = checked_text(notes, "notes")
    return Host.objects.get_or_create(
        name=checked_name(name, LONGEST_HOST), defaults={"notes": notes}
    )[0]


def change_host(host: Host, *, name: str, notes: str) -> Host:
    """Give a host another name or other notes; Refused where the name is another host's."""
    host.notes = checked_text(notes, "notes", host.notes)
    host.name = checked_name(name, LONGEST_HOST)
    try:
        with transaction.atomic():
            host.save(update_fields=["name", "notes"])
            name_host_in_environments(host)
    except IntegrityError as error:
        raise Refused(_("There is already a host with this name."), "name") from error
    return host


def name_host_in_environments(host: Host) -> None:
    """Have the environments of a host call it what it is called now."""
    parts = EnvironmentMachine.objects.select_related("snapshot__host")
    own = Environment.objects.filter(parts__snapshot__host=host).distinct()
    for environment in (rows := own.prefetch_related(Prefetch("parts", parts))):
        environment.hosts = _host_names(part.snapshot for part in environment.parts.all())
    Environment.objects.bulk_update(rows, ["hosts"], batch_size=500)


def checked_name(name: str, longest: int = LONGEST_NAME) -> str:
    """`name` with single blanks; Refused where it is empty, too long or not printable."""
    name = " ".join(name.split())
    if not name:
        raise Refused(_("Give it a name."), "name")
    if len(name) > longest or not name.isprintable():
        raise Refused(
            "A name must be printable and have at most {longest} characters.",
            "name",
            longest=longest,
        )
    return name


def checked_text(text: str, field: str, before: str = "") -> str:
    """`text` (Markdown); Refused where it is too long, unless it is unchanged from `before`."""
    if len(text) > LONGEST_TEXT and text != before:
        raise Refused(
            "Text is limited to {most} characters; this has {n}.",
            field,
            most=LONGEST_TEXT,
            n=len(text),
        )
    return text


def _snapshots(
    contents: Mapping[str, machines.Facts], known: Mapping[str, Host]
) -> dict[str, MachineSnapshot]:
    """One row per content, inserted in the order of digests so that two writers cannot deadlock."""
    named = {
        role: content["hostname"] for role, content in contents.items() if "hostname" in content
    }
    unknown = sorted({name for role, name in named.items() if role not in known})
    by_name = {name: record_host(name) for name in unknown}
    hosts = {role: by_name[name] for role, name in named.items() if role not in known} | {**known}
    digests = {role: canonical.digest(content) for role, content in contents.items()}
    return {
        role: MachineSnapshot.objects.select_related("host").get_or_create(
            digest=digests[role], defaults={"facts": contents[role], "host": hosts.get(role)}
        )[0]
        for role in sorted(contents, key=digests.__getitem__)
    }


def _environment(
    snapshots: Mapping[str, MachineSnapshot], network: Mapping[str, object]
) -> Environment:
    parts = {role: snapshot.digest for role, snapshot in snapshots.items()}
    digest = _environment_digest(parts, network)
    hosts = _host_names(snapshots[role] for role in sorted(snapshots))
    environment, is_new = Environment.objects.get_or_create(
        digest=digest, defaults={"network": network, "hosts": hosts}
    )
    if is_new:
        EnvironmentMachine.objects.bulk_create(
            EnvironmentMachine(environment=environment, role=role, snapshot=snapshot)
            for role, snapshot in snapshots.items()
        )
    return environment


def _host_names(snapshots: Iterable[MachineSnapshot]) -> list[str]:
    """Each once; machines of no known host have none."""
    return list(dict.fromkeys(one.host.name for one in snapshots if one.host))


def _environment_digest(parts: Mapping[str, str], network: Mapping[str, object]) -> str:
    """`parts`: the digests of the machines' facts by role."""
    return canonical.digest({"machines": parts, "network": network})


def record_configuration(
    name: str, layers: object, *, notes: str = "", by: AbstractBaseUser | None = None
) -> Configuration:
    """The configuration of that name and these layers (a tree), made where there is none.

    Refused where a layer is not possible, or where the name is taken by other layers.
    """
    name, notes = checked_name(name), checked_text(notes, "notes")
    stack = record_stack(layers)
    configuration, _is_new = Configuration.objects.get_or_create(
        name=name,
        defaults={"stack": stack, "notes": notes, "created_by_id": by.pk if by else None},
    )
    if configuration.stack_id != stack.pk:
        raise _taken(configuration)
    return restore_configuration(configuration)


@transaction.atomic
def record_stack(layers: object) -> Stack:
    """The one row of these layers, with its layers and facets."""
    tree = normalised(layers)
    stack, is_new = Stack.objects.get_or_create(digest=stacks.digest(tree), defaults={"tree": tree})
    if is_new:
        Layer.objects.bulk_create(
            Layer(
                stack=stack,
                position=layer.position,
                above=layer.above,
                node=layer.node,
                kind=layer.kind.name,
                options=dict(layer.options),
            )
            for layer in stacks.walk(tree)
        )
        Facet.objects.bulk_create(
            Facet(stack=stack, key=key, text=text, number=number)
            for key, text, number in stacks.facets(tree)
        )
    return stack


def free_name(stack: Stack) -> str:
    """A name that no configuration has: the layers' title, and how it differs from the first of it.

    `ext4 on RAID6`, then `ext4 on RAID6, stripe cache size 4096`; a number where no option tells.
    """
    title = stacks.title(stack.tree)[: LONGEST_NAME - 90]
    of_title = Configuration.objects.filter(name__startswith=title)
    named = dict(of_title.values_list("name", "stack_id"))
    others: dict[int, set[tuple[str, str]]] = defaultdict(set)
    own: list[tuple[str, str]] = []
    facets = Facet.objects.filter(Q(stack__in=of_title.values("stack")) | Q(stack=stack))
    for other, key, text in facets.order_by("pk").values_list("stack", "key", "text"):
        if other != stack.pk:
            others[other].add((key, text))
        elif "." in key:
            own.append((key, text))
    # what follows from another option is named where nothing else is left
    own.sort(key=lambda facet: stacks.facet_follows(facet[0]))
    first = others[named[title]] if title in named else set()
    differing = [facet for facet in own if facet not in first]
    decided = [facet for facet in differing if not stacks.facet_follows(facet[0])] or differing
    varying = [facet for facet in own if any(facet not in theirs for theirs in others.values())]
    # all that differs; of more options than fit, those that no other of the title has together
    telling = chain(
        [tuple(decided)] if 0 < len(decided) <= _MOST_NAMED else [],
        (
            some
            for size in range(1, _MOST_NAMED + 1)
            for some in combinations(varying, size)
            if not any(theirs.issuperset(some) for theirs in others.values())
        ),
    )
    by_options = (
        ", ".join([title, *(_option_words(*facet) for facet in some)])[: LONGEST_NAME - 10]
        for some in telling
    )
    numbered = (f"{title} ({number})" for number in count(2))
    return next(name for name in chain([title], by_options, numbered) if name not in named)


def _option_words(key: str, text: str) -> str:
    """`drbd.protocol`, `C` as `protocol C`."""
    kind, _dot, name = key.partition(".")
    return f"{option_words(kind_named(kind).option_named(name))} {text}"


def configuration_with(layers: object) -> Configuration | None:
    """The oldest configuration of exactly these layers; a deleted one where there is no other."""
    digest = stacks.digest(normalised(layers))
    alike = Configuration.objects.filter(stack__digest=digest)
    return alike.order_by(F("deleted_at").asc(nulls_first=True), "pk").first()


def configurations_fitting(layers: object, unread: Collection[str]) -> list[Configuration]:
    """Configurations that these layers can be as far as they were read, without equal ones.

    `unread` as in `vocabulary.storage.matching`. Of each stack the oldest.
    """
    tree = normalised(layers)
    living = Configuration.objects.filter(deleted_at=None)
    rows = living.select_related("stack").order_by("-pk") if unread else ()
    oldest = {row.stack_id: row for row in rows if row.stack.tree != tree}
    found = [row for row in oldest.values() if fits(tree, row.stack.tree, unread)]
    return sorted(found, key=lambda row: row.pk)


@transaction.atomic
def change_configuration(
    configuration: Configuration, *, name: str, layers: object, notes: str
) -> Configuration:
    """Give a configuration another name, other notes, and other layers while it has no runs.

    Refused where it has runs and the layers differ, or where the name is taken.
    """
    locked = Configuration.objects.select_for_update().get(pk=configuration.pk)
    notes = checked_text(notes, "notes", locked.notes)
    # a stack with layers that are no longer known stays, and does not block other changes
    stack = locked.stack if layers == locked.stack.tree else record_stack(layers)
    if stack.pk != locked.stack_id and locked.runs.exists():
        raise Refused(
            "“{name}” has runs, so its layers stay as they are: save the change under "
            "another name, as a separate configuration.",
            "layers",
            name=locked.name,
        )
    locked.name, locked.stack, locked.notes = checked_name(name), stack, notes
    try:
        with transaction.atomic():
            locked.save()
    except IntegrityError as error:
        raise _taken(Configuration.objects.get(name=locked.name)) from error
    return locked


def delete_configuration(configuration: Configuration) -> None:
    """Offer it nowhere any more; its runs stay, and say that they belong to it."""
    Configuration.objects.filter(pk=configuration.pk, deleted_at=None).update(
        deleted_at=timezone.now()
    )


def restore_configuration(configuration: Configuration) -> Configuration:
    """Bring it back where it was deleted: also where its layers are recorded again."""
    if configuration.deleted_at:
        configuration.deleted_at = None
        configuration.save(update_fields=["deleted_at"])
    return configuration


def _taken(configuration: Configuration) -> Refused:
    if configuration.deleted_at:
        return Refused(
            "“{name}” names a deleted configuration ({title}): restore it, or choose another name.",
            "name",
            name=configuration.name,
            title=stacks.title(configuration.stack.tree),
        )
    return Refused(
        "“{name}” already names another stack ({title}); choose another name.",
        "name",
        name=configuration.name,
        title=stacks.title(configuration.stack.tree),
    )
