"""What a matrix means: effects that were put in are found, and nothing else is said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product
from math import exp
from random import Random

import pytest

from benchdash.results.comparison import compare
from benchdash.results.comparison.compare import compare_together
from benchdash.results.comparison.export import as_markdown
from benchdash.results.criteria import read_query
from benchdash.results.models import Doubt, Run
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db

READ, WRITE, LATENCY = (
    "rand_read.iops.mean",
    "rand_write.iops.mean",
    "rand_write.completion_latency.p99",
)
MEAN = "rand_write.completion_latency.mean"
DAY = datetime(2026, 11, 22, tzinfo=UTC)


def compared(query):
    return compare(read_query(query)).view


def measured(
    cells, value_of, *, rounds=4, seed=1, noise=0.02, in_rounds=True, latency=False, measure=WRITE
):
    """Every cell once a round in a random order; a cell is (configuration, settings, workload)."""
    chance = Random(seed)
    order = [
        (number, cell)
        for number in range(rounds)
        for cell in sorted(cells, key=lambda _cell: chance.random())
    ]
    if not in_rounds:
        order.sort(key=lambda one: cells.index(one[1]))
    for place, (number, cell) in enumerate(order):
        configuration, settings, workload = cell
        value = value_of(cell) * exp(chance.gauss(0, noise) + 0.1 * number * in_rounds)
        a_run(
            configuration,
            {measure: value} | ({LATENCY: 1 / value, MEAN: 0.5 / value} if latency else {}),
            settings=settings,
            workload=workload,
            started_at=DAY + timedelta(minutes=place),
        )


def raid(sizes=(256, 1024, 4096), schedulers=("none", "mq-deadline")):
    """Configurations of a stripe cache and a scheduler each, with no settings and one workload."""
    return [
        (
            a_configuration(f"{size} {scheduler}", md__cache=size, disk__scheduler=scheduler),
            {},
            {"block_bytes": 4096},
        )
        for size, scheduler in product(sizes, schedulers)
    ]


def by_cache(gain):
    """IOPS that each size of the cache multiplies, whatever the scheduler is."""

    def value(cell):
        return 1000.0 * gain[int(cell[0].name.split()[0])]

    return value


def test_what_the_cache_does_is_found_and_the_scheduler_does_nothing():
    measured(raid(), by_cache({256: 1.0, 1024: 1.3, 4096: 1.5}))
    (matrix,) = compared("tool=fio").matrices
    assert set(matrix.titles) == {"md cache", "disk scheduler"}
    assert (matrix.cells, matrix.possible) == (6, 6)
    (effects,) = matrix.effects
    cache, scheduler = effects.factors
    assert (cache.title, cache.finding) == ("md cache", "firm")
    assert cache.explained > 0.9
    assert (cache.highest, cache.lowest) == ("4096", "256")
    assert cache.apart.low < 1.5 < cache.apart.high
    assert [level.text for level in cache.levels] == ["256", "1024", "4096"]
    assert scheduler.finding == "unseen" and 0.005 < scheduler.unnoticed < 0.05
    assert "md cache explains 9" in effects.sentence
    assert "disk scheduler shows no effect (one of " in effects.sentence
    assert "remains unexplained" in effects.sentence
    # rounds grew by a tenth each, and none of that is noise
    assert effects.noise < 0.035 and effects.rounds == 4


def test_below_five_samples_the_leading_cell_is_seen_not_best():
    measured(raid(), by_cache({256: 1.0, 1024: 1.3, 4096: 1.5}))
    leader = compared("tool=fio").matrices[0].effects[0].leader
    assert leader.label.startswith("4096") and len(leader.near) == 1
    assert leader.near[0].startswith("4096")
    assert not leader.firm and "best" not in leader.sentence
    assert (
        "Highest geometric mean" in leader.sentence
        and "cannot be distinguished from it" in leader.sentence
    )
    assert "between rounds" not in leader.sentence


def test_a_mean_without_the_effects_of_rounds_is_not_called_that_of_the_values_alone():
    cells = raid()
    measured(cells, by_cache({256: 1.0, 1024: 1.3, 4096: 2.0}))
    # the quickest ones lack the last rounds, and each round is quicker than the one before
    for configuration, _settings, _workload in cells[-2:]:
        for run in configuration.runs.order_by("started_at")[2:]:
            run.delete()
    leader = compared("tool=fio").matrices[0].effects[0].leader
    assert leader.label.startswith("4096")
    assert "(with the differences between rounds taken out)" in leader.sentence


def test_from_five_samples_on_the_leading_cell_is_what_the_figure_says():
    def value(cell):
        return 1000.0 * (1.3 if cell[0].name == "4096 none" else 1.0)

    measured(raid(), value, rounds=10, noise=0.01)
    view = compared("tool=fio")
    leader, figure = view.matrices[0].effects[0].leader, view.sections[0].figures[0]
    (best,) = figure.winners
    assert leader.label == next(row.label for row in figure.rows if row.group == best)
    assert leader.firm and "is best with" in leader.sentence


def test_equal_cells_are_all_named_as_the_figure_names_them():
    measured(raid(sizes=(256, 4096)), lambda _cell: 1000.0, rounds=6)
    view = compared("tool=fio")
    leader, figure = view.matrices[0].effects[0].leader, view.sections[0].figures[0]
    labels = {row.label for row in figure.rows if row.group in figure.winners}
    assert {leader.label, *leader.near} == labels and len(labels) == 4
    assert "none of the others can be distinguished from it" in leader.sentence


def test_what_only_matters_together_is_a_pair():
    def value(cell):
        return 1000.0 * (1.4 if cell[0].name == "4096 none" else 1.0)

    measured(raid(sizes=(256, 4096)), value, rounds=6)
    (pair,) = compared("tool=fio").matrices[0].effects[0].pairs
    assert pair.finding == "firm" and pair.explained > 0.15
    assert "depends on" in pair.sentence
    ahead = max(pair.cells, key=lambda cell: cell.value)
    assert set(ahead.texts) == {"4096", "none"} and len(pair.cells) == 4
    assert ahead.low < ahead.value < ahead.high


def test_settings_that_part_the_figures_are_factors_too():
    cells = [
        (configuration, {"scheduler": scheduler}, {"block_bytes": 4096})
        for configuration in (
            a_configuration("small", md__cache=256),
            a_configuration("large", md__cache=4096),
        )
        for scheduler in ("none", "bfq")
    ]

    def value(cell):
        return 1000.0 * (1.2 if cell[1]["scheduler"] == "none" else 1.0)

    measured(cells, value, rounds=5)
    view = compared("tool=fio")
    (matrix,) = view.matrices
    assert set(matrix.titles) == {"md cache", "I/O scheduler"}
    effects = {effect.title: effect for effect in matrix.effects[0].factors}
    assert effects["I/O scheduler"].finding == "firm"
    assert effects["md cache"].finding == "unseen"


def test_what_was_measured_is_held_equal():
    small = raid(sizes=(256, 4096))
    large = [(one, settings, {"block_bytes": 2**20}) for one, settings, _workload in small]

    def value(cell):
        return by_cache({256: 1.0, 4096: 1.3})(cell) / (cell[2]["block_bytes"] / 4096)

    measured([*small, *large], value, rounds=4)
    matrices = compared("tool=fio").matrices
    held = [one for matrix in matrices for one in matrix.differs_by]
    assert [(one.title, one.text) for one in held] == [
        ("Block size", "4 KiB"),
        ("Block size", "1 MiB"),
    ]
    assert all(len(matrix.effects[0].factors) == 2 for matrix in matrices)


def test_without_rounds_an_effect_within_drift_only_leans():
    measured(raid(), by_cache({256: 1.0, 1024: 1.03, 4096: 1.08}), in_rounds=False, noise=0.005)
    effects = compared("tool=fio").matrices[0].effects[0]
    cache = effects.factors[0]
    assert (cache.title, cache.finding, cache.reason) == ("md cache", "leans", "sequential")
    assert "drift may" in cache.sentence
    assert any("drift" in remark for remark in effects.remarks)
    assert "explains" not in cache.sentence.replace("seems to explain", "")


def test_an_effect_below_what_matters_is_stated_to_be_small():
    measured(raid(), by_cache({256: 1.0, 1024: 1.1, 4096: 1.1}), rounds=8, noise=0.003)
    view = compared("tool=fio&delta=15")
    cache = view.matrices[0].effects[0].factors[0]
    assert cache.finding == "small" and "too little to matter" in cache.sentence


def test_a_measure_that_is_no_primary_one_only_leans():
    measured(raid(), by_cache({256: 1.0, 1024: 1.3, 4096: 1.5}), latency=True)
    view = compared(f"tool=fio&measure={LATENCY}&measure={WRITE}&measure={MEAN}")
    found = {one.measure: one for one in view.matrices[0].effects}
    assert found[WRITE].factors[0].finding == "firm"
    mean = found[MEAN]
    assert not mean.primary
    assert (mean.factors[0].finding, mean.factors[0].reason) == ("leans", "descriptive")
    # of fio the 99th percentile is a primary measure, and lower is better: the worse level is named
    tail = found[LATENCY].factors[0]
    assert tail.finding == "firm" and "(256: 1" in tail.sentence and "of 4096" in tail.sentence


def test_one_round_is_too_few_to_tell_factors_from_noise():
    measured(raid(sizes=(256, 4096)), by_cache({256: 1.0, 4096: 1.5}), rounds=1)
    (effects,) = compared("tool=fio").matrices[0].effects
    assert effects.factors == () and "too few" in effects.refused


def test_a_grid_that_is_mostly_empty_is_no_matrix():
    cells = raid(sizes=(1, 2, 3, 4, 5), schedulers=("a", "b", "c", "d", "e"))
    diagonal = [cells[place * 6] for place in range(5)] + cells[:3]
    measured(diagonal, lambda _cell: 1000.0)
    assert not [one for matrix in compared("tool=fio").matrices for one in matrix.effects]


def test_options_that_change_together_are_one_factor():
    cells = [
        (
            a_configuration(f"{chunk} {name}", md__chunk=chunk, ext4__stride=chunk // 4, s__x=name),
            {},
            {"block_bytes": 4096},
        )
        for chunk, name in product((64, 512), ("a", "b"))
    ]
    measured(cells, lambda _cell: 1000.0)
    factors = compared("tool=fio").matrices[0].effects[0].factors
    joined = next(one for one in factors if one.changes_with)
    assert {joined.title, *joined.changes_with} == {"md chunk", "ext4 stride"}


def test_effects_have_the_unit_of_medians_as_tables_have():
    slow = {}
    cells = raid()
    for round_ in range(4):
        for configuration, _settings, workload in cells:
            seconds = 0.5 if configuration.name.startswith("256") else 0.3
            if not slow and round_:
                slow[configuration.name] = seconds = 1.2
            a_run(
                configuration,
                {LATENCY: seconds + round_ / 100},
                workload=workload,
                started_at=DAY + timedelta(minutes=round_),
            )
    (effects,) = compared("tool=fio&measure=" + LATENCY).matrices[0].effects
    assert effects.shown.name == "ms"


def test_the_front_names_what_nothing_beats():
    cells = raid(sizes=(1, 2, 3), schedulers=("a",))
    values = {1: (900.0, 0.010), 2: (500.0, 0.002), 3: (400.0, 0.006)}
    for round_ in range(3):
        for configuration, _settings, workload in cells:
            iops, latency = values[int(configuration.name.split()[0])]
            a_run(configuration, {WRITE: iops + round_, LATENCY: latency}, workload=workload)
    front = compared("tool=fio").matrices[0].front
    assert [measure.measure for measure in front.measures] == [WRITE, LATENCY]
    places = {point.label: point.place for point in front.points}
    assert list(places.values()) == ["front", "front", "behind"]
    assert "2 of 3 groups" in front.sentence


def test_markdown_has_it_in_words():
    measured(raid(), by_cache({256: 1.0, 1024: 1.3, 4096: 1.5}))
    text = as_markdown(compared("tool=fio"), address="https://example.org/")
    assert "md cache explains" in text
    assert "| md cache | 4096 | 8 | 1" in text


def test_nothing_is_fitted_to_what_differs_in_more_than_the_factor():
    def clients(numbers, duration_of):
        for number in numbers:
            workload = {"clients": number, "duration_s": duration_of(number)}
            a_run(values={WRITE: 1000.0 * number**0.9}, workload=workload)

    clients((1, 2, 4, 8, 16), lambda _number: 60)
    by = "tool=fio&group=workload.clients&like=0"
    assert compared(by).matrices[0].scalings
    clients((32, 64), lambda number: number)
    assert compared(by).matrices == ()
    # whoever mixes it on purpose says that it does not matter
    assert compared(f"{by}&across=duration_s").matrices[0].scalings


def test_effects_of_two_charts_of_a_page_allow_for_both():
    def value(cell):
        scheduler = cell[0].name.split()[1]
        return by_cache({256: 1.0, 1024: 1.3, 4096: 1.5})(cell) * (
            1.012 if scheduler == "none" else 1.0
        )

    writes = raid()
    reads = [(each, {}, {"block_bytes": 4096, "pattern": "read"}) for each, *_rest in writes]
    measured(writes, value, rounds=6, seed=5)
    measured(reads, value, rounds=6, seed=6, measure=READ)
    write, read = (f"tool=fio&measure={measure}" for measure in (WRITE, READ))

    def findings(*queries):
        """What each chart says of the scheduler."""
        views = [one.view for one in compare_together(queries, binary=False)]
        return [
            (one.finding, one.reason.value)
            for view in views
            for one in view.matrices[0].effects[0].factors
            if one.title == "disk scheduler"
        ]

    assert findings(read) == [("firm", "")]
    assert findings(read, read) == [("firm", "")] * 2  # the same said twice
    assert findings(write, read)[1] == ("leans", "many")


def test_a_sentence_of_effects_says_how_many_samples_are_doubted():
    measured(raid(), by_cache({256: 1.0, 1024: 1.3, 4096: 1.5}))
    for run in Run.objects.order_by("pk")[:2]:
        Doubt.objects.create(run=run, kind="load", sentence="The load was 9.")
    (effects,) = compared("tool=fio").matrices[0].effects
    assert effects.doubted == 2
    assert effects.sentence.endswith("; 2 of 24 samples are doubted.")
    (effects,) = compared("tool=fio&doubts=exclude").matrices[0].effects
    assert effects.doubted == 0 and "doubted" not in effects.sentence
