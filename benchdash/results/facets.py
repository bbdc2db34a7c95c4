"""How many runs have what: the values that the runs list can be narrowed by, counted.

Samples are counted, as the list shows them. A filter does not narrow its own values, which are
alternatives. Each run that matches is counted, out of indexes that have all that is asked for
(`run_by_…`): one pass gives hosts, workloads, configurations, tools and studies at once. The whole of
a long list is counted every few minutes, by a worker, and what else takes long is kept for as long.
Settings and plans, which no index has, take the longest.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import itemgetter
from typing import Any

from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet

from benchdash.inventory.models import Configuration, EnvironmentMachine, Facet
from benchdash.results.by_machine import machine_of
from benchdash.results.comparison.values import natural
from benchdash.results.factors import NONE
from benchdash.results.lookups import looked_up
from benchdash.results.models import Doubt, Run, Study, Tag, Workload
from benchdash.results.models.run import MAY_NAME_ITS_MACHINE
from benchdash.results.parameters import read_moment
from benchdash.results.run_filters import RunQuery, matching, start_of, together
from benchdash.vocabulary.settings import setting_text
from benchdash.vocabulary.workloads import axis_text

# counted exactly up to here
MOST_COUNTED = 10_000
MOST_VALUES = 40
AGES = ("1d", "7d", "30d", "365d")
_CACHED_S = 15 * 60  # a worker counts the whole of a long list anew every five minutes
_LONG_S = 0.5
_PARTS = ("environment", "workload", "configuration", "tool", "tool_version", "study")
_AXES = ("pattern", "block_bytes", "queue_depth", "jobs")
_MOST_FREE = 12  # layer options, settings

# what some runs have, by the name of its filter, and how many samples they are
_Row = tuple[Mapping[str, Collection[str]], int]


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its words; `and_more`: at least so many samples have it."""

    value: str
    text: str
    count: int
    and_more: bool
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """The values of one filter, the most frequent first; `are_alone`: one at a time."""

    name: str
    values: Sequence[Value]
    are_alone: bool = False


class _Counting:
    """The runs that count for the values of some filters."""

    def __init__(self, run_query: RunQuery, *, anew: bool = False) -> None:
        self.run_query, self.anew = run_query, anew
        self.takes_long = anew  # what comes after it may be quick, of the same `parts`
        self.conditions = {name: looked_up(one) for name, one in run_query.conditions.items()}
        # the highest id would not do: where many runs were removed, it is far above their number
        beyond = Run.objects.order_by("-pk").values("pk")[MOST_COUNTED : MOST_COUNTED + 1]
        self.has_many = bool(beyond)
        self._parts: dict[tuple[str, ...], list[tuple[Any, ...]]] = {}

    def runs(self, own: Callable[[str], bool]) -> QuerySet[Run]:
        """Those that all other filters let through."""
        others = {name: one for name, one in self.conditions.items() if not own(name)}
        return Run.objects.order_by().filter(self.run_query.in_sight & together(others))

    def parts(self, own: Callable[[str], bool]) -> list[tuple[Any, ...]]:
        """The columns of `_PARTS` and how many samples have them, of the runs that count for it."""
        others = tuple(name for name in self.conditions if not own(name))
        if others not in self._parts:
            found = self.runs(own).values_list(*_PARTS).annotate(_SAMPLES)
            self._parts[others] = list(found)
        return self._parts[others]

    def by(self, own: Callable[[str], bool], *columns: str) -> Counter[Any]:
        """Samples by the value of one of `_PARTS`, or by those of several."""
        value_of = itemgetter(*map(_PARTS.index, columns))

        def read(_runs: QuerySet[Run]) -> list[Any]:
            counts: Counter[Any] = Counter()
            for part in self.parts(own):
                counts[value_of(part)] += part[-1]
            return list(counts.items())

        return Counter(dict(self.rows("-".join(columns), own, read)))

    def rows(
        self, kind: str, own: Callable[[str], bool], read: Callable[[QuerySet[Run]], list[Any]]
    ) -> list[Any]:
        """What `read` finds of them; where that took long, what was found minutes ago."""
        if not self.has_many or self.run_query.shows_hidden:
            return list(read(self.runs(own)))
        key = self._key(kind, own)
        found = None if self.anew else cache.get(key)
        if found is None:
            begun = time.monotonic()
            found = list(read(self.runs(own)))
            self.takes_long = self.takes_long or time.monotonic() - begun > _LONG_S
            if self.takes_long:
                cache.set(key, found, _CACHED_S)
        return list(found)

    def _key(self, kind: str, own: Callable[[str], bool]) -> str:
        """That of all runs has no more to it: a worker counts them for everybody."""
        chosen = self.run_query.chosen
        others = sorted((name, *chosen.get(name, ())) for name in self.conditions if not own(name))
        narrowed = f"-{sha256(json.dumps(others).encode()).hexdigest()}" if others else ""
        return f"facets-{kind}{narrowed}"

    def values(self, name: str, rows: Iterable[_Row], text: Callable[[str], str]) -> Counted:
        """Of the rows that the other filters of their kind let through."""
        chosen = self.run_query.chosen
        counts: Counter[str] = Counter(dict.fromkeys(chosen.get(name, ()), 0))
        for has, count in rows:
            if all(
                name == other or not values or other not in has or {*has[other]} & {*values}
                for other, values in chosen.items()
            ):
                for value in has.get(name, ()):
                    counts[value] += count
        own = chosen.get(name, ())
        ordered = sorted(
            counts, key=lambda value: (value not in own, -counts[value], natural(value))
        )
        return Counted(
            name,
            [
                Value(
                    value,
                    text(value),
                    min(counts[value], MOST_COUNTED),
                    counts[value] > MOST_COUNTED,
                    value in own,
                )
                for value in ordered[:MOST_VALUES]
            ],
        )


