"""Verdicts and figures in words, in the reader's language: never stronger than the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from statistics import geometric_mean
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from benchdash.analysis import verdicts
from benchdash.analysis.verdicts import Reason, Word
from benchdash.results.comparison.judging import FEWEST_ABOVE, Extremes, Judged
from benchdash.results.comparison.pools import named
from benchdash.results.comparison.view import ComparisonView, Row, Verdict
from benchdash.results.factors import Factor
from benchdash.results.language import closed_up
from benchdash.vocabulary.prefixes import ShownUnit

# beyond this, "1/623" reads better than "0.161 %"
_FAR = 10.0
_VERY_FAR = 10_000.0
_MOST_NAMES = 5


def percent_text(share: float) -> str:
    """0.364 as `36.4`, 0.00165 as `0.165`: a hundredth of a percent is no false precision."""
    percent = 100 * share
    if percent >= 1000:
        return f"{percent:,.0f}"
    # a Decimal keeps its digits and knows them without an exponent: 0.0000892
    return f"{percent:.1f}" if percent >= 10 else f"{Decimal(f'{percent:#.3g}'):f}"


def share_alone(share: float) -> str:
    """0.364 as `36.4 %`; 12.5 as `12.5×` and 0.00002 as `1/50,000`, which read better than percents."""
    if 0 < share < 1 / _VERY_FAR:
        return f"1/{1 / share:,.0f}"
    if share < _FAR:
        return f"{percent_text(share)} %"
    return f"{share:,.0f}×" if share >= 100 else f"{share:#.3g}×"


def delta_text(delta: float) -> str:
    """0.02 as `2 %`."""
    return f"{100 * delta:.4g} %"


def listed(names: Sequence[str]) -> str:
    """All of them, separated by slashes where names contain commas."""
    has_commas = any("," in name or "、" in name for name in names)
    return (" / " if has_commas else _(", ")).join(names)


def few_names(labels: Sequence[str]) -> str:
    """All of a few; of many the first ones and how many more."""
    if len(labels) <= _MOST_NAMES:
        return listed(labels)
    first = listed(labels[: _MOST_NAMES - 1])
    return _("%(names)s and %(n)s more") % {"names": first, "n": len(labels) - _MOST_NAMES + 1}


def single_words(view: ComparisonView) -> str:
    """What to say where no group of several has more than one sample, else nothing."""
    if not (view.is_single and view.sections) or view.runs == 1:
        return ""
    if view.samples:
        return _("One sample each: small differences may be noise, and there is no telling which.")
    # a link from before samples were counted
    return _("One run each: small differences may be noise, and there is no telling which.")


def unrecorded_words(view: ComparisonView) -> str:
    """What to say of groups whose samples may be no repeats, else nothing."""
    if not view.unrecorded:
        return ""
    return closed_up(
        _(
            "There is no record of what the samples of %(names)s were measured on, so they may not be "
            "repeats of each other: give their runs a configuration or an environment."
        )
        % {"names": few_names(view.unrecorded)}
    )


def pooled_words(view: ComparisonView) -> str:
    """Which groups hold runs of more than one configuration, and of how many, else nothing."""
    counts = {group.label: group.pools.get("configuration", 1) for group in view.groups}
    pooled = [f"{label} ({count})" for label, count in counts.items() if count > 1]
    if not pooled:
        return ""
    return closed_up(
        _("More than one configuration under one name: %(names)s.") % {"names": few_names(pooled)}
    )


def in_words(judged: Judged, group: str) -> Verdict:
    """The verdict on a group, with its sentence."""
    found = judged.verdicts[group]
    return Verdict(
        word=found.word,
        reason=found.reason,
        text=_word_text(found, judged.delta),
        sentence=_sentence(found, judged, judged.pooled[group]),
        estimate=found.ratio,
        low=found.low,
        high=found.high,
        per=judged.per,
        luck=found.luck,
        unnoticed=found.unnoticed,
        more_rounds=found.more_rounds,
        delta=judged.delta,
        comparisons=found.comparisons,
        n=found.n[0],
        baseline_n=found.n[1],
        rounds=found.rounds,
        of_blocks=found.of_blocks,
    )


def _word_text(found: verdicts.Verdict, delta: float) -> str:
    if found.reason is Reason.EQUAL:
        return _("equal")
    return _(_WORDS[found.word]) % {"delta": delta_text(delta)}


def _sentence(found: verdicts.Verdict, judged: Judged, pooled: Sequence[Factor]) -> str:
    numbers = [] if found.reason is Reason.EQUAL or found.ratio is None else [_numbers(found)]
    parts = [*numbers, *_why(found, judged, pooled)]
    word = _word_text(found, judged.delta)
    if judged.per:
        per = _("CPU per byte") if judged.per == "byte" else _("CPU per operation")
        word = _("%(what)s %(word)s") % {"what": per, "word": word}
    return closed_up(_("%(word)s: %(parts)s") % {"word": word, "parts": _("; ").join(parts)})


def _numbers(found: verdicts.Verdict) -> str:
    """The estimate, and its interval where it has one."""
    words = {"share": share_text(found.ratio or 0.0, _("the baseline"))}
    if found.low is None or found.high is None:
        return words["share"]
    words |= {"low": percent_text(found.low), "high": percent_text(found.high)}
    return _("%(share)s (95 %% interval %(low)s – %(high)s %%)") % words


def share_text(share: float, other: str) -> str:
    """`36.4 % of ext3`, `1/623 of ext3`, `50 times ext3`."""
    words = {"other": other}
    if share <= 1 / _FAR:
        words["times"] = f"{1 / share:,.0f}"
        return _("1/%(times)s of %(other)s") % words
    if share >= _FAR:
        words["times"] = f"{share:,.0f}"
        return _("%(times)s times %(other)s") % words
    words["percent"] = percent_text(share)
    return _("%(percent)s %% of %(other)s") % words


def _why(found: verdicts.Verdict, judged: Judged, pooled: Sequence[Factor]) -> Iterator[str]:
    """What the word rests on, what speaks against a firmer one, and what would mend it."""
    mine, its = found.n
    words: dict[str, object] = {
        "n": mine,
        "m": its,
        "rounds": found.rounds,
        "delta": delta_text(judged.delta),
        "comparisons": found.comparisons,
        "pooled": named(pooled),
        "fewest": FEWEST_ABOVE,
        "luck": percent_text(found.luck or 0.0),
    }
    if found.reason is Reason.FEW:
        few = _FEW_ROUNDS if found.rounds else _FEW_APART
        yield _(few) % words
        if found.of_blocks:
            yield _("n counts blocks: %(n)s + %(m)s") % words
        return
    if found.low is not None:
        yield _(_ROUNDS if found.rounds else _SAMPLES) % words
    if found.of_blocks:
        yield _("n counts blocks: %(n)s + %(m)s") % words
    if found.word.firm and _clears(found, judged.delta):
        yield _("a difference of at least %(delta)s") % words
    if found.reason in _REASONS:
        yield _(_REASONS[found.reason]) % words
    if found.word is Word.UNCLEAR and found.reason is Reason.NOISE:
        yield from _what_would_help(found, words)


def _clears(found: verdicts.Verdict, delta: float) -> bool:
    """Whether the whole interval is beyond the smallest difference that matters."""
    assert found.low is not None and found.high is not None
    return found.low >= 1 + delta or found.high <= 1 / (1 + delta)


def _what_would_help(found: verdicts.Verdict, words: Mapping[str, object]) -> Iterator[str]:
    if found.unnoticed is not None:
        yield _("a difference of up to %(percent)s %% would have gone unnoticed") % {
            "percent": percent_text(found.unnoticed)
        }
    if found.more_rounds:
        some = ngettext(
            "about %(more)s more round would show %(delta)s",
            "about %(more)s more rounds would show %(delta)s",
            found.more_rounds,
        )
        yield some % {**words, "more": found.more_rounds}
    elif found.sd:
        yield _("more rounds alone are unlikely to show %(delta)s") % words


class Shown(NamedTuple):
    """What a figure's sentence is about."""

    title: str
    higher_is_better: bool | None
    unit: ShownUnit
    baseline: str | None


