"""Doubts in a comparison: which samples they concern, and what repeats say against each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, geometric_mean

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.analysis.doubts import of_repeats
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.doubts import concerns, doubts_of
from benchdash.results.language import in_language
from benchdash.vocabulary.measures import MeasureName

# ids of samples, by the measure whose values stand under a doubt
Doubted = Mapping[MeasureName, frozenset[int]]


def with_doubts(samples: Sequence[SelectedRun]) -> list[SelectedRun]:
    """Each sample with the doubts of all its runs; one query."""
    found = doubts_of([pk for sample in samples for pk in sample.members])
    if not found:
        return list(samples)
    return [
        sample._replace(doubts=tuple(each for pk in sample.members for each in found.get(pk, ())))
        if any(pk in found for pk in sample.members)
        else sample
        for sample in samples
    ]


def concerned(sample: SelectedRun, measure: MeasureName) -> bool:
    """A doubt about some operations concerns their measures, any other all of them."""
    return any(concerns(each, (measure.operation,)) for each in sample.doubts)


def doubted_samples(samples: Iterable[SelectedRun], numbers: Numbers) -> Doubted:
    """The samples behind each measure whose value is doubted."""
    doubted = [sample for sample in samples if sample.doubts]
    return {
        measure: frozenset(
            one.id for one in doubted if one.id in values and concerned(one, measure)
        )
        for measure, values in (_every(numbers).items() if doubted else ())
    }


def left_out(numbers: Numbers, doubted: Doubted) -> Numbers:
    """The numbers without those that are doubted."""
    shown, overview, beside = (
        {
            measure: {run: value for run, value in values.items() if run not in doubted[measure]}
            if doubted.get(measure)
            else values
            for measure, values in own.items()
        }
        for own in (numbers.shown, numbers.overview, numbers.beside)
    )
    return replace(numbers, shown=shown, overview=overview, beside=beside)


def _every(numbers: Numbers) -> Mapping[MeasureName, Mapping[int, float]]:
    return {**numbers.beside, **numbers.overview, **numbers.shown}


def repeats_in_words(
    samples: Iterable[SelectedRun], values: Mapping[int, float], blocks: Sequence[float]
) -> tuple[str, ...]:
    """What the repeats of a group say against each other; nothing where a start is unknown.

    Samples of one of its `blocks` are no repeats: they have in common what was made once.
    """
    if blocks:
        words = ngettext(
            "All samples are of one block: what it shares was made once for all of it.",
            "Median and interval are of %(n)s blocks: what a block shares was made "
            "once for all of it.",
            len(blocks),
        )
        return (words % {"n": len(blocks)},)
    started = [(one.started_at, one.id) for one in samples if one.id in values and one.started_at]
    if len(started) < len(values):
        return ()
    return tuple(map(in_language, of_repeats([values[pk] for _start, pk in sorted(started)])))


def block_means(samples: Sequence[SelectedRun], values: Mapping[int, float]) -> list[float]:
    """One value a block, as verdicts have it; [] where no block has several samples.

    The geometric mean where all values are positive; a sample of no block stands for itself.
    """
    if not any(one.look and one.look.block for one in samples):
        return []
    own: dict[str | int, list[float]] = {}
    for one in samples:
        if one.id in values:
            block = one.look.block if one.look else ""
            own.setdefault(block or one.id, []).append(values[one.id])
    if len(own) == sum(map(len, own.values())):
        return []
    positive = all(value > 0 for value in values.values())
    return [geometric_mean(some) if positive else fmean(some) for some in own.values()]


def how_many_doubted(doubted: int, n: int) -> str:
    """`2 of 24 samples are doubted`."""
    some = ngettext(
        "%(doubted)s of %(n)s samples is doubted",
        "%(doubted)s of %(n)s samples are doubted",
        doubted,
    )
    return some % {"doubted": doubted, "n": n}


def rests_on(mine: int, n: int, its: int, baseline_n: int) -> str:
    """How many of the samples behind a verdict are doubted; "" where none is."""
    if not mine + its:
        return ""
    words = {"mine": mine, "n": n, "its": its, "baseline_n": baseline_n}
    if not its:
        some = ngettext(
            "%(mine)s of its %(n)s samples is doubted",
            "%(mine)s of its %(n)s samples are doubted",
            mine,
        )
        return some % words
    if not mine:
        some = ngettext(
            "%(its)s of the baseline’s %(baseline_n)s samples is doubted",
            "%(its)s of the baseline’s %(baseline_n)s samples are doubted",
            its,
        )
        return some % words
    return (
        _("%(mine)s of its %(n)s samples and %(its)s of the baseline’s %(baseline_n)s are doubted")
        % words
    )
