"""The table before the charts as pages show it: folded where it is long, its shares named."""

from __future__ import annotations

import re
from html import unescape

import pytest

from benchdash.inventory.models import Configuration
from benchdash.results.models import Study
from tests.measured import a_configuration, a_run
from tests.pages.compared import CREATE, WRITE, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("public")]


def many_disks(count, depths=(1,)):
    """A run each at each depth; the order of their speeds is not that of their names."""
    for number in range(count):
        speed, disk = 1e8 + 1e6 * ((number * 7) % count), a_configuration(f"disk {number}")
        for depth in depths:
            a_run(disk, {WRITE: speed}, workload={"queue_depth": depth})


def test_of_many_groups_the_best_come_first_and_all_by_one_press(client):
    many_disks(20)
    page = client.get("/compare/", {"tool": "fio"})
    overview = page.context["overview"]
    assert overview.is_folded and 'class="table-box folded"' in page.text
    values = [row.cells[0].exact for row in overview.rows]
    assert values == sorted(values, reverse=True)
    assert 'aria-sort="descending"' in page.text
    assert "Show all 20 Those best in Sequential write · Throughput first" in text_of(page)


def test_of_few_groups_none_is_folded_and_the_order_is_theirs(client):
    many_disks(16)
    page = client.get("/compare/", {"tool": "fio"})
    assert "folded" not in page.text and "aria-sort" not in page.text
    labels = [row.row.label for row in page.context["overview"].rows]
    assert labels == [f"disk {number}" for number in range(16)]


def order_by(client, sort, **query):
    page = client.get("/compare/", {"tool": "fio", "sort": sort, **query})
    assert page.status_code == 200
    return page, [row.row.label for row in page.context["overview"].rows]


def test_the_order_of_the_address_is_that_of_the_rows(client):
    many_disks(20)
    page, labels = order_by(client, WRITE)
    speeds = [row.cells[0].exact for row in page.context["overview"].rows]
    assert speeds == sorted(speeds)
    assert page.text.count('aria-sort="ascending"') == 1 and "Those best in" not in page.text
    page, labels = order_by(client, "-group")
    assert labels == [f"disk {number}" for number in reversed(range(20))]
    assert 'data-name="group" aria-sort="descending"' in page.text
    # what the form and links make of it keeps the order
    assert ("sort", "-group") in page.context["hidden"]
    assert page.context["criteria"].changed(percent=True).query().endswith("sort=-group")


def test_what_has_no_value_comes_last_whichever_way(client):
    many_disks(3)
    a_run(a_configuration("disk 9"), {"seq_read.throughput.mean": 1.0})
    for sort in (WRITE, f"-{WRITE}"):
        assert order_by(client, sort)[1][-1] == "disk 9"


def test_a_column_that_is_not_there_orders_nothing_and_nonsense_is_explained(client):
    many_disks(3)
    assert order_by(client, "rand_read.iops.mean")[1] == [f"disk {number}" for number in range(3)]
    page = client.get("/compare/", {"tool": "fio", "sort": "speed"})
    assert page.status_code == 422
    assert "“speed” is not a column of the overview" in page.text


def test_a_permanent_link_keeps_the_order(client, signed_in):
    many_disks(3)
    contributor = signed_in("contributor")
    link = contributor.post("/c/", {"query": "tool=fio&sort=-group"})
    labels = [row.row.label for row in contributor.get(link.url).context["overview"].rows]
    assert labels == ["disk 2", "disk 1", "disk 0"]


def test_of_many_groups_each_workload_has_its_best_among_the_first(client):
    many_disks(10, depths=(1, 8))
    overview = client.get("/compare/", {"tool": "fio", "like": "1"}).context["overview"]
    assert [row.workload for row in overview.rows[:12]] == ["1"] * 6 + ["8"] * 6
    values = [row.cells[0].exact for row in overview.rows]
    assert values[:6] == values[6:12] == sorted(set(values), reverse=True)[:6]
    assert len({(row.workload, row.row.label) for row in overview.rows}) == 20