_SAMPLES = Count("sample", distinct=True)
Texts = Callable[[str, str], str]


def facets(run_query: RunQuery, text_of: Texts, *, with_plans: bool) -> list[Counted]:
    """The filters that have values; `text_of` has the words for a value of a filter by its name."""
    counting = _Counting(run_query)
    found = [
        *_hosts(counting, text_of),
        *_workloads(counting, text_of),
        _ages(counting, text_of),
        *_configurations(counting, text_of),
        *_tools(counting, text_of),
        *_settings(counting, text_of),
        _studies(counting, text_of),
        *([_plans(counting, text_of)] if with_plans else []),
        _tags(counting, text_of),
        _doubts(counting, text_of),
    ]
    return [one for one in found if one.values]


def count_the_whole() -> None:
    """What a long list is narrowed by where nothing is chosen, for those who look at it next."""
    counting = _Counting(RunQuery({}), anew=True)
    if counting.has_many:
        for count in (
            *(_hosts, _workloads, _ages, _configurations, _tools, _settings),
            *(_studies, _plans, _tags, _doubts),
        ):
            count(counting, lambda _name, value: value)


def _named(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


def _plain(counting: _Counting, name: str, rows: Iterable[tuple[str, int]], text: Texts) -> Counted:
    pairs: list[_Row] = [({name: (value,)}, count) for value, count in rows]
    return counting.values(name, pairs, lambda value: text(name, value))


def _hosts(counting: _Counting, text: Texts) -> list[Counted]:
    counts = counting.by(_named("host"), "environment")
    hosts: dict[int, set[str]] = {}
    parts = EnvironmentMachine.objects.filter(
        environment__in=counts.keys() - {None}, snapshot__host__isnull=False
    )
    for pk, name in parts.values_list("environment", "snapshot__host__name"):
        hosts.setdefault(pk, set()).add(name)
    own: list[_Row] = [({"host": hosts.get(pk, ())}, count) for pk, count in counts.items()]

    def read(runs: QuerySet[Run]) -> list[Any]:
        labelled = runs.filter(MAY_NAME_ITS_MACHINE)
        return list(labelled.values_list("tool", "label").annotate(_SAMPLES))

    printed = counting.rows("machine", _named("host"), read)
    own += [({"host": (machine_of(tool, label),)}, count) for tool, label, count in printed]
    return [counting.values("host", own, lambda value: text("host", value))]


def _workloads(counting: _Counting, text: Texts) -> list[Counted]:
    names = [f"workload.{axis}" for axis in _AXES]
    counts = counting.by(_named(*names), "workload")
    axes = Workload.objects.filter(pk__in=counts).values_list("pk", *_AXES)
    rows: list[_Row] = [
        (
            {
                name: (NONE if value in (None, "") else axis_text(value),)
                for name, value in zip(names, values, strict=True)
            },
            counts[pk],
        )
        for pk, *values in axes
    ]
    return [
        counting.values(name, rows, lambda value, name=name: text(name, value))  # type: ignore[misc]
        for name in names
        if any({*has[name]} != {NONE} for has, _count in rows)
    ]


def _ages(counting: _Counting, text: Texts) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        since = {age: start_of(read_moment([age], "since")) for age in AGES}
        last = runs.filter(measured_at__gte=since[AGES[-1]]).values("sample")
        counts = {
            f"of_{age}": Count("last", filter=Q(last__gte=moment)) for age, moment in since.items()
        }
        found = last.annotate(last=Max("measured_at")).aggregate(**counts)
        return [(age, found[f"of_{age}"]) for age in AGES]

    rows = counting.rows("since", _named("since", "until"), read)
    by_value = {one.value: one for one in _plain(counting, "since", rows, text).values}
    # a day that was typed is chosen too, and counted by no row
    values = [by_value[age] for age in AGES if by_value[age].count or by_value[age].is_chosen]
    return Counted("since", values, are_alone=True)


def _configurations(counting: _Counting, text: Texts) -> list[Counted]:
    def own(name: str) -> bool:
        return name == "configuration" or name.startswith("layer.")

    counts = counting.by(own, "configuration")
    unassigned = counts.pop(None, 0)
    counted = list(counts.items())
    known = Configuration.objects.filter(pk__in=[pk for pk, _count in counted])
    found = list(known.values_list("pk", "name", "stack", "deleted_at"))
    named = {pk: (name, stack) for pk, name, stack, _deleted_at in found}
    # what was deleted is no choice any more, and is named where it was chosen; its layers stay
    chosen = counting.run_query.chosen.get("configuration", ())
    gone = {pk for pk, _name, _stack, at in found if at is not None and str(pk) not in chosen}
    options: dict[int, dict[str, set[str]]] = {}
    stacks = {stack for _name, stack in named.values()}
    for stack, key, value in Facet.objects.filter(stack__in=stacks).values_list(
        "stack", "key", "text"
    ):
        options.setdefault(stack, {}).setdefault(f"layer.{key}", set()).add(value)
    every = sorted({name for each in options.values() for name in each})
    rows: list[_Row] = []
    for pk, count in counted:
        if pk in named:
            has = options.get(named[pk][1], {})
            own_name = () if pk in gone else (str(pk),)
            rows.append(
                ({"configuration": own_name} | {n: has.get(n, {NONE}) for n in every}, count)
            )
    # one that is chosen and has no such run is none of those
    names = counting.values(
        "configuration",
        rows,
        lambda value: named[int(value)][0] if int(value) in named else text("configuration", value),
    )
    return [names, *_free(counting, every, rows, text, unassigned)]


def _free(
    counting: _Counting,
    names: Collection[str],
    rows: Sequence[_Row],
    text: Texts,
    unassigned: int = 0,
) -> list[Counted]:
    """Of names that anybody may give, those that tell runs apart; `unassigned` samples have none."""
    free = [
        name
        for name in names
        if name in counting.run_query.chosen
        or len({value for has, _count in rows for value in has[name]}) > 1
    ]
    without: _Row = ({"configuration": ()} | dict.fromkeys(names, (NONE,)), unassigned)
    rows = [*rows, without] if unassigned else rows
    return [
        counting.values(name, rows, lambda value, name=name: text(name, value))  # type: ignore[misc]
        for name in free[:_MOST_FREE]
    ]


def _tools(counting: _Counting, text: Texts) -> list[Counted]:
    counts = counting.by(_named("tool", "version"), "tool", "tool_version")
    rows: list[_Row] = [
        ({"tool": (tool,), "version": (version,) if version else ()}, count)
        for (tool, version), count in counts.items()
    ]
    return [
        counting.values(name, rows, lambda value, name=name: text(name, value))  # type: ignore[misc]
        for name in ("tool", "version")
    ]


def _settings(counting: _Counting, text: Texts) -> list[Counted]:
    def read(runs: QuerySet[Run]) -> list[Any]:
        return list(runs.values_list("settings").annotate(_SAMPLES))

    counted = counting.rows("setting", lambda name: name.startswith("setting."), read)
    every = sorted({f"setting.{name}" for settings, _count in counted for name in settings})
    rows: list[_Row] = []
    for settings, count in counted:
        has = {f"setting.{name}": (setting_text(value),) for name, value in settings.items()}
        rows.append(({name: has.get(name, (NONE,)) for name in every}, count))
    return _free(counting, every, rows, text)


def _studies(counting: _Counting, text: Texts) -> Counted:
    counts = counting.by(_named("study"), "study")
    # what was deleted is named where it was chosen
    offered = Q(deleted_at=None) | Q(slug__in=counting.run_query.chosen.get("study", ()))
    known = Study.objects.filter(offered, pk__in=counts.keys() - {None})
    slugs = dict(known.values_list("pk", "slug"))
    rows = [(slugs[pk], count) for pk, count in counts.items() if pk in slugs]
    return _plain(counting, "study", rows, text)


def _plans(counting: _Counting, text: Texts) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        plan = "artifact__steps__job__plan"
        found = runs.filter(**{f"{plan}__isnull": False})
        return list(found.values_list(plan).annotate(Max(f"{plan}__title"), _SAMPLES))

    counted = counting.rows("plan", _named("plan"), read)
    titles = {str(pk): title for pk, title, _count in counted}
    rows = [(str(pk), count) for pk, _title, count in counted]
    return _plain(counting, "plan", rows, lambda name, v: titles.get(v) or text(name, v))


def _tags(counting: _Counting, text: Texts) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        own = Tag.runs.through.objects.filter(run__in=runs.values("pk")).order_by()
        columns = ("tag__name", "run__configuration", "run__study")
        return list(own.values_list(*columns).annotate(Count("run__sample", distinct=True)))

    by_tag: dict[str, tuple[set[int], set[int]]] = {}
    for place, records in enumerate(("configurations", "studies")):
        named = Tag.objects.filter(**{f"{records}__isnull": False})
        for name, pk in named.values_list("name", records):
            by_tag.setdefault(name, (set(), set()))[place].add(pk)
    counts: Counter[str] = Counter()
    parts = counting.by(_named("tag"), "configuration", "study")
    for name, (configurations, studies) in by_tag.items():
        counts[name] = sum(
            count
            for (configuration, study), count in parts.items()
            if configuration in configurations or study in studies
        )
    # one sample may have a tag in several ways
    for name, configuration, study, count in counting.rows("tag", _named("tag"), read):
        configurations, studies = by_tag.get(name, (set(), set()))
        if configuration not in configurations and study not in studies:
            counts[name] += count
    return _plain(counting, "tag", [each for each in counts.items() if each[1]], text)


def _doubts(counting: _Counting, text: Texts) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        undismissed = Doubt.objects.filter(run__in=runs.values("pk"), dismissed_at=None).order_by()
        return list(undismissed.values_list("kind").annotate(Count("run__sample", distinct=True)))

    return _plain(counting, "doubt", counting.rows("doubt", _named("doubt"), read), text)


def count_of(run_query: RunQuery) -> int:
    """How many samples match, one more than are counted where they are more; one query."""
    return matching(run_query).order_by().values("sample").distinct()[: MOST_COUNTED + 1].count()
