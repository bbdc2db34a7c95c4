"""What is said of two groups: each rule by an example, and what must not change the words."""

from __future__ import annotations

import random
from functools import partial

import numpy
import pytest

from benchdash.analysis.many import allowing_for_many, holm, possible_winners
from benchdash.analysis.samples import Sample, rounds_of
from benchdash.analysis.verdicts import Reason, Word, as_of_look, verdict
from tests import simulate_verdicts as simulation


def group(*values: float, first: float | None = None, step: float = 1.0, stratum=""):
    """Samples that started one after the other from `first` on; without times if None."""
    return [
        Sample(value, None if first is None else first + step * place, stratum=stratum)
        for place, value in enumerate(values)
    ]


def interleaved(subject, baseline):
    """Both in turns, ABBA."""
    pairs = zip(subject, baseline, strict=True)
    turns = [(2 * at, 2 * at + 1) if at % 2 else (2 * at + 1, 2 * at) for at in range(len(subject))]
    made = [
        (Sample(a, started=first), Sample(b, started=second))
        for (a, b), (first, second) in zip(pairs, turns, strict=True)
    ]
    return [a for a, _ in made], [b for _, b in made]


HUNDRED = (100.0, 101.0, 99.5, 100.5, 99.0, 100.2, 100.8, 99.7)
MORE = (107.6, 109.0, 108.1, 107.2, 108.7, 107.8, 109.2, 108.3)
CLOSE = (1.07, 1.0, 1.06, 0.99, 1.05, 1.04, 1.01, 1.02)


def judged(subject, baseline, better="higher", delta=0.02):
    found = verdict(subject, baseline, better, delta)
    return found.word, found.reason


def test_one_on_a_side_has_no_verdict():
    found = verdict(group(50.0), group(100.0, 101.0, 99.0), "higher")
    assert (found.word, found.reason, found.ratio) == (
        Word.NONE,
        Reason.ONCE,
        pytest.approx(0.5, rel=0.01),
    )
    assert found.low is None


def test_few_that_stand_apart_lean_with_their_luck():
    found = verdict(group(120.0, 118.0, 119.0), group(100.0, 101.0, 99.0), "higher")
    assert (found.word, found.reason) == (Word.LEANS_BETTER, Reason.FEW)
    assert found.luck == pytest.approx(0.1)  # 2 of the 20 orders of three and three
    assert found.low is None


@pytest.mark.parametrize(("n", "luck"), [(2, 1 / 3), (3, 0.1), (4, 2 / 70)])
def test_the_luck_of_few(n, luck):
    found = verdict(group(*HUNDRED[:n]), group(*(2 * each for each in HUNDRED[:n])), "higher")
    assert (found.word, found.luck) == (Word.LEANS_WORSE, pytest.approx(luck))


def test_few_that_overlap_are_unclear():
    assert judged(group(100.0, 120.0), group(110.0, 90.0)) == (Word.UNCLEAR, Reason.OVERLAP)


def test_few_rounds_that_agree_lean_though_their_values_overlap():
    subject, baseline = interleaved((105.0, 126.0, 94.0), (100.0, 120.0, 90.0))
    found = verdict(subject, baseline, "higher")
    assert (found.word, found.luck, found.rounds) == (Word.LEANS_BETTER, 0.25, 3)


def test_eight_rounds_are_firm():
    found = verdict(*interleaved(MORE, HUNDRED), "higher")
    assert (found.word, found.reason, found.rounds) == (Word.BETTER, Reason.NOTHING, 8)
    assert found.low < found.ratio < found.high and found.low > 1.02


def test_a_difference_that_only_normal_noise_would_make_firm_leans():
    """One of six rounds the other way: 4 of the 64 ways to flip signs are as far, 6.25 %."""
    factors = (1.05, 1.05, 1.052, 1.048, 1.05, 0.999)
    subject = [factor * each for factor, each in zip(factors, HUNDRED, strict=False)]
    found = verdict(*interleaved(subject, HUNDRED[:6]), "higher")
    assert (found.word, found.reason) == (Word.LEANS_BETTER, Reason.PERMUTATION)
    assert found.low > 1


def test_pairs_find_what_their_drift_would_hide():
    drift = [100.0, 130.0, 90.0, 150.0, 80.0, 120.0, 95.0, 140.0]
    subject, baseline = interleaved([1.05 * each for each in drift], drift)
    assert verdict(subject, baseline, "higher").word is Word.BETTER
    unordered = [each._replace(started=None) for each in subject]
    assert verdict(unordered, baseline, "higher").word is Word.UNCLEAR


