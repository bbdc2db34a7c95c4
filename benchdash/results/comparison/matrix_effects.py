"""The effects of a matrix's factors on each measure, judged as one page: main effects and pairs.

Logarithms, with each round's effect taken out. The rules are those of `analysis/verdicts.py`: a firm
finding needs a primary measure, rounds that are over (or a difference beyond any drift), and room
for all effects on the page (Holm). What falls short of it leans; what is not seen says how large it
would have had to be.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from statistics import median
from typing import Literal, NamedTuple

from msgspec.structs import replace

from benchdash.analysis.differences import Difference, two_modes
from benchdash.analysis.effects import Effect, Model, squares_within
from benchdash.analysis.many import holm
from benchdash.analysis.verdicts import (
    DRIFT,
    DRIFT_SDS,
    ENOUGH,
    LEVEL,
    Reason,
)
from benchdash.results.comparison import matrix_sentences as words
from benchdash.results.comparison.doubted import Doubted
from benchdash.results.comparison.judging import FEWEST_ABOVE, JudgedParts
from benchdash.results.comparison.matrix import (
    Table,
    Varying,
    crossed,
    table_of,
)
from benchdash.results.comparison.matrix_best import leader_of
from benchdash.results.comparison.matrix_models import Measured, model_of, modelled
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.view_matrix import (
    CrossedCell,
    FactorEffect,
    MatrixLevel,
    MeasureEffects,
    PairEffect,
    Share,
)
from benchdash.results.factors import Factor
from benchdash.results.titles import factor_title, measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.prefixes import shown_unit

MOST_MEASURES = 8
_BLOCK_BYTES = Factor("workload", "block_bytes")
_TWINS = {"iops": "throughput", "throughput": "iops"}
_SHARE_OF_GRID = 0.5  # of all combinations, which a matrix is to have


class Modelled(NamedTuple):
    """The matrices of a comparison, with its numbers and what its figures were judged to show."""

    matrices: Sequence[Varying]
    numbers: Numbers
    doubted: Doubted
    judged: JudgedParts
    binary: bool


def effects_on(page: Sequence[Modelled]) -> list[list[tuple[MeasureEffects, ...]]]:
    """The effects in each matrix of each comparison of a page, of measures that mean better or worse."""
    found = [[list(_measured(varying, one)) for varying in one.matrices] for one in page]
    models = [one for own in found for each in own for one in each if isinstance(one, Measured)]
    claims = [_claims(one) for one in models]
    adjusted = holm(
        {
            claims[place][effect.factors]: one.p(effect)
            for place, one in enumerate(models)
            if one.judged.primary
            for _by, effect in one.effects
        }
    )
    shown = iter(
        [
            _shown(one, {at: adjusted[claim] for at, claim in own.items() if claim in adjusted})
            for one, own in zip(models, claims, strict=True)
        ]
    )
    return [
        [tuple(next(shown) if isinstance(one, Measured) else one for one in each) for each in own]
        for own in found
    ]


def _claims(one: Measured) -> dict[tuple[int, ...], Hashable]:
    """By the places of its factors what each effect says; of the same samples it is one claim."""
    samples = frozenset(run.id for run in one.varying.runs)
    return {
        effect.factors: (
            *(one.name, one.judged.primary, samples),
            tuple(one.table.factors[place].factor for place in effect.factors),
        )
        for _by, effect in one.effects
    }


def _measured(varying: Varying, comparison: Modelled) -> Iterator[Measured | MeasureEffects]:
    """Primary measures first; with why there is no model, where a matrix was meant to be one."""
    if not _is_grid(varying):
        return
    _matrices, numbers, doubted, page, binary = comparison
    judged = page[varying.parts[0]]
    names = [
        name
        for name in numbers.shown
        if METRICS[name.metric].higher_is_better is not None
        and METRICS[name.metric].family != "cpu"
        and not any(few < FEWEST_ABOVE for few in judged[name].above.values())
    ]
    names.sort(key=lambda name: not judged[name].primary)
    if _BLOCK_BYTES not in [one.factor for one in varying.factors]:
        names = _without_twins(names)
    for name in names[:MOST_MEASURES]:
        own = numbers.shown[name]
        samples = {run.id: own[run.id] for run in varying.runs if run.id in own}
        if not samples:
            continue
        if min(samples.values()) <= 0:
            yield _refused(varying, name, samples, words.not_positive(), binary=binary)
            continue
        table = table_of(varying, samples)
        known = len(doubted.get(name, frozenset()) & samples.keys())

        def measured(
            table: Table, model: Model, name: MeasureName = name, known: int = known
        ) -> Measured:
            return Measured(varying, name, judged[name], table, model, binary, known)

        if one := modelled(table, measured):
            yield one
        else:
            why = words.too_few(len(samples), len(set(table.cells)))
            yield _refused(varying, name, samples, why, binary=binary)


def _without_twins(names: Sequence[MeasureName]) -> list[MeasureName]:
    """Of IOPS and throughput, which have the same effects at one block size, the first."""
    kept: list[MeasureName] = []
    for name in names:
        twin = name._replace(metric=_TWINS.get(name.metric, ""))
        if twin not in kept:
            kept.append(name)
    return kept


def _is_grid(varying: Varying) -> bool:
    """Whether two factors or more were crossed: half of the grid, and more than a list of changes."""
    cells, factors = len(varying.cells), varying.factors
    apart = 1 + sum(len(one.levels) - 1 for one in factors)
    return len(factors) > 1 and cells > apart and cells >= _SHARE_OF_GRID * varying.possible


def _refused(
    varying: Varying,
    name: MeasureName,
    samples: Mapping[int, float],
    why: str,
    *,
    binary: bool,
) -> MeasureEffects:
    metric = METRICS[name.metric]
    return MeasureEffects(
        measure=str(name),
        title=measure_title(name),
        unit=metric.unit,
        shown=shown_unit(metric, samples.values(), binary=binary),
        higher_is_better=metric.higher_is_better,
        primary=False,
        n=len(samples),
        cells=len({varying.levels[run] for run in samples}),
        rounds=None,
        noise=None,
        refused=why,
    )


def _shown(one: Measured, adjusted: Mapping[tuple[int, ...], float]) -> MeasureEffects:
    """The measure with its effects, each judged; `adjusted` p-values are there of primary measures."""
    metric = METRICS[one.name.metric]
    by_cell: dict[tuple[int, ...], list[float]] = defaultdict(list)
    for cell, value in zip(one.table.cells, one.table.values, strict=True):
        by_cell[cell].append(math.exp(value))
    factors: list[FactorEffect] = []
    pairs: list[PairEffect] = []
    # of what varies between rounds as well, where that is told
    is_loose = one.loose or (one.between and one.between.loose)
    whole = squares_within(one.table.values, None if is_loose else one.table.rounds)
    for by, effect in one.effects:
        finding, reason = _finding(by, effect, adjusted.get(effect.factors))
        share = effect.share * (by.model.squares * by.samples_each / whole if whole else 1)
        if len(effect.factors) == 1:
            factors.append(_factor_effect(by, effect, share, finding, reason))
        else:
            pairs.append(_pair_effect(by, effect, share, finding, reason))
    explained = [one.explained for one in factors] + [one.explained for one in pairs]
    factors.sort(key=lambda effect: -effect.explained)
    pairs.sort(key=lambda effect: -effect.explained)
    shown = MeasureEffects(
        measure=str(one.name),
        title=measure_title(one.name),
        unit=metric.unit,
        # of medians, as in the tables above
        shown=shown_unit(metric, map(median, by_cell.values()), binary=one.binary),
        higher_is_better=metric.higher_is_better,
        primary=one.judged.primary,
        n=one.model.n,
        doubted=one.doubted,
        cells=len(set(one.table.cells)),
        rounds=len({*one.table.rounds}) if one.table.rounds else None,
        blocks=len({*one.table.blocks}) if one.dear and one.table.blocks else None,
        noise=math.expm1(one.model.sd),
        factors=tuple(factors),
        pairs=tuple(pairs),
        unexplained=max(0.0, 1 - math.fsum(explained)),
        remarks=tuple(_remarks(one)),
    )
    shown = replace(shown, leader=leader_of(shown, one.judged, one.table, one.varying))
    return replace(shown, sentence=words.of_measure(shown))


Finding = Literal["firm", "leans", "small", "unseen"]


def _finding(one: Measured, effect: Effect, adjusted: float | None) -> tuple[Finding, Reason]:
    """Whether the effect is there, and the first thing that speaks against a firmer finding."""
    if one.p(effect) > LEVEL or effect.clear <= 0:
        further = effect.p <= LEVEL < one.p(effect) and effect.clear > 0
        return ("leans", Reason.FURTHER_LOOK) if further else ("unseen", Reason.NOISE)
    if effect.size < math.log1p(one.judged.delta):
        return "small", Reason.SMALL
    reason = _weaker(one, effect, adjusted)
    return ("leans" if reason else "firm"), reason


def _weaker(one: Measured, effect: Effect, adjusted: float | None) -> Reason:
    if not one.varying.is_over:
        return Reason.NOT_OVER
    if not one.table.rounds and effect.clear <= max(math.log1p(DRIFT), DRIFT_SDS * one.model.sd):
        return Reason.SEQUENTIAL if one.varying.has_starts else Reason.UNKNOWN_ORDER
    if min(level.n for level in effect.levels) < (ENOUGH if effect.span else 2):
        return Reason.FEW
    if two_modes(one.model.rests):
        return Reason.TWO_MODES
    if adjusted is None:
        return Reason.DESCRIPTIVE
    return Reason.MANY if adjusted > LEVEL else Reason.NOTHING


def _factor_effect(
    one: Measured, effect: Effect, share: float, finding: Finding, reason: Reason
) -> FactorEffect:
    (place,) = effect.factors
    factor, span = one.table.factors[place], effect.span
    assert span
    made = FactorEffect(
        factor=str(factor.factor),
        title=factor.title,
        changes_with=tuple(map(factor_title, factor.stands_for)),
        explained=share,
        finding=finding,
        reason=reason,
        highest=factor.levels[span.highest].text,
        lowest=factor.levels[span.lowest].text,
        apart=Share(math.exp(span.estimate), math.exp(span.low), math.exp(span.high)),
        unnoticed=math.expm1(effect.unnoticed) if effect.unnoticed else None,
        levels=tuple(
            MatrixLevel(
                factor.levels[level.at[0]].text,
                factor.levels[level.at[0]].number,
                level.n,
                _times(level.effect),
            )
            for level in effect.levels
        ),
        of_blocks=one.is_of_blocks,
        sentence="",
    )
    return replace(
        made,
        sentence=words.of_factor(made, higher=METRICS[one.name.metric].higher_is_better is True),
    )


def _pair_effect(
    one: Measured, effect: Effect, share: float, finding: Finding, reason: Reason
) -> PairEffect:
    first, second = (one.table.factors[place] for place in effect.factors)
    model = one.model
    if not {*effect.factors}.isdisjoint(one.dear) and not one.is_of_blocks:
        # where two levels meet, a value also has the noise of its blocks
        model = model_of(one.table) or model
    fitted = crossed(one.table, model, effect.factors)
    made = PairEffect(
        factors=(str(first.factor), str(second.factor)),
        titles=(first.title, second.title),
        explained=share,
        finding=finding,
        reason=reason,
        unnoticed=math.expm1(effect.unnoticed) if effect.unnoticed else None,
        cells=tuple(
            CrossedCell(
                (first.levels[level.at[0]].text, second.levels[level.at[1]].text),
                level.n,
                *_value(fitted[level.at[0], level.at[1]]),
                _times(level.effect),
            )
            for level in effect.levels
        ),
        of_blocks=one.is_of_blocks,
        sentence="",
    )
    return replace(made, sentence=words.of_pair(made))


def _remarks(one: Measured) -> Iterator[str]:
    """What limits the reading: holes, factors that cannot be told apart, no repeats, no rounds."""
    table, model = one.table, one.model
    possible = math.prod(len(factor.levels) for factor in table.factors)
    cells = len(set(table.cells))
    if cells < possible:
        yield words.holes(cells, possible)
    elsewhere = {effect.factors for by, effect in one.effects if by is not one}
    dear = [table.factors[place].title for place in one.dear]
    if one.dear and one.between is None:
        yield words.few_blocks(dear, len({*(table.blocks or ())}))
    elif one.dear:
        yield words.of_blocks(dear)
    hidden = one.between.model.confounded if one.between else ()
    for place in (*model.confounded, *(place for place in hidden if place in one.dear)):
        say = words.apart if (place,) in elsewhere else words.confounded
        yield say(table.factors[place].title)
    if not model.has_pairs and len(table.factors) > 1:
        yield words.no_pairs()
    if not table.rounds:
        yield words.no_rounds(has_starts=one.varying.has_starts)


def _times(effect: Difference) -> Share:
    value, low, high = _value(effect)
    return Share(value, low, high)


def _value(effect: Difference) -> tuple[float, float, float]:
    margin = effect.margin()
    middle = effect.estimate
    return math.exp(middle), math.exp(middle - margin), math.exp(middle + margin)
