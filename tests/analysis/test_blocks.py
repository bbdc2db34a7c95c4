"""Blocks count once: published split-plot experiments, sums by hand, and noise of blocks alone."""

from __future__ import annotations

import math
from itertools import product
from random import Random

import numpy
import pytest

from benchdash.analysis.blocks import blocks_in, of_blocks, put_together
from benchdash.analysis.cells import leading_cell
from benchdash.analysis.effects import effects_of, squares_within
from benchdash.analysis.samples import Sample
from benchdash.analysis.verdicts import Reason, Word, verdict
from tests.simulate_verdicts import effects_in_blocks

# Yates 1935, Complex Experiments: bushels of oats by block, variety (Victory, Golden rain,
# Marvellous: whole plots) and nitrogen (0 to 0.6 cwt), in quarter pounds
OATS = (
    ((111, 130, 157, 174), (117, 114, 161, 141), (105, 140, 118, 156)),
    ((61, 91, 97, 100), (70, 108, 126, 149), (96, 124, 121, 144)),
    ((68, 64, 112, 86), (60, 102, 89, 96), (89, 129, 132, 124)),
    ((74, 89, 81, 122), (64, 103, 132, 133), (70, 89, 104, 117)),
    ((62, 90, 100, 116), (80, 82, 94, 126), (63, 70, 109, 99)),
    ((53, 74, 118, 113), (89, 82, 86, 104), (97, 99, 119, 121)),
)


def rows_of(experiment):
    return [
        (value, number, variety, nitrogen)
        for number, plots in enumerate(experiment)
        for variety, plot in enumerate(plots)
        for nitrogen, value in enumerate(plot)
    ]


def columns(rows):
    values, rounds, *levels = map(list, zip(*rows, strict=True))
    dear = levels[0]
    return values, levels, rounds, list(zip(rounds, dear, strict=True))


def test_the_oats_of_yates_have_their_published_strata():
    """Of plots: variety 1786.4 (2) and error 6013.3 (10); within: nitrogen 20020.5 (3), both 321.8 (6),
    error 7968.8 (45)."""
    values, levels, rounds, blocks = columns(rows_of(OATS))
    found = blocks_in(values, levels, rounds, blocks)
    assert (found.dear, len(found.values), found.size) == ((0,), 18, 4)
    assert found.values[0] == pytest.approx(572 / 4)
    between = effects_of(found.values, found.levels, found.rounds)
    (variety,) = between.effects
    assert 4 * variety.squares == pytest.approx(1786.4, abs=0.1)
    assert between.freedom == 10 and 4 * between.sd**2 * 10 == pytest.approx(6013.3, abs=0.1)
    assert variety.p == pytest.approx(0.2724, abs=0.0001)
    assert [level.n for level in variety.levels] == [6, 6, 6]
    within = effects_of(values, levels, blocks, found.dear)
    nitrogen, both = within.effects
    assert (nitrogen.factors, both.factors) == ((1,), (0, 1))
    assert nitrogen.squares == pytest.approx(20020.5, abs=0.1)
    assert both.squares == pytest.approx(321.8, abs=0.1)
    assert within.freedom == 45 and within.sd**2 * 45 == pytest.approx(7968.8, abs=0.1)
    assert within.confounded == ()
    # nothing is lost: what varies within rounds is what varies between plots and within them
    whole = squares_within(values, rounds)
    assert whole == pytest.approx(4 * between.squares + within.squares)


def test_without_blocks_a_dear_factor_would_seem_to_be_known_better_than_it_is():
    values, levels, rounds, _blocks = columns(rows_of(OATS))
    naive = effects_of(values, levels, rounds)
    variety = naive.effects[0]
    assert variety.p < 0.05  # 1786.4 / 2 against an error of samples, which plots do not have
    assert [level.n for level in variety.levels] == [24, 24, 24]


def test_a_block_that_lacks_samples_is_put_beside_the_others_as_if_it_had_them():
    # two plots, levels 0, 10 and 20 within: the second plot is 1 higher, and lacks its highest
    rows = [(0, 1, 0, 0), (10, 1, 0, 1), (20, 1, 0, 2), (1, 1, 1, 0), (11, 1, 1, 1)]
    found = blocks_in(*columns(rows))
    assert found.values[1] - found.values[0] == pytest.approx(1)


def test_a_factor_that_varies_within_any_block_is_not_dear():
    rows = [(1, 1, 0, 0), (2, 1, 0, 1), (3, 2, 1, 0), (4, 2, 1, 1)]
    values, levels, rounds, _blocks = columns(rows)
    assert blocks_in(values, levels, rounds, [1, 1, 2, 2]).dear == (0,)
    assert blocks_in(values, levels, rounds, [1, 2, 3, 4]) is None  # each by itself
    assert blocks_in(values, levels, rounds, [1, 1, 1, 1]) is None  # nothing is dear


def test_noise_of_blocks_alone_is_no_effect():
    """Equal cells: blocks differ by 5 %, samples by 1 %. Whoever counts samples finds an effect."""
    random = numpy.random.default_rng(20080726)
    counted = {"blocks": 0, "samples": 0}
    draws = 300
    for _draw in range(draws):
        by_blocks, by_samples = effects_in_blocks(random, (2, 3), 5, 0.05, 0.01)
        counted["blocks"] += bool(by_blocks)
        counted["samples"] += bool(by_samples)
    assert counted["blocks"] / draws <= 0.08  # 5 % and three standard errors
    assert counted["samples"] / draws > 0.2


