"""The list of runs in the order of any column, over all that match.

Few are read and sorted one by one. Of very many the database sorts: what few records say, as a host,
an option of a layer or an axis of a workload do, puts kinds of runs in order, and a page takes those
of its kinds; numbers come in the order of an index, measure by measure.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Value,
)

from benchdash.inventory.models import Configuration, Environment
from benchdash.results.column_values import HEADLINE_METRICS, column_cells, measures_of
from benchdash.results.comparison.choose import SETTINGS, samples_listed, selected
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import natural
from benchdash.results.lookups import number_of
from benchdash.results.models import (
    JoinedMeasurement,
    Measure,
    Measurement,
    Run,
    Study,
    Workload,
)
from benchdash.vocabulary.measures import MeasureName
from benchdash.vocabulary.tools import TOOLS


def one_per_sample(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Of the runs of each sample the first, which stands for all of them in a list."""
    earlier = runs.filter(sample=OuterRef("sample"), pk__lt=OuterRef("pk"))
    return runs.filter(~Exists(earlier.order_by().values("pk")))


def in_order(runs: QuerySet[Run], sort: str, place: slice, *, are_few: bool) -> list[int]:
    """The ids of the runs at that place, one a sample, by the column `sort` (with a - downwards).

    Those without a value come last, equal ones newest first. A fixed number of queries.
    """
    name, descending = sort.removeprefix("-"), sort.startswith("-")
    if are_few:
        return _one_by_one(runs, name, descending)[place]
    if measures_of(name, ""):
        return _by_number(runs, name, descending, place)
    if name == "when":
        ordered = one_per_sample(runs).order_by(f"{'-' * descending}measured_at", "-pk")
        return list(ordered.values_list("pk", flat=True)[place])
    return _by_kind(runs, name, descending, place)


def _one_by_one(runs: QuerySet[Run], name: str, descending: bool) -> list[int]:
    newest = one_per_sample(runs).order_by("-pk").values_list("sample_id", "pk")
    firsts = dict(newest)
    cells = column_cells([name], samples_listed(firsts))[name]
    there = [pk for pk in firsts.values() if pk in cells]
    there.sort(key=lambda pk: cells[pk].order, reverse=descending)
    return there + [pk for pk in firsts.values() if pk not in cells]


_PLAN = "artifact__steps__job__plan__title"
# what of a run decides on what it has of a column, by its name or its kind
_DECIDING: dict[str, tuple[str, ...]] = {
    "configuration": ("configuration_id",),
    "layer": ("configuration_id",),
    "environment": ("environment_id",),
    "host": ("environment_id",),
    "study": ("study_id",),
    "tool": ("tool",),
    "version": ("tool", "tool_version"),
    "workload": ("workload_id",),
    "workload.jobs": ("workload_id", "sample__size"),
    "setting": ("set",),
    "setting.series": ("set", "study_id"),
    "run": ("workload_id", "sample__size", "tool"),
    "plan": (_PLAN,),
}
_RECORDS: dict[str, QuerySet[Any]] = {
    "configuration_id": Configuration.objects.order_by(),
    "environment_id": Environment.objects.order_by(),
    "study_id": Study.objects.order_by(),
    "workload_id": Workload.objects.order_by(),
}


def _by_kind(runs: QuerySet[Run], name: str, descending: bool, place: slice) -> list[int]:
    columns = _DECIDING.get(name) or _DECIDING[name.partition(".")[0]]
    runs = runs.order_by().annotate(set=SETTINGS)
    turns, place = _turns(runs, name, columns, descending, place)
    if name == "run" and turns:  # of which labels decide too: no index has them
        runs = runs.filter(reduce(or_, turns))
        turns, place = _turns(runs, name, (*columns, "label"), descending, place)
    listed = one_per_sample(runs).order_by("-pk")
    parts = [
        listed.filter(alike).annotate(number=Value(turn)).values_list("pk", "number")[: place.stop]
        for turn, alike in enumerate(turns)
    ]
    # once, also where two plans have its file
    return list(dict.fromkeys(_first(parts, "ASC", place)))


