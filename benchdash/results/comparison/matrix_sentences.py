"""What a matrix means, in words and in the reader's language: never stronger than what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext, pgettext

from benchdash.analysis.scaling import LEAST_AMDAHL, LEAST_USL, Law, Misfit
from benchdash.analysis.verdicts import Reason
from benchdash.results.comparison.doubted import how_many_doubted
from benchdash.results.comparison.sentences import few_names, percent_text, share_text
from benchdash.results.comparison.view_matrix import (
    FactorEffect,
    FrontMeasure,
    LeadingCell,
    MeasureEffects,
    PairEffect,
)
from benchdash.vocabulary.prefixes import ShownUnit

_LEAST = 0.0005  # of a share that is worth saying
_BLIND = 1.0  # of an effect that data could overlook: twice as much tells nobody that there is none


def of_measure(found: MeasureEffects) -> str:
    """`Random write: stripe_cache_size explains 71 %; scheduler nothing that …; 12 % is noise.`"""
    higher = found.higher_is_better is True
    pairs = [one for one in found.pairs if one.finding != "unseen"]
    blind = [one.title for one in found.factors if _is_blind(one)]
    parts = [
        of_factor(one, higher=higher, briefly=True)
        for one in found.factors
        if len(blind) < 2 or one.title not in blind
    ]
    if len(blind) > 1:
        parts.append(_(_BLIND_FACTOR) % {"factor": _(", ").join(blind)})
    parts += [of_pair(one, briefly=True) for one in pairs]
    every: list[FactorEffect | PairEffect] = [*found.factors, *pairs]
    for reason in dict.fromkeys(one.reason for one in every if one.finding == "leans"):
        parts.append(_("no more than a leaning: %(why)s") % {"why": _reason(reason)})
    is_firm = any(one.finding == "firm" for one in every)
    if is_firm and (found.unexplained or 0.0) >= _LEAST:
        parts.append(
            _("%(percent)s %% remains unexplained") % {"percent": _whole(found.unexplained or 0.0)}
        )
    if found.doubted:
        parts.append(how_many_doubted(found.doubted, found.n))
    return _("%(title)s: %(ends)s.") % {"title": found.title, "ends": clauses(parts)}


def clauses(parts: Sequence[str]) -> str:
    """Each could be a sentence of its own."""
    return pgettext("between clauses", "; ").join(parts)


def of_factor(found: FactorEffect, *, higher: bool, briefly: bool = False) -> str:
    """What a factor explains; how far its levels are apart; or how large it would have had to be.

    And how many blocks that rests on, where these are counted.
    """
    sentence = _of_factor(found, higher=higher, briefly=briefly)
    if not found.of_blocks:
        return sentence
    words = {"sentence": sentence, "n": sum(level.n for level in found.levels)}
    return _("%(sentence)s, n counts blocks: %(n)s") % words


def _of_factor(found: FactorEffect, *, higher: bool, briefly: bool) -> str:
    words: dict[str, object] = {
        "factor": found.title,
        "explained": _whole(found.explained),
        "ends": _ends(found, higher=higher, briefly=briefly),
    }
    if found.finding == "firm":
        return _("%(factor)s explains %(explained)s %% (%(ends)s)") % words
    if found.finding == "leans" and briefly:
        return _("%(factor)s seems to explain %(explained)s %% (%(ends)s)") % words
    if found.finding == "leans":
        words["why"] = _reason(found.reason)
        return _("%(factor)s seems to explain %(explained)s %% (%(ends)s; %(why)s)") % words
    if found.finding == "small":
        words["percent"] = percent_text(found.apart.value - 1)
        return _("%(factor)s has an effect of %(percent)s %%, too little to matter") % words
    return _not_found(
        found.unnoticed,
        words,
        (
            _("%(factor)s shows no effect"),
            _(_BLIND_FACTOR),
            _("%(factor)s shows no effect (one of %(percent)s %% or more would show)"),
        ),
    )


def _is_blind(found: FactorEffect) -> bool:
    sought = found.finding not in ("firm", "leans", "small")
    return sought and found.unnoticed is not None and found.unnoticed > _BLIND


def _not_found(
    unnoticed: float | None, words: dict[str, object], texts: tuple[str, str, str]
) -> str:
    """What was not found: plainly, that the data could not show it, or from what size on it would."""
    plain, blind, sized = texts
    if unnoticed is None:
        return plain % words
    if unnoticed > _BLIND:
        return blind % words
    return sized % (words | {"percent": percent_text(unnoticed)})


def _ends(found: FactorEffect, *, higher: bool, briefly: bool) -> str:
    """The worse level as a share of the better one; with its interval if not `briefly`."""
    worse, better = (found.lowest, found.highest) if higher else (found.highest, found.lowest)
    apart = found.apart
    ends = (apart.value, apart.low, apart.high)
    value, low, high = (1 / ends[0], 1 / ends[2], 1 / ends[1]) if higher else ends
    words = {"level": worse, "share": share_text(value, better)}
    if briefly:
        return _("%(level)s: %(share)s") % words
    words |= {"low": percent_text(low), "high": percent_text(high)}
    return _("%(level)s: %(share)s, 95 %% interval %(low)s – %(high)s %%") % words


def of_pair(found: PairEffect, *, briefly: bool = False) -> str:
    """Whether one factor's effect depends on the other; `briefly` without what weakens it."""
    first, second = found.titles
    words: dict[str, object] = {
        "first": first,
        "second": second,
        "explained": _whole(found.explained),
    }
    if found.finding == "firm":
        return (
            _(
                "the effect of %(first)s depends on %(second)s, which explains a further "
                "%(explained)s %% of the variance"
            )
            % words
        )
    if found.finding == "leans" and briefly:
        return (
            _(
                "the effect of %(first)s seems to depend on %(second)s (a further "
                "%(explained)s %% of the variance)"
            )
            % words
        )
    if found.finding == "leans":
        words["why"] = _reason(found.reason)
        return (
            _(
                "the effect of %(first)s seems to depend on %(second)s (a further "
                "%(explained)s %% of the variance; %(why)s)"
            )
            % words
        )
    if found.finding == "small":
        return _("%(first)s and %(second)s depend on each other too little to matter") % words
    return _not_found(
        found.unnoticed,
        words,
        (
            _("%(first)s and %(second)s do not depend on each other"),
            _(
                "whether %(first)s and %(second)s depend on each other cannot be said from this data"
            ),
            _("%(first)s and %(second)s: no dependence visible in this data (≥ %(percent)s %%)"),
        ),
    )


