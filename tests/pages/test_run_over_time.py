"""A run over time on its page: the tool's points, and on the same clock what its hosts did."""

from __future__ import annotations

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.capture.counters import read_counters
from benchdash.results.host_traces import host_traces, store_host_traces
from benchdash.results.ingest import ingest
from benchdash.results.models import HostTrace, Run
from tests.capture.test_counters import LOG, log_of
from tests.measured import a_run, a_trace
from tests.pages.test_percentiles import text_of
from tests.results.result_files import fio, fio_job, fio_log

pytestmark = pytest.mark.django_db
RATE = "rand_write.throughput.mean"


@pytest.fixture(autouse=True)
def public(settings):
    settings.PUBLIC_READ = True


def figures_of(response):
    found = re.findall(r'<script type="application/json">(.*?)</script>', response.text)
    return {one["measure"]: one for one in map(json.loads, found) if "until" in one}


def measured(log=LOG, role="node-a", seconds=7.0, **columns):
    run = a_run(values={RATE: 1e6, "run.duration.total": seconds}, **columns)
    store_host_traces(run.artifact_id, role, read_counters(log))
    return run


def stack_log(shares, seconds=10):
    """A logical volume on an array of disks that are busy for these shares of the time."""
    names = ["dm-0", "md0", *(f"sd{chr(98 + nth)}" for nth in range(len(shares) - 2))]
    depths = [0, 1, *[2] * (len(shares) - 2)]
    tree = "".join(
        f"+ {depth} {name} {'vg-data' if name == 'dm-0' else ''}\n"
        for depth, name in zip(depths, names, strict=True)
    )
    looks = (
        (
            float(at),
            "\n".join(
                f"dev {name} 0 0 0 {at * 10} {at * 800} {at * 40} {int(at * 1000 * share)} {at * 400}"
                for name, share in zip(names, shares, strict=True)
            ),
        )
        for at in range(1, seconds + 2)
    )
    return log_of(*looks, before=tree)


def test_the_tool_and_the_host_are_drawn_on_one_clock(client):
    run = measured()
    a_trace(run, "rand_write.throughput", [1e6, 2e6, 3e6])
    page = client.get(f"/runs/{run.pk}/")
    figures = figures_of(page)
    assert next(iter(figures)) == "rand_write.throughput"
    assert {"cpu", "devices.busy", "devices.written", "devices.write_latency"} <= set(figures)
    assert len({one["until"] for one in figures.values()}) == 1
    (until,) = {one["until"] for one in figures.values()}
    assert 6 < until <= 7
    assert [row["label"] for row in figures["devices.busy"]["rows"]] == ["loop2", "vda"]
    assert figures["devices.busy"]["most"] == 100


def test_ceph_stands_where_devices_do_and_is_not_folded_away(client):
    text = "".join(
        f"@ {at}.00\ncpu {at * 10} 0 0 {at * 90} 0 0 0 0\nnet eth0 {at} {at}\nosd 0 7 5\nosd 1 9 5\n"
        for at in range(1, 12)
    )
    run = measured(f"< 1795266876 1.00\n{text}".encode(), seconds=10.0)
    page = client.get(f"/runs/{run.pk}/")
    assert list(figures_of(page)) == ["cpu", "ceph", "network.eth0"]
    assert page.text.index("OSD commit") < page.text.index("Network and memory")


def test_the_device_that_was_busy_all_the_time_is_named(client):
    run = measured(stack_log([0.99, 0.97, 0.98, 0.3, 0.25]), seconds=10.0)
    text = text_of(client.get(f"/runs/{run.pk}/"))
    assert "sdb: busy 98 % of the time. The other disks: at most 30 %." in text
    assert "vg-data (dm-0) 99.0 %" in text
    assert "The CPUs were busy" not in text


def test_nothing_is_stated_where_nothing_was_busy(client):
    run = measured(stack_log([0.5, 0.4, 0.3]), seconds=10.0)
    assert "% of the time" not in text_of(client.get(f"/runs/{run.pk}/"))


def test_of_a_direction_in_which_nothing_went_there_is_no_figure(client):
    run = measured(stack_log([0.5, 0.4, 0.3]), seconds=10.0)
    figures = figures_of(client.get(f"/runs/{run.pk}/"))
    assert "devices.written" in figures and "devices.read" not in figures