def figure_sentence(rows: Sequence[Row], shown: Shown, extremes: Extremes) -> str:
    """The two ends, and how far apart; empty where there is nothing to prefer.

    Below five samples in a group nothing is best or worst; from there on only what is firmly so
    against every rival.
    """
    measured = [row for row in rows if row.median is not None]
    if shown.higher_is_better is None or len(measured) < 2:
        return ""
    ordered = sorted(measured, key=_median, reverse=shown.higher_is_better)
    ends = _("; ").join(_ends(ordered, shown, extremes))
    sentence = _("%(title)s: %(ends)s.") % {"title": shown.title, "ends": ends}
    return closed_up(" ".join([sentence, *_missing(rows)]))


def _ends(ordered: Sequence[Row], shown: Shown, extremes: Extremes) -> Iterator[str]:
    """What is ahead, then what is behind."""
    first, last = ordered[0], ordered[-1]
    higher = bool(shown.higher_is_better)
    if len({one.value for row in ordered for one in row.values}) == 1:
        words = {"names": few_names([row.label for row in ordered]), "value": _value(first, shown)}
        yield _("equal: %(names)s, %(value)s") % words
        return
    best = [row for row in ordered if row.group in extremes.best]
    if len(best) == 1:
        yield _("%(name)s is best with %(value)s") % _named(best[0], shown)
    elif 0 < len(best) < len(ordered):
        yield _("possible winners: %(names)s") % {"names": few_names([row.label for row in best])}
    else:
        ahead = [row for row in ordered if row.median == first.median]
        seen = (
            _("highest seen: %(name)s, %(value)s")
            if higher
            else _("lowest seen: %(name)s, %(value)s")
        )
        samples = ngettext("%(n)s sample", "%(n)s samples", first.n) % {"n": first.n}
        words = _named(first, shown) | {"name": few_names([row.label for row in ahead])}
        yield _("%(seen)s (%(samples)s)") % {"seen": seen % words, "samples": samples}
    is_open = len(best) == len(ordered)
    if last.median != first.median and (is_open or last not in best):
        yield _behind(last, best[0] if best else first, ordered, shown, extremes)
    if is_open:
        yield _("the samples do not show which of the %(n)s is best") % {"n": len(best)}