def _turns(
    runs: QuerySet[Run], name: str, columns: Sequence[str], descending: bool, place: slice
) -> tuple[list[Q], slice]:
    """Which runs the place shows, kind after kind, and the place among these."""
    rows = _counted(runs, columns, place.stop)
    kinds = [dict(zip(columns, row, strict=False)) for row in rows]
    orders = _orders(name, kinds)
    alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
    for number, order in orders.items():
        alike[order].append(number)
    last = [number for number in range(len(kinds)) if number not in orders]
    ordered = [alike[order] for order in sorted(alike, reverse=descending)]
    turns, before, skipped = list[Q](), 0, 0
    for numbers in filter(None, [*ordered, last]):
        behind = before + sum(rows[number][-1] for number in numbers)
        if before < place.stop and behind > place.start:
            skipped = skipped if turns else place.start - before
            turns.append(_one_of([kinds[number] for number in numbers]))
        before = behind
    return turns, slice(skipped, skipped + place.stop - place.start)


def _counted(runs: QuerySet[Run], columns: Sequence[str], most: int) -> list[tuple[Any, ...]]:
    """Each kind of runs, and how many samples are of it: of those of a record `most` or fewer.

    A record's own are looked up in its index, so that a first page reads few of a million.
    """
    column = columns[0]
    if len(columns) > 1 or column not in _RECORDS:
        # the runs of a sample are alike in all but their labels
        counted = one_per_sample(runs) if "label" in columns else runs
        return list(counted.values_list(*columns).annotate(Count("sample", distinct=True)))
    listed = one_per_sample(runs)
    own = listed.filter(**{column: OuterRef("pk")}).values("pk")[:most]
    records = _RECORDS[column].annotate(number=number_of(own)).filter(number__gt=0)
    # those without a record come last, however many they are
    without = [(None, most)] if Run._meta.get_field(column).null else []
    return [*records.values_list("pk", "number"), *without]


def _orders(name: str, kinds: Sequence[Mapping[str, Any]]) -> dict[int, tuple[Any, ...]]:
    """The place in the order of each kind that has a value, by its number."""
    if name == "plan":
        titles = {number: kind[_PLAN] for number, kind in enumerate(kinds)}
        return {number: natural(title) for number, title in titles.items() if title is not None}
    samples = [_sample(number, kind) for number, kind in enumerate(kinds)]
    return {number: cell.order for number, cell in column_cells([name], samples)[name].items()}


def _sample(number: int, kind: Mapping[str, Any]) -> SelectedRun:
    """One that is of the kind, and of which nothing else is known."""
    plain = (kind.get(column, blank) for column, blank in _BLANK.items())
    size = kind.get("sample__size") or 1
    return selected((number, *plain, kind.get("set", "{}")))._replace(
        jobs=size if size > 1 else None
    )


_BLANK: dict[str, Any] = {
    "tool": "",
    "study_id": None,
    "configuration_id": None,
    "environment_id": None,
    "workload_id": 0,
    "tool_version": "",
    "label": "",
    "notes": (),
    "not_counted": "",
    "started_at": None,
    "sample_id": 0,
    "beside": "",
}


def _one_of(kinds: Sequence[Mapping[str, Any]]) -> Q:
    """Runs of one of these kinds."""
    column, *others = kinds[0]
    if others:
        return reduce(or_, (Q(**kind) for kind in kinds))
    values = [kind[column] for kind in kinds]
    there = Q(**{f"{column}__in": [value for value in values if value is not None]})
    return there | Q(**{column: None}) if None in values else there


def _by_number(runs: QuerySet[Run], name: str, descending: bool, place: slice) -> list[int]:
    """Each measure in the order of its index as far as the page goes, then all of these together."""
    ids = _measure_ids(name)
    parts = list(_numbers(runs, ids))
    order, count = "-" * descending, place.stop - place.start
    firsts = [each.order_by(f"{order}number", "-pk")[: place.stop] for each in parts]
    found = _first(firsts, "DESC" if descending else "ASC", place)
    missing = count - len(found)
    if not missing:
        return found
    there = sum(_queried("SELECT count(*) FROM {} AS found", parts)) if place.start else len(found)
    start = max(place.start - there, 0)
    without = one_per_sample(runs).filter(~_has_number(ids)).order_by("-pk")
    return found + list(without.values_list("pk", flat=True)[start : start + missing])


