"""Queries on the inventory: records by name, environments with their names and machines."""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery

from benchdash.errors import N_, Refused
from benchdash.inventory.models import Configuration, Environment, EnvironmentName
from benchdash.vocabulary import machines
from benchdash.vocabulary.near import near

MOST_NAMES = 5000


def environments() -> QuerySet[Environment]:
    """Environments annotated with `newest_name`, the newest content first."""
    names = EnvironmentName.objects.filter(environment=OuterRef("pk"))
    return Environment.objects.annotate(newest_name=Subquery(names.values("name")[:1])).order_by(
        "-pk"
    )


def environment_named(name: str) -> Environment:
    """The newest content under that name; Refused with near names where there is none."""
    newest = newest_under(name)
    if newest is None:
        names = EnvironmentName.objects.order_by("name").values_list("name", flat=True).distinct()
        sentence = N_("There is no environment “{name}”.", name=name)
        raise Refused(near(sentence, name, names[:MOST_NAMES]), "environment")
    return newest


def newest_under(name: str) -> Environment | None:
    """The newest content under that name."""
    newest = EnvironmentName.objects.filter(name=name).select_related("environment").first()
    return newest.environment if newest else None


def configuration_named(name: str) -> Configuration:
    """The configuration of that name; Refused with near names where there is none."""
    living = Configuration.objects.filter(deleted_at=None)
    found = living.filter(name=name).select_related("stack").first()
    if found is None:
        names = living.values_list("name", flat=True)
        sentence = N_("There is no configuration “{name}”.", name=name)
        raise Refused(near(sentence, name, names[:MOST_NAMES]), "configuration")
    return found


def machines_of(environment: Environment) -> dict[str, machines.Facts]:
    """`{role: facts}`; no query where `parts__snapshot` was prefetched, else one."""
    parts = environment.parts.all()
    if "parts" not in getattr(environment, "_prefetched_objects_cache", {}):
        parts = parts.select_related("snapshot")
    return {part.role: part.snapshot.facts for part in parts}