def _behind(last: Row, first: Row, ordered: Sequence[Row], shown: Shown, extremes: Extremes) -> str:
    higher = bool(shown.higher_is_better)
    base = next((row for row in ordered if row.group == shown.baseline and row is not last), None)
    words = {"name": last.label, "share": _share(last, first, base, higher)}
    if extremes.worst == {last.group}:
        worst = _("%(name)s is worst, %(share)s") if words["share"] else _("%(name)s is worst")
        return worst % words
    if words["share"]:
        lowest, highest = _("lowest: %(name)s, %(share)s"), _("highest: %(name)s, %(share)s")
    else:
        lowest, highest = _("lowest: %(name)s"), _("highest: %(name)s")
    return (lowest if higher else highest) % words


def _share(last: Row, first: Row, base: Row | None, higher: bool) -> str:
    """What is behind as a share of the baseline, or of what is ahead; empty where there is none.

    Estimates are of pairs or means, the order is that of medians: where they disagree, there is none.
    Where it is not what readers divide out of the medians, it says what it is of.
    """
    if base is None:
        share, name = _of_means(last, first), first.label
    else:
        share = last.ratio
        name = base.label if base is first else _("the baseline, %(name)s") % {"name": base.label}
    if not share or (share != 1 and (share > 1) is higher):
        return ""
    text, its = share_text(share, name), _median(base or first)
    if its and text == share_text(_median(last) / its, name):
        return text
    paired = base and last.against and last.against.rounds
    words = _("%(share)s, round by round") if paired else _("%(share)s by geometric mean")
    return words % {"share": text}


