"""What there is to choose runs by: what counted runs have, and how many configurations have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from benchdash.inventory.models import Configuration, Facet, Host
from benchdash.results.annotations import used_tags
from benchdash.results.comparison.values import natural
from benchdash.results.criteria import Criteria
from benchdash.results.environment_words import EnvironmentWords, environment_words
from benchdash.results.factors import NONE, Factor
from benchdash.results.models import Run, Study, Tag
from benchdash.results.titles import SERIES, facet_text, series_titles, study_text, value_text
from benchdash.vocabulary.settings import Settings, setting_from_text, setting_text
from benchdash.vocabulary.tools import TOOLS

# beyond, a list is no longer read: the text field narrows it down
MOST_CHOICES = 200
# runs that are looked at for versions, facts and counts: no index has all of that
_NEWEST = 2_000
# of the machine that ran the tool and of the network; a host has a list of its own
_OWN_PARTS = ("versions", "network")
_NO_CHOICE = ("hostname", "roles")


@dataclass(frozen=True, slots=True)
class Choice:
    """One value that can be ticked; `count` is how many configurations it would leave, if known."""

    value: str
    text: str
    chosen: bool
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices by name of their parameter; `by_factor` has layer options, settings, then facts."""

    studies: tuple[Choice, ...]
    configurations: tuple[Choice, ...]
    tools: tuple[Choice, ...]
    versions: tuple[Choice, ...]
    hosts: tuple[Choice, ...]
    tags: tuple[Choice, ...]
    by_factor: tuple[tuple[Factor, tuple[Choice, ...]], ...]


class Measured(NamedTuple):
    """What counted runs have in common; the names are columns."""

    study_id: int | None
    configuration_id: int
    tool: str
    tool_version: str
    environment_id: int | None
    settings: Settings


def choices(criteria: Criteria) -> Choices:
    """What can be chosen beside what is chosen; eleven queries."""
    newest_runs = _newest_runs(criteria)
    measured = _measured(newest_runs)
    hosts = Host.objects.values_list("name", flat=True)[:MOST_CHOICES]
    newest = sorted({one.environment_id for one in measured if one.environment_id})[-MOST_CHOICES:]
    words = environment_words(set(newest))
    studies = _with_results(criteria)
    return Choices(
        studies=tuple(_studies(criteria, studies, measured)),
        configurations=tuple(_configurations(criteria)),
        tools=_counted(((one.tool, one) for one in measured), criteria.tools, _tools()),
        versions=tuple(_versions(criteria, measured)),
        hosts=_counted(_by_host(measured, words), criteria.hosts, hosts),
        tags=tuple(_tags(criteria, newest_runs)),
        by_factor=(
            *_layers(criteria),
            *_settings(criteria, measured, _series(criteria, studies)),
            *_facts(criteria, measured, words),
        ),
    )


def _newest_runs(criteria: Criteria) -> QuerySet[Run]:
    """Of the chosen studies where there are any; one query, for the oldest of them."""
    runs = Run.objects.filter(counted=True, configuration__isnull=False).order_by()
    if criteria.studies:
        runs = runs.filter(study__slug__in=criteria.studies)
    newest = runs.order_by("-pk").values_list("pk", flat=True)
    oldest = newest[_NEWEST - 1 : _NEWEST].first()
    return runs if oldest is None else runs.filter(pk__gte=oldest)


def _measured(newest: QuerySet[Run]) -> list[Measured]:
    """What they have: each once."""
    return [Measured(*row) for row in newest.values_list(*Measured._fields).distinct()]


def _tools() -> list[str]:
    """Those of the vocabulary that have a run: an index says it of each, however many runs there are."""
    there = {f"t{place}": tool for place, tool in enumerate(TOOLS)}
    runs = {name: Exists(Run.objects.filter(tool=tool)) for name, tool in there.items()}
    found = Run.objects.order_by("pk").annotate(**runs).values(*there).first() or {}
    return [tool for name, tool in there.items() if found.get(name)]


def _counted(
    pairs: Iterable[tuple[str, Measured]], chosen: Collection[str], known: Iterable[str] = ()
) -> tuple[Choice, ...]:
    """A choice for each value that something measured has, is chosen, or is known to be there."""
    found: dict[str, set[int]] = {value: set() for value in (*chosen, *known)}
    for value, one in pairs:
        found.setdefault(value, set()).add(one.configuration_id)
    return tuple(
        Choice(value, value, value in chosen, len(found[value]) or None)
        for value in sorted(found, key=natural)[:MOST_CHOICES]
    )


def _with_results(criteria: Criteria) -> list[Study]:
    runs = Run.objects.filter(study=OuterRef("pk"), counted=True, configuration__isnull=False)
    rows = Study.objects.filter(Exists(runs) & Q(deleted_at=None) | Q(slug__in=criteria.studies))
    return list(rows.order_by("title")[:MOST_CHOICES])


def _series(criteria: Criteria, studies: Sequence[Study]) -> dict[str, str]:
    """The titles of series, as the chosen studies have them where there are any."""
    chosen = [study for study in studies if study.slug in criteria.studies]
    return series_titles(chosen or studies)


def _studies(
    criteria: Criteria, studies: Iterable[Study], measured: Iterable[Measured]
) -> Iterator[Choice]:
    pairs = {(one.study_id, one.configuration_id) for one in measured}
    counts = Counter(study for study, _configuration in pairs)
    for study in studies:
        text, chosen = study_text(study, "title"), study.slug in criteria.studies
        yield Choice(study.slug, text, chosen, counts[study.pk] or None)


