"""What must not change the words of a comparison, tried at random."""

from __future__ import annotations

import random

import pytest

from tests.measured import a_configuration, a_run, an_environment
from tests.results.test_judging import (
    NOISE,
    READ,
    WRITE,
    in_rounds,
    minutes,
    one_after_the_other,
    rows,
    scaled,
)

pytestmark = pytest.mark.django_db


def noisy(generator, factor, count=8):
    return [100 * factor * generator.lognormvariate(0, 0.02) for _ in range(count)]


MIRRORED = {
    "better": "worse",
    "worse": "better",
    "leans_better": "leans_worse",
    "leans_worse": "leans_better",
}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("measured", [in_rounds, one_after_the_other])
def test_swapped_sides_are_mirrored(seed, measured):
    generator = random.Random(seed)
    one, other = a_configuration("one"), a_configuration("other")
    measured({one: noisy(generator, 1), other: noisy(generator, 0.9 + 0.05 * seed)})
    there = rows(f"tool=fio&baseline={one.pk}")["other"]
    back = rows(f"tool=fio&baseline={other.pk}")["one"]
    assert back.verdict == MIRRORED.get(there.verdict, there.verdict)
    assert back.against.reason == there.against.reason
    assert back.ratio == pytest.approx(1 / there.ratio)
    assert back.ratio_interval.low == pytest.approx(1 / there.ratio_interval.high)


@pytest.mark.parametrize("seed", range(4))
def test_another_unit_changes_no_word(seed):
    generator = random.Random(seed)
    one, other, small, smaller = (a_configuration(name) for name in "abcd")
    values = {one: noisy(generator, 1), other: noisy(generator, 1 + 0.03 * seed)}
    in_rounds(values, tool="fio")
    in_rounds(
        {small: scaled(1e-3, values[one]), smaller: scaled(1e-3, values[other])}, tool="sysbench"
    )
    large = rows(f"tool=fio&baseline={one.pk}")["b"].against
    tiny = rows(f"tool=sysbench&baseline={small.pk}")["d"].against
    assert (large.word, large.reason, large.sentence) == (tiny.word, tiny.reason, tiny.sentence)


STRENGTH = {"better": 2, "worse": 2, "leans_better": 1, "leans_worse": 1}


@pytest.mark.parametrize("seed", range(8))
def test_whoever_joins_strengthens_no_word_and_moves_no_number(seed):
    generator = random.Random(seed)
    here, there = an_environment("here", kernel="1"), an_environment("there", kernel="2")
    one, other = a_configuration("b one"), a_configuration("c other")
    query = "tool=fio&family=iops&family=throughput&group=configuration&percent=1&baseline="
    values = {one: noisy(generator, 1), other: noisy(generator, 1.02 + 0.02 * seed)}
    # where each was measured elsewhere, that is no pool until a third one was measured in both
    in_rounds(values, places={one: here, other: there if seed % 2 else here})
    alone = rows(f"{query}{one.pk}")
    joined = a_configuration("a third, that is measured everywhere")
    for place in (here, there):
        in_rounds({joined: noisy(generator, 3, 5)}, environment=place)
        in_rounds({joined: noisy(generator, 3, 5)}, WRITE, environment=place)
    together = rows(f"{query}{one.pk}")
    before, after = alone["c other"], together["c other"]
    assert STRENGTH.get(after.verdict, 0) <= STRENGTH.get(before.verdict, 0)
    assert (after.ratio, after.ratio_interval) == (before.ratio, before.ratio_interval)
    assert together["b one"].ratio == 1.0


def test_many_comparisons_weaken_what_would_be_firm_alone():
    generator = random.Random(3)
    base = a_configuration("base")
    values = {base: noisy(generator, 1)}
    values[a_configuration("near")] = scaled(1.04, noisy(generator, 1))
    in_rounds(values)
    assert rows(f"tool=fio&baseline={base.pk}")["near"].verdict == "better"
    for nth in range(11):
        one_after_the_other({a_configuration(f"more {nth}"): noisy(generator, 1)})
    found = rows(f"tool=fio&baseline={base.pk}")["near"]
    assert (found.verdict, found.against.reason, found.against.comparisons) == (
        "leans_better",
        "many",
        12,
    )
    assert "this page makes 12 comparisons" in found.against.sentence


def test_the_same_numbers_are_never_a_difference():
    one, other = a_configuration("one"), a_configuration("other")
    in_rounds({one: NOISE, other: NOISE})
    found = rows(f"tool=fio&baseline={one.pk}")["other"]
    assert found.verdict == "no_difference" and found.ratio == 1.0


def test_the_order_in_which_runs_were_stored_changes_nothing():
    generator = random.Random(5)
    one, other = a_configuration("one"), a_configuration("other")
    every = [
        (configuration, value, 2 * nth + place)
        for place, configuration in enumerate((one, other))
        for nth, value in enumerate(noisy(generator, 1 + place / 10))
    ]
    found = []
    for tool in ("fio", "sysbench"):
        generator.shuffle(every)
        for configuration, value, at in every:
            a_run(configuration, {READ: value}, started_at=minutes(at), tool=tool)
        found.append(rows(f"tool={tool}&baseline={one.pk}")["other"].against)
    assert found[0] == found[1]
