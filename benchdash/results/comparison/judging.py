"""What may be said on a page: each group of each figure against the baseline, and who is best.

All figures of a page are judged together, since each comparison costs the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import NamedTuple

from benchdash.analysis.blocks import each_by_block, of_blocks, put_together
from benchdash.analysis.many import allowing_for_many, leader
from benchdash.analysis.samples import Sample, Samples
from benchdash.analysis.verdicts import DELTA, Better, Reason, Verdict, Word, as_of_look, verdict
from benchdash.results.comparison.evidence import ByRun, Per, above, costs
from benchdash.results.comparison.groups import Group, Grouping
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.pools import Pools
from benchdash.results.comparison.records import Workloads
from benchdash.results.factors import Factor
from benchdash.vocabulary.measures import METRICS, MeasureName, percentile
from benchdash.vocabulary.tools import TOOLS

FEWEST_ABOVE = 10  # operations above a percentile: of fewer, a single one decides
_BETTER: dict[bool | None, Better | None] = {True: "higher", False: "lower", None: None}
_OPPOSITE: dict[Better, Better] = {"higher": "lower", "lower": "higher"}


@dataclass(frozen=True, slots=True)
class Part:
    """Groups that are compared with each other, what they pool, and when their runs began.

    `primary` are the measures that may be firm.
    """

    groups: Sequence[Group]
    pools: Pools
    starts: Mapping[int, float]
    primary: frozenset[MeasureName]


@dataclass(frozen=True, slots=True)
class Extremes:
    """The groups, by key, that may be best and worst: where it is one, it is firmly so."""

    best: frozenset[str] = frozenset()
    worst: frozenset[str] = frozenset()


@dataclass(slots=True)
class Judged:
    """One measure over one part, by keys of groups.

    `ratios` are to the baseline, of the values as they are shown; `pooled` is what a group or the
    baseline mixes; `above` are operations above a percentile, of the run that has fewest.
    """

    delta: float = DELTA
    primary: bool = False
    per: Per = ""
    above: Mapping[str, float] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    ratios: dict[str, float | None] = field(default_factory=dict)
    pooled: dict[str, tuple[Factor, ...]] = field(default_factory=dict)
    extremes: Extremes = Extremes()


class Compared(NamedTuple):
    """A comparison before it is judged; `deltas` are shares by metric, "" for all others."""

    parts: Sequence[Part]
    numbers: Numbers
    grouping: Grouping
    deltas: Mapping[str, float]


JudgedParts = list[dict[MeasureName, Judged]]


def judge(page: Sequence[Compared]) -> list[JudgedParts]:
    """The measures of each part of each comparison of a page."""
    judges = [
        [
            {m: _Judge(part, m, one.numbers, one.deltas) for m in one.numbers.shown}
            for part in one.parts
        ]
        for one in page
    ]
    every = [
        (judge_, compared.grouping.baseline)
        for compared, own in zip(page, judges, strict=True)
        for part in own
        for judge_ in part.values()
    ]
    groups = len(
        {(*one.grouping.factors, g.key) for one in page for part in one.parts for g in part.groups}
    )
    against = {
        _Claim(number, group, baseline or ""): found
        for number, (one, baseline) in enumerate(every)
        for group, found in one.against(baseline)
    }
    by_number = [one for one, _baseline in every]
    primary = [claim for claim in against if by_number[claim.judge].judged.primary]
    for claim, allowed in _allowed(by_number, against, primary, groups).items():
        by_number[claim.judge].judged.verdicts[claim.group] = allowed
    ranked = [one for one in by_number if one.judged.primary and one.better]
    best, worst = (_extreme(ranked, groups, best=best) for best in (True, False))
    for number, one in enumerate(ranked):
        one.judged.extremes = Extremes(best[number], worst[number])
    return [
        [{measure: one.judged for measure, one in part.items()} for part in own] for own in judges
    ]


class _Claim(NamedTuple):
    """That a group is other than another one, by the number of the judge, and keys of both."""

    judge: int
    group: str
    other: str


def _allowed(
    judges: Sequence[_Judge],
    found: Mapping[_Claim, Verdict],
    primary: Iterable[_Claim],
    groups: int,
) -> dict[_Claim, Verdict]:
    """As `allowing_for_many`; what two charts of a page claim of the same samples is one claim."""
    first: dict[Hashable, _Claim] = {}
    same = {
        claim: first.setdefault((*judges[claim.judge].content_of(claim), one), claim)
        for claim, one in found.items()
    }
    once = {claim: found[claim] for claim in first.values()}
    allowed = allowing_for_many(once, {same[claim] for claim in primary}, groups)
    return {claim: allowed[same[claim]] for claim in found}


def shares_of(
    parts: Sequence[Part], numbers: Numbers, baseline: str | None
) -> list[dict[MeasureName, dict[str, float | None]]]:
    """Of each part and measure of the overview, each group's share of the baseline."""
    measured = Numbers(numbers.overview, numbers.beside)
    found: list[dict[MeasureName, dict[str, float | None]]] = []
    for part in parts:
        judges = {name: _Judge(part, name, measured, {"": DELTA}) for name in numbers.overview}
        for judge_ in judges.values():
            deque(judge_.against(baseline), maxlen=0)
        found.append({name: judge_.judged.ratios for name, judge_ in judges.items()})
    return found