def _measure_ids(name: str) -> dict[str, list[int]]:
    """The measures that stand in the column, the best first, by the tool ("": of any)."""
    tools = TOOLS if name in HEADLINE_METRICS else ("",)
    wanted = {tool: measures_of(name, tool) for tool in tools}
    operations = {each.operation for measures in wanted.values() for each in measures}
    rows = Measure.objects.filter(operation__in=operations)
    ids = {
        MeasureName(*words): pk
        for pk, *words in rows.values_list("pk", "operation", "metric", "statistic")
    }
    found = {tool: [ids[each] for each in own if each in ids] for tool, own in wanted.items()}
    return {tool: own for tool, own in found.items() if own}


def _numbers(runs: QuerySet[Run], ids: Mapping[str, Sequence[int]]) -> Iterator[QuerySet[Run, Any]]:
    """Id and number of the samples whose best measure is the first, the second, and so on."""
    for tools, measure, better in _parts(ids):
        own = runs.order_by().filter(tool__in=tools) if tools else runs.order_by()
        found = own.filter(~_joined([measure]), ~_measured(better), measurements__measure=measure)
        yield found.annotate(number=F("measurements__value")).values_list("pk", "number")
        joined = {"sample__joined__measure": measure, "sample__joined__value__isnull": False}
        found = one_per_sample(own).filter(~_joined(better, value__isnull=False), **joined)
        yield found.annotate(number=F("sample__joined__value")).values_list("pk", "number")


def _parts(ids: Mapping[str, Sequence[int]]) -> list[tuple[list[str], int, Sequence[int]]]:
    """Each measure with those that go before it, and the tools of which that holds (none: of any)."""
    tools: dict[tuple[int, tuple[int, ...]], list[str]] = defaultdict(list)
    for tool, measures in ids.items():
        for place, measure in enumerate(measures):
            tools[measure, tuple(measures[:place])] += [tool] if tool else []
    return [(own, measure, better) for (measure, better), own in tools.items()]


def _has_number(ids: Mapping[str, Sequence[int]]) -> Q:
    found = Q(pk__in=())
    for tool, measures in ids.items():
        of_several = Q(_joined(measures, value__isnull=False))
        alone = reduce(or_, (Q(_measured([each])) & ~Q(_joined([each])) for each in measures))
        found |= Q(of_several | alone, tool=tool) if tool else of_several | alone
    return found


def _measured(measures: Sequence[int]) -> Exists:
    return Exists(Measurement.objects.filter(run=OuterRef("pk"), measure__in=measures))


def _joined(measures: Sequence[int], **columns: Any) -> Exists:
    own = {"sample": OuterRef("sample"), "measure__in": measures, **columns}
    return Exists(JoinedMeasurement.objects.filter(**own))


def _first(parts: Sequence[QuerySet[Run, Any]], direction: str, place: slice) -> list[int]:
    """Of ids with their numbers those at the place; of equal numbers the newest first."""
    statement = f"SELECT pk FROM {{}} AS found ORDER BY number {direction}, pk DESC"  # noqa: S608
    count = place.stop - place.start
    return _queried(f"{statement} LIMIT %s OFFSET %s", parts, count, place.start)


def _queried(statement: str, parts: Sequence[QuerySet[Run, Any]], *params: int) -> list[int]:
    """The first column of a statement about all parts; SQLite lets Django cut none of a union off."""
    if not parts:
        return []
    statements = [each.query.sql_with_params() for each in parts]
    union = " UNION ALL ".join(
        f"SELECT * FROM ({sql}) AS part"  # noqa: S608 - Django's, with its parameters apart
        for sql, _params in statements
    )
    its_params = [param for _sql, own in statements for param in own]
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        cursor.execute(statement.format(f"({union})"), [*its_params, *params])
        return [row[0] for row in cursor.fetchall()]
