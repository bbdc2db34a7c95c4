"""What there is to choose runs by, with counts taken from configurations, not from runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from benchdash.inventory.models import Configuration, Facet, Host
from benchdash.results.comparison.values import natural
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.models import Run, Study, Tag
from benchdash.results.words import study_text

# beyond, a list is no longer read: the text field narrows it down
MOST_CHOICES = 200


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that can be ticked; `count` is how many configurations it would leave, if known."""

    value: str
    text: str
    chosen: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices by name of their parameter, and those of layer options by option."""

    studies: tuple[Choice, ...]
    configurations: tuple[Choice, ...]
    tools: tuple[Choice, ...]
    hosts: tuple[Choice, ...]
    tags: tuple[Choice, ...]
    layers: tuple[tuple[Factor, tuple[Choice, ...]], ...]


def choices(criteria: Criteria) -> Choices:
    """What can be chosen beside what is chosen; six queries."""
    studies = Study.objects.order_by("title")
    configurations = Configuration.objects.order_by("name")
    if criteria.studies:
        inside = Run.objects.filter(study__slug__in=criteria.studies).values("configuration")
        configurations = configurations.filter(pk__in=inside)
    tools = Run.objects.order_by("tool").values_list("tool", flat=True).distinct()
    return Choices(
        studies=tuple(
            Choice(study.slug, study_text(study, "title"), study.slug in criteria.studies)
            for study in studies[:MOST_CHOICES]
        ),
        configurations=tuple(
            Choice(str(pk), name, pk in criteria.configurations)
            for pk, name in configurations.values_list("pk", "name")[:MOST_CHOICES]
        ),
        tools=tuple(Choice(tool, tool, tool in criteria.tools) for tool in tools),
        hosts=tuple(
            Choice(name, name, name in criteria.hosts)
            for name in Host.objects.values_list("name", flat=True)[:MOST_CHOICES]
        ),
        tags=tuple(_tags(criteria)),
        layers=tuple(_layers(criteria)),
    )


def _tags(criteria: Criteria) -> Iterable[Choice]:
    """A tag on a study holds for its configurations, one on a run for that run's."""
    pairs = _tagged("configurations").union(
        _tagged("runs__configuration"), _tagged("studies__conditions__configuration")
    )
    for name, count in sorted(Counter(name for name, _configuration in pairs).items()):
        yield Choice(name, name, name in criteria.tags, count)


def _tagged(configuration: str) -> QuerySet[Tag, tuple[str, int]]:
    tags = Tag.objects.order_by().filter(**{f"{configuration}__isnull": False})
    return tags.values_list("name", configuration)


def _layers(criteria: Criteria) -> Iterable[tuple[Factor, tuple[Choice, ...]]]:
    chosen = {one.factor: one.values for one in criteria.filters}
    rows = (
        Facet.objects.values_list("key", "text")
        .annotate(count=Count("stack__configurations"))
        .filter(count__gt=0)
        .order_by("key", "number", "text")
    )
    by_key: dict[str, list[tuple[str, int]]] = {}
    for key, text, count in rows:
        by_key.setdefault(key, []).append((text, count))
    for key, values in by_key.items():
        factor = Factor("layer", key)
        # a name of a volume group is no choice to make between configurations
        if len(values) > 1 or factor in chosen:
            yield (
                factor,
                tuple(
                    Choice(text, text, text in chosen.get(factor, ()), count)
                    for text, count in sorted(values, key=lambda value: natural(value[0]))
                ),
            )