def _configurations(criteria: Criteria) -> Iterator[Choice]:
    """Those with results, in the chosen studies where there are any."""
    there: Exists | Q = Exists(Run.objects.filter(configuration=OuterRef("pk"), counted=True))
    if criteria.studies:  # whose runs are fewer than those of a configuration
        runs = Run.objects.filter(study__slug__in=criteria.studies, counted=True)
        there = Q(pk__in=runs.values("configuration"))
    living = Q(there, deleted_at=None)
    rows = Configuration.objects.filter(living | Q(pk__in=criteria.configurations))
    found = rows.order_by("name").values_list("pk", "name")[:MOST_CHOICES]
    for pk, name in sorted(found, key=lambda row: natural(row[1])):
        yield Choice(str(pk), name, pk in criteria.configurations)


def _versions(criteria: Criteria, measured: Iterable[Measured]) -> Iterator[Choice]:
    """With the tools that have it: `bonnie++ 1.03c`."""
    versioned = [one for one in measured if one.tool_version]
    tools: dict[str, set[str]] = {}
    for one in versioned:
        tools.setdefault(one.tool_version, set()).add(one.tool)
    found = _counted(((one.tool_version, one) for one in versioned), criteria.versions)
    texts = {each.value: ", ".join(sorted(tools.get(each.value, ()))) for each in found}
    for each in sorted(found, key=lambda choice: texts[choice.value]):
        text = f"{texts[each.value]} {each.value}".strip()
        yield Choice(each.value, text, each.chosen, each.count)


def _by_host(
    measured: Iterable[Measured], words: Mapping[int, EnvironmentWords]
) -> Iterator[tuple[str, Measured]]:
    for one in measured:
        yield from ((host, one) for host in _words(one, words).hosts)


def _words(one: Measured, words: Mapping[int, EnvironmentWords]) -> EnvironmentWords:
    return words.get(one.environment_id or 0, EnvironmentWords())


def _tags(criteria: Criteria, newest: QuerySet[Run]) -> Iterable[Choice]:
    """A tag on a study holds for its configurations, one on a run for that run's.

    Counted of the newest runs; a tag of older ones has no count.
    """
    pairs = _tagged("configurations").union(
        _tagged("runs__configuration", runs__in=newest.values("pk")),
        _tagged("studies__conditions__configuration"),
    )
    counts = Counter(name for name, _configuration in pairs)
    for name in sorted({*counts, *used_tags().values_list("name", flat=True)}):
        yield Choice(name, name, name in criteria.tags, counts[name] or None)


def _tagged(configuration: str, **narrowed: Any) -> QuerySet[Tag, tuple[str, int]]:
    tags = Tag.objects.order_by().filter(**{f"{configuration}__isnull": False}, **narrowed)
    return tags.values_list("name", configuration)


def _layers(criteria: Criteria) -> Iterable[tuple[Factor, tuple[Choice, ...]]]:
    chosen = {one.factor: one.values for one in criteria.filters}
    runs = Run.objects.filter(configuration=OuterRef("pk"), counted=True)
    rows = (
        Facet.objects.filter(stack__configurations__in=Configuration.objects.filter(Exists(runs)))
        .values_list("key", "text")
        .annotate(count=Count("stack__configurations"))
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
                    Choice(text, facet_text(key, text), text in chosen.get(factor, ()), count)
                    for text, count in sorted(values, key=lambda value: natural(value[0]))
                ),
            )


def _settings(
    criteria: Criteria, measured: Sequence[Measured], series: Mapping[str, str]
) -> Iterator[tuple[Factor, tuple[Choice, ...]]]:
    """Settings that are not the same for all; where some have none, that is a choice too."""
    chosen = {one.factor: one.values for one in criteria.filters if one.factor.kind == "setting"}
    recorded = {Factor("setting", name) for one in measured for name in one.settings}
    for factor in sorted({*recorded, *chosen}):
        values = [(one.settings.get(factor.name), one) for one in measured]
        pairs = [(NONE if value is None else setting_text(value), one) for value, one in values]
        if len({text for text, _one in pairs}) > 1 or factor in chosen:
            found = _counted(pairs, chosen.get(factor, ()))
            named = series if factor == SERIES else {}
            yield (
                factor,
                tuple(
                    replace(one, text=named.get(one.value) or _setting_words(factor, one))
                    for one in found
                ),
            )


def _setting_words(factor: Factor, choice: Choice) -> str:
    none = choice.value == NONE
    return value_text(factor, None if none else setting_from_text(factor.name, choice.value))


def _facts(
    criteria: Criteria, measured: Iterable[Measured], words: Mapping[int, EnvironmentWords]
) -> Iterable[tuple[Factor, tuple[Choice, ...]]]:
    """Facts that tell one environment from another."""
    chosen = {one.factor: one.values for one in criteria.filters}
    by_fact: dict[str, list[tuple[str, Measured]]] = {}
    for one in measured:
        for name, text in _words(one, words).facts.items():
            by_fact.setdefault(name, []).append((text, one))
    for name, pairs in by_fact.items():
        factor = Factor("environment", name)
        differs = _is_of_the_measuring(name) and len({text for text, _one in pairs}) > 1
        if differs or factor in chosen:
            yield factor, _counted(pairs, chosen.get(factor, ()))


def _is_of_the_measuring(fact: str) -> bool:
    """False for those of the other machines: `node-b.kernel`."""
    head, dot, _rest = fact.partition(".")
    return head in _OWN_PARTS if dot else head not in _NO_CHOICE
