"""How many runs have what: the values that the runs list can be narrowed by, counted.

Samples are counted, as the list shows them. A filter does not narrow its own values, which are
alternatives. Nine groupings and what they point at, whatever was chosen and however many runs match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache
from django.db.models import Count, QuerySet

from benchdash.inventory.models import Configuration, EnvironmentMachine, Facet
from benchdash.results.comparison.values import natural
from benchdash.results.factors import NONE
from benchdash.results.models import Doubt, Run
from benchdash.results.models.run import LIVING
from benchdash.results.parameters import read_moment
from benchdash.results.run_filters import RunQuery, measured_from, together
from benchdash.vocabulary.settings import setting_text
from benchdash.vocabulary.workloads import axis_text

# counted exactly up to here; where more match, the newest of them are counted
MOST_COUNTED = 10_000
MOST_VALUES = 40
AGES = ("1d", "7d", "30d", "365d")
_FRESH_S = 60
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

    def __init__(self, asked: RunQuery) -> None:
        self.asked = asked
        self.conditions = asked.conditions()
        newest = Run.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        self.has_many = newest > MOST_COUNTED
        self.overflowed = False

    def runs(self, own: Callable[[str], bool]) -> tuple[QuerySet[Run], bool]:
        """Those that all other filters let through, at most so many; whether these are all runs."""
        others = {name: one for name, one in self.conditions.items() if not own(name)}
        found = Run.objects.order_by()
        if not self.asked.shows_hidden:
            found = found.filter(LIVING)
        if not others:
            return found, True
        newest = found.filter(together(others)).order_by("-pk").values("pk")[:MOST_COUNTED]
        return Run.objects.order_by().filter(pk__in=newest), False

    def rows(
        self, kind: str, own: Callable[[str], bool], read: Callable[[QuerySet[Run]], list[Any]]
    ) -> list[Any]:
        """What `read` finds of them; where that takes all of many runs, what it found a minute ago."""
        runs, are_all = self.runs(own)
        if are_all and self.has_many and not self.asked.shows_hidden:
            key = f"facets-{kind}"
            found = cache.get(key)
            if found is None:
                found = read(runs)
                cache.set(key, found, _FRESH_S)
        else:
            found = read(runs)
        self.overflowed = not are_all and sum(row[-1] for row in found) >= MOST_COUNTED
        return list(found)

    def values(self, name: str, rows: Iterable[_Row], text: Callable[[str], str]) -> Counted:
        """Of the rows that the other filters of their kind let through."""
        chosen = self.asked.chosen
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
                    counts[value] > MOST_COUNTED or (self.overflowed and counts[value] > 0),
                    value in own,
                )
                for value in ordered[:MOST_VALUES]
            ],
        )


_SAMPLES = Count("sample", distinct=True)
Texts = Callable[[str, str], str]


def facets(asked: RunQuery, text_of: Texts, *, with_plans: bool) -> list[Counted]:
    """The filters that have values; `text_of` has the words for a value of a filter by its name."""
    counting = _Counting(asked)
    found = [
        *_hosts(counting, text_of),
        *_workloads(counting, text_of),
        _ages(counting, text_of),
        *_configurations(counting, text_of),
        *_tools(counting, text_of),
        *_settings(counting, text_of),
        _studies(counting, text_of),
        *([_plans(counting)] if with_plans else []),
        _tags(counting, text_of),
        _doubts(counting, text_of),
    ]
    return [one for one in found if one.values]


def _named(*names: str) -> Callable[[str], bool]:
    return lambda name: name in names


def _plain(counting: _Counting, name: str, rows: Iterable[tuple[str, int]], text: Texts) -> Counted:
    pairs: list[_Row] = [({name: (value,)}, count) for value, count in rows]
    return counting.values(name, pairs, lambda value: text(name, value))


def _hosts(counting: _Counting, text: Texts) -> list[Counted]:
    def read(runs: QuerySet[Run]) -> list[Any]:
        found = runs.exclude(environment=None).values_list("environment")
        return list(found.annotate(_SAMPLES))

    rows = counting.rows("host", _named("host"), read)
    hosts: dict[int, set[str]] = {}
    parts = EnvironmentMachine.objects.filter(
        environment__in=[pk for pk, _count in rows], snapshot__host__isnull=False
    )
    for pk, name in parts.values_list("environment", "snapshot__host__name"):
        hosts.setdefault(pk, set()).add(name)
    own: list[_Row] = [({"host": hosts.get(pk, ())}, count) for pk, count in rows]
    return [counting.values("host", own, lambda value: text("host", value))]


def _workloads(counting: _Counting, text: Texts) -> list[Counted]:
    names = [f"workload.{axis}" for axis in _AXES]

    def read(runs: QuerySet[Run]) -> list[Any]:
        return list(runs.values_list(*(f"workload__{axis}" for axis in _AXES)).annotate(_SAMPLES))

    rows: list[_Row] = [
        (
            {
                name: (NONE if value in (None, "") else axis_text(value),)
                for name, value in zip(names, values, strict=True)
            },
            count,
        )
        for *values, count in counting.rows("workload", _named(*names), read)
    ]
    return [
        counting.values(name, rows, lambda value, name=name: text(name, value))  # type: ignore[misc]
        for name in names
        if any({*has[name]} != {NONE} for has, _count in rows)
    ]


def _ages(counting: _Counting, text: Texts) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        since = {age: measured_from(read_moment([age], "since")) for age in AGES}
        counts = {f"of_{age}": Count("sample", distinct=True, filter=q) for age, q in since.items()}
        found = runs.aggregate(**counts)
        return [(age, found[f"of_{age}"]) for age in AGES]

    rows = counting.rows("since", _named("since", "until"), read)
    by_value = {one.value: one for one in _plain(counting, "since", rows, text).values}
    # a day that was typed is chosen too, and counted by no row
    values = [by_value[age] for age in AGES if by_value[age].count or by_value[age].is_chosen]
    return Counted("since", values, are_alone=True)


def _configurations(counting: _Counting, text: Texts) -> list[Counted]:
    def read(runs: QuerySet[Run]) -> list[Any]:
        found = runs.exclude(configuration=None).values_list("configuration")
        return list(found.annotate(_SAMPLES))

    def own(name: str) -> bool:
        return name == "configuration" or name.startswith("layer.")

    counted = counting.rows("configuration", own, read)
    known = Configuration.objects.filter(pk__in=[pk for pk, _count in counted])
    named = {pk: (name, stack) for pk, name, stack in known.values_list("pk", "name", "stack")}
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
            rows.append(
                ({"configuration": (str(pk),)} | {n: has.get(n, {NONE}) for n in every}, count)
            )
    names = counting.values(
        "configuration", rows, lambda value: named.get(int(value), (f"#{value}",))[0]
    )
    return [names, *_free(counting, every, rows, text)]


def _free(
    counting: _Counting, names: Iterable[str], rows: Sequence[_Row], text: Texts
) -> list[Counted]:
    """Of names that anybody may give, those that tell runs apart."""
    telling = [
        name
        for name in names
        if name in counting.asked.chosen
        or len({value for has, _count in rows for value in has[name]}) > 1
    ]
    return [
        counting.values(name, rows, lambda value, name=name: text(name, value))  # type: ignore[misc]
        for name in telling[:_MOST_FREE]
    ]


def _tools(counting: _Counting, text: Texts) -> list[Counted]:
    def read(runs: QuerySet[Run]) -> list[Any]:
        return list(runs.values_list("tool", "tool_version").annotate(_SAMPLES))

    rows: list[_Row] = [
        ({"tool": (tool,), "version": (version,) if version else ()}, count)
        for tool, version, count in counting.rows("tool", _named("tool", "version"), read)
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
    def read(runs: QuerySet[Run]) -> list[Any]:
        return list(runs.exclude(study=None).values_list("study__slug").annotate(_SAMPLES))

    rows = counting.rows("study", _named("study"), read)
    return _plain(counting, "study", rows, text)


def _plans(counting: _Counting) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        plan = "artifact__steps__job__plan"
        found = runs.filter(**{f"{plan}__isnull": False})
        return list(found.values_list(plan, f"{plan}__title").annotate(_SAMPLES))

    counted = counting.rows("plan", _named("plan"), read)
    titles = {str(pk): title for pk, title, _count in counted}
    rows = [(str(pk), count) for pk, _title, count in counted]
    return _plain(counting, "plan", rows, lambda _name, value: titles.get(value, f"#{value}"))


def _tags(counting: _Counting, text: Texts) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        given = [
            runs.filter(**{f"{of}__isnull": False}).values_list(f"{of}__name", "sample")
            for of in ("tags", "configuration__tags", "study__tags")
        ]
        # one sample may have a tag in several ways
        return list(Counter(name for name, _sample in given[0].union(*given[1:])).items())

    return _plain(counting, "tag", counting.rows("tag", _named("tag"), read), text)


def _doubts(counting: _Counting, text: Texts) -> Counted:
    def read(runs: QuerySet[Run]) -> list[Any]:
        standing = Doubt.objects.filter(run__in=runs.values("pk"), dismissed_at=None).order_by()
        return list(standing.values_list("kind").annotate(Count("run__sample", distinct=True)))

    return _plain(counting, "doubt", counting.rows("doubt", _named("doubt"), read), text)


def matching(asked: RunQuery, runs: QuerySet[Run] | None = None) -> QuerySet[Run]:
    """The runs, out of `runs` where given; deleted and withdrawn ones only where asked for."""
    found = Run.objects.all() if runs is None else runs
    found = found if asked.shows_hidden else found.filter(LIVING)
    return found.filter(asked.condition) if asked.chosen else found


def count_of(asked: RunQuery) -> int:
    """How many samples match, one more than are counted where they are more; one query."""
    return matching(asked).order_by().values("sample").distinct()[: MOST_COUNTED + 1].count()