def _extreme(ranked: Sequence[_Judge], groups: int, *, best: bool) -> list[frozenset[str]]:
    """Of each measure the leading group and whoever it is not firmly better than.

    Holm over all rivals on the page; nothing where a group has too few samples.
    """
    ahead = [one.leader(best=best) for one in ranked]
    rivals = {
        _Claim(number, group, first.key): found
        for number, (one, first) in enumerate(zip(ranked, ahead, strict=True))
        if first
        for group, found in one.rivals_of(first, best=best)
    }
    near: list[set[str]] = [{first.key} if first else set() for first in ahead]
    for claim, found in _allowed(ranked, rivals, rivals, groups).items():
        if found.word is not Word.BETTER:
            near[claim.judge].add(claim.group)
    return [frozenset(one) for one in near]


class _Judge:
    """How the groups of a part are held against each other by one measure."""

    def __init__(
        self, part: Part, measure: MeasureName, numbers: Numbers, deltas: Mapping[str, float]
    ) -> None:
        metric = METRICS[measure.metric]
        self.part = part
        self.measure = measure
        self.shown: ByRun = numbers.shown[measure]
        self.values: ByRun = self.shown
        self._made: dict[tuple[str, tuple[Factor, ...]], Samples] = {}
        self.better = _BETTER[metric.higher_is_better]
        per: Per = ""
        if metric.family == "cpu":
            runs = [run.id for group in part.groups for run in group.runs if run.id in self.shown]
            spent, per = costs(measure, {run: self.shown[run] for run in runs}, numbers.beside)
            if per:
                self.values, self.better = spent, "lower"
        self.judged = Judged(
            delta=deltas.get(measure.metric, deltas[""]),
            primary=measure in part.primary,
            per=per,
            above=_fewest(part.groups, above(measure, numbers.beside)),
        )

    def against(self, baseline: str | None) -> Iterator[tuple[str, Verdict]]:
        """The verdict on each other group by its key; ratios are kept on the way."""
        base = next((group for group in self.part.groups if group.key == baseline), None)
        for group in self.part.groups if base else ():
            if base and group is not base:
                found = self._verdict(group, base, self.better)
                self.judged.pooled[group.key] = self.part.pools.between(group, base)
                self.judged.ratios[group.key] = self._ratio(group, base, found)
                yield group.key, found

    def leader(self, *, best: bool) -> Group | None:
        """The group that is ahead (or behind); None where that means nothing."""
        key = leader(self._by_block, self._towards(best=best))
        return next((group for group in self.part.groups if group.key == key), None)

    @cached_property
    def _by_block(self) -> dict[str, Samples]:
        samples = {group.key: self._samples(group) for group in self.part.groups}
        return each_by_block({key: own for key, own in samples.items() if own})

    def rivals_of(self, first: Group, *, best: bool) -> Iterator[tuple[str, Verdict]]:
        """The verdict on `first` against each other group that was measured."""
        for group in self.part.groups:
            if group is not first and self._samples(group):
                yield group.key, self._verdict(first, group, self._towards(best=best))

    def content_of(self, claim: _Claim) -> tuple[Hashable, ...]:
        """What a claim is about, whatever its groups are called: measure and samples, if primary."""
        mine, its = self._measured[claim.group], self._measured[claim.other]
        return self.measure, self.judged.primary, mine, its

    @cached_property
    def _measured(self) -> dict[str, frozenset[int]]:
        """By key of a group the ids of its samples."""
        return {
            group.key: frozenset(run.id for run in group.runs if run.id in self.shown)
            for group in self.part.groups
        }

    def _towards(self, *, best: bool) -> Better:
        assert self.better
        return self.better if best else _OPPOSITE[self.better]

    def _verdict(self, subject: Group, baseline: Group, better: Better | None) -> Verdict:
        mine, its = self._pair(subject, baseline)
        above = [self.judged.above.get(one.key, FEWEST_ABOVE) for one in (subject, baseline)]
        if mine and its and min(above) < FEWEST_ABOVE:
            return Verdict(Word.NONE, Reason.THIN_TAIL, (len(mine), len(its)))
        looks = [run.look for one in (subject, baseline) for run in one.runs if run.look]
        found = verdict(mine, its, better, self.judged.delta)
        if sides := put_together(mine, its):
            together = verdict(sides.subject, sides.baseline, better, self.judged.delta)
            found = of_blocks(together, sides)
        return as_of_look(
            found,
            is_over=all(look.over for look in looks),
            looks=max((look.looks for look in looks), default=1),
        )

    def _ratio(self, group: Group, base: Group, found: Verdict) -> float | None:
        """The estimate, of CPU that of CPU itself; of medians where a value is zero."""
        if self.judged.per or found.reason is Reason.THIN_TAIL:
            factors = self.part.pools.between(group, base)
            mine, its = (self._samples_of(one, self.shown, factors) for one in (group, base))
            found = verdict(mine, its, None)
        if found.reason is not Reason.NOT_POSITIVE:
            return found.ratio
        top, bottom = (
            median(self.shown[run.id] for run in one.runs if run.id in self.shown)
            for one in (group, base)
        )
        return top / bottom if bottom else None

    def _pair(self, one: Group, other: Group) -> tuple[Samples, Samples]:
        factors = self.part.pools.between(one, other)
        return self._samples(one, factors), self._samples(other, factors)

    def _samples(self, group: Group, factors: tuple[Factor, ...] = ()) -> Samples:
        """What is judged of a group; each is held against many others."""
        key = group.key, factors
        if key not in self._made:
            self._made[key] = self._samples_of(group, self.values, factors)
        return self._made[key]

    def _samples_of(self, group: Group, values: ByRun, factors: tuple[Factor, ...]) -> Samples:
        """The samples of a group, in strata of `factors`."""
        starts, pools = self.part.starts, self.part.pools
        return Samples(
            [
                Sample(
                    values[run.id],
                    starts.get(run.id),
                    run.look and (run.look.plan, run.look.round),
                    pools.stratum(run, factors) if factors else "",
                    run.look.block if run.look else "",
                )
                for run in group.runs
                if run.id in values
            ]
        )


def _fewest(groups: Iterable[Group], above: ByRun) -> dict[str, float]:
    known = {
        group.key: [above[run.id] for run in group.runs if run.id in above] for group in groups
    }
    return {key: min(counts) for key, counts in known.items() if counts}


def primary_of(
    groups: Iterable[Group], numbers: Numbers, workloads: Workloads
) -> frozenset[MeasureName]:
    """The primary measures of the tools and block sizes of these groups, as far as they are shown.

    Of alternatives the first that is shown, or that is a percentile which the runs have.
    """
    pairs = {(run.tool, run.workload_id) for group in groups for run in group.runs}
    kinds = {(tool, workloads[workload].axes.get("block_bytes")) for tool, workload in pairs}
    there = {name for name, values in numbers.shown.items() if values}
    there |= {name for name, own in numbers.beside.items() if own and percentile(name.statistic)}
    found = set()
    for tool, block_bytes in kinds:
        known = TOOLS[tool].primary_for(block_bytes) if tool in TOOLS else ()
        for alternatives in known:
            found |= {*[name for name in alternatives if name in there][:1]}
    return frozenset(found)
