"""Effects of factors, held against worked examples that were published, and what was put in."""

from math import exp, log
from random import Random

import pytest

from benchdash.analysis.cells import leading_cell, meet_in_rounds, without_rounds
from benchdash.analysis.effects import effects_of

# Montgomery, Design and Analysis of Experiments, 5th to 9th edition, table 5.1 (or 5.4): hours of
# life of batteries, by material and temperature
BATTERY = {
    (0, 0): (130, 155, 74, 180),
    (0, 1): (34, 40, 80, 75),
    (0, 2): (20, 70, 82, 58),
    (1, 0): (150, 188, 159, 126),
    (1, 1): (136, 122, 106, 115),
    (1, 2): (25, 70, 58, 45),
    (2, 0): (138, 110, 168, 160),
    (2, 1): (174, 120, 150, 139),
    (2, 2): (96, 104, 82, 60),
}


def _flat(cells):
    rows = [(value, *at) for at, values in cells.items() for value in values]
    values, *levels = zip(*rows, strict=True)
    return values, levels


def test_the_battery_of_montgomery_has_its_published_table():
    """Table 5.5: 10,683.72, 39,118.72, 9,613.78, error 18,230.75 (27), total 77,646.97."""
    model = effects_of(*_flat(BATTERY))
    assert model.freedom == 27 and model.sd**2 == pytest.approx(675.21, abs=0.01)
    assert model.squares == pytest.approx(77646.97, abs=0.01)
    material, temperature, both = model.effects
    assert (material.freedom, temperature.freedom, both.freedom) == (2, 2, 4)
    assert material.squares == pytest.approx(10683.72, abs=0.01)
    assert temperature.squares == pytest.approx(39118.72, abs=0.01)
    assert both.squares == pytest.approx(9613.78, abs=0.01)
    assert material.p == pytest.approx(0.0020, abs=0.0001)
    assert temperature.p < 0.0001
    assert both.p == pytest.approx(0.0186, abs=0.0001)


def test_levels_are_the_published_means():
    """Sums by temperature in table 5.4: 1738, 1291 and 770 of twelve batteries each, 3799 in all."""
    values, levels = _flat(BATTERY)
    temperature = effects_of(values, levels).effects[1]
    middle = 3799 / 36
    means = [middle + level.effect.estimate for level in temperature.levels]
    assert means == pytest.approx([1738 / 12, 1291 / 12, 770 / 12])
    assert (temperature.span.lowest, temperature.span.highest) == (2, 0)
    assert temperature.span.estimate == pytest.approx((1738 - 770) / 12)
    assert temperature.span.low < temperature.span.estimate < temperature.span.high


def test_two_levels_have_the_effects_of_the_eddy_current_probes():
    """NIST/SEMATECH e-Handbook of Statistical Methods, 5.6.1: a 2³ design in standard order."""
    values = [1.70, 4.57, 0.55, 3.39, 1.51, 4.59, 0.67, 4.29]
    levels = [[row >> place & 1 for row in range(8)] for place in range(3)]
    model = effects_of(values, levels)
    assert not model.has_pairs  # eight samples leave one for the noise
    ends = [effect.levels[1].effect.estimate * 2 for effect in model.effects]
    assert ends == pytest.approx([3.1025, -0.8675, 0.2125])


def test_the_penicillin_of_box_is_judged_within_its_blends():
    """Box, Hunter and Hunter, Statistics for Experimenters, table 4.4 (6.1 in the first edition).

    Treatments 70, blends (blocks) 264, error 226 with 12 degrees of freedom.
    """
    blends = [
        (89, 88, 97, 94),
        (84, 77, 92, 79),
        (81, 87, 87, 85),
        (87, 92, 89, 84),
        (79, 81, 80, 88),
    ]
    values = [value for blend in blends for value in blend]
    treatments, blocks = [0, 1, 2, 3] * 5, [blend for blend in range(5) for _each in range(4)]
    model = effects_of(values, [treatments], blocks)
    (treatment,) = model.effects
    assert model.rounds == 5 and model.freedom == 12
    assert treatment.squares == pytest.approx(70)
    assert model.sd**2 * 12 == pytest.approx(226)
    assert model.squares == pytest.approx(560 - 264)
    assert treatment.p == pytest.approx(0.339, abs=0.001)