def side(kind, offsets, books=(0.0,), factor=1.0):
    """A sample a round and book; each round's block is off by so much."""
    return [
        Sample(factor * math.exp(off + book), 10 * number + at, (1, number), f"{at}", f"{kind}{number}")
        for number, off in enumerate(offsets)
        for at, book in enumerate(books)
    ]  # fmt: skip


BOOKS = (0.0, 0.1, 0.2)
OFF = (0.02, -0.01, 0.0, 0.03, -0.02)


def test_samples_of_a_block_are_its_mean_of_logarithms():
    sides = put_together(side("a", OFF, BOOKS), side("b", (0.0,) * 5, BOOKS))
    assert sides.pools and len(sides.subject) == len(sides.baseline) == 5
    assert [math.log(one.value) for one in sides.subject] == pytest.approx(
        [0.1 + off for off in OFF]
    )
    assert [one.round for one in sides.subject] == [(1, number) for number in range(5)]
    assert {one.stratum for one in sides.subject} == {""}
    found = of_blocks(verdict(sides.subject, sides.baseline, "higher"), sides)
    # by hand: the mean of the offsets is 0.004, their standard deviation 0.0207364
    assert math.log(found.ratio) == pytest.approx(0.004)
    assert math.log(found.high / found.ratio) == pytest.approx(2.776445 * 0.02073644 / math.sqrt(5))
    assert (found.n, found.rounds, found.of_blocks) == ((5, 5), 5, True)


def test_pools_of_blocks_lean_at_most_however_clear_they_are():
    sides = put_together(side("a", OFF, BOOKS, 2.0), side("b", (0.0, 0.01, 0, 0.01, 0), BOOKS))
    alone = verdict(sides.subject, sides.baseline, "higher")
    assert alone.word is Word.BETTER
    found = of_blocks(alone, sides)
    assert (found.word, found.reason) == (Word.LEANS_BETTER, Reason.STRATA)
    near = (0.0, 0.0001, 0.0003, 0.0002, 0.0005)
    equal = put_together(side("a", near, BOOKS), side("b", near[::-1], BOOKS))
    assert verdict(equal.subject, equal.baseline, "higher").word is Word.NO_DIFFERENCE
    found = of_blocks(verdict(equal.subject, equal.baseline, "higher"), equal)
    assert found.word is Word.UNCLEAR


def test_what_differs_within_blocks_is_left_as_it_is():
    both = side("a", OFF, BOOKS)
    first, second = ([one for one in both if one.stratum == at] for at in "01")
    assert put_together(first, second) is None  # each block has samples of both
    assert put_together(side("a", OFF), side("b", OFF)) is None  # a sample a block
    plain = [one._replace(block="") for one in both]
    assert put_together(plain, plain) is None
    assert put_together([one._replace(value=0.0) for one in both], side("b", OFF, BOOKS)) is None


def test_blocks_of_unlike_samples_are_put_together_part_by_part():
    mine = side("a", OFF, BOOKS)[:-1]  # the last block lacks a book
    twice = [*mine, mine[0]._replace(value=mine[0].value * 1.1)]
    sides = put_together(twice, side("b", (0.0,) * 5, BOOKS))
    assert not sides.pools and len(sides.subject) == 14
    assert sides.subject[0].value == pytest.approx(mine[0].value * math.sqrt(1.1))
    found = of_blocks(verdict(sides.subject, sides.baseline, "higher"), sides)
    assert found.n == (5, 5)


def samples_in_blocks(offsets, noise=0.001):
    """Two kinds with two books each, in rounds whose blocks are off by so much; nothing else differs."""
    random = Random(4)
    rows = [
        (off + random.gauss(0, noise), (kind, book), number, (kind, number))
        for kind, own in enumerate(offsets)
        for number, off in enumerate(own)
        for book in range(2)
    ]
    return list(zip(*rows, strict=True))


def test_cells_of_different_blocks_are_not_told_apart_by_the_noise_within_blocks():
    offsets = ((0.05, -0.03, 0.04, 0.02, -0.01, 0.03), (-0.02, 0.03, -0.01, 0.02, 0.0, -0.04))
    values, cells, rounds, blocks = samples_in_blocks(offsets)
    naive = leading_cell(values, cells, rounds, higher=True, delta=0.001)
    found = leading_cell(values, cells, rounds, higher=True, delta=0.001, blocks=blocks)
    others = {cell for cell in set(cells) if cell[0] != found.cell[0]}
    assert others <= set(found.near)
    assert len(naive.near) <= len(found.near)
    # within a block the noise is that of samples: a book that is 1 % ahead is ahead
    ahead = [value + 0.01 * cell[1] for value, cell in zip(values, cells, strict=True)]
    first = leading_cell(ahead, cells, rounds, higher=True, delta=0.001, blocks=blocks)
    assert first.cell[1] == 1 and (first.cell[0], 0) not in first.near


def test_blocks_that_were_not_repeated_tell_nothing_of_each_other():
    values, cells, rounds, blocks = samples_in_blocks(((0.5, 0.4), (0.0, 0.0)))
    one_round = [number for number, turn in enumerate(rounds) if turn == 0]
    picked = [[own[at] for at in one_round * 3] for own in (values, cells, rounds, blocks)]
    noisy = [value + 0.001 * (place % 3) for place, value in enumerate(picked[0])]
    found = leading_cell(noisy, picked[1], picked[2], higher=True, delta=0.001, blocks=picked[3])
    assert {cell for cell in product(range(2), range(2)) if cell[0] != found.cell[0]} <= {
        *found.near
    }