def test_one_group_after_the_other_leans():
    found = verdict(group(*MORE, first=100), group(*HUNDRED, first=0), "higher")
    assert (found.word, found.reason) == (Word.LEANS_BETTER, Reason.SEQUENTIAL)


def test_an_unknown_order_leans():
    assert judged(group(*MORE), group(*HUNDRED)) == (Word.LEANS_BETTER, Reason.UNKNOWN_ORDER)


@pytest.mark.parametrize("first", [None, 100])
def test_a_third_of_the_baseline_is_beyond_any_drift(first):
    slow = group(*(0.36 * each for each in HUNDRED[:5]), first=first)
    found = verdict(slow, group(*HUNDRED[:5], first=None if first is None else 0), "higher")
    assert (found.word, found.reason) == (Word.WORSE, Reason.NOTHING)


def test_no_difference_above_what_matters():
    flat = [100.0 + 0.1 * (at % 3) for at in range(8)]
    subject, baseline = interleaved(flat, flat[::-1])
    assert judged(subject, baseline) == (Word.NO_DIFFERENCE, Reason.NOTHING)
    # one after the other, drift may have hidden one
    assert judged(group(*flat, first=0), group(*flat[::-1], first=9))[0] is Word.UNCLEAR


def test_a_small_difference_is_real_and_does_not_matter():
    subject, baseline = interleaved([1.015 * each for each in MORE], MORE)
    assert judged(subject, baseline, delta=0.02)[0] is Word.NO_DIFFERENCE
    noisy = [value * (1.016 + 0.01 * (-1) ** at) for at, value in enumerate(HUNDRED)]
    assert judged(*interleaved(noisy, HUNDRED)) == (Word.UNCLEAR, Reason.SMALL)
    assert judged(*interleaved(noisy, HUNDRED), delta=0.005)[0] is Word.BETTER


def test_unclear_tells_what_it_could_see_and_what_it_needs():
    noisy = [value * (1.01 + 0.05 * (-1) ** at) for at, value in enumerate(HUNDRED)]
    found = verdict(*interleaved(noisy, HUNDRED), "higher")
    assert (found.word, found.reason) == (Word.UNCLEAR, Reason.NOISE)
    assert 0.04 < found.unnoticed < 0.09
    assert 40 < found.more_rounds < 80


def test_equal_values_are_equal():
    assert judged(group(*[7.0] * 5), group(*[7.0] * 5)) == (Word.NO_DIFFERENCE, Reason.EQUAL)
    assert judged(group(7.0), group(7.0)) == (Word.NONE, Reason.EQUAL)
    assert verdict(group(0.0, 0.0), group(0.0), "lower").ratio == 1


def test_nothing_is_a_multiple_of_zero():
    assert judged(group(1.0, 2.0), group(0.0, 3.0)) == (Word.NONE, Reason.NOT_POSITIVE)


def test_a_measure_without_direction_is_never_better():
    found = verdict(*interleaved(MORE, HUNDRED), None)
    assert (found.word, found.reason) == (Word.NONE, Reason.NO_DIRECTION)
    assert found.low > 1  # the numbers stay


def test_a_difference_that_changes_is_not_firm():
    growing = [value * (1.05 + 0.02 * at) for at, value in enumerate(HUNDRED)]
    assert judged(*interleaved(growing, HUNDRED)) == (Word.LEANS_BETTER, Reason.TREND)


def test_a_week_between_two_sessions_is_no_drift_of_a_week():
    noisy = [100 * (1 + 0.03 * (-1) ** at) for at in range(6)]
    slow = group(*(0.36 * each for each in noisy), first=6e5)
    assert judged(slow, group(*noisy, first=0)) == (Word.WORSE, Reason.NOTHING)


def test_two_modes_have_no_single_number():
    split = [*(100 + 0.1 * at for at in range(5)), *(150 + 0.1 * at for at in range(5))]
    found = verdict(group(*split), group(*(100 + at / 7 for at in range(10))), "higher")
    assert (found.word, found.reason, found.ratio) == (Word.NONE, Reason.TWO_MODES, None)


def test_pools_are_compared_part_by_part():
    """ext4 and btrfs, equal on both stacks: pooled by their numbers they would be far apart."""
    fast, slow = HUNDRED, [each / 10 for each in HUNDRED]
    ext4 = group(*fast, stratum="nvme") + group(*slow[:2], stratum="disk")
    btrfs = group(*fast[:2], stratum="nvme") + group(*slow, stratum="disk")
    found = verdict(ext4, btrfs, "higher")
    assert (found.word, found.reason) == (Word.UNCLEAR, Reason.STRATA)
    assert found.ratio == pytest.approx(1, rel=0.01)