def _matrix(chance, rounds=8, effects=((0.0, 0.0), (0.0, 0.0, 0.0)), noise=0.03, drift=0.0):
    """Rounds of all cells in a random order: logarithms, levels of each factor, round."""
    cells = [(a, b) for a in range(len(effects[0])) for b in range(len(effects[1]))]
    values, levels, blocks = [], ([], []), []
    for number in range(rounds):
        whole = chance.gauss(0, 0.2)
        for a, b in sorted(cells, key=lambda _cell: chance.random()):
            at = len(values) / (rounds * len(cells))
            values.append(
                whole + effects[0][a] + effects[1][b] + chance.gauss(0, noise) + drift * at
            )
            levels[0].append(a)
            levels[1].append(b)
            blocks.append(number)
    return values, levels, blocks


def test_an_effect_that_was_put_in_is_found_and_nothing_else():
    put_in = log(1.25)
    chance = Random(16)
    model = effects_of(*_matrix(chance, effects=((0.0, put_in), (0.0, 0.0, 0.0))))
    first, second, both = model.effects
    assert first.p < 1e-6 and first.span.low < put_in < first.span.high
    assert first.share > 0.8
    assert second.p > 0.05 and both.p > 0.05
    # what would have been seen of the other one: less than a third of what was put in
    assert 0 < exp(second.unnoticed) - 1 < 0.08


def test_intervals_hold_what_was_put_in_as_often_as_they_say():
    chance, held, times = Random(7), 0, 400
    for _time in range(times):
        model = effects_of(*_matrix(chance, rounds=3, effects=((0.0, 0.1), (0.0, 0.05, 0.1))))
        span = model.effects[0].span
        held += span.low <= 0.1 <= span.high
    assert 0.92 <= held / times <= 0.98


@pytest.mark.parametrize("drift", [0.0, 0.05])
def test_nothing_is_found_in_noise_more_often_than_one_time_in_twenty(drift):
    chance, times = Random(11), 400
    found = [0, 0, 0]
    for _time in range(times):
        model = effects_of(*_matrix(chance, rounds=4, drift=drift))
        for place, effect in enumerate(model.effects):
            found[place] += effect.p <= 0.05
    assert max(found) / times <= 0.075


def test_what_would_have_been_seen_is_seen_in_four_of_five_cases():
    chance, seen, times = Random(5), 0, 400
    smallest = effects_of(*_matrix(Random(1), rounds=4)).effects[0].unnoticed
    # the same design, with its true noise instead of the one that was estimated
    smallest *= 0.03 / effects_of(*_matrix(Random(1), rounds=4)).sd
    for _time in range(times):
        model = effects_of(*_matrix(chance, rounds=4, effects=((0.0, smallest), (0.0, 0.0, 0.0))))
        seen += model.effects[0].p <= 0.05
    assert 0.75 <= seen / times <= 0.85


def test_two_factors_that_only_matter_together_are_an_interaction():
    chance = Random(3)
    values, levels, blocks = _matrix(chance, rounds=6)
    together = [
        value + (0.2 if (a, b) == (1, 2) else 0.0)
        for value, a, b in zip(values, *levels, strict=True)
    ]
    model = effects_of(together, levels, blocks)
    both = model.effects[2]
    assert both.p < 1e-6
    ahead = max(both.levels, key=lambda level: level.effect.estimate)
    assert ahead.at == (1, 2)
    # of six cells one is 0.2 higher: what both factors give alone takes two thirds of it
    assert ahead.effect.estimate == pytest.approx(0.2 / 3, abs=0.03)


