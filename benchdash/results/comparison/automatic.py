"""What runs are grouped by where nobody said: what differs among them, in the fewest names.

Like with like, groups are told apart by what they were measured on, and what was measured is held
equal; all together, by whatever differs. Without a request it is like with like wherever that
leaves something to compare.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

from benchdash.results.comparison.groups import CONFIGURATION, ENVIRONMENT, HOST, RUN, points_at
from benchdash.results.comparison.likeness import differing_names, workload_of
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import value_of
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.parameters import held_factor, held_name
from benchdash.results.titles import SERIES, ZONE
from benchdash.vocabulary.storage.stack import facet_follows

_PLAN, TOOL = Factor("plan"), Factor("tool")
_JOBS = Factor("workload", "jobs")
MOST_NAMES = 3  # of a group, beyond those that tell it apart


class Column(NamedTuple):
    """A factor, and its value of each of the runs that are unlike."""

    factor: Factor
    values: tuple[Any, ...]


class Arrangement(NamedTuple):
    """The factors that groups are told apart by, and what is not held equal among them."""

    factors: tuple[Factor, ...]
    across: tuple[str, ...]
    is_alike: bool = True


def arrange(runs: Sequence[SelectedRun], criteria: Criteria, records: Records) -> Arrangement:
    """What was requested, else what tells the runs apart; there is always a factor."""
    unlike = list({points_at(run): run for run in runs}.values())
    together = criteria.like == "0"
    equal = [
        column
        for column in _held_equal(unlike, criteria.across, records)
        if column.factor != criteria.facet
    ]
    on = _measured_on(unlike)
    if any(one.factor == _PLAN for one in criteria.filters):
        place = [column.factor for column in on].index(CONFIGURATION)
        varied = _hosts_varied(unlike, on[place], records) or _options_varied(
            unlike, on[place], records
        )
        if varied == [on[place]]:
            varied = _settings_varied(equal, on[place]) or varied
        on = [*on[:place], *varied, *on[place + 1 :]]
        equal = [column for column in equal if column not in varied]
    if not together:  # two tools do not measure the same thing, unless somebody says so
        equal = [column for column in equal if column.factor != TOOL]
    named_by = _without_sums(equal, unlike, records)
    of_a_study = len(records.conditions) + len(records.others) > 1
    if criteria.group or of_a_study:
        named = tuple(criteria.group) or (*places(runs), *series_of(runs))
        is_explicit = bool(criteria.group) or criteria.like == "1"
        if not together and (is_explicit or _comparable(on, equal)):
            return Arrangement(named, criteria.across)
        kept = [column for column in fewest([*on, *named_by]) if column in named_by]
        return _together((*named, *_factors(kept)), equal, criteria)
    if len(unlike) == 1 and (
        criteria.runs or (len(runs) > 1 and _may_not_be_repeats(runs, criteria))
    ):
        return Arrangement((RUN,), criteria.across)
    if criteria.like == "1" or (not together and _comparable(on, equal)):
        return Arrangement(_factors(fewest(on)) or places(runs), criteria.across)
    # the configuration comes first, then what was varied, then where and with which version
    found = fewest([*on[:-2], *named_by, *on[-2:]])
    if len(named_by) <= MOST_NAMES and all(column in named_by for column in found):
        found = named_by  # so few names hide nothing of what differs
    return _together(_factors(found) or places(runs), equal, criteria)


def _together(
    factors: tuple[Factor, ...], equal: Sequence[Column], criteria: Criteria
) -> Arrangement:
    across = dict.fromkeys([*criteria.across, *(held_name(column.factor) for column in equal)])
    return Arrangement(tuple(dict.fromkeys(factors)), tuple(across), is_alike=not equal)


def places(runs: Sequence[SelectedRun]) -> tuple[Factor, ...]:
    """Configurations, and environments too, where one configuration was measured in several.

    Zones in place of both, where several series were measured and all runs have theirs.
    """
    by_zone = {(run.series, dict(run.settings).get(ZONE.name)) for run in runs}
    zones = {zone for _series, zone in by_zone}
    if None not in zones and len(zones) > 1 and len({series for series, _zone in by_zone}) > 1:
        where = {(run.series, run.configuration_id, run.environment_id) for run in runs}
        return (ZONE,) if len(where) <= len(by_zone) else (ZONE, CONFIGURATION)
    pairs = {(run.configuration_id, run.environment_id) for run in runs}
    one_each = len(pairs) == len({configuration for configuration, _ in pairs})
    configured = (CONFIGURATION,) if one_each else (CONFIGURATION, ENVIRONMENT)
    if _parts([_machines(runs)]) <= 1:
        return configured
    return (HOST,) if pairs == {(None, None)} else (*configured, HOST)


def series_of(runs: Sequence[SelectedRun]) -> tuple[Factor, ...]:
    """What a study was measured with, where that was done more than once."""
    return (SERIES,) if len({run.series for run in runs}) > 1 else ()


def fewest(columns: Sequence[Column]) -> list[Column]:
    """Those that tell the same runs apart as all of them do; the first ones are kept longest."""
    kept = [column for column in columns if len(set(column.values)) > 1]
    parts = _parts(kept)
    for column in reversed(kept):
        # without it, the runs of another tool would be those of no queue depth
        if column.factor == TOOL:
            continue
        others = [one for one in kept if one is not column]
        if _parts(others) == parts:
            kept = others
    return kept


def _held_equal(
    unlike: Sequence[SelectedRun], across: Sequence[str], records: Records
) -> list[Column]:
    """What differs of what was measured, but for what is to be mixed."""
    workloads = [workload_of(run, records.workloads) for run in unlike]
    return [
        Column(held_factor(name), tuple(workload.get(name) for workload in workloads))
        for name in differing_names(unlike, records.workloads)
        if name not in across
    ]


def _may_not_be_repeats(runs: Sequence[SelectedRun], criteria: Criteria) -> bool:
    """Whether files or their headings may be all that tells apart what was measured.

    Of a job that says nothing of what it did, or where nothing says on what; one machine is one.
    """
    first = runs[0]
    is_unknown = first.configuration_id is None and first.environment_id is None
    is_named = len({run.label for run in runs}) > 1 and first.tool != "fio"
    files = bool(criteria.uploads) and not first.machine
    return (files and (bool(first.job_name) or is_unknown)) or (is_unknown and is_named)


def _without_sums(
    equal: Sequence[Column], unlike: Sequence[SelectedRun], records: Records
) -> list[Column]:
    """Less the jobs of all hosts together, where each host had as many and a setting tells how many.

    What was set is the number of hosts then: 4, 8 and 16 jobs are 1, 2 and 4 guests.
    """
    others = [column for column in equal if column.factor != _JOBS]
    of_each = {records.workloads[run.workload_id].axes.get("jobs") for run in unlike}
    is_sum = len(of_each) == 1 and any(run.jobs for run in unlike)
    return others if is_sum and _parts(others) == _parts(equal) else list(equal)


def _measured_on(unlike: Sequence[SelectedRun]) -> list[Column]:
    """In the order in which they name groups."""
    zones = Column(ZONE, tuple(dict(run.settings).get(ZONE.name) for run in unlike))
    versions = {(run.tool, run.tool_version) for run in unlike}
    several = Counter(tool for tool, _version in versions)
    return [
        # a plan that was laid over zones compares them, whatever else their hosts differ in
        *([zones] if None not in zones.values and _parts([zones]) > 1 else []),
        Column(CONFIGURATION, tuple(run.configuration_id for run in unlike)),
        _machines(unlike),
        Column(ENVIRONMENT, tuple(run.environment_id for run in unlike)),
        # those of different tools are not held against each other
        Column(
            Factor("version"),
            tuple(run.tool_version if several[run.tool] > 1 else "" for run in unlike),
        ),
    ]


def _machines(runs: Sequence[SelectedRun]) -> Column:
    """Those that outputs name, of runs without a record of what they were measured on."""
    return Column(HOST, tuple(run.machine for run in runs))


def _hosts_varied(
    unlike: Sequence[SelectedRun], configuration: Column, records: Records
) -> list[Column]:
    """The hosts, where each was measured in one configuration of its own: no option says why."""
    hosts = Column(HOST, tuple(value_of(run, HOST, records).key for run in unlike))
    parts = _parts([configuration])
    return (
        [hosts] if parts > 1 and _parts([hosts]) == _parts([hosts, configuration]) == parts else []
    )


def _settings_varied(equal: Sequence[Column], configuration: Column) -> list[Column]:
    """The first setting of which each value was one configuration: what the plan calls them."""
    parts = _parts([configuration])
    for column in equal if parts > 1 else ():
        is_whole = column.factor.kind == "setting" and None not in column.values
        if is_whole and _parts([column]) == _parts([column, configuration]) == parts:
            return [column]
    return []


def _options_varied(
    unlike: Sequence[SelectedRun], configuration: Column, records: Records
) -> list[Column]:
    """The layer options that a plan varied, where they tell its configurations apart by themselves."""
    of_runs = [
        records.facets[records.configurations[run.configuration_id].stack]
        if run.configuration_id
        else {}
        for run in unlike
    ]
    # the chunk before the stride that follows from it: of equals the first is kept
    names = sorted(
        {name for facets in of_runs for name in facets},
        key=lambda name: (facet_follows(name), name),
    )
    found = fewest(
        [
            Column(Factor("layer", name), tuple(facets.get(name) for facets in of_runs))
            for name in names
        ]
    )
    parts = _parts([configuration])
    is_known = all(None not in column.values for column in found)
    if not found or not is_known or _parts(found) != parts:
        return [configuration]
    # most combinations were made: those options are what was varied, not what happens to differ
    return found if prod(len(set(one.values)) for one in found) <= 2 * parts else [configuration]


def _comparable(on: Sequence[Column], equal: Sequence[Column]) -> bool:
    """Whether half of the runs or more have their like, measured on something else."""
    if not equal:
        return _parts(on) > 1
    alike: dict[tuple[Any, ...], set[tuple[Any, ...]]] = defaultdict(set)
    for what, where in zip(_rows(equal), _rows(on), strict=True):
        alike[what].add(where)
    places = [len(own) for own in alike.values()]
    return sum(n for n in places if n > 1) * 2 >= sum(places)


def _rows(columns: Sequence[Column]) -> list[tuple[Any, ...]]:
    return list(zip(*(column.values for column in columns), strict=True))


def _parts(columns: Sequence[Column]) -> int:
    return len(set(_rows(columns))) if columns else 1


def _factors(columns: Sequence[Column]) -> tuple[Factor, ...]:
    return tuple(column.factor for column in columns)
