"""Percentile curves on the pages of runs and of comparisons: tables first, charts beside them."""

from __future__ import annotations

import json
import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.results.comparison.curves import MOST_CURVES
from benchdash.results.models import Study
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
LATENCY = "rand_read.completion_latency"
TAIL = {
    f"{LATENCY}.{name}": value for name, value in {"p50": 1e-4, "p99": 2e-3, "p99.9": 5e-2}.items()
}


@pytest.fixture(autouse=True)
def public(settings):
    settings.PUBLIC_READ = True


def text_of(response):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.text)))


def curves_of(response):
    found = re.findall(r'<script type="application/json">(.*?)</script>', response.text)
    return [one for one in map(json.loads, found) if one["measure"].endswith(".percentiles")]


def times(values, factor):
    return {name: value * factor for name, value in values.items()}


def test_a_run_has_each_of_its_percentiles_in_a_unit_to_read_and_as_a_curve(client):
    page = client.get(f"/runs/{a_run(a_configuration('local'), TAIL).pk}/")
    assert "50 % 100 µs 99 % 2.00 ms 99.9 % 50.0 ms" in text_of(page)
    assert "Random read · Completion latency · Percentiles PNG" in text_of(page)
    (figure,) = curves_of(page)
    assert figure["axis"] == "log"
    assert figure["axis_title"] in ("ns", "µs", "ms")
    (row,) = figure["rows"]
    assert [(point["percent"], point["text"]) for point in row["points"]] == [
        (50.0, "100 µs"),
        (99.0, "2.00 ms"),
        (99.9, "50.0 ms"),
    ]


def test_the_hundredth_percentile_stands_in_the_table_and_has_no_place_on_the_axis(client):
    values = TAIL | {f"{LATENCY}.p100": 0.1}
    page = client.get(f"/runs/{a_run(a_configuration('local'), values).pk}/")
    assert "100 % 100 ms" in text_of(page)
    assert [point["percent"] for point in curves_of(page)[0]["rows"][0]["points"]] == [50, 99, 99.9]


def test_a_single_percentile_is_a_table_without_a_chart(client):
    page = client.get(f"/runs/{a_run(a_configuration('local'), {f'{LATENCY}.p99': 2e-3}).pk}/")
    assert "99 % 2.00 ms" in text_of(page)
    assert 'data-chart="percentiles"' not in page.text


def test_compared_groups_have_the_median_of_their_runs_and_say_how_many(client):
    local, mirror = a_configuration("local"), a_configuration("mirror")
    for factor in (1, 2, 4):
        a_run(local, times(TAIL, factor))
    a_run(mirror, times(TAIL, 3))
    a_run(mirror, {f"{LATENCY}.p50": 5e-4})
    page = client.get("/compare/?tool=fio&family=latency")
    (figure,) = curves_of(page)
    assert [(row["label"], row["n"]) for row in figure["rows"]] == [("local", 3), ("mirror", 2)]
    points = [[(point["percent"], point["n"]) for point in row["points"]] for row in figure["rows"]]
    assert points == [[(50, 3), (99, 3), (99.9, 3)], [(50, 2), (99, 1), (99.9, 1)]]
    assert "local n = 3 ms mirror n = 2 ms" in text_of(page)
    assert "99 % 4.00 6.00 n = 1" in text_of(page)


def test_a_percentile_that_a_group_lacks_is_no_zero(client):
    a_run(a_configuration("local"), TAIL)
    a_run(a_configuration("mirror"), {name: TAIL[name] for name in list(TAIL)[:2]})
    page = client.get("/compare/?tool=fio&family=latency")
    assert "99.9 % 50.0 –" in text_of(page)
    assert len(curves_of(page)[0]["rows"][1]["points"]) == 2


def test_other_measures_bring_no_curves(client):
    a_run(a_configuration("local"), TAIL | {"rand_read.iops.mean": 1000.0})
    assert curves_of(client.get("/compare/?tool=fio&family=iops")) == []
    assert len(curves_of(client.get("/compare/?tool=fio&family=latency"))) == 1


def test_groups_beyond_the_twelfth_are_left_out_and_it_is_stated(client):
    for number in range(MOST_CURVES + 2):
        a_run(a_configuration(f"disk {number}"), TAIL)
    page = client.get("/compare/?tool=fio&family=latency")
    assert len(curves_of(page)[0]["rows"]) == MOST_CURVES
    assert "2 further groups are left out of this chart" in text_of(page)


def test_curves_cost_no_query_however_many_they_are(client):
    def count_queries(family):
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/compare/?tool=fio&family={family}").status_code == 200
        return len(queries)

    a_run(a_configuration("local"), TAIL | {"rand_read.iops.mean": 1000.0})
    one = count_queries("latency")
    assert one == count_queries("iops")
    for number in range(5):
        a_run(a_configuration(f"disk {number}"), TAIL)
    # the second configuration brings the drawings of stacks, in two queries at most
    assert count_queries("latency") == count_queries("iops") <= one + 2


def test_groups_of_one_configuration_have_each_their_colour(client):
    local = a_configuration("local")
    study = Study.objects.create(slug="depths", title="Depths")
    for depth in (1, 8, 32):
        a_run(local, times(TAIL, depth), study=study, workload={"queue_depth": depth})
    query = "/compare/?study=depths&family=latency&group=configuration,workload.queue_depth"
    page = client.get(query)
    (figure,) = curves_of(page)
    assert [row["slot"] for row in figure["rows"]] == [0, 1, 2]
    numbers = re.search(r"numbers-of.*?</table>", page.text, re.DOTALL)[0]
    tails = re.search(r"compared tails.*?</table>", page.text, re.DOTALL)[0]
    assert re.findall(r'swatch series-(\d)"></span>local', tails) == ["1", "2", "3"]
    # the colour of the one line above it would tell nothing apart
    assert not re.findall(r"swatch series-", numbers)
    # a line is one colour, as it was
    charts = re.findall(r'<script type="application/json">(.*?)</script>', page.text)
    lines = [one for one in map(json.loads, charts) if not one["measure"].endswith("percentiles")]
    assert {row["slot"] for one in lines for row in one["rows"]} == {0}


def test_curves_have_the_colours_of_the_lines_that_their_groups_are_on(client):
    study = Study.objects.create(slug="depths", title="Depths")
    for number, name in enumerate(("local", "drbd")):
        configuration = a_configuration(name)
        for depth in (1, 8, 32):
            values = times(TAIL, depth + number)
            a_run(configuration, values, study=study, workload={"queue_depth": depth})
    query = "/compare/?study=depths&group=configuration,workload.queue_depth"
    page = client.get(f"{query}&family=latency")
    (figure,) = curves_of(page)
    slots = {row["label"]: row["slot"] for row in figure["rows"]}
    lines = {label.partition(" ·")[0]: slot for label, slot in slots.items()}
    assert len(slots) == 6 and sorted(lines.values()) == [0, 1]
    assert all(slot == lines[label.partition(" ·")[0]] for label, slot in slots.items())
    # and so has the overview, with each of its rows
    overview = re.search(r'class="section overview.*?</table>', page.text, re.DOTALL)[0]
    assert sorted(re.findall(r'swatch series-(\d)"', overview)) == ["1", "1", "1", "2", "2", "2"]