def test_a_factor_that_changes_with_another_or_with_the_rounds_is_named():
    values, levels, blocks = _matrix(Random(2))
    model = effects_of(values, [*levels, [1 - one for one in levels[0]], blocks], blocks)
    assert model.confounded == (2, 3)
    assert {effect.factors for effect in model.effects} == {(0,), (1,), (0, 1)}


def test_holes_in_the_grid_take_no_effect_away():
    chance = Random(9)
    values, levels, blocks = _matrix(chance, effects=((0.0, 0.2), (0.0, 0.1, 0.2)))
    remaining = [
        place for place in range(len(values)) if (levels[0][place], levels[1][place]) != (1, 1)
    ]
    model = effects_of(
        [values[one] for one in remaining],
        [[own[one] for one in remaining] for own in levels],
        [blocks[one] for one in remaining],
    )
    assert model.cells == 5
    first, second, _both = model.effects
    assert first.span.low < 0.2 < first.span.high
    assert second.span.low < 0.2 < second.span.high


def test_too_few_samples_have_no_model():
    assert effects_of([1.0, 2.0, 3.0, 4.0], [[0, 0, 1, 1], [0, 1, 0, 1]]) is None


def test_equal_values_have_no_effect():
    model = effects_of([1.0] * 12, [[0, 1] * 6, [0, 0, 1, 1, 2, 2] * 2])
    assert model.sd == 0
    assert all(effect.p == 1 and effect.share == 0 for effect in model.effects)


def test_the_leading_cell_is_named_with_all_that_it_is_not_distinguished_from():
    values, levels, blocks = _matrix(Random(4), rounds=3, effects=((0.0, 0.3), (0.0, 0.001, 0.3)))
    cells = list(zip(*levels, strict=True))
    found = leading_cell(values, cells, blocks, higher=True, delta=0.02)
    assert found.cell == (1, 2) and found.near == ()
    assert found.fewest == 3
    lowest = leading_cell(values, cells, blocks, higher=False, delta=0.02)
    assert {lowest.cell, *lowest.near} == {(0, 0), (0, 1)}


def test_a_cell_without_repeats_leads_nobody():
    assert leading_cell([1.0, 2.0], ["a", "b"], None, higher=True, delta=0.02) is None


def test_the_effect_of_rounds_goes_and_the_mean_stays():
    values, levels, blocks = _matrix(Random(6), noise=0.0)
    cells = list(zip(*levels, strict=True))
    flat = without_rounds(values, cells, blocks)
    assert max(flat) - min(flat) < 1e-9
    assert sum(flat) == pytest.approx(sum(values))


def _with_a_later_level(chance, *, later=0.0, rounds=8):
    """Two factors in rounds; then the third level of the first, in rounds of its own after them."""
    rows = [
        (0.1 * number + 0.3 * a + 0.2 * b + (later if a == 2 else 0) + chance.gauss(0, 0.02), a, b, number)
        for first, levels in ((0, (0, 1)), (rounds, (2,)))
        for number in range(first, first + rounds)
        for a in levels
        for b in (0, 1)
    ]  # fmt: skip
    values, *levels, blocks = zip(*rows, strict=True)
    return values, levels, blocks


def test_a_level_in_rounds_of_its_own_is_distinguished_and_leaves_the_noise_to_the_others():
    values, levels, blocks = _with_a_later_level(Random(5))
    model = effects_of(values, levels, blocks)
    assert model.confounded == model.apart == (0,)
    (other,) = model.effects
    assert other.factors == (1,)
    # what its first two levels do is no noise, and the drift from round to round is none
    assert model.sd == pytest.approx(0.02, rel=0.4)
    assert other.span.estimate == pytest.approx(0.2, abs=0.03)


def test_cells_meet_in_rounds_by_way_of_others():
    assert meet_in_rounds("abbc", [1, 1, 2, 2])
    assert not meet_in_rounds("abcd", [1, 1, 2, 2])
    assert meet_in_rounds("abcdad", [1, 1, 2, 2, 3, 3])
    assert meet_in_rounds("a", [1]) and meet_in_rounds("", [])
