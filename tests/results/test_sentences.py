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


def test_the_worst_is_held_against_the_baseline():
    groups = {"local": [90.2e6], "C": [32.8e6], "GFS2": [28.7e6], "faster": [95e6]}
    assert sentence(WRITE, groups, "local") == (
        "Sequential write: faster is best with 95.0 MB/s. "
        "GFS2 is worst: 31.8 % of the baseline, local."
    )


def test_japanese_sentences_follow_each_other_without_a_blank():
    with override("ja"):
        found = sentence(WRITE, {"a": [80e6], "b": [100e6]})
    assert found.count("。") == 2
    assert "。 " not in found


def test_without_a_baseline_the_worst_is_held_against_the_best():
    assert sentence(WRITE, {"a": [80e6], "b": [100e6]}) == (
        "Sequential write: b is best with 100 MB/s. a is worst: 80.0 % of b."
    )


def test_a_baseline_that_is_the_worst_is_held_against_the_best():
    assert sentence(WRITE, {"a": [80e6], "b": [100e6]}, "a").endswith("a is worst: 80.0 % of b.")


def test_a_long_latency_is_worst():
    assert sentence(LATENCY, {"a": [0.001], "b": [0.002]}, "a") == (
        "Random read: Latency: a is best with 1.00 ms. b is worst: 200.0 % of a."
    )


def test_differences_of_decades_are_told_as_so_many_times():
    assert sentence("seq_create.rate.mean", {"ext3": [75970.0], "GFS2": [122.0]}, "ext3") == (
        "Sequential create: ext3 is best with 75970 /s. GFS2 is worst: 1/623 of ext3."
    )
    assert sentence(LATENCY, {"a": [0.001], "b": [0.05]}).endswith("b is worst: 50 times a.")


def test_many_runs_that_overlap_are_no_winner():
    noise = [100e6, 101e6, 99e6, 102e6, 98e6]
    assert sentence(WRITE, {"a": noise, "b": noise[::-1], "c": [v / 2 for v in noise]}) == (
        "Sequential write: no visible difference between the best, a, b. c is worst: 50.0 % of a."
    )
    assert "best" in sentence(LATENCY, {"d": [1.0, 2.0], "e": [1.5, 1.6]})


def test_of_many_that_are_alike_a_few_are_named():
    noise = [100e6, 101e6, 99e6, 102e6, 98e6]
    alike = dict.fromkeys("abc", noise)
    assert sentence(WRITE, alike) == "Sequential write: no visible difference between a, b, c."
    many = dict.fromkeys("defgh", noise)
    assert (
        sentence(LATENCY, many)
        == "Random read: Latency: no visible difference between the 5 groups."
    )
    slow = {"z": [v / 2 for v in noise]}
    assert "the best, k, l, m and 2 more. z is" in sentence(
        "seq_read.throughput.mean", dict.fromkeys("klmno", noise) | slow
    )


def test_of_many_that_were_not_measured_a_few_are_named():
    groups = dict.fromkeys("ghijk", "too fast to measure") | {"a": [5.0], "b": [6.0]}
    assert sentence("seq_create.rate.mean", groups).endswith(
        "g, h, i and 2 more: too fast to measure."
    )


def test_what_was_not_measured_is_said():
    groups = {"ssd": "too fast to measure", "a": [5.0], "b": [6.0]}
    assert sentence("seq_create.rate.mean", groups).endswith("ssd: too fast to measure.")


@pytest.mark.parametrize("measure", ["run.duration.total", WRITE])
def test_nothing_is_said_where_there_is_nothing_to_prefer(measure):
    groups = {"a": [1.0], "b": [2.0]} if measure != WRITE else {"a": [1.0]}
    assert sentence(measure, groups) == ""


def test_names_with_percent_signs_and_braces_stay_as_they_are():
    assert "50 % {full}" in sentence(WRITE, {"50 % {full}": [1e6], "b": [2e6]})
