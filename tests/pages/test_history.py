"""Results over time: of a configuration, a host, a recipe, of any runs that were filtered."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from benchdash.errors import Refused
from benchdash.jobs.models import Job, JobStep, Plan
from benchdash.results import history as module
from benchdash.results.history import history_of
from benchdash.results.models import Doubt, Run, Sample
from benchdash.results.parameters import read_measure
from benchdash.results.run_filters import read_filters
from benchdash.vocabulary.measures import MeasureName
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db
DAY = datetime(2026, 1, 1, tzinfo=UTC)
SMALL = {"pattern": "randread", "block_bytes": 4096}


def measure(configuration, day, value, workload=SMALL, **columns):
    values = {"rand_read.iops.mean": value, "rand_read.latency.mean": 0.1}
    began = None if day is None else DAY + timedelta(days=day - 1)
    return a_run(configuration, values, workload=workload, started_at=began, **columns)


@pytest.fixture
def drbd():
    return a_configuration("DRBD C")


@pytest.fixture
def machine():
    """One host before and after its kernel was changed."""
    facts = {"cpu_model": "Xeon", "versions": {"fio": "3.28"}}
    return [
        an_environment("before", host="store-a", kernel="5.10", **facts),
        an_environment("after", host="store-a", kernel="6.1", **facts),
    ]


def of(query, *more, **named):
    return history_of(read_filters({name: [text] for name, text in query.items()}), *more, **named)


def values(line):
    return [point.value for point in line.points]


def test_samples_stand_in_their_order_of_time_like_with_like(drbd):
    measure(drbd, 2, 200.0)
    measure(drbd, 3, 100.0)
    measure(drbd, 1, 300.0)
    measure(drbd, 4, 7.0, SMALL | {"block_bytes": 8192})
    longest, other = of({"configuration": str(drbd.pk)}).drawn
    assert [values(line) for line in longest.lines] == [[300.0, 200.0, 100.0]]
    assert (longest.series.name, other.series.name) == ("randread 4 KiB", "randread 8 KiB")
    assert longest.series.samples == 3
    assert str(longest.measure) == "rand_read.iops.mean"
    assert values(other.lines[0]) == [7.0]


def test_a_sample_of_several_runs_is_one_point_joined(drbd):
    together = Sample.objects.create()
    first = measure(drbd, 2, 200.0, sample=together)
    measure(drbd, 2, 300.0, sample=together)
    measure(drbd, 1, 400.0)
    (drawn,) = of({"configuration": str(drbd.pk)}).drawn
    by_run = {line.points[0].run: line for line in drawn.lines}
    assert values(by_run[first.pk]) == [500.0]
    assert len(by_run[first.pk].points[0].runs) == 2
    # two jobs at once are not what one job was
    assert {line.label for line in drawn.lines} == {"Jobs 2", "Jobs not stated"}


def test_a_series_without_the_measure_leaves_it_to_the_others(drbd):
    for nth in (1, 2, 3):
        measure(drbd, nth, 100.0 * nth)  # reads, which have no latency of writes
    values = {"rand_write.iops.mean": 7.0, "rand_write.latency.mean": 0.25}
    a_run(drbd, values, tool="fio", workload=SMALL | {"pattern": "randwrite"})
    drawn = of(
        {"configuration": str(drbd.pk)}, measure=read_measure("rand_write.latency.mean")
    ).drawn
    assert {one.series.name: str(one.measure) for one in drawn} == {
        "randread 4 KiB": "rand_read.iops.mean",
        "randwrite 4 KiB": "rand_write.latency.mean",
    }


def test_half_a_sample_is_none(drbd):
    together = Sample.objects.create()
    chosen = measure(drbd, 2, 200.0, sample=together, label="this half")
    measure(drbd, 2, 300.0, sample=together, label="that half")
    (drawn,) = of({"label": "this half"}).drawn
    assert values(drawn.lines[0]) == [500.0]
    assert drawn.lines[0].points[0].run == chosen.pk


def test_what_changed_is_stated_where_it_was_first_measured(drbd, machine):
    before, after = machine
    measure(drbd, 1, 1.0, environment=before, tool_version="3.28")
    measure(drbd, 2, 2.0, environment=before, tool_version="3.28")
    first = measure(drbd, 3, 3.0, environment=after, tool_version="3.33")
    measure(drbd, 4, 4.0, environment=after, tool_version="3.33")
    (drawn,) = of({"host": "store-a"}).drawn
    (change,) = drawn.changes
    assert (change.run, change.at, change.host) == (first.pk, DAY + timedelta(days=2), "store-a")
    assert change.since == DAY + timedelta(days=1)
    assert [one.text for one in change.what] == ["fio 3.28 → 3.33", "Kernel 5.10 → 6.1"]
    assert change.environments == (before.pk, after.pk)


def test_what_is_not_known_is_no_change_and_does_not_hide_one(drbd, machine):
    before, after = machine
    measure(drbd, 1, 1.0, environment=before, tool_version="3.28")
    measure(drbd, 2, 2.0, environment=before)
    measure(drbd, 3, 3.0, environment=after)
    measure(drbd, 4, 4.0, environment=after, tool_version="3.33")
    (drawn,) = of({"host": "store-a"}).drawn
    assert [[one.text for one in change.what] for change in drawn.changes] == [
        ["Kernel 5.10 → 6.1"],
        ["fio 3.28 → 3.33"],
    ]


def test_a_fact_that_an_environment_leaves_out_is_no_change_and_does_not_hide_one(drbd):
    kernels = {"old": {"kernel": "5.10"}, "unstated": {}, "new": {"kernel": "6.1"}}
    for day, (name, facts) in enumerate(kernels.items(), 1):
        place = an_environment(name, host="store-a", cpu_model="Xeon", **facts)
        measure(drbd, day, 1.0, environment=place)
    (drawn,) = of({"host": "store-a"}).drawn
    (change,) = drawn.changes
    assert [one.text for one in change.what] == ["Kernel 5.10 → 6.1"]
    assert change.at == DAY + timedelta(days=2)


def test_the_version_of_the_tool_is_not_stated_twice(drbd):
    for day, version in enumerate(("3.28", "3.33"), 1):
        place = an_environment(version, host="store-a", versions={"fio": version})
        measure(drbd, day, 1.0, environment=place, tool_version=version)
    (drawn,) = of({"host": "store-a"}).drawn
    assert [one.text for one in drawn.changes[0].what] == ["fio 3.28 → 3.33"]


def test_of_long_lists_only_what_differs_is_stated(drbd):
    for day, firmware in enumerate(("A1", "A2"), 1):
        disk = {"model": "PM883", "interface": "SATA", "firmware": firmware}
        place = an_environment(firmware, host="store-a", disks=[disk])
        measure(drbd, day, 1.0, environment=place)
    (drawn,) = of({"host": "store-a"}).drawn
    assert [one.text for one in drawn.changes[0].what] == ["Disks …, A1 → …, A2"]


def test_environments_without_a_different_fact_are_named(drbd):
    for day, name in enumerate(("one", "other"), 1):
        measure(drbd, day, 1.0, environment=an_environment(name))
    (drawn,) = of({"configuration": str(drbd.pk)}).drawn
    assert [one.text for one in drawn.changes[0].what] == ["Environment one → other"]


def test_two_hosts_are_two_lines_and_no_change(drbd):
    here, there = an_environment("a", host="store-a"), an_environment("b", host="store-b")
    for day, place in enumerate((here, there, here, there, here), 1):
        measure(drbd, day, float(day), environment=place)
    (drawn,) = of({"configuration": str(drbd.pk)}).drawn
    assert {line.label: values(line) for line in drawn.lines} == {
        "store-a": [1.0, 3.0, 5.0],
        "store-b": [2.0, 4.0],
    }
    assert (drawn.hosts, drawn.changes) == (2, ())


def test_on_a_host_each_configuration_and_setting_is_a_line(drbd, machine):
    other = a_configuration("DRBD A")
    for day in (1, 2, 3):
        measure(drbd, day, 1.0, environment=machine[0], settings={"guests": 1})
        measure(other, day, 2.0, environment=machine[0], settings={"guests": 1})
    measure(other, 4, 3.0, environment=machine[0], settings={"guests": 4})
    (drawn,) = of({"host": "store-a"}).drawn
    assert {line.label: values(line) for line in drawn.lines} == {
        "DRBD C · Concurrent guests 1": [1.0] * 3,
        "DRBD A · Concurrent guests 1": [2.0] * 3,
        "DRBD A · Concurrent guests 4": [3.0],
    }
    assert [line.slot for line in drawn.lines] == [0, 1, 2]


def test_a_recipe_has_the_runs_of_the_jobs_of_its_plans(drbd):
    plan = Plan.objects.create(title="Weekly", recipe_name="fio", recipe="")
    run = measure(drbd, 1, 1.0)
    measure(drbd, 2, 2.0)
    job = Job.objects.create(plan=plan, position=0)
    JobStep.objects.create(job=job, position=0, artifact=run.artifact, timeout_s=1)
    (drawn,) = of({"recipe": "fio"}).drawn
    assert values(drawn.lines[0]) == [1.0]
    assert of({"recipe": "bonnie"}).drawn == ()


def test_doubts_of_the_measure_stay_with_their_point_and_what_is_set_aside_is_counted(drbd):
    doubted, other, _sound = (measure(drbd, day, 1.0) for day in (1, 2, 3))
    measure(drbd, 4, 9.0, set_aside_reason="disk was full")
    Doubt.objects.create(run=doubted, kind="load", sentence="busy", operations=["rand_read"])
    Doubt.objects.create(run=other, kind="drift", sentence="fell", operations=["rand_write"])
    found = of({"configuration": str(drbd.pk)})
    points = found.drawn[0].lines[0].points
    assert [[one.sentence for one in point.doubts] for point in points] == [["busy"], [], []]
    assert found.not_counted == {"set_aside": 1}


def test_without_a_date_a_sample_stands_where_it_was_stored(drbd):
    run = measure(drbd, None, 1.0)
    (drawn,) = of({"configuration": str(drbd.pk)}).drawn
    (point,) = drawn.lines[0].points
    assert (point.stored, point.at) == (True, Run.objects.get(pk=run.pk).created_at)


def test_series_and_measure_are_chosen(drbd):
    for block in (1, 2, 3, 4, 5, 6):
        for day in range(1, block + 1):
            measure(drbd, day, 1.0, SMALL | {"block_bytes": 4096 * block})
    found = of({"configuration": str(drbd.pk)})
    assert [one.samples for one in found.series] == [6, 5, 4, 3, 2, 1]
    assert [len(one.lines[0].points) for one in found.drawn] == [6, 5, 4, 3]
    rare = found.series[-1]
    latency = MeasureName("rand_read", "latency", "mean")
    (drawn,) = of({"configuration": str(drbd.pk)}, rare.key, latency).drawn
    assert (drawn.series, values(drawn.lines[0]), drawn.measure) == (rare, [0.1], latency)
    with pytest.raises(Refused, match="fio-0"):
        of({"configuration": str(drbd.pk)}, "fio-0")


def test_workloads_of_one_name_say_what_they_differ_in(drbd):
    for engine in ("libaio", "io_uring"):
        measure(drbd, 1, 1.0, SMALL | {"engine": engine})
    assert {one.name for one in of({"configuration": str(drbd.pk)}).series} == {
        "randread 4 KiB · I/O engine libaio",
        "randread 4 KiB · I/O engine io_uring",
    }


def test_only_the_newest_are_read(drbd, monkeypatch):
    monkeypatch.setattr(module, "MOST_SAMPLES", 3)
    # stored in another order than they were measured in
    for day in (5, 1, 4, 2, 3):
        measure(drbd, day, float(day))
    found = of({"configuration": str(drbd.pk)})
    assert values(found.drawn[0].lines[0]) == [3.0, 4.0, 5.0]
    assert found.older


def test_of_many_lines_the_longest_are_drawn(machine):
    for number in range(module.MOST_LINES + 3):
        one = a_configuration(f"c{number}")
        for day in range(1, number + 2):
            measure(one, day, 1.0, environment=machine[0])
    (drawn,) = of({"host": "store-a"}).drawn
    assert drawn.left_out == 3
    assert [len(line.points) for line in drawn.lines] == list(range(13, 3, -1))


def test_it_asks_as_often_whatever_there_is(drbd, machine, django_assert_max_num_queries):
    def many(count):
        for number in range(count):
            block = 4096 * (1 + number % 5)
            place = {"environment": machine[number % 2], "settings": {"n": number % 3}}
            measure(drbd, number + 1, 1.0, SMALL | {"block_bytes": block}, **place)

    many(3)
    with django_assert_max_num_queries(12):
        of({"host": "store-a"})
    many(60)
    with django_assert_max_num_queries(12):
        of({"host": "store-a"})


# the page


@pytest.fixture
def page(client, settings):
    settings.PUBLIC_READ = True

    def opened(address):
        answer = client.get(address)
        assert answer.status_code == 200
        return answer

    return opened


def chart(answer):
    found = re.search(r'<script type="application/json">(.*?)</script>', answer.content.decode())
    return json.loads(found[1])


def test_the_page_draws_the_points_and_writes_them_down(drbd, machine, page):
    before, after = machine
    doubted = measure(drbd, 1, 2e6, environment=before)
    Doubt.objects.create(run=doubted, kind="load", sentence="busy", operations=[])
    last = measure(drbd, 2, 1e6, environment=after)
    answer = page("/history/?host=store-a")
    drawn = chart(answer)
    assert drawn["axis_title"] == "MIOPS"
    (row,) = drawn["rows"]
    assert [(one["shown"], one["row"], one["doubted"]) for one in row["points"]] == [
        (2.0, 1, True),
        (1.0, 0, False),
    ]
    assert drawn["marks"] == [
        {"at": (DAY + timedelta(days=1)).timestamp() * 1000, "text": "Kernel 5.10 → 6.1"}
    ]
    text = answer.content.decode()
    first_row = text.split("<tbody>")[1].split("</tr>")[0]
    assert f"/runs/{last.pk}/" in first_row
    assert "Kernel 5.10 → 6.1" in first_row
    assert f"/environments/diff/?left={before.pk}&right={after.pk}" in text.replace("&amp;", "&")
    assert "busy" in text


def test_where_there_are_several_hosts_a_change_names_its_own(drbd, machine, page):
    other = an_environment("elsewhere", host="store-b")
    for day, place in enumerate((*machine, other), 1):
        measure(drbd, day, 1.0, environment=place)
    (mark,) = chart(page(f"/history/?configuration={drbd.pk}"))["marks"]
    assert mark["text"] == "store-a: Kernel 5.10 → 6.1"


def test_one_point_is_a_number_and_no_chart(drbd, page):
    measure(drbd, 1, 100.0)
    answer = page(f"/history/?configuration={drbd.pk}")
    assert "data-chart" not in answer.content.decode()
    assert ">100<" in answer.content.decode()


def test_nothing_measured_is_stated(drbd, page):
    assert "No run matches" in page(f"/history/?configuration={drbd.pk}").content.decode()
    measure(drbd, 1, 1.0, set_aside_reason="disk was full")
    answer = page(f"/history/?configuration={drbd.pk}").content.decode()
    assert "None of these runs has a number that counts" in answer


def test_the_address_carries_the_choice_and_nonsense_is_stated(drbd, page):
    measure(drbd, 1, 1.0)
    measure(drbd, 2, 2.0)
    query = f"configuration={drbd.pk}&measure=rand_read.latency.mean"
    answer = page(f"/history/?{query}").content.decode()
    assert 'value="rand_read.latency.mean" selected' in answer
    assert "Random read · Latency" in answer
    answer = page(f"/history/?{query}&series=fio-99999&host=&nonsense=1").content.decode()
    assert "is in the series “fio-99999”" in answer
    assert "Runs have no filter “nonsense”" in answer
    answer = page("/history/?measure=speed").content.decode()
    assert "“speed” is not a measure" in answer


def test_pages_of_records_lead_to_it(drbd, page):
    for day in (1, 2):
        measure(drbd, day, 1.0)
        measure(drbd, day, 1.0, SMALL | {"block_bytes": 8192})
    answer = page(f"/configurations/{drbd.pk}/").content.decode()
    assert answer.count('data-chart="history"') == 1
    assert f'href="/history/?configuration={drbd.pk}"' in answer
    assert (
        f'href="/history/?configuration={drbd.pk}"'
        in page(f"/runs/?configuration={drbd.pk}").content.decode()
    )


def test_a_host_that_a_visitor_may_not_see_is_named_and_not_linked(drbd, machine, page):
    measure(drbd, 1, 1.0, environment=machine[0])
    answer = page("/history/?host=store-a").content.decode()
    assert "store-a" in answer
    assert "/hosts/" not in answer.split("<main")[1]


def test_what_people_named_is_escaped(page):
    here = an_environment("<b>here</b>", host="<i>store</i>", kernel="</script><script>")
    there = an_environment("there", host="<i>store</i>", kernel="6")
    one, other = a_configuration("<u>one</u>"), a_configuration("other")
    for day, place in enumerate((here, there), 1):
        measure(one, day, 1.0, environment=place)
    measure(other, 3, 1.0, environment=there)
    answer = page("/history/?tool=fio").content.decode()
    for evil in ("<b>here", "<i>store", "<u>one", "</script><script>"):
        assert evil not in answer


def test_it_speaks_japanese(drbd, machine, page):
    for day, place in enumerate(machine, 1):
        measure(drbd, day, 1.0, environment=place)
    with translation.override("ja"):
        (drawn,) = of({"host": "store-a"}).drawn
        assert drawn.changes[0].what[0].text.endswith(" 5.10 → 6.1")
        assert not drawn.changes[0].what[0].text.startswith("Kernel")