def of_leader(found: LeadingCell, measure: MeasureEffects, *, evened: bool) -> str:
    """The leading combination, with all that may be as good; best only where that is firm.

    `evened`: its value is another without the differences between rounds, which are taken out.
    """
    value = f"{measure.shown.text(found.value)} {measure.shown.name}".strip()
    words: dict[str, object] = {"name": found.label, "value": value}
    if found.firm:
        return _("%(name)s is best with %(value)s.") % words
    ahead = _("Highest geometric mean: %(name)s, %(value)s") % words
    if not measure.higher_is_better:
        ahead = _("Lowest geometric mean: %(name)s, %(value)s") % words
    if evened:
        note = _("with the differences between rounds taken out")
        ahead = _("%(words)s (%(note)s)") % {"words": ahead, "note": note}
    words["ahead"] = ahead
    if not found.near:
        words["samples"] = ngettext("%(n)s sample", "%(n)s samples", found.n) % {"n": found.n}
        return (
            _(
                "%(ahead)s (%(samples)s). By the pooled noise of all combinations, all "
                "others are behind."
            )
            % words
        )
    words["names"] = few_names(found.near)
    count = len(found.near)
    if count + 1 == measure.cells:
        return _("%(ahead)s, but none of the others can be distinguished from it.") % words
    words_of_others = ngettext(
        "%(ahead)s. %(n)s other cannot be distinguished from it: %(names)s.",
        "%(ahead)s. %(n)s others cannot be distinguished from it: %(names)s.",
        count,
    )
    return words_of_others % {**words, "n": count}


def too_few(samples: int, cells: int) -> str:
    """Why there is no model of so many samples."""
    return _(
        "%(samples)s samples of %(cells)s combinations are too few to tell factors from "
        "noise: measure more rounds."
    ) % {"samples": samples, "cells": cells}


def not_positive() -> str:
    return _("A value of zero has no ratio, so effects cannot be estimated.")


def holes(cells: int, possible: int) -> str:
    return _(
        "%(cells)s of %(possible)s combinations were measured: effects hold for these only."
    ) % {"cells": cells, "possible": possible}


def confounded(title: str) -> str:
    return _(
        "The effect of %(factor)s cannot be separated from the other factors or from the rounds."
    ) % {"factor": title}


def of_blocks(titles: Sequence[str]) -> str:
    return _(
        "What %(factors)s depends on was made once per block, so each block counts once: "
        "samples within a block are not independent."
    ) % {"factors": _(", ").join(titles)}


def few_blocks(titles: Sequence[str], blocks: int) -> str:
    """Why a dear factor has no effect: what varies from one block to the next is not known."""
    return _(
        "%(blocks)s blocks are too few to separate %(factors)s from what differs each time "
        "it is made: measure more rounds."
    ) % {"blocks": blocks, "factors": _(", ").join(titles)}


def apart(title: str) -> str:
    return _(
        "%(factor)s was not measured in the same rounds throughout: drift may pass for its effect."
    ) % {"factor": title}


def no_pairs() -> str:
    return _("Too few samples to tell whether factors depend on each other.")


def no_rounds(*, has_starts: bool) -> str:
    if has_starts:
        return _("Not measured in rounds: drift may pass for an effect.")
    return _("The order is unknown: drift may pass for an effect.")