def test_pools_without_a_common_part_are_not_compared():
    found = verdict(group(*MORE, stratum="nvme"), group(*HUNDRED, stratum="disk"), "higher")
    assert (found.word, found.reason, found.ratio) == (Word.NONE, Reason.NO_COMMON_STRATUM, None)


def test_pools_are_never_firm():
    subject = group(*(2 * each for each in HUNDRED), stratum="a") + group(*MORE, stratum="b")
    baseline = group(*HUNDRED, stratum="a") + group(*HUNDRED, stratum="b")
    assert judged(subject, baseline) == (Word.LEANS_BETTER, Reason.STRATA)


def test_rounds_of_a_plan_pair_by_their_number():
    subject = [Sample(1.0, round=(1, number)) for number in (2, 0, 1, 4, 3)]
    baseline = [Sample(2.0, round=(1, number)) for number in (0, 1, 2, 3)]
    assert [mine.round for mine, _ in rounds_of(subject, baseline)] == [
        (1, number) for number in range(4)
    ]


def test_a_round_that_one_side_lacks_leaves_the_others_pairs():
    subject = [Sample(2.0, round=(1, number)) for number in range(8)]
    baseline = [Sample(1.0, round=(1, number)) for number in (0, 2, 3, 5, 6, 7)]
    assert len(rounds_of(subject, baseline)) == 6


def test_rounds_of_two_plans_pair_by_their_time():
    subject = [Sample(2.0, 2.0 * at, round=(1, at)) for at in range(6)]
    baseline = [Sample(1.0, 2.0 * at + 1, round=(2, at)) for at in range(6)]
    assert len(rounds_of(subject, baseline)) == 6


def test_nothing_is_firm_before_the_rounds_of_a_plan_are_over():
    found = verdict(*interleaved([2 * each for each in HUNDRED], HUNDRED), "higher")
    assert found.word is Word.BETTER
    early = as_of_look(found, is_over=False, looks=1)
    assert (early.word, early.reason) == (Word.LEANS_BETTER, Reason.NOT_OVER)
    assert as_of_look(found, is_over=True, looks=1) == found
    assert as_of_look(found, is_over=True, looks=2).word is Word.BETTER


def test_a_further_look_needs_stronger_evidence():
    close = [each * factor for each, factor in zip(HUNDRED, CLOSE, strict=True)]
    found = verdict(*interleaved(close, HUNDRED), "higher")
    assert found.word is Word.BETTER
    assert 0.0125 < found.p <= 0.05
    later = as_of_look(found, is_over=True, looks=2)
    assert (later.word, later.reason) == (Word.LEANS_BETTER, Reason.FURTHER_LOOK)


def test_an_order_with_a_sample_too_many_still_has_rounds():
    subject, baseline = interleaved(MORE, HUNDRED)
    assert len(rounds_of([*subject, Sample(1.0, started=99.0)], baseline)) == 8
    assert rounds_of(group(*MORE, first=100), group(*HUNDRED, first=0)) == []


def test_holm():
    found = holm(dict(enumerate([0.01, 0.04, 0.03, 0.005])))
    assert [found[at] for at in range(4)] == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_many_comparisons_weaken_words_and_move_no_number():
    mild = [value * (1.03 + 0.02 * (-1) ** (at % 3)) for at, value in enumerate(HUNDRED)]
    one = verdict(*interleaved(mild, HUNDRED), "higher")
    assert one.word is Word.BETTER
    page = {"mine": one} | {at: one._replace(p=0.5, word=Word.UNCLEAR) for at in range(40)}
    judged = allowing_for_many(page, page, groups=2)["mine"]
    assert (judged.word, judged.reason, judged.comparisons) == (Word.LEANS_BETTER, Reason.MANY, 41)
    assert (judged.ratio, judged.low, judged.high) == (one.ratio, one.low, one.high)


def test_a_measure_that_is_not_primary_leans():
    one = verdict(*interleaved(MORE, HUNDRED), "higher")
    judged = allowing_for_many({"p99.9": one}, (), groups=2)["p99.9"]
    assert (judged.word, judged.reason) == (Word.LEANS_BETTER, Reason.DESCRIPTIVE)


