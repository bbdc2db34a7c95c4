"""Which samples make a matrix: those that were measured alike while factors were varied.

What was measured is held equal, as in the figures; settings and layer options are factors, also
where they part the figures. A configuration counts as the layer options that tell it from others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod

from benchdash.results.comparison.automatic import Column, fewest
from benchdash.results.comparison.groups import (
    CONFIGURATION,
    RUN,
    Group,
    Grouping,
    points_at,
)
from benchdash.results.comparison.likeness import LikeRuns
from benchdash.results.comparison.names import short_names
from benchdash.results.comparison.records import Records, SelectedRun
from benchdash.results.comparison.values import Value, value_of
from benchdash.results.comparison.view import FactorValue
from benchdash.results.factors import Factor, read_factor
from benchdash.results.titles import factor_title

# of what figures are parted by, these were varied on purpose
_VARIED = ("setting", "layer")
_MOST_LEVELS = 60


@dataclass(frozen=True, slots=True)
class Varied:
    """A factor with its levels in their order; `stands_for` are factors that change with it."""

    factor: Factor
    levels: tuple[Value, ...]
    stands_for: tuple[Factor, ...] = ()

    @property
    def title(self) -> str:
        return factor_title(self.factor)

    @property
    def is_number(self) -> bool:
        return all(level.number is not None for level in self.levels)


@dataclass(frozen=True, slots=True)
class Varying:
    """The samples of a matrix: by id of a run its levels, in the order of `factors`, and its round.

    `rounds` is empty where samples were not made in rounds. `groups` are those of each part of the
    comparison that it holds, `starts` says when runs began.
    """

    differs_by: tuple[FactorValue, ...]
    factors: tuple[Varied, ...]
    runs: tuple[SelectedRun, ...]
    levels: Mapping[int, tuple[int, ...]]
    rounds: Mapping[int, Hashable]
    has_starts: bool
    parts: tuple[int, ...]
    groups: tuple[Group, ...]
    cells: frozenset[tuple[int, ...]] = field(default_factory=frozenset)

    @property
    def possible(self) -> int:
        """How many combinations there could be."""
        return prod(len(one.levels) for one in self.factors)

    @property
    def looks(self) -> int:
        """How often its plan was looked at."""
        return max((run.look.looks for run in self.runs if run.look), default=1)

    @property
    def is_over(self) -> bool:
        """Whether no job of its plans is to come."""
        return all(run.look.over for run in self.runs if run.look)

    def labels(self, cells: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], str]:
        """The shortest names that tell these cells apart."""
        ordered = list(cells)
        rows = [
            [one.levels[level] for one, level in zip(self.factors, cell, strict=True)]
            for cell in ordered
        ]
        return dict(
            zip(ordered, short_names(rows, [one.factor for one in self.factors]), strict=True)
        )


def find_matrices(
    parts: Sequence[LikeRuns],
    grouping: Grouping,
    records: Records,
    intended: Sequence[str],
    starts: Mapping[int, float],
) -> Iterator[Varying]:
    """A matrix for each kind of measuring in which a factor varies; `intended` factors come first."""
    if RUN in grouping.factors:
        return
    kinds: dict[tuple[FactorValue, ...], list[int]] = {}
    for number, like in enumerate(parts):
        kinds.setdefault(tuple(filter(_is_held, like.differs_by)), []).append(number)
    for differs_by, numbers in kinds.items():
        own = [parts[number] for number in numbers]
        groups = tuple(group for like in own for group in like.groups)
        runs = [run for group in groups for run in group.runs]
        parted = [one.name for like in own for one in like.differs_by if not _is_held(one)]
        candidates = _candidates(grouping.factors, parted, records, runs)
        factors = _factors(_first(candidates, intended), runs, records)
        if factors:
            yield _varying(differs_by, factors, runs, records, starts, tuple(numbers), groups)


def _is_held(one: FactorValue) -> bool:
    return one.name.partition(".")[0] not in _VARIED


def _candidates(
    grouped: Sequence[Factor], parted: Sequence[str], records: Records, runs: Sequence[SelectedRun]
) -> list[Factor]:
    """What may have been varied: what is grouped by, and what parts the figures on purpose."""
    found: list[Factor] = []
    for factor in grouped:
        options = _options(records, runs) if factor == CONFIGURATION else []
        found += [*options, factor]
    return list(dict.fromkeys([*found, *(read_factor(name, "") for name in parted)]))


def _options(records: Records, runs: Sequence[SelectedRun]) -> list[Factor]:
    """The layer options of these runs' configurations, by name."""
    stacks = {
        records.configurations[run.configuration_id].stack for run in runs if run.configuration_id
    }
    names = {name for stack in stacks for name in records.facets[stack]}
    return [Factor("layer", name) for name in sorted(names)]