def of_law(law: Law, title: str, unit: ShownUnit, last: float) -> str:
    """The law in words; `last` is the largest N that was measured, and nothing is said far beyond it."""
    words: dict[str, object] = {
        "along": title,
        "alpha": percent_text(law.alpha.value),
        "low": percent_text(law.alpha.low) if law.alpha.low else "0",
        "high": percent_text(min(1.0, law.alpha.high)),
    }
    parts = list(_limits(law, title, unit, last))
    if law.beta:
        words |= {"beta": f"{100 * law.beta.value:.2g}"}
        parts.append(
            _("contention %(alpha)s %% (%(low)s – %(high)s), coherency %(beta)s %%") % words
        )
        fit = _("Universal Scalability Law: %(parts)s.")
    else:
        parts.append(_("contention %(alpha)s %% (%(low)s – %(high)s)") % words)
        fit = _("Amdahl’s law: %(parts)s.")
    return fit % {"parts": clauses(parts)}


def _limits(law: Law, title: str, unit: ShownUnit, last: float) -> Iterator[str]:
    words: dict[str, object] = {"along": title, "last": f"{last:g}"}
    if law.ceiling is not None:
        words["ceiling"] = f"{unit.text(law.ceiling)} {unit.name}".strip()
    if law.peak:
        words |= {
            "peak": _count(law.peak.value),
            "low": _count(law.peak.low),
            "high": _count(law.peak.high),
        }
        if law.peak.value <= last:
            yield (
                _("peak of %(ceiling)s at %(along)s = %(peak)s (95 %% interval %(low)s – %(high)s)")
                % words
            )
        else:
            yield (
                _(
                    "still rising at %(along)s = %(last)s; the peak would be at about %(peak)s, beyond "
                    "what was measured"
                )
                % words
            )
    elif law.ceiling is None:
        yield _("grows with %(along)s: no limit up to %(last)s") % words
    else:
        yield _("no peak up to %(along)s = %(last)s; tends to %(ceiling)s") % words
    if law.knee and law.knee <= last:
        yield _("knee at %(along)s = %(knee)s") % {**words, "knee": _count(law.knee)}


def of_misfit(why: Misfit, places: int) -> str:
    """Why no law is drawn."""
    words = {"places": places, "amdahl": LEAST_AMDAHL, "usl": LEAST_USL}
    return _(_MISFITS[why]) % words


def of_front(
    measures: Sequence[FrontMeasure], front: Sequence[str], groups: int, samples: int
) -> str:
    """Which groups none is ahead of in all measures at once: of medians, so that nothing is best."""
    words: dict[str, object] = {
        "titles": _(", ").join(measure.title for measure in measures),
        "names": few_names(front),
        "n": len(front),
        "groups": groups,
        "samples": samples,
    }
    if len(front) == 1:
        return (
            _(
                "By medians of %(samples)s samples or more, %(names)s is ahead in all of these: "
                "%(titles)s."
            )
            % words
        )
    return (
        _(
            "By medians of %(samples)s samples or more, %(n)s of %(groups)s groups are "
            "Pareto-optimal (%(titles)s): %(names)s."
        )
        % words
    )


def _count(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}"


def _whole(share: float) -> str:
    """0.71 as `71`, 0.004 as `0.4`."""
    percent = 100 * share
    # what is nearly all is not all
    is_whole = 1 <= percent < 99.5 or percent < 0.05 or percent > 99.95
    return f"{percent:.0f}" if is_whole else f"{percent:.1f}"


def _reason(reason: str) -> str:
    return _(_REASONS[Reason(reason)])


_REASONS = {
    Reason.NOT_OVER: gettext_noop("its plan still has rounds to run"),
    Reason.SEQUENTIAL: gettext_noop("not interleaved, so drift may explain it"),
    Reason.UNKNOWN_ORDER: gettext_noop("the order is unknown, so drift may explain it"),
    Reason.FEW: gettext_noop("a level has too few samples"),
    Reason.TWO_MODES: gettext_noop("the noise has two modes"),
    Reason.DESCRIPTIVE: gettext_noop("not a primary measure of its tool, so it is not tested"),
    Reason.MANY: gettext_noop("with fewer effects on this page it would be firm"),
    Reason.FURTHER_LOOK: gettext_noop(
        "rounds were added to those planned, and a further look needs stronger evidence"
    ),
}
_BLIND_FACTOR = gettext_noop("no conclusion about %(factor)s: too few samples, or too scattered")
_MISFITS = {
    Misfit.TOO_FEW: gettext_noop(
        "No scaling law was fitted: %(places)s points are too few (Amdahl’s law needs "
        "%(amdahl)s, the Universal Scalability Law %(usl)s)."
    ),
    Misfit.NOT_POSITIVE: gettext_noop("No scaling law was fitted: a value or a point is zero."),
    Misfit.FALLS: gettext_noop(
        "No scaling law was fitted: throughput is highest at the first point, so nothing scales."
    ),
    Misfit.SUPERLINEAR: gettext_noop(
        "No scaling law was fitted: throughput grows more than linearly, which neither law "
        "describes; look for caches or a slow first point."
    ),
    Misfit.OFF: gettext_noop(
        "No scaling law was fitted: the nearest curve misses what was measured by more than 10 %% "
        "and more than noise."
    ),
}