def test_five_rounds_are_firm_for_one_pair_only():
    one = verdict(*interleaved(MORE[:5], HUNDRED[:5]), "higher")
    assert allowing_for_many({1: one}, {1}, groups=2)[1].word is Word.BETTER
    assert allowing_for_many({1: one}, {1}, groups=3)[1].word is Word.LEANS_BETTER
    assert allowing_for_many({1: one, 2: one}, {1, 2}, groups=2)[1].word is Word.LEANS_BETTER


def test_best_is_against_every_rival():
    scale = {"a": 1.0, "b": 1.3, "c": 1.31}
    noise = [1 + 0.01 * (-1) ** at * (at % 3) for at in range(8)]
    groups = {
        name: [
            Sample(factor * each * (1 + 0.001 * ord(name)), started=3.0 * at + place, round=(1, at))
            for at, each in enumerate(noise)
        ]
        for place, (name, factor) in enumerate(scale.items())
    }
    groups["b"] = [
        each._replace(value=each.value * (1 + 0.01 * (at % 4)))
        for at, each in enumerate(groups["b"])
    ]
    assert possible_winners(groups, "higher") == {"b", "c"}
    assert possible_winners(groups, "lower") == {"a"}
    assert possible_winners(groups | {"few": groups["a"][:2]}, "lower") == set()


MIRRORED = {
    Word.BETTER: Word.WORSE, Word.LEANS_BETTER: Word.LEANS_WORSE, Word.UNCLEAR: Word.UNCLEAR,
    Word.WORSE: Word.BETTER, Word.LEANS_WORSE: Word.LEANS_BETTER, Word.NONE: Word.NONE,
    Word.NO_DIFFERENCE: Word.NO_DIFFERENCE,
}  # fmt: skip


def some_pairs():
    """Groups of all kinds of order, noise, size and difference."""
    generator = numpy.random.default_rng(7)
    for noise in simulation.NOISES.values():
        for order in (simulation.interleaved, simulation.sequential):
            for rounds in (1, 2, 3, 5, 8, 12):
                for factor in (1.0, 1.01, 1.1, 1.6):
                    first, second = order(generator, noise, rounds)
                    yield simulation.scaled(second, factor), first


def test_swapped_sides_mirror_the_words_and_the_interval():
    for subject, baseline in some_pairs():
        there, back = verdict(subject, baseline, "higher"), verdict(baseline, subject, "higher")
        assert back.word is MIRRORED[there.word]
        assert (back.reason, back.p) == (there.reason, pytest.approx(there.p))
        if there.low is not None:
            assert (back.low, back.high) == pytest.approx((1 / there.high, 1 / there.low))


def test_the_other_direction_of_inverted_values_has_the_same_words():
    for subject, baseline in some_pairs():
        turned = [
            [each._replace(value=1 / each.value) for each in side] for side in (subject, baseline)
        ]
        there, inverted = verdict(subject, baseline, "higher"), verdict(*turned, "lower")
        assert (inverted.word, inverted.reason) == (there.word, there.reason)


def test_units_and_the_order_of_rows_say_nothing():
    for subject, baseline in some_pairs():
        there = verdict(subject, baseline, "higher")
        thousands = [simulation.scaled(side, 1000) for side in (subject, baseline)]
        scaled = verdict(*thousands, "higher")
        assert (scaled.word, scaled.reason, scaled.ratio) == (
            there.word, there.reason, there.ratio and pytest.approx(there.ratio),
        )  # fmt: skip
        shuffled = [random.Random(3).sample(side, len(side)) for side in (subject, baseline)]
        other = verdict(*shuffled, "higher")
        assert (other.word, other.reason) == (there.word, there.reason)


def test_the_same_numbers_never_differ():
    for subject, _ in some_pairs():
        assert verdict(subject, subject, "higher").word in (
            Word.NONE,
            Word.UNCLEAR,
            Word.NO_DIFFERENCE,
        )


def test_firm_words_about_equal_groups_are_as_rare_as_the_docs_say(monkeypatch):
    monkeypatch.setattr(simulation, "DRAWS", 400)
    for order, most in ((simulation.interleaved, 0.08), (simulation.sequential, 0.05)):
        for noise in simulation.NOISES.values():
            generator = numpy.random.default_rng(2)
            assert simulation.firm_share(partial(order, generator, noise, 8)) <= most


def test_a_single_round_of_several_samples_is_no_pair_that_agrees():
    subject = [Sample(110.0, round=1), Sample(100.0, round=2)]
    baseline = [Sample(90.0, round=2), Sample(140.0, round=3)]
    found = verdict(subject, baseline, "higher")
    assert (found.word, found.reason, found.rounds) == (Word.UNCLEAR, Reason.OVERLAP, None)