def test_of_many_devices_all_are_in_the_table_and_the_busiest_are_drawn(client):
    shares = [0.5, 0.5, *[0.01] * 8, *[0.4] * 8]
    run = measured(stack_log(shares), seconds=10.0)
    page = client.get(f"/runs/{run.pk}/")
    drawn = [row["label"] for row in figures_of(page)["devices.busy"]["rows"]]
    assert drawn == ["vg-data (dm-0)", "md0", *(f"sd{chr(98 + nth)}" for nth in range(8, 16))]
    assert "8 further lines are not drawn." in text_of(page)
    assert page.text.count('<th scope="row"><span class="depth-2">') == 16


def test_each_host_of_a_sample_has_its_part(client):
    first = measured()
    second = measured(role="node-b")
    type(second).objects.filter(pk=second.pk).update(sample=first.sample)
    for run in (first, second):
        text = text_of(client.get(f"/runs/{run.pk}/"))
        assert "What node-a did meanwhile" in text and "What node-b did meanwhile" in text


def test_a_run_without_any_of_it_has_no_such_section(client):
    run = a_run(values={RATE: 1e6})
    assert 'id="over-time"' not in client.get(f"/runs/{run.pk}/").text


def test_names_from_a_host_are_shown_as_text(client):
    run = measured(LOG.replace(b"loop2", b"<i>x\0</i>"))
    page = client.get(f"/runs/{run.pk}/").text
    assert "<i>x" not in page and "&lt;i&gt;x\ufffd&lt;/i&gt;" in page


def test_many_devices_take_no_more_queries_than_one(client):
    few, many = measured(stack_log([0.5] * 3)), measured(stack_log([0.5] * 20))
    assert host_traces(many).count() > host_traces(few).count()
    counts = []
    for address in ("/runs/{}/", "/api/v1/runs/{}/"):
        for run in (few, many):
            with CaptureQueriesContext(connection) as queries:
                assert client.get(address.format(run.pk)).status_code == 200
            counts.append(len(queries))
    assert counts[0] == counts[1] and counts[2] == counts[3]


def test_the_api_lists_what_hosts_did_and_gives_its_points(client):
    run = measured()
    listed = client.get(f"/api/v1/runs/{run.pk}/").json()["host_traces"]
    assert {each["part"] for each in listed} == {"cpu", "memory", "network", "device"}
    (disk,) = (each for each in listed if each["name"] == "vda")
    assert (disk["role"], disk["depth"]) == ("node-a", 1)
    assert disk["quantities"]["written"]["unit"] == "B/s"
    lowest, mean, highest = disk["quantities"]["written"]["spread"]
    assert lowest <= mean <= highest
    points = client.get(disk["url"]).json()
    assert len(points["seconds"]) == disk["point_count"]
    assert {len(values) for values in points["series"].values()} == {disk["point_count"]}
    other = a_run(values={RATE: 2e6})
    assert client.get(f"/api/v1/runs/{other.pk}/host-traces/{disk['id']}/").status_code == 404


@pytest.mark.once
def test_hours_of_many_devices_take_little_room(client):
    run = measured(stack_log([0.9] * 14, seconds=8 * 3600), seconds=8 * 3600.0)
    sizes = [len(bytes(each.series)) for each in HostTrace.objects.filter(run=run)]
    assert len(sizes) == 14 and sum(sizes) < 2**19
    assert {each.points for each in HostTrace.objects.filter(run=run)} == {300}


def test_logs_of_several_jobs_are_lines_of_one_figure_by_their_files(client):
    job = fio_job("group", numjobs="2", group_reporting="1", write_bw_log="trial")
    ingest([fio(job), fio_log("trial_bw.1.log"), fio_log("trial_bw.2.log", points=6)])
    figures = figures_of(client.get(f"/runs/{Run.objects.get().pk}/"))
    rows = figures["write.throughput"]["rows"]
    assert [(row["label"], row["slot"]) for row in rows] == [
        *(("trial_bw.1.log", 0), ("trial_bw.2.log", 1))
    ]
