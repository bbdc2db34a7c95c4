"""`make verdicts`: how often the rules of benchdash/analysis/verdicts.py err, by simulation.

Exit 1 where a cell is beyond its bound. Everything is drawn from a fixed seed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import partial

import numpy
from numpy.random import Generator
from numpy.typing import NDArray

from benchdash.analysis.many import allowing_for_many, possible_winners
from benchdash.analysis.verdicts import Sample, Word, verdict

DRAWS, SEED = 16_000, 20080726
PAGES = {1: 20_000, 10: 5000, 100: 2000}  # by the comparisons on each
ROUNDS = (5, 6, 8, 10, 30)
# (comparisons on the page, rounds); among several, five rounds are never firm
PAGE_CELLS = ((1, 5), (1, 8), (10, 6), (10, 8), (100, 6), (100, 8))
SD = 0.03
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


def main() -> int:
    beyond = 0

    def line(what: str, cells: list[tuple[float, bool]], bound: str = "") -> None:
        nonlocal beyond
        beyond += sum(not holds for _share, holds in cells)
        shown = " | ".join(f"{share:.1%}{'' if holds else ' (!)'}" for share, holds in cells)
        print(f"| {what} | {shown} |{f' {bound} |' if bound else ''}", flush=True)

    def head(title: str, columns: Iterable[object]) -> None:
        names = list(columns)
        print(f"\n{title}\n\n| | {' | '.join(map(str, names))} |\n|--|{'--:|' * len(names)}")

    def firm_words(title: str, order: Order, bound: float) -> None:
        head(title, (f"{rounds} rounds" for rounds in ROUNDS))
        for name, noise in NOISES.items():
            random = numpy.random.default_rng(SEED)
            shares = [firm_share(partial(order, random, noise, rounds)) for rounds in ROUNDS]
            line(name, [(share, share <= bound) for share in shares])

    firm_words("Firm words about equal groups, interleaved (at most 5.5 %)", interleaved, 0.055)
    firm_words("Firm words about equal groups, in turn (at most 5 %)", sequential, 0.05)
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
    random = numpy.random.default_rng(SEED)
    power = firm_share(partial(interleaved, random, normal, 5), 1.1)
    twelve = among_twelve(random, 8)
    head("A true difference of 10 %, normal noise, is found", ["share", "at least"])
    line("5 rounds, one pair, one measure", [(power, power >= 0.95)], "95 %")
    line("8 rounds, among 12 primary measures", [(twelve, twelve >= 0.9)], "90 %")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