def test_shares_say_what_they_are_of(client):
    local, mirror = a_configuration("local"), a_configuration("mirror")
    a_run(local, {WRITE: 1e8})
    a_run(mirror, {WRITE: 5e6})
    page = text_of(client.get("/compare/", {"tool": "fio"}))
    assert "Sequential write · Throughput MB/s · % of best" in page
    assert "local baseline 1 100 100.0 % mirror baseline 1 5.00 5.00 %" in page
    assert "Point at a row and press “baseline”" in page
    page = text_of(client.get("/compare/", {"tool": "fio", "baseline": mirror.pk}))
    assert "Sequential write · Throughput MB/s · % of baseline" in page
    # beyond ten times a percentage says less
    assert "local baseline 1 100 20.0×" in page


def test_colours_are_of_what_shares_are_of(client):
    """Of another workload a value is no rival: each has its own best."""
    for depth, factor in ((1, 1.0), (32, 9.0)):
        for name, value in (("local", 1e8), ("mirror", 5e7)):
            configuration = Configuration.objects.filter(name=name).first()
            a_run(
                configuration or a_configuration(name),
                {WRITE: value * factor},
                workload={"queue_depth": depth},
            )
    page = client.get("/compare/?tool=fio&like=1").text
    overview = re.search(r'class="section overview.*?</table>', page, re.DOTALL)[0]
    assert sorted(re.findall(r"level-(\d+)", overview)) == ["4", "4", "8", "8"]


def test_the_tools_alone_name_workloads_that_differ_in_all_that_each_has(client):
    for name in ("one", "other"):
        disk = a_configuration(name)
        a_run(disk, {WRITE: 1e8}, tool="bonnie++", workload={"files": 16})
        a_run(disk, {WRITE: 1e8}, workload={"queue_depth": 8})
    overview = client.get("/compare/", {"tool": ["bonnie++", "fio"], "like": "1"}).context[
        "overview"
    ]
    assert overview.parts_title == "Tool"
    assert {row.workload for row in overview.rows} == {"bonnie++", "fio"}


def test_groups_that_were_chosen_by_hand_may_still_be_no_repeats(client):
    for depth in (1, 1, 8, 8):
        a_run(None, {WRITE: 1e8 * depth}, workload={"queue_depth": depth})
    for query in ("tool=fio&like=0", "tool=fio&group=workload.queue_depth"):
        assert "may not be repeats of each other" in text_of(client.get(f"/compare/?{query}")), (
            query
        )


def test_the_overview_has_shares_n_doubts_and_each_sample_by_itself(client):
    local, mirror = a_configuration("local"), a_configuration("mirror <disk>")
    for step in range(2):
        a_run(local, {WRITE: 1e8 + step})
        a_run(mirror, {WRITE: 5e7 + step})
    page = client.get("/compare/", {"tool": "fio", "baseline": local.pk})
    assert "Group n Sequential write · Throughput MB/s · % of baseline" in text_of(page)
    assert "mirror <disk> baseline 2 50.0 50.0 %" in text_of(page)
    (apart,) = re.findall(
        r'href="(/compare/\?[^"]*group=run[^"]*)"[^>]*>2<', page.content.decode()
    )[1:]
    parted = client.get(unescape(apart))
    assert "2 groups, 2 samples" in text_of(parted)


def test_a_study_has_its_overview_once_above_all_its_charts(client, study):
    query = "study=drbd"
    Study.objects.filter(pk=study.pk).update(charts=["study=gone", query, f"{query}&chart=boxes"])
    page = client.get("/studies/drbd/")
    refused, first, second = page.context["comparisons"]
    assert "refused" in refused
    assert first["overview"] and first["comparison"].view.overview
    assert second["overview"] is None and second["comparison"].view.overview is None
    assert page.text.count('class="section overview"') == 1
    assert first["sections"] and len(first["sections"]) == len(second["sections"])


def test_the_overview_says_how_many_columns_not_all_groups_have(client):
    one, other = a_configuration("one"), a_configuration("other")
    a_run(one, {WRITE: 1e8, CREATE: 800.0}, tool="bonnie++")
    a_run(other, {WRITE: 5e7}, tool="bonnie++")
    page = text_of(client.get("/compare/", {"tool": "bonnie++"}))
    assert "1 column was not measured in every group." in page
    a_run(other, {CREATE: 700.0}, tool="bonnie++")
    page = text_of(client.get("/compare/", {"tool": "bonnie++"}))
    assert "not measured in every group" not in page
