"""Doubts about stored runs and environments: found as they are stored, read again or assigned."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, get_args

from django.apps import apps
from django.db import transaction
from django.db.models import Exists, F, Model, OuterRef, Q, QuerySet

from benchdash.analysis import doubts as rules
from benchdash.analysis.doubts import Measured
from benchdash.errors import to_stored
from benchdash.parsers.result import Result
from benchdash.prepared import OneOf, Prepared
from benchdash.results.bulk import insert
from benchdash.results.models import Doubt, Run
from benchdash.results.storable import storable_sentence
from benchdash.vocabulary.doubts import OF_CAPTURE, OF_PLACE, OF_RESULT
from benchdash.vocabulary.doubts import Doubt as Found
from benchdash.vocabulary.hardware_limits import Limits, limits

# of runs: a doubt about all of it stands; one about some operations concerns their numbers only
DOUBTED = Exists(Doubt.objects.filter(run=OuterRef("pk"), dismissed_at=None, operations=[]))
# as comparisons have it: a sample of which one run is doubted is doubted
DOUBTED_SAMPLE = Exists(
    Doubt.objects.filter(run__sample=OuterRef("sample"), dismissed_at=None, operations=[])
)
DOUBTED_ENVIRONMENT = Exists(Doubt.objects.filter(environment=OuterRef("pk"), dismissed_at=None))
_LONGEST_SENTENCE = 1000
_AT_ONCE = 1000
# all that the rules ask for of stored numbers
_NUMBERS = Q(measure__metric__in=("throughput", "iops", "transactions", "rate")) & Q(
    measure__statistic="mean"
) | Q(measure__metric__in=("duration", "errors"), measure__statistic="total")
_AXES = ("file_bytes", "files", "jobs", "direct", "sync", "engine", "duration_s")

Models = Callable[[str, str], type[Model]]
About = Literal["run", "environment"]


class _Place(NamedTuple):
    """Where a run was measured, by ids of contents that never change; None: not assigned."""

    stack: int | None
    environment: int | None


# of places that this process knows already: asking for them again made a small upload half as
# long again
_known: dict[_Place, Limits] = {}
_MOST_KNOWN = 10_000


def add_doubts(runs: Sequence[Run], results: Sequence[Result]) -> None:
    """The doubts of saved runs, out of their results; no insert where there is none."""
    places = [_place(run) for run in runs]
    known = _limits_known(set(places))
    insert(
        [
            _row(run.pk, each)
            for run, place, result in zip(runs, places, results, strict=True)
            for each in _found(result, known.get(place))
        ]
    )


def find_again(run: Run, result: Result) -> None:
    """The doubts of one run after its result was read again."""
    place = _place(run)
    found = _found(result, _limits_known({place}).get(place))
    _replace({run.pk: found}, (*OF_RESULT, *OF_PLACE))


def judge_places(runs: Collection[int]) -> None:
    """What configuration and environment say against runs, after these were assigned."""
    chosen = sorted(runs)
    for start in range(0, len(chosen), _AT_ONCE):
        portion = chosen[start : start + _AT_ONCE]
        _replace(_found_in_rows(portion, places_only=True), OF_PLACE)


def _place(run: Run) -> _Place:
    configuration = run.configuration
    return _Place(configuration.stack_id if configuration else None, run.environment_id)


def _limits_known(places: set[_Place]) -> dict[_Place, Limits]:
    """As `_limits`; no query for those that this process knows."""
    missing = places - _known.keys() - {_Place(None, None)}
    if not missing:
        return _known
    found = _limits(missing)
    if len(_known) > _MOST_KNOWN:
        _known.clear()
    # after the commit: the ids of a transaction that is rolled back mean nothing
    transaction.on_commit(partial(_known.update, found))
    return _known | found


def forget(**_signal: Any) -> None:
    """Drop what is known of places: after `flush` other contents have these ids."""
    _known.clear()


def _found(result: Result, place: Limits | None) -> list[Found]:
    measured = Measured(
        result.tool, result.workload, result.by_name(), result.details, result.traces
    )
    found = [*_from_parser(result), *rules.of_result(measured)]
    return found if place is None else found + rules.of_place(measured, place)


def fill(models: Models) -> None:
    """The doubts of runs that were stored before there were any, as far as rows alone tell.

    For a migration, with the models of its time. What takes the output or its traces comes with
    `reparse`.
    """
    runs = models("results", "Run")._default_manager.order_by("pk").values_list("pk", flat=True)
    doubt = models("results", "Doubt")
    last = 0
    while portion := list(runs.filter(pk__gt=last)[:_AT_ONCE]):
        found = _found_in_rows(portion, models)
        doubt._default_manager.bulk_create(
            doubt(run_id=pk, kind=kind, sentence=to_stored(sentence), operations=[*operations])
            for pk, some in found.items()
            for kind, sentence, operations in map(_storable, some)
        )
        last = portion[-1]


def note_doubts(runs: Collection[int], found: Iterable[Found]) -> None:
    """What a host or a log said against runs; what is noted already is not noted twice."""
    wanted = dict.fromkeys(_storable(each) for each in found)
    if not wanted:
        return
    there = set(Doubt.objects.filter(run__in=runs).values_list("run", "kind", "sentence"))
    new = [_row(pk, each) for pk in sorted(runs) for each in wanted if (pk, *each[:2]) not in there]
    for row in new:
        row.noted = True
    insert(new)


def judge_capture(
    environment: int, unread: Mapping[str, Iterable[str]], skews_s: Mapping[str, float]
) -> None:
    """The doubts about an environment are those of its newest capture; as `rules.of_capture`."""
    _replace({environment: rules.of_capture(unread, skews_s)}, OF_CAPTURE, "environment")


def doubts_of(records: Collection[int], about: About = "run") -> dict[int, list[Found]]:
    """The doubts that stand, by record; one query, records without a doubt are left out."""
    found: dict[int, list[Found]] = defaultdict(list)
    for record, kind, sentence, operations in _UNDISMISSED[about](records):
        found[record].append(Found(kind, sentence, tuple(operations)))
    return dict(found)


def _undismissed(about: About, records: Sequence[int]) -> QuerySet[Doubt, Any]:
    about_them = Doubt.objects.filter(OneOf(F(f"{about}_id"), records), dismissed_at=None)
    return about_them.order_by("pk").values_list(about, "kind", "sentence", "operations")


_UNDISMISSED = {about: Prepared(partial(_undismissed, about)) for about in get_args(About)}


def concerns(doubt: Found, operations: Collection[str]) -> bool:
    """Whether it speaks against a run as a whole, or against one of the operations."""
    return not doubt.operations or not {*doubt.operations}.isdisjoint(operations)


def _from_parser(result: Result) -> list[Found]:
    """What the parser itself doubts."""
    return [Found("output", sentence) for sentence in result.doubts]


def _row(record: int, found: Found, about: About = "run") -> Doubt:
    kind, sentence, operations = _storable(found)
    owner = {f"{about}_id": record}
    return Doubt(**owner, kind=kind, sentence=sentence, operations=[*operations])


def _storable(found: Found) -> Found:
    return found._replace(sentence=storable_sentence(found.sentence, _LONGEST_SENTENCE))


def _replace(
    found: Mapping[int, Iterable[Found]], kinds: Collection[str], about: About = "run"
) -> None:
    """Doubts of these kinds are those found now, what was noted, and whatever a person has dismissed."""
    wanted = {(record, each) for record, some in found.items() for each in map(_storable, some)}
    there, gone = set(), []
    stored = Doubt.objects.filter(**{f"{about}__in": found}, kind__in=kinds)
    for row in stored.only(about, "kind", "sentence", "operations", "dismissed_at", "noted"):
        record = getattr(row, f"{about}_id")
        known = record, Found(row.kind, row.sentence, tuple(row.operations))
        there.add(known)
        if row.dismissed_at is None and not row.noted and known not in wanted:
            gone.append(row.pk)
    if gone:
        Doubt.objects.filter(pk__in=gone).delete()
    insert([_row(*new, about) for new in sorted(wanted - there)])


def _found_in_rows(
    runs: Sequence[int], models: Models = apps.get_model, places_only: bool = False
) -> dict[int, list[Found]]:
    """What rows of runs, their workloads and numbers say; four queries for all of them."""
    axes = [f"workload__{name}" for name in _AXES]
    rows = (
        models("results", "Run")
        ._default_manager.filter(pk__in=runs)
        .values_list(
            *("pk", "tool", "configuration__stack_id", "environment_id"),
            *("details__options", "details__steadystate", *axes),
        )
    )
    numbers: dict[int, dict[rules.Name, float]] = defaultdict(dict)
    for run, *name, value in (
        models("results", "Measurement")
        ._default_manager.filter(_NUMBERS, run__in=runs)
        .values_list(
            *("run_id", "measure__operation", "measure__metric", "measure__statistic", "value")
        )
    ):
        numbers[run][tuple(name)] = value
    measured, places = {}, {}
    for pk, tool, stack, environment, options, steady, *values in rows:
        workload = {n: v for n, v in zip(_AXES, values, strict=True) if v not in (None, "")}
        details = {"options": options, "steadystate": steady}
        measured[pk] = Measured(tool, workload, numbers[pk], details)
        places[pk] = _Place(stack, environment)
    known = _limits(places.values(), models)
    return {
        pk: [
            *([] if places_only else rules.of_result(run)),
            *(rules.of_place(run, known[places[pk]]) if places[pk] in known else []),
        ]
        for pk, run in measured.items()
    }


def _limits(places: Iterable[_Place], models: Models = apps.get_model) -> dict[_Place, Limits]:
    """Of those places of which something is known; a query for each kind of record."""
    wanted = set(places) - {_Place(None, None)}
    stacks = {each.stack for each in wanted if each.stack}
    environments = {each.environment for each in wanted if each.environment}
    trees: dict[int, Any] = {}
    if stacks:
        rows = models("inventory", "Stack")._default_manager.filter(pk__in=stacks)
        trees = dict(rows.values_list("pk", "tree"))
    machines: dict[int, dict[str, Any]] = defaultdict(dict)
    networks: dict[int, Any] = {}
    if environments:
        parts = models("inventory", "EnvironmentMachine")._default_manager.filter(
            environment__in=environments
        )
        for pk, network, role, facts in parts.values_list(
            *("environment", "environment__network", "role", "snapshot__facts")
        ):
            machines[pk][role], networks[pk] = facts, network
    return {
        place: limits(
            trees.get(place.stack or 0),
            machines.get(place.environment or 0, {}),
            networks.get(place.environment or 0),
        )
        for place in wanted
    }