def _first(factors: Sequence[Factor], intended: Sequence[str]) -> list[Factor]:
    # settings are what somebody set; of layer options several may follow from one
    return sorted(
        factors,
        key=lambda one: (not {str(one), one.name} & {*intended}, one.kind != "setting"),
    )


def _factors(
    candidates: Sequence[Factor], runs: Sequence[SelectedRun], records: Records
) -> list[Varied]:
    """The fewest that tell the same runs apart, each with those that part them exactly alike."""
    unlike = list({points_at(run): run for run in runs}.values())
    columns = []
    for factor in candidates:
        values = tuple(value_of(run, factor, records).key for run in unlike)
        if 1 < len(set(values)) <= _MOST_LEVELS:
            columns.append(Column(factor, values))
    if _is_named_only(columns):
        columns = [one for one in columns if one.factor.kind != "layer"]
    parts = {column.factor: _parted(column.values) for column in columns}
    found = []
    for column in fewest(columns):
        alike = [
            one.factor
            for one in columns
            if one.factor not in (column.factor, CONFIGURATION)
            and parts[one.factor] == parts[column.factor]
        ]
        levels = {value_of(run, column.factor, records) for run in unlike}
        ordered = tuple(sorted(levels, key=lambda value: value.order))
        found.append(Varied(column.factor, ordered, tuple(alike)))
    return found


def _is_named_only(columns: Sequence[Column]) -> bool:
    """Whether configurations differ in what no option tells: then they are levels by their names."""
    by_name = next((one for one in columns if one.factor == CONFIGURATION), None)
    options = [one.values for one in columns if one.factor.kind == "layer"]
    if by_name is None:
        return False
    by_options = len(set(zip(*options, strict=True))) if options else 0
    return by_options < len(set(by_name.values))


def _parted(values: Sequence[Hashable]) -> tuple[int, ...]:
    known: dict[Hashable, int] = {}
    return tuple(known.setdefault(value, len(known)) for value in values)


def _varying(  # noqa: PLR0913, PLR0917 - all that a matrix is made of
    differs_by: tuple[FactorValue, ...],
    factors: Sequence[Varied],
    runs: Sequence[SelectedRun],
    records: Records,
    starts: Mapping[int, float],
    parts: tuple[int, ...],
    groups: tuple[Group, ...],
) -> Varying:
    places = [{level: number for number, level in enumerate(one.levels)} for one in factors]
    known: dict[object, tuple[int, ...]] = {}
    levels = {}
    for run in runs:
        place = points_at(run)
        if place not in known:
            values = [value_of(run, one.factor, records) for one in factors]
            known[place] = tuple(own[value] for own, value in zip(places, values, strict=True))
        levels[run.id] = known[place]
    return Varying(
        differs_by=differs_by,
        factors=tuple(factors),
        runs=tuple(runs),
        levels=levels,
        rounds=_rounds(runs, levels, starts),
        has_starts=all(run.id in starts for run in runs),
        parts=parts,
        groups=groups,
        cells=frozenset(levels.values()),
    )


def _rounds(
    runs: Sequence[SelectedRun],
    levels: Mapping[int, tuple[int, ...]],
    starts: Mapping[int, float],
) -> dict[int, Hashable]:
    """The round of each run: of its plan, else the nth time that its cell was measured, if in turns."""
    if all(run.look for run in runs):
        return {run.id: (run.look.plan, run.look.round) for run in runs if run.look}
    if any(run.id not in starts for run in runs):
        return {}
    times: dict[tuple[int, ...], int] = {}
    found: dict[int, Hashable] = {}
    ends: dict[int, tuple[float, float]] = {}
    for run in sorted(runs, key=lambda run: (starts[run.id], run.id)):
        nth = times.get(levels[run.id], 0)
        times[levels[run.id]] = nth + 1
        found[run.id] = nth
        begun = starts[run.id]
        first, _last = ends.get(nth, (begun, begun))
        ends[nth] = first, begun
    in_turns = all(ends[nth][1] <= ends[nth + 1][0] for nth in sorted(ends) if nth + 1 in ends)
    return found if in_turns and len(ends) > 1 else {}
