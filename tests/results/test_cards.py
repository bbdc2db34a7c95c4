"""The chart on a study's card: real numbers, like with like, bounded."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.pages.templatetags.charts import bar_rows
from benchdash.results.comparison import compare
from benchdash.results.comparison.cards import (
    MOST_BARS,
    NEWEST_RUNS,
    card_charts,
    card_conditions,
)
from benchdash.results.comparison.tables import swatch
from benchdash.results.criteria import read_query
from benchdash.results.doubts import note_doubts
from benchdash.results.models import Study
from benchdash.vocabulary.doubts import Doubt
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
READ, WRITE = "seq_read.throughput.mean", "seq_write.throughput.mean"


def a_study(**columns):
    number = Study.objects.count()
    return Study.objects.create(slug=f"s{number}", title=f"Study {number}", **columns)


def chart_of(study):
    return card_charts([study], card_conditions([study])).get(study.pk)


def bars(chart):
    return [(bar.label, bar.swatch, bar.text, bar.length) for bar in chart.bars]


def test_conditions_stand_in_their_order_and_colour_by_what_differs_most():
    study, local, mirror = a_study(), a_configuration("local"), a_configuration("mirror")
    for position, (configuration, label) in enumerate([(mirror, "Protocol C"), (local, "Local")]):
        study.conditions.create(configuration=configuration, label=label, position=position)
    for write in (90e6, 100e6, 110e6):
        a_run(local, {READ: 85e6, WRITE: write}, study=study)
    a_run(mirror, {READ: 84e6, WRITE: 25e6}, study=study)
    chart = chart_of(study)
    assert (chart.title, chart.unit, chart.groups) == ("Sequential write · Throughput", "MB/s", 2)
    assert bars(chart) == [
        ("Protocol C", "series-1", "25.0", 25.0),
        ("Local", "series-2", "100", 100.0),
    ]


def test_a_group_with_two_modes_has_both_numbers():
    study, local = a_study(), a_configuration("local")
    for step in range(5):
        a_run(local, {WRITE: 50e6 + step * 1e5}, study=study)
        a_run(local, {WRITE: 90e6 + step * 1e5}, study=study)
    assert [bar.text for bar in chart_of(study).bars] == ["50.2 / 90.2"]


def test_without_runs_that_count_there_is_no_chart():
    study = a_study()
    assert chart_of(study) is None
    a_run(a_configuration("local"), {WRITE: 9e7}, study=study, set_aside_reason="resync")
    a_run(a_configuration("bare"), {}, study=study)
    a_run(None, {WRITE: 9e7}, study=study)
    assert chart_of(study) is None


def test_what_is_not_alike_is_not_mixed_and_the_card_says_which_it_is():
    study, local, mirror = a_study(), a_configuration("local"), a_configuration("mirror")
    for configuration in (local, mirror):
        a_run(configuration, {WRITE: 1e8}, study=study, workload={"block_bytes": 4096})
    a_run(local, {WRITE: 9e9}, study=study, workload={"block_bytes": 2**20})
    chart = chart_of(study)
    assert chart.held == "Block size 4 KiB"
    assert [bar.text for bar in chart.bars] == ["100", "100"]
    study.charts = [f"study={study.slug}&across=block_bytes"]
    assert (chart_of(study).held, chart_of(study).bars[0].text) == ("", "4,550")


def test_runs_that_differ_in_settings_or_in_what_ran_beside_are_no_repeats():
    study, local = a_study(), a_configuration("local")
    for guests, write in ((1, 90e6), (1, 92e6), (4, 10e6)):
        a_run(local, {WRITE: write}, study=study, settings={"guests": guests})
    chart = chart_of(study)
    assert (chart.held, [bar.text for bar in chart.bars]) == ("Concurrent guests 1", ["91.0"])
    other = a_study()
    a_run(local, {WRITE: 90e6}, study=other)
    a_run(local, {WRITE: 10e6}, study=other, beside="2 × randread")
    assert [bar.text for bar in chart_of(other).bars] == ["90.0"]


def test_bars_say_which_of_their_samples_are_doubted():
    study, local, mirror = a_study(), a_configuration("local"), a_configuration("mirror")
    first, second, third = (a_run(local, {WRITE: 9e7}, study=study) for _ in range(3))
    a_run(mirror, {WRITE: 8e7}, study=study)
    note_doubts([first.pk], [Doubt("load", "The load is 9.")])
    note_doubts([second.pk], [Doubt("short", "Too short.", ("seq_read",))])
    note_doubts([third.pk], [Doubt("short", "Too short.", ("seq_write",))])
    assert [bar.doubted for bar in chart_of(study).bars] == [2, 0]
    assert bar_rows(chart_of(study)).count("2 doubted") == 1


def test_a_study_says_itself_what_its_numbers_are():
    study = a_study(charts=[f"measure={READ}"])
    a_run(a_configuration("local"), {READ: 85e6, WRITE: 9e6}, study=study)
    assert chart_of(study).title == "Sequential read · Throughput"
    study.charts = ["nonsense=1"]
    assert chart_of(study) is not None


def test_colours_are_those_of_the_comparison():
    study, names = a_study(), ["d", "b", "c", "a"]
    configurations = [a_configuration(name) for name in names]
    study.conditions.create(configuration=configurations[2], label="third", position=0)
    for number, configuration in enumerate(configurations):
        a_run(configuration, {WRITE: 1e8 + number}, study=study)
    figures = compare(read_query(f"study={study.slug}")).view.sections[0].figures
    drawn = {row.label: swatch(row.slot) for row in figures[0].rows}
    assert {bar.label: bar.swatch for bar in chart_of(study).bars} == drawn


def test_a_configuration_that_is_not_on_the_card_keeps_its_colour():
    study, blocks = a_study(), {"a": 2**20, "b": 4096, "c": 4096}
    for name, size in blocks.items():
        a_run(a_configuration(name), {WRITE: 1e8}, study=study, workload={"block_bytes": size})
    section = compare(read_query(f"study={study.slug}")).view.sections[0]
    drawn = {row.label: swatch(row.slot) for row in section.figures[0].rows}
    assert {bar.label: bar.swatch for bar in chart_of(study).bars} == drawn
    assert set(drawn.values()) == {"series-2", "series-3"}


def test_of_many_the_best_are_shown_and_all_are_counted():
    study = a_study()
    for number in range(1, MOST_BARS + 4):
        a_run(a_configuration(f"c{number}"), {WRITE: number * 1e7}, study=study)
    chart = chart_of(study)
    assert chart.groups == MOST_BARS + 3
    assert [bar.label for bar in chart.bars][:2] == ["c11", "c10"]
    assert len(chart.bars) == MOST_BARS


def test_values_that_span_decades_are_all_seen():
    study = a_study()
    for name, rate in {"ext3": 76_000.0, "gfs2": 122.0}.items():
        a_run(a_configuration(name), {"seq_create.rate.mean": rate}, study=study)
    chart = chart_of(study)
    assert chart.is_log
    assert [bar.length > 20 for bar in chart.bars] == [True, True]


def test_after_ten_colours_a_pattern_tells_them_apart():
    assert [swatch(slot) for slot in (0, 9, 10, 39, 40)] == [
        "series-1",
        "series-10",
        "series-1 round-1",
        "series-10 round-3",
        "series-1",
    ]


def test_all_studies_cost_five_queries():
    studies = [a_study() for _ in range(5)]
    for study in studies:
        for number in range(3):
            a_run(a_configuration(f"{study}{number}"), {WRITE: 1e8}, study=study)
    with CaptureQueriesContext(connection) as queries:
        assert len(card_charts(studies, [])) == 5
    assert len(queries) == 5


def test_of_many_runs_the_newest_are_looked_at_and_of_few_all():
    many, few = a_study(), a_study()
    before, now = a_configuration("before"), a_configuration("now")
    for number in range(NEWEST_RUNS + 5):
        a_run(before if number < 5 else now, {WRITE: 1e8 + number}, study=many)
    a_run(before, {WRITE: 1e8}, study=few)
    charts = card_charts([many, few], [])
    assert {pk: [bar.label for bar in chart.bars] for pk, chart in charts.items()} == {
        many.pk: ["now"],
        few.pk: ["before"],
    }


def test_the_oldest_condition_is_not_cut_within_a_sample():
    study = a_study()
    jobs = {"pattern": "read", "jobs": 1}
    for number in range(NEWEST_RUNS // 8 + 1):
        configuration = a_configuration(f"c{number}")
        first = a_run(configuration, {READ: 1e8}, study=study, workload=jobs)
        for _job in range(7):
            a_run(configuration, {READ: 1e8}, study=study, workload=jobs, sample=first.sample)
    assert chart_of(study).groups == NEWEST_RUNS // 8 + 1
