"""Which charts a comparison draws by itself, what their colours and axes mean, and their one table."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from itertools import product

import pytest

from benchdash.inventory.models import Configuration
from benchdash.pages.charts import MOST_LINKED
from benchdash.pages.curve_figures import _over_time_rows
from benchdash.pages.order_picture import MOST_LANES
from benchdash.results.comparison.tables import SERIES
from benchdash.results.comparison.view_curves import OverTime, TraceLine, TraceStretch
from benchdash.results.doubts import note_doubts
from benchdash.results.models import Run, Study
from benchdash.vocabulary.doubts import Doubt as Found
from benchdash.vocabulary.measures import FAMILIES, METRICS
from benchdash.vocabulary.prefixes import shown_unit
from tests.measured import a_configuration, a_run, an_environment

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("public")]

READ, SPEED = "rand_read.iops.mean", "rand_read.throughput.mean"
LATENCY, SLAT = "rand_read.latency.mean", "rand_read.submission_latency.mean"
P99, CPU = "rand_read.completion_latency.p99", "run.cpu_user.mean"
ALL = {SPEED: 4e6, READ: 1e3, LATENCY: 1e-3, SLAT: 1e-6, P99: 5e-3, CPU: 0.2}


def charts_of(page):
    """`{measure: (name of the chart, its data)}` of the figures, in their order."""
    _before, _section, figures = page.content.decode().partition("compared-section")
    found = re.findall(
        r'data-chart="([^"]+)".*?<script type="application/json">(.*?)</script>',
        figures,
        re.DOTALL,
    )
    return {data["measure"]: (name, data) for name, text in found if (data := json.loads(text))}


def table_of(page):
    """The head and the rows of the one table of numbers, as texts."""
    (text,) = re.findall(
        r'class="table-box numbers-of".*?</table>', page.content.decode(), re.DOTALL
    )
    rows = re.findall(r"<tr.*?</tr>", text, re.DOTALL)
    return [
        [
            " ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split())
            for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)
        ]
        for row in rows
    ]


def array(name):
    """The configuration of that name, made at its first use."""
    return Configuration.objects.filter(name=name).first() or a_configuration(name)


def two_groups(values, **other):
    for place, name in enumerate(("one", "other"), 1):
        for nth in range(2):
            own = {measure: value * place + nth / 1e9 for measure, value in values.items()}
            a_run(array(name), own, **other)


def test_the_first_three_families_of_the_tool_are_drawn_and_any_other_by_a_press(client):
    two_groups(ALL)
    page = client.get("/compare/", {"tool": "fio"})
    # of latency the mean and the tail: fio prints up to nine
    assert list(charts_of(page)) == [SPEED, READ, LATENCY, P99]
    tabs = re.search(r'<nav class="tabs".*?</nav>', page.content.decode(), re.DOTALL)[0]
    links = re.findall(r'<a href="([^"]*)"( aria-current="true")?>(.*?)</a>', tabs)
    assert [text for _link, current, text in links if current] == ["Main measures"]
    others = {text: unescape(link) for link, _current, text in links}
    assert list(charts_of(client.get(f"/compare/{others['CPU']}"))) == [CPU]
    latencies = charts_of(client.get(f"/compare/{others['Latency']}"))
    assert list(latencies) == [LATENCY, SLAT, P99]


@pytest.mark.parametrize(
    ("choice", "shown"),
    [
        (f"measure={CPU}&measure={READ}", {CPU, READ}),
        ("family=cpu", {CPU}),
        ("family=throughput&family=iops&family=latency&family=cpu", set(ALL)),
    ],
)
def test_what_an_address_names_is_what_it_shows(client, choice, shown):
    study = Study.objects.create(slug="s", title="S", charts=[f"tool=fio&{choice}"])
    two_groups(ALL, study=study)
    assert set(charts_of(client.get(f"/compare/?tool=fio&{choice}"))) == shown
    assert set(charts_of(client.get(f"/studies/{study.slug}/"))) == shown


def test_a_tool_without_headlines_has_the_first_family_that_it_measured(client):
    two_groups({CPU: 0.5}, tool="a tool of their own")
    assert list(charts_of(client.get("/compare/", {"tool": "a tool of their own"}))) == [CPU]
    assert "cpu" in FAMILIES


def test_bars_have_one_colour(client):
    two_groups({READ: 1e3})
    page = client.get("/compare/", {"tool": "fio"})
    name, data = charts_of(page)[READ]
    assert name == "bars"
    assert {row["slot"] for row in data["rows"]} == {0}
    assert data["colours"] == []
    # no colour on the page stands for a group, so the tables have no swatches
    assert len(re.findall(r'<table data-part="sortable"', page.text)) == 2
    assert "swatch" not in page.text


def test_a_single_run_is_not_told_that_it_cannot_be_told_apart(client):
    words = "small differences may be noise"
    first, _second = (a_run(a_configuration(name), {READ: 1e3}) for name in ("local", "mirror"))
    assert words in client.get("/compare/", {"tool": "fio"}).text
    assert words not in client.get("/compare/", {"run": first.pk}).text


def test_colours_are_the_second_of_two_crossed_factors_and_have_a_legend(client):
    kernels = [an_environment(f"kernel {name}", kernel=name) for name in ("5.14", "6.1")]
    for name in ("ext4", "xfs"):
        for kernel in kernels:
            a_run(array(name), {READ: 1e3}, environment=kernel)
    page = client.get("/compare/", {"group": "configuration,environment.kernel", "tool": "fio"})
    _name, data = charts_of(page)[READ]
    assert [row["slot"] for row in data["rows"]] == [0, 1, 0, 1]
    assert data["colours"] == [{"text": "5.14", "slot": 0}, {"text": "6.1", "slot": 1}]
    assert data["colours_title"] == "Kernel"
    assert "plot coloured" in page.content.decode()


def test_beside_bars_in_the_colours_of_a_factor_groups_have_none(client):
    kernels = [an_environment(f"kernel {name}", kernel=name) for name in ("5.14", "6.1")]
    cells = list(product([array(f"fs{number}") for number in range(MOST_LANES)], kernels))
    for place, (configuration, kernel) in enumerate(2 * cells):
        began = datetime(2026, 11, 22, tzinfo=UTC) + timedelta(minutes=place)
        a_run(configuration, {READ: 1e3}, environment=kernel, started_at=began)
    page = client.get("/compare/", {"group": "configuration,environment.kernel", "tool": "fio"})
    (section,) = page.context["sections"]
    # one lane for all groups: by themselves their colours would have to be named in the table
    assert [lane.label for lane in section.order.lanes] == [""]
    assert charts_of(page)[READ][1]["colours"]
    assert "swatch" not in re.search(r"numbers-of.*?</table>", page.text, re.DOTALL)[0]


def test_factors_that_go_together_need_no_colours(client):
    for name, kernel in (("ext4", "5.14"), ("xfs", "6.1"), ("btrfs", "6.1")):
        a_run(array(name), {READ: 1e3}, environment=an_environment(name, kernel=kernel))
    page = client.get("/compare/", {"group": "configuration,environment.kernel", "tool": "fio"})
    assert charts_of(page)[READ][1]["colours"] == []


def test_a_logarithmic_axis_says_so_and_has_dots(client):
    two_groups({READ: 1e3})
    a_run(array("far"), {READ: 1e6})
    page = client.get("/compare/", {"tool": "fio"})
    name, data = charts_of(page)[READ]
    assert (name, data["axis_title"]) == ("dots", "kIOPS, logarithmic")
    assert "the larger dots are medians" in page.content.decode()
    name, data = charts_of(client.get("/compare/?tool=fio&axis=linear"))[READ]
    assert (name, data["axis_title"]) == ("bars", "kIOPS")
    headers = {"Accept-Language": "ja"}
    data = charts_of(client.get("/compare/?tool=fio", headers=headers))[READ][1]
    assert data["axis_title"] == "kIOPS、対数"


def test_all_measures_stand_in_one_table(client):
    two_groups({READ: 1e3, P99: 5e-3})
    a_run(array("other"), {READ: 2e3})
    note = {"operation": "rand_read", "metric": "completion_latency", "note": "too fast to measure"}
    a_run(array("fast"), {READ: 9e3}, notes=[note | {"metric": "iops"}, note])
    page = client.get("/compare/", {"tool": "fio", "measure": [READ, P99]})
    head, *rows = table_of(page)
    assert head == [
        *("Group", "n", "Random read · IOPS kIOPS"),
        "Random read · Completion latency, p99 ms",
    ]
    by_name = {name: cells for name, *cells in rows}
    assert by_name["one"] == ["2", "1.00 1.00 – 1.00", "5.00 5.00 – 5.00"]
    assert by_name["other"] == ["3", "2.00 2.00 – 2.00", "10.0 10.0 – 10.0 n = 2"]
    assert by_name["fast"][:2] == ["1", "9.00 too fast to measure (1)"]
    markdown = client.get(
        "/api/v1/compare/", {"tool": "fio", "measure": [READ, P99], "format": "md"}
    )
    assert (
        "| other | 3 | 2.00, 2.00 – 2.00 (range) | 10.0, 10.0 – 10.0 (range), n = 2 |"
        in markdown.text
    )


def test_every_chart_leads_to_the_table(client):
    two_groups({READ: 1e3, P99: 5e-3})
    page = client.get("/compare/", {"tool": "fio"}).content.decode()
    tables = re.findall(r'aria-details="([^"]+)"', page)
    assert len(tables) == 2 and page.count(f'id="{tables[0]}"') == 1 == len(set(tables))


def a_sweep(depths=(1, 8, 64), jobs=(1,), names=("array",)):
    for name in names:
        for depth in depths:
            for number in jobs:
                rate = 1e3 * depth**0.5 * number
                a_run(
                    array(name),
                    {SPEED: 4096 * rate, READ: rate, LATENCY: depth / rate, P99: 3 * depth / rate},
                    workload={"queue_depth": depth, "jobs": number},
                )


def test_a_sweep_draws_iops_and_latency_over_one_axis(client):
    a_sweep()
    charts = charts_of(client.get("/compare/", {"tool": "fio"}))
    assert {measure: name for measure, (name, _data) in charts.items()} == {
        **dict.fromkeys((SPEED, READ, P99), "lines"),
    }
    _name, data = charts[READ]
    assert data["latency"]["measure"] == LATENCY
    assert charts[SPEED][1]["latency"] is None
    assert (data["along_title"], data["along_axis"]) == ("Queue depth, logarithmic", "log")
    assert "Random read · Latency: 1.00 ms" in data["rows"][0]["readout"]
    # the table has its numbers, with all others
    head, *_rows = table_of(client.get("/compare/", {"tool": "fio"}))
    assert "Random read · Latency ms" in head


def test_latency_stands_apart_where_that_is_requested(client):
    a_sweep()
    charts = charts_of(client.get("/compare/", {"tool": "fio", "latency": "apart"}))
    assert list(charts) == [SPEED, READ, LATENCY, P99]
    assert charts[READ][1]["latency"] is None
    (chart,) = charts_of(client.get("/compare/", {"tool": "fio", "measure": READ})).values()
    assert chart[1]["latency"] is None


def test_steps_along_an_axis_are_linear(client):
    a_sweep(depths=(1, 2, 3, 4))
    _name, data = charts_of(client.get("/compare/", {"tool": "fio"}))[READ]
    assert (data["along_title"], data["along_axis"]) == ("Queue depth", "linear")


def test_a_sweep_of_two_numbers_is_a_map_of_each_measure(client):
    a_sweep(jobs=(1, 2, 4))
    charts = charts_of(client.get("/compare/", {"tool": "fio"}))
    maps = [measure for measure, (kind, _data) in charts.items() if kind == "heat"]
    assert maps == [SPEED, READ, LATENCY, P99]
    # below, what the two numbers do
    assert {kind for kind, _data in charts.values()} == {"heat", "effects"}


@pytest.mark.parametrize(
    "name",
    ["名前の長い構成は三行になるので広い行が要ります", "ext4 on LVM-on-RAID6-of-disks journaled"],
)
def test_names_that_need_three_lines_have_room_for_them(client, name):
    two_groups({READ: 1e3})
    assert "plot long" not in client.get("/compare/", {"tool": "fio"}).content.decode()
    a_run(array(name), {READ: 1e3})
    assert 'class="plot long"' in client.get("/compare/", {"tool": "fio"}).content.decode()


def test_a_chart_has_its_samples_as_numbers_and_the_runs_that_have_a_link(client):
    for name in ("one", "other"):
        for nth in range(MOST_LINKED + 5):
            run = a_run(array(name), {READ: 1000 + nth})
    note_doubts([run.pk], [Found("load", "Something else ran.")])
    _kind, data = charts_of(client.get("/compare/", {"tool": "fio"}))[READ]
    one, other = data["rows"]
    assert one["values"] == [1000 + nth for nth in range(MOST_LINKED + 5)]
    assert (one["hollow"], other["hollow"]) == ([], [MOST_LINKED + 4])
    # one more says that there are more
    assert one["runs"] == list(Run.objects.order_by("pk").values_list("pk", flat=True))[:21]
    # what is said of it stands beside the chart, and not in each one again
    assert not {"against", "notes", "mean"} & one.keys()
    assert not {"sentence", "winners"} & data.keys()


def test_lines_of_a_colour_that_comes_again_have_dashes_of_their_own():
    """There are ten colours: the eleventh group has that of the first."""
    stretch = TraceStretch(seconds=1.0, lowest=1e8, mean=1e8, highest=1e8)
    lines = tuple(
        TraceLine(f"group {slot}", slot, slot + 1, 1, 1.0, 1e8, 1e8, 1e8, (stretch,))
        for slot in (0, 1, SERIES)
    )
    figure = OverTime("read", "throughput", lines, 0)
    unit = shown_unit(METRICS["throughput"], [1e8], binary=False)
    rows = _over_time_rows(figure, unit, by_wall=False)
    assert [(row.slot % SERIES, row.nth) for row in rows] == [(0, 0), (1, 0), (0, 1)]
