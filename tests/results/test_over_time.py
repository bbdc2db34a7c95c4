"""Traces of several runs over each other, bounded and in order."""

from __future__ import annotations

import pytest

from benchdash.results.comparison import compare
from benchdash.results.comparison.curves import MOST_STRETCHES, MOST_TRACES
from benchdash.results.comparison.view_curves import TraceStretch
from benchdash.results.criteria import read_query
from benchdash.results.models import Permalink, Trace
from benchdash.results.permalinks import frozen, make_permalink
from tests.measured import a_configuration, a_run, a_trace

pytestmark = pytest.mark.django_db
WRITE = "seq_write.throughput"


def measured(configuration, values=(1e8, 2e8), **workload):
    run = a_run(configuration, {f"{WRITE}.mean": 1.5e8}, workload=workload)
    a_trace(run, WRITE, values)
    return run


def over_time(query="tool=fio"):
    return [one.over_time for one in compare(read_query(query)).view.sections]


def test_each_run_is_a_line_in_the_colour_of_its_group():
    local, mirror = a_configuration("local"), a_configuration("mirror")
    runs = [measured(local), measured(mirror), measured(local)]
    ((figure,),) = over_time()
    assert (figure.operation, figure.metric, figure.left_out) == ("seq_write", "throughput", 0)
    assert [(line.label, line.slot, line.run) for line in figure.lines] == [
        ("local", 0, runs[0].pk),
        ("local", 0, runs[2].pk),
        ("mirror", 1, runs[1].pk),
    ]
    assert figure.lines[0].stretches == (
        TraceStretch(0, 1e8, 1e8, 1e8),
        TraceStretch(1, 2e8, 2e8, 2e8),
    )


def test_a_long_trace_is_drawn_short_and_says_what_all_its_points_are():
    values = [1e8] * 50_000
    values[31_234] = 0.0
    measured(a_configuration("local"), values)
    ((figure,),) = over_time()
    drawn = figure.lines[0]
    assert len(drawn.stretches) == MOST_STRETCHES
    assert (drawn.points, drawn.seconds, drawn.lowest) == (50_000, 49_999.0, 0.0)
    assert drawn.mean == pytest.approx(1e8 * 49_999 / 50_000)
    assert [stretch.lowest for stretch in drawn.stretches].count(0.0) == 1


def test_of_many_runs_the_first_of_each_group_are_drawn_and_the_others_counted():
    configurations = [a_configuration(f"disk {number}") for number in range(10)]
    for _ in range(2):
        for configuration in configurations:
            measured(configuration)
    ((figure,),) = over_time()
    assert len(figure.lines) == MOST_TRACES
    assert figure.left_out == 20 - MOST_TRACES
    assert {line.label for line in figure.lines} == {f"disk {n}" for n in range(10)}


def test_runs_that_are_not_alike_are_not_laid_over_each_other():
    local = a_configuration("local")
    measured(local, block_bytes=4096)
    measured(local, block_bytes=65536)
    assert [len(figure.lines) for (figure,) in over_time("tool=fio&like=1")] == [1, 1]


def test_what_is_not_compared_is_not_drawn():
    run = measured(a_configuration("local"))
    a_trace(run, "seq_write.latency", [1e-3])
    assert [one.metric for one in over_time()[0]] == ["throughput"]
    assert over_time("tool=fio&measure=seq_write.throughput.max") == []
    assert over_time("tool=bonnie%2B%2B") == []


def test_a_trace_without_points_is_no_line():
    measured(a_configuration("local"), ())
    assert over_time() == [()]


def test_a_permalink_keeps_the_lines_whatever_becomes_of_the_traces():
    configurations = [a_configuration(f"disk {number}") for number in range(MOST_TRACES + 3)]
    for configuration in configurations:
        measured(configuration)
    shown = over_time()
    link = make_permalink("tool=fio", None)
    Trace.objects.all().delete()
    frozen_view = frozen(Permalink.objects.get(pk=link.pk))
    assert [section.over_time for section in frozen_view.view.sections] == shown
    assert shown[0][0].left_out == 3


def test_a_single_point_is_no_course():
    measured(a_configuration("local"), values=(1e8,))
    assert over_time() == [()]