def _of_means(last: Row, first: Row) -> float | None:
    """The ratio of geometric means; None where a value has no logarithm, or none represents all."""
    mine, its = ([one.value for one in row.values] for row in (last, first))
    if last.modes or first.modes or min(*mine, *its) <= 0:
        return None
    return geometric_mean(mine) / geometric_mean(its)


def _named(row: Row, shown: Shown) -> dict[str, str]:
    return {"name": row.label, "value": _value(row, shown)}


def _value(row: Row, shown: Shown) -> str:
    return f"{shown.unit.text(_median(row))} {shown.unit.name}".strip()


def _median(row: Row) -> float:
    assert row.median is not None
    return row.median


def _missing(rows: Sequence[Row]) -> Iterator[str]:
    """What tools printed for groups that have no value at all."""
    silent: dict[str, list[Row]] = {}
    for row in rows:
        if not row.values:
            for one in row.notes:
                silent.setdefault(one.note, []).append(row)
    for note, without in silent.items():
        yield _("%(names)s: %(note)s.") % {
            "names": few_names([row.label for row in without]),
            "note": _(note),
        }


_WORDS = {
    Word.BETTER: gettext_noop("better"),
    Word.WORSE: gettext_noop("worse"),
    Word.LEANS_BETTER: gettext_noop("leans better"),
    Word.LEANS_WORSE: gettext_noop("leans worse"),
    Word.UNCLEAR: gettext_noop("unclear"),
    Word.NO_DIFFERENCE: gettext_noop("no difference above %(delta)s"),
    Word.NONE: gettext_noop("no verdict"),
}
_ROUNDS = gettext_noop("%(rounds)s interleaved rounds")
_SAMPLES = gettext_noop("%(n)s + %(m)s samples")
_FEW_ROUNDS = gettext_noop(
    "%(rounds)s rounds agree, which happens by chance in %(luck)s %% of cases"
)
_FEW_APART = gettext_noop(
    "%(n)s + %(m)s samples do not overlap, which happens by chance in %(luck)s %% of cases"
)
_REASONS = {
    Reason.NOT_POSITIVE: gettext_noop("a value of zero has no ratio"),
    Reason.EQUAL: gettext_noop("every value is the same, %(n)s + %(m)s samples"),
    Reason.NO_COMMON_STRATUM: gettext_noop(
        "runs that differ in %(pooled)s are pooled, and the two groups have no part in common"
    ),
    Reason.NOT_MEASURED: gettext_noop("one side was not measured"),
    Reason.THIN_TAIL: gettext_noop(
        "the tail is too thin (fewer than %(fewest)s operations lie above this percentile)"
    ),
    Reason.ONCE: gettext_noop("%(n)s + %(m)s samples, and a single measurement has no spread"),
    Reason.OVERLAP: gettext_noop("%(n)s + %(m)s samples that overlap"),
    Reason.NO_DIRECTION: gettext_noop("more is neither better nor worse"),
    Reason.STRATA: gettext_noop(
        "runs that differ in %(pooled)s are pooled, so they were compared part by part"
    ),
    Reason.TWO_MODES: gettext_noop(
        "the samples have two modes, so no single number represents them"
    ),
    Reason.SEQUENTIAL: gettext_noop("not interleaved, so drift may explain it"),
    Reason.UNKNOWN_ORDER: gettext_noop("the order is unknown, so drift may explain it"),
    Reason.TREND: gettext_noop("the difference itself changes over the rounds"),
    Reason.PERMUTATION: gettext_noop("too few rounds to be firm without assuming normal noise"),
    Reason.NOT_OVER: gettext_noop("its plan still has rounds to run"),
    Reason.FURTHER_LOOK: gettext_noop(
        "rounds were added to those planned, and a further look needs stronger evidence"
    ),
    Reason.MANY: gettext_noop(
        "it would be firm on its own, but this page makes %(comparisons)s comparisons"
    ),
    Reason.DESCRIPTIVE: gettext_noop("not a primary measure of its tool, so it is not tested"),
    Reason.SMALL: gettext_noop("below %(delta)s, too small to matter"),
}
