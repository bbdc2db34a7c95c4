"""`make verdicts`: how often the rules of benchdash/analysis/verdicts.py err, by simulation.

Exit 1 where a cell is beyond its bound. Everything is drawn from a fixed seed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import product

import numpy
from numpy.random import Generator
from numpy.typing import NDArray

from benchdash.analysis.blocks import blocks_in
from benchdash.analysis.effects import Effect, effects_of
from benchdash.analysis.many import allowing_for_many, holm, possible_winners
from benchdash.analysis.samples import Sample
from benchdash.analysis.summary import summarise
from benchdash.analysis.verdicts import (
    DELTA,
    DRIFT,
    DRIFT_SDS,
    ENOUGH,
    LEVEL,
    Word,
    as_of_look,
    verdict,
)

DRAWS, SEED = 16_000, 20080726
PAGES = {1: 20_000, 10: 5000, 100: 2000}  # by the comparisons on each
ROUNDS = (5, 6, 8, 10, 30)
# (comparisons on the page, rounds); among several, five rounds are never firm
PAGE_CELLS = ((1, 5), (1, 8), (10, 6), (10, 8), (100, 6), (100, 8))
SD = 0.03
UNTIL, UNTIL_MOST = (0.03, 0.04, 0.05), 16  # half widths of intervals that end the rounds
# levels of each factor, rounds
MATRICES = (((2, 2), 3), ((2, 3), 3), ((2, 3), 8), ((3, 3, 2), 3))
MATRIX_DRAWS = 2000
IN_BLOCKS = (((3, 2), 3), ((2, 3), 5), ((3, 3, 2), 3), ((3, 2), 8))
BLOCKS_APART = (0.0, 0.03, 0.10)
# the last level of the first factor came later, and so much lies between then and now
LATER = (((3,), 3, 0.0), ((3,), 3, 0.05), ((3,), 8, 0.05), ((2, 2), 3, 0.05), ((2, 2), 8, 0.05))
Series = NDArray[numpy.float64]
Noise = Callable[[Generator, int], Series]
Order = Callable[[Generator, Noise, int], list[list[Sample]]]


def normal(random: Generator, n: int) -> Series:
    return random.normal(0, SD, n)


def skewed(random: Generator, n: int) -> Series:
    """Now and then a run that is 30 % lower."""
    return random.normal(0, SD, n) + numpy.log(0.7) * (random.random(n) < 0.05)


def two_modes(random: Generator, n: int) -> Series:
    return random.normal(0, SD, n) + numpy.log(1.1) * (random.random(n) < 0.5)


def autocorrelated(random: Generator, n: int) -> Series:
    found = numpy.empty(n)
    last = random.normal(0, SD)
    for place in range(n):
        last = found[place] = 0.7 * last + random.normal(0, SD * numpy.sqrt(1 - 0.49))
    return found


def drifting(random: Generator, n: int) -> Series:
    """5 % from the first to the last."""
    return random.normal(0, SD, n) + numpy.linspace(0, numpy.log(1.05), n)


NOISES: dict[str, Noise] = {
    "normal": normal,
    "5 % of values 30 % lower": skewed,
    "two modes, 10 % apart": two_modes,
    "autocorrelated, 0.7": autocorrelated,
    "drift of 5 %": drifting,
}


def interleaved(
    random: Generator, noise: Noise, rounds: int, groups: int = 2
) -> list[list[Sample]]:
    """Rounds in random order, all of one session: equal but for noise."""
    values = numpy.exp(noise(random, rounds * groups))
    found: list[list[Sample]] = [[] for _ in range(groups)]
    for number in range(rounds):
        for place, group in enumerate(random.permutation(groups)):
            at = number * groups + place
            found[group].append(Sample(float(values[at]), started=float(at), round=(1, number)))
    return found


def sequential(random: Generator, noise: Noise, rounds: int) -> list[list[Sample]]:
    values = numpy.exp(noise(random, 2 * rounds))
    samples = [Sample(float(value), started=float(at)) for at, value in enumerate(values)]
    return [samples[:rounds], samples[rounds:]]


def scaled(samples: Iterable[Sample], factor: float) -> list[Sample]:
    """The same order and noise, with a true difference."""
    return [Sample(each.value * factor, each.started, each.round) for each in samples]


def firm_share(draw: Callable[[], list[list[Sample]]], factor: float = 1.0) -> float:
    """How many of DRAWS comparisons of one pair end with a firm word (of the right direction)."""
    firm = 0
    for _ in range(DRAWS):
        first, second = draw()
        found = verdict(scaled(second, factor), first, "higher")
        firm += found.word.firm if factor == 1 else found.word is Word.BETTER
    return firm / DRAWS


def firm_once_narrow(random: Generator, noise: Noise, within: float) -> float:
    """The same of rounds that ended once both intervals were within so large a share."""
    firm = 0
    for _ in range(DRAWS):
        groups = interleaved(random, noise, UNTIL_MOST)
        rounds = next(
            (
                n
                for n in range(ENOUGH, UNTIL_MOST)
                if all(_is_narrow(g[:n], within) for g in groups)
            ),
            UNTIL_MOST,
        )
        found = verdict(groups[1][:rounds], groups[0][:rounds], "higher")
        firm += as_of_look(found, is_over=True, looks=rounds - ENOUGH + 1).word.firm
    return firm / DRAWS


def _is_narrow(samples: Iterable[Sample], within: float) -> bool:
    summary = summarise([each.value for each in samples])
    return bool(summary and summary.half_width is not None and summary.half_width <= within)


def pages_with_firm(random: Generator, noise: Noise, rounds: int, comparisons: int) -> float:
    """How many pages of equal things, all against one baseline, have a firm word."""
    pages = 0
    for _ in range(PAGES[comparisons]):
        groups = interleaved(random, noise, rounds, comparisons + 1)
        each = {at: verdict(group, groups[0], "higher") for at, group in enumerate(groups) if at}
        judged = allowing_for_many(each, each, len(groups))
        pages += any(found.word.firm for found in judged.values())
    return pages / PAGES[comparisons]


def called_best(random: Generator, noise: Noise, rounds: int, groups: int) -> float:
    """How often one of so many equal groups is called best."""
    draws = 2 * DRAWS // groups
    named = 0
    for _ in range(draws):
        drawn = interleaved(random, noise, rounds, groups)
        named += len(possible_winners(dict(enumerate(drawn)), "higher")) == 1
    return named / draws


def among_twelve(random: Generator, rounds: int) -> float:
    """How often a true 10 % is found in one of twelve primary measures of a pair."""
    found = 0
    for _ in range(DRAWS // 4):
        each = {}
        for measure in range(12):
            first, second = interleaved(random, normal, rounds)
            factor = 1.0 if measure else 1.1
            each[measure] = verdict(scaled(second, factor), first, "higher")
        found += allowing_for_many(each, each, 2)[0].word is Word.BETTER
    return found / (DRAWS // 4)


def found_effects(
    random: Generator, noise: Noise, counts: tuple[int, ...], rounds: int, put_in: float = 0.0
) -> set[tuple[int, ...]]:
    """The factors and pairs of a matrix in which an effect is found; `put_in` is on the first factor."""
    cells = list(product(*map(range, counts)))
    order = [
        (number, cells[place])
        for number in range(rounds)
        for place in random.permutation(len(cells))
    ]
    values = noise(random, len(order))
    values = values + put_in * numpy.array([cell[0] == 1 for _number, cell in order])
    levels = list(zip(*(cell for _number, cell in order), strict=True))
    model = effects_of(values.tolist(), levels, [number for number, _cell in order])
    assert model
    return _found(model.effects)


def matrices_with_effects(
    random: Generator, noise: Noise, counts: tuple[int, ...], rounds: int
) -> float:
    """How many matrices of equal cells have an effect."""
    drawn = (found_effects(random, noise, counts, rounds) for _ in range(MATRIX_DRAWS))
    return sum(map(bool, drawn)) / MATRIX_DRAWS


def effects_in_blocks(
    random: Generator, counts: tuple[int, ...], rounds: int, apart: float, sd: float
) -> tuple[set[tuple[int, ...]], set[tuple[int, ...]]]:
    """The effects found in a matrix of equal cells whose first factor is dear: by blocks, by samples.

    Blocks differ by noise of `apart`, samples of one block by `sd`.
    """
    order = [
        (number, (dear, *rest))
        for number in range(rounds)
        for dear in random.permutation(counts[0])
        for rest in random.permutation(list(product(*map(range, counts[1:]))))
    ]
    blocks = [(number, cell[0]) for number, cell in order]
    off = {block: random.normal(0, apart) for block in blocks}
    values = [off[block] + random.normal(0, sd) for block in blocks]
    levels = list(zip(*(cell for _number, cell in order), strict=True))
    turns = [number for number, _cell in order]
    # as results/comparison/matrix_models.py
    found = blocks_in(values, levels, turns, blocks)
    assert found
    between = effects_of(found.values, found.levels, found.rounds)
    within = effects_of(values, levels, blocks, found.dear)
    naive = effects_of(values, levels, turns)
    assert between and within and naive
    return _found([*between.effects, *within.effects]), _found(naive.effects)


def _found(effects: Iterable[Effect]) -> set[tuple[int, ...]]:
    every = list(effects)
    adjusted = holm({one.factors: one.p for one in every})
    return {
        one.factors
        for one in every
        if adjusted[one.factors] <= LEVEL and one.clear > 0 and one.size >= numpy.log1p(DELTA)
    }


def matrices_in_blocks(
    random: Generator, apart: float, counts: tuple[int, ...], rounds: int
) -> float:
    """How many matrices of equal cells that were measured in blocks have an effect."""
    drawn = (effects_in_blocks(random, counts, rounds, apart, SD)[0] for _ in range(MATRIX_DRAWS))
    return sum(map(bool, drawn)) / MATRIX_DRAWS


def shares_in_blocks() -> dict[str, list[float]]:
    """The same by how far blocks differ, for each size of matrix."""
    found = {}
    for apart in BLOCKS_APART:
        random = numpy.random.default_rng(SEED)
        shares = [matrices_in_blocks(random, apart, *matrix) for matrix in IN_BLOCKS]
        found[f"blocks differ by {apart:.0%}"] = shares
    return found


def with_a_level_later(
    random: Generator, noise: Noise, counts: tuple[int, ...], rounds: int, apart: float
) -> bool:
    """Whether a factor that got its last level later is firmly found to do something.

    All is equal but for noise, and for `apart` between the rounds of then and those of now.
    """
    cells = list(product(*map(range, counts)))
    later = counts[0] - 1
    parts = [[c for c in cells if c[0] < later], [c for c in cells if c[0] == later]]
    order = [
        (part * rounds + number, own[place])
        for part, own in enumerate(parts)
        for number in range(rounds)
        for place in random.permutation(len(own))
    ]
    values = noise(random, len(order))
    values = values + numpy.log1p(apart) * numpy.array(
        [cell[0] == later for _number, cell in order]
    )
    levels = list(zip(*(cell for _number, cell in order), strict=True))
    # as results/comparison/matrix_effects.py: its effect without rounds, those of the rest within
    model = effects_of(values.tolist(), levels, [number for number, _cell in order])
    loose = effects_of(values.tolist(), levels)
    assert loose
    inside = [one for one in model.effects if 0 not in one.factors] if model else []
    outside = next(one for one in loose.effects if one.factors == (0,))
    adjusted = holm({one.factors: one.p for one in (*inside, outside)})
    return (
        adjusted[outside.factors] <= LEVEL
        and outside.size >= numpy.log1p(DELTA)
        and outside.clear > max(numpy.log1p(DRIFT), DRIFT_SDS * loose.sd)
    )


def matrices_with_a_level_later(
    random: Generator, noise: Noise, counts: tuple[int, ...], rounds: int, apart: float
) -> float:
    """How many such matrices have an effect of that factor."""
    drawn = (with_a_level_later(random, noise, counts, rounds, apart) for _ in range(MATRIX_DRAWS))
    return sum(drawn) / MATRIX_DRAWS


def head(title: str, columns: Iterable[object]) -> None:
    """A table begins."""
    names = list(columns)
    print(f"\n{title}\n\n| | {' | '.join(map(str, names))} |\n|--|{'--:|' * len(names)}")


def main() -> int:
    beyond = 0

    def line(what: str, cells: list[tuple[float, bool]], bound: str = "") -> None:
        nonlocal beyond
        beyond += sum(not holds for _share, holds in cells)
        shown = " | ".join(f"{share:.1%}{'' if holds else ' (!)'}" for share, holds in cells)
        print(f"| {what} | {shown} |{f' {bound} |' if bound else ''}", flush=True)

    def firm_words(title: str, order: Order, bound: float) -> None:
        head(title, (f"{rounds} rounds" for rounds in ROUNDS))
        for name, noise in NOISES.items():
            random = numpy.random.default_rng(SEED)
            shares = [firm_share(partial(order, random, noise, rounds)) for rounds in ROUNDS]
            line(name, [(share, share <= bound) for share in shares])

    firm_words("Firm words about equal groups, interleaved (at most 5.5 %)", interleaved, 0.055)
    firm_words("Firm words about equal groups, in turn (at most 5 %)", sequential, 0.05)
    head(
        f"Firm words about equal groups, rounds until both intervals are narrow, {UNTIL_MOST} at most "
        "(at most 5.5 %)",
        (f"± {within:.0%}" for within in UNTIL),
    )
    for name, noise in NOISES.items():
        random = numpy.random.default_rng(SEED)
        shares = [firm_once_narrow(random, noise, within) for within in UNTIL]
        line(name, [(share, share <= 0.055) for share in shares])
    head(
        "Pages with a firm word about equal groups (at most 5 %; two modes 6.5 %)",
        (f"{count} of {rounds} rounds" for count, rounds in PAGE_CELLS),
    )
    for name, noise in NOISES.items():
        random = numpy.random.default_rng(SEED)
        bound = 0.065 if noise is two_modes else 0.05
        shares = [pages_with_firm(random, noise, rounds, count) for count, rounds in PAGE_CELLS]
        line(name, [(share, share <= bound) for share in shares])
    head(
        "One of several equal groups is called best (at most 5.5 %)",
        (f"{groups} of {rounds} rounds" for groups in (2, 5, 12) for rounds in (5, 8)),
    )
    for name, noise in NOISES.items():
        random = numpy.random.default_rng(SEED)
        shares = [
            called_best(random, noise, rounds, groups) for groups in (2, 5, 12) for rounds in (5, 8)
        ]
        line(name, [(share, share <= 0.055) for share in shares])
    head(
        "Matrices of equal cells in which an effect is found (at most 5.5 %; two modes 6.5 %)",
        (f"{' × '.join(map(str, counts))}, {rounds} rounds" for counts, rounds in MATRICES),
    )
    for name, noise in NOISES.items():
        random = numpy.random.default_rng(SEED)
        bound = 0.065 if noise is two_modes else 0.055
        shares = [matrices_with_effects(random, noise, *matrix) for matrix in MATRICES]
        line(name, [(share, share <= bound) for share in shares])
    head(
        "Matrices of equal cells, whose first factor parts them into blocks, in which an effect is found "
        "(at most 5.5 %)",
        (f"{' × '.join(map(str, counts))}, {rounds} rounds" for counts, rounds in IN_BLOCKS),
    )
    for name, shares in shares_in_blocks().items():
        line(name, [(share, share <= 0.055) for share in shares])
    head(
        "Matrices of equal cells in which a factor that got its last level later has an effect "
        "(at most 5 %)",
        (
            f"{' × '.join(map(str, counts))}, {rounds} rounds, {apart:.0%} between"
            for counts, rounds, apart in LATER
        ),
    )
    for name, noise in NOISES.items():
        random = numpy.random.default_rng(SEED)
        shares = [matrices_with_a_level_later(random, noise, *matrix) for matrix in LATER]
        line(name, [(share, share <= 0.05) for share in shares])
    random = numpy.random.default_rng(SEED)
    drawn = [found_effects(random, normal, (2, 3), 3, numpy.log(1.05)) for _ in range(MATRIX_DRAWS)]
    in_matrix = sum((0,) in found for found in drawn) / MATRIX_DRAWS
    random = numpy.random.default_rng(SEED)
    power = firm_share(partial(interleaved, random, normal, 5), 1.1)
    twelve = among_twelve(random, 8)
    head("A true difference of 10 %, normal noise, is found", ["share", "at least"])
    line("5 rounds, one pair, one measure", [(power, power >= 0.95)], "95 %")
    line("5 % between two levels, 2 × 3 cells, 3 rounds", [(in_matrix, in_matrix >= 0.65)], "65 %")
    line("8 rounds, among 12 primary measures", [(twelve, twelve >= 0.9)], "90 %")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
