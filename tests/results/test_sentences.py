from __future__ import annotations

import pytest
from django.utils.translation import override

from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db

WRITE, LATENCY = "seq_write.throughput.mean", "rand_read.latency.mean"


def sentence(measure, groups, baseline=None, **query):
    """The sentence on `{label: [values]}`; a text instead of values is a note."""
    numbers = {}
    for label, values in groups.items():
        configuration = a_configuration(label)
        numbers[label] = configuration.pk
        operation, metric, _ = measure.split(".", 2)
        for value in values if isinstance(values, list) else [None]:
            note = {"operation": operation, "metric": metric, "note": values}
            a_run(
                configuration,
                {} if value is None else {measure: value},
                notes=[note] if value is None else [],
            )
    base = f"&baseline={numbers[baseline]}" if baseline else ""
    (figure,) = compare(read_query(f"tool=fio&measure={measure}{base}")).view.sections[0].figures
    return figure.sentence


def test_few_samples_have_a_highest_and_a_lowest_and_nothing_is_best():
    groups = {"local": [90.2e6], "C": [32.8e6], "GFS2": [28.7e6], "faster": [95e6, 95e6]}
    assert sentence(WRITE, groups, "local") == (
        "Sequential write · Throughput: highest seen: faster, 95.0 MB/s (2 samples); "
        "lowest: GFS2, 31.8 % of the baseline, local."
    )


def test_japanese_sentences_follow_each_other_without_a_blank():
    note = "too fast to measure"
    with override("ja"):
        found = sentence("seq_create.rate.mean", {"a": [80.0], "b": [100.0], "c": note})
    assert found.count("。") == 2
    assert "。 " not in found


def test_without_a_baseline_the_lowest_is_held_against_the_highest():
    assert sentence(WRITE, {"a": [80e6], "b": [100e6]}) == (
        "Sequential write · Throughput: highest seen: b, 100 MB/s (1 sample); lowest: a, 80.0 % of b."
    )


def test_a_baseline_that_is_the_lowest_is_held_against_the_highest():
    found = sentence(WRITE, {"a": [80e6], "b": [100e6]}, "a")
    assert found.endswith("lowest: a, 80.0 % of b.")


@pytest.mark.parametrize("baseline", [None, "b"])
def test_a_share_that_is_not_that_of_the_medians_is_an_average(baseline):
    found = sentence(WRITE, {"a": [10e6, 12e6, 40e6], "b": [100e6, 100e6, 100e6]}, baseline)
    assert found.endswith("lowest: a, 16.9 % of b by geometric mean.")


def test_of_latencies_the_lowest_comes_first():
    assert sentence(LATENCY, {"a": [0.001], "b": [0.002]}, "a") == (
        "Random read · Latency: lowest seen: a, 1.00 ms (1 sample); highest: b, 200.0 % of a."
    )


@pytest.mark.parametrize("baseline", [None, "b"])
def test_a_share_that_contradicts_the_medians_is_not_stated(baseline):
    # the geometric mean of "a" is above that of "b", its median is below
    groups = {"a": [44e6, 44e6, 90e6], "b": [43e6, 47e6, 57e6]}
    assert sentence(WRITE, groups, baseline) == (
        "Sequential write · Throughput: highest seen: b, 47.0 MB/s (3 samples); lowest: a."
    )


def test_differences_of_decades_are_reported_as_so_many_times():
    assert sentence("seq_create.rate.mean", {"ext3": [75970.0], "GFS2": [122.0]}, "ext3") == (
        "Sequential create · Rate: highest seen: ext3, 76.0 k/s (1 sample); lowest: GFS2, 1/623 of ext3."
    )
    assert sentence(LATENCY, {"a": [0.001], "b": [0.05]}).endswith("highest: b, 50 times a.")


def test_equal_values_are_equal():
    equal = {"a": [5e6, 5e6], "b": [5e6], "c": [5e6]}
    assert sentence(WRITE, equal) == "Sequential write · Throughput: equal: a, b, c, 5.00 MB/s."
    ahead = {"d": [5.0], "e": [5.0], "f": [4.0]}
    assert sentence("seq_create.rate.mean", ahead) == (
        "Sequential create · Rate: highest seen: d, e, 5.00 /s (1 sample); lowest: f, 80.0 % of d."
    )


NOISE = [100e6, 101e6, 99e6, 102e6, 98e6]


def test_best_and_worst_are_so_against_every_other():
    groups = {"a": NOISE, "b": [v / 2 for v in NOISE], "c": [v / 4 for v in NOISE]}
    assert sentence(WRITE, groups, "b") == (
        "Sequential write · Throughput: a is best with 100 MB/s; c is worst, 50.0 % of the baseline, b."
    )


def test_those_that_may_be_best_are_named_and_what_is_not_worst_is_lowest():
    assert sentence(WRITE, {"a": NOISE, "b": NOISE[::-1], "c": [v / 2 for v in NOISE]}) == (
        "Sequential write · Throughput: possible winners: a, b; c is worst, 50.0 % of a."
    )
    slow = {"f": NOISE, "d": [v / 2 for v in NOISE], "e": [v / 2.01 for v in NOISE]}
    assert sentence("seq_read.throughput.mean", slow) == (
        "Sequential read · Throughput: f is best with 100 MB/s; lowest: e, 49.8 % of f."
    )


def test_of_many_that_are_alike_a_few_are_named():
    assert sentence(WRITE, dict.fromkeys("abc", NOISE)) == (
        "Sequential write · Throughput: highest seen: a, b, c, 100 MB/s (5 samples); the samples "
        "do not show which of the 3 is best."
    )
    assert sentence("rand_write.throughput.mean", dict.fromkeys("defghi", NOISE)) == (
        "Random write · Throughput: highest seen: d, e, f, g and 2 more, 100 MB/s (5 samples); the "
        "samples do not show which of the 6 is best."
    )
    # what was seen stands first, also where it is far from firm
    apart = {"p": [60e6, 75e6, 68e6, 72e6, 70e6], "q": [59e6, 77e6, 71e6, 66e6, 65e6]}
    assert sentence("seq_write.iops.mean", apart) == (
        "Sequential write · IOPS: highest seen: p, 70.0 MIOPS (5 samples); lowest: q, 97.9 % of p by "
        "geometric mean; the samples do not show which of the 2 is best."
    )
    slow = {"z": [v / 2 for v in NOISE]}
    assert "possible winners: k, l, m, n and 2 more; z is" in sentence(
        "seq_read.throughput.mean", dict.fromkeys("klmnor", NOISE) | slow
    )


def test_of_many_that_were_not_measured_a_few_are_named():
    groups = dict.fromkeys("ghijkl", "too fast to measure") | {"a": [5.0], "b": [6.0]}
    assert sentence("seq_create.rate.mean", groups).endswith(
        "g, h, i, j and 2 more: too fast to measure."
    )


def test_what_was_not_measured_is_stated():
    groups = {"ssd": "too fast to measure", "a": [5.0], "b": [6.0]}
    assert sentence("seq_create.rate.mean", groups).endswith("ssd: too fast to measure.")


@pytest.mark.parametrize("measure", ["run.duration.total", "run.cpu.mean", WRITE])
def test_nothing_is_stated_where_there_is_nothing_to_prefer(measure):
    groups = {"a": [1.0], "b": [2.0]} if measure != WRITE else {"a": [1.0]}
    assert sentence(measure, groups) == ""


def test_names_with_percent_signs_and_braces_stay_as_they_are():
    assert "50 % {full}" in sentence(WRITE, {"50 % {full}": [1e6], "b": [2e6]})
