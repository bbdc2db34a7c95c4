"""Columns of the list of runs, and its order."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.utils import timezone

from benchdash.pages import run_columns
from benchdash.pages import runs as runs_page
from benchdash.results.models import Run, Sample, Study
from benchdash.results.models.run import LIVING
from benchdash.results.sorting import in_order
from tests.jobs.records import a_job, a_plan
from tests.measured import a_configuration, a_run, an_environment
from tests.pages.house import shown

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["few", "very many"])
def however_many(request, monkeypatch):
    """The runs are sorted one by one, and as very many are."""
    if request.param == "very many":
        monkeypatch.setattr(runs_page, "MOST_COUNTED", 0)


def html(answer):
    """The text, with its addresses as a browser reads them."""
    return answer.text.replace("&amp;", "&")


def test_columns_and_order_are_chosen_by_the_address(contributor, however_many):
    lab = an_environment("lab", host="<store>")
    deep, flat, none = (
        a_run(
            label=label,
            environment=place,
            settings=settings,
            workload={"queue_depth": depth, "block_bytes": 4096} if depth else {},
        )
        for label, depth, settings, place in (
            ("deep", 32, {"cache": "cold"}, lab),
            ("flat", 4, {"cache": "<b>"}, None),
            ("none", None, {}, None),
        )
    )
    columns = (
        "column=workload.queue_depth&column=workload.block_bytes&column=host&column=setting.cache"
    )
    answer = contributor.get(f"/runs/?{columns}")
    page, row = answer.text, next(row for row in answer.context["rows"] if "deep" in row)
    cells = re.findall(r'<td class="(?:number|whole)?" data-label="([^"]*)">(.*?)</td>', row)
    assert cells == [
        ("Queue depth", "32"),
        ("Block size", "4 KiB"),
        ("Host", "&lt;store&gt;"),
        ("cache", "cold"),
    ]
    assert ">&lt;b&gt;</td>" in page
    for sort, order in (
        ("workload.queue_depth", [flat, deep, none]),
        ("-workload.queue_depth", [deep, flat, none]),
        ("run", [flat, deep, none]),  # by what they did: queue depth 4, 32, not stated
        ("setting.cache", [flat, deep, none]),
        ("nonsense", [none, flat, deep]),
    ):
        assert shown(contributor, f"?{columns}&sort={sort}") == [run.pk for run in order]
    # the largest number first, then the smallest, then the newest run
    page = contributor.get(f"/runs/?tool=fio&{columns}&sort=-workload.queue_depth").text
    assert 'aria-sort="descending"' in page
    assert "sort=workload.queue_depth" in page
    assert "column=setting.cache&amp;sort=-workload.queue_depth" in page  # what links keep


def test_a_sorted_list_has_pages(contributor, however_many):
    runs = [a_run(label=f"{n:03}").pk for n in range(55)]
    assert shown(contributor, "?sort=run") == runs[:50]
    assert shown(contributor, "?sort=run&page=2") == runs[50:]
    page = contributor.get("/runs/?sort=run&page=2").text
    assert "page=1" in page
    assert "page=3" not in page


def sorted_by(client, name):
    """Labels of the runs in that order."""
    return [run.label for run in client.get(f"/runs/?sort={name}").context["page"].rows]


def test_runs_are_sorted_by_their_numbers_layers_and_machines(house, contributor, however_many):
    Run.objects.all().update(deleted_at=datetime(2020, 1, 1, tzinfo=UTC))
    for label, iops, p99, level, memory, host in (
        ("slow", 900.0, 0.5, "raid 6", 2**30, "store-2"),
        ("fast", 80_000.0, 0.001, "raid 10", 2**39, "store-10"),
        ("middle", 7_000.0, 0.02, None, 2**29, "store-9"),
    ):
        a_run(
            a_configuration(f"of {label}", md__level=level) if level else None,
            {"rand_write.iops.mean": iops, "rand_write.completion_latency.p99": p99},
            label=label,
            environment=an_environment(label, host=host, memory_bytes=memory, kernel=host),
        )
    a_run(label="dbench", tool="dbench", values={"load.throughput.mean": 1e6})
    for name, order in (
        ("iops", ["slow", "middle", "fast", "dbench"]),
        ("-iops", ["fast", "middle", "slow", "dbench"]),
        ("rand_write.completion_latency.p99", ["fast", "middle", "slow", "dbench"]),
        ("host", ["slow", "middle", "fast", "dbench"]),
        ("layer.md.level", ["slow", "fast", "dbench", "middle"]),
        ("-layer.md.level", ["fast", "slow", "dbench", "middle"]),
        ("environment.memory_bytes", ["middle", "slow", "fast", "dbench"]),
        ("configuration", ["fast", "slow", "dbench", "middle"]),
        ("-environment.kernel", ["fast", "middle", "slow", "dbench"]),
    ):
        assert sorted_by(contributor, name) == order, name
    columns = "&".join(
        f"column={name}"
        for name in (
            *("layer.md.level", "environment.kernel", "environment.memory_bytes", "throughput"),
            *("rand_write.completion_latency.p99", "host", "study"),
        )
    )
    page = contributor.get(f"/runs/?{columns}")
    row = next(row for row in page.context["rows"] if "of fast" in row)
    cells = re.findall(r'data-label="([^"]*)">(.*?)</td>', row)
    assert [(title, re.sub("<[^>]*>", "", text)) for title, text in cells] == [
        ("Configuration", "of fast"),
        ("md level", "raid 10"),
        ("Kernel", "store-10"),
        ("Memory", "512 GiB"),
        ("Random write · Completion latency, p99", "1.00 ms"),
        ("Host", "store-10"),
    ]
    assert "columns" not in page.context and f'hx-get="/runs/columns/?{columns}"' in html(page)
    fetched = contributor.get(f"/runs/columns/?{columns}")
    assert "<!doctype html>" not in fetched.text and 'action="/runs/"' in fetched.text
    offered = {name for kind in fetched.context["columns"] for name, _t, _s in kind.columns}
    assert {"iops", "layer.md.level", "rand_write.iops.mean", "environment.kernel"} <= offered


def test_columns_are_offered_by_a_link_where_there_are_no_scripts(house, contributor):
    page = html(contributor.get("/runs/?tool=fio&sort=-iops&column=host"))
    link = re.search(r'href="(/runs/\?[^"]*&columns=offered)"', page)
    offered = contributor.get(link[1])
    assert '<details class="drawer no-print" open>' in offered.text
    assert 'name="column" value="host" checked' in offered.text
    assert (
        'name="sort" value="-iops"' in offered.text and 'hx-get="/runs/columns/' not in offered.text
    )
    assert not list(offered.context["messages"])  # no filter that means nothing


def test_the_columns_of_a_later_page_are_those_of_its_runs(contributor):
    older = a_run(a_configuration("RAID 10", md__level="raid 10"), {"rand_write.iops.mean": 1.0})
    newer = a_run(a_configuration("striped", lvm__stripes=2))
    for query, there, missing in (
        (f"before={newer.pk}", "layer.md.level", "layer.lvm.stripes"),
        (f"after={older.pk}", "layer.lvm.stripes", "layer.md.level"),
    ):
        text = contributor.get(f"/runs/columns/?{query}").text
        assert there in text and missing not in text


def test_a_sample_is_sorted_by_what_its_runs_amount_to(contributor, however_many):
    together = Sample.objects.create()
    for label in ("job0", "job1"):
        a_run(None, {"rand_write.iops.mean": 600.0}, sample=together, label=label)
    a_run(None, {"rand_write.iops.mean": 1000.0}, label="alone")
    assert sorted_by(contributor, "-iops") == ["job0", "alone"]
    row = contributor.get("/runs/?column=iops&column=workload.jobs").context["rows"][1]
    assert "1.20 kIOPS" in row[row.index("data-label") :]


def test_very_many_runs_are_sorted_as_few_are(contributor):
    together = [Sample.objects.create() for _ in range(4)]
    places = [an_environment(name, host=name) for name in ("store-2", "store-10")]
    studies = [Study.objects.create(slug=each, title=each) for each in ("b", "a")]
    steps = [a_job(plan=a_plan(title=f"plan {n}")).steps.last() for n in (2, 10, 2)]
    configurations = [a_configuration(f"of {n}", md__level=f"raid {n % 3}") for n in range(24)]
    for number in range(24):
        values = {"rand_write.iops.mean": float(number % 7), "rand_read.iops.mean": 3.5}
        # the runs of a sample have numbers and labels of their own
        alike = 0 if 4 <= number < 8 else number
        run = a_run(
            configurations[alike] if alike % 4 else None,
            values if number % 5 else {"rand_write.completion_latency.p99": number / 9},
            sample=together[alike] if alike < 4 else None,
            environment=places[alike % 2] if alike % 3 else None,
            study=studies[alike % 2] if alike % 5 else None,
            tool="dbench" if alike % 6 == 2 else "fio",
            tool_version=f"3.{alike % 5}",
            label=f"job {number % 4}",
            settings={"cache": "cold" if alike % 2 else alike} if alike % 3 else {},
            started_at=datetime(2026, 1, 1 + number % 9, tzinfo=UTC),
            workload={"jobs": 1 + alike % 3, "block_bytes": 4096} if alike % 4 else {},
        )
        if number in (3, 9, 20):
            step = steps.pop()
            step.artifact = run.artifact
            step.save()
    a_run(None, {"rand_write.iops.mean": 2.0}, sample=together[1], withdrawn_at=timezone.now())
    runs = Run.objects.filter(LIVING)
    for name in (
        *("run", "when", "plan", "host", "environment", "configuration", "study", "tool"),
        *(
            "version",
            "iops",
            "throughput",
            "rand_read.iops.mean",
            "layer.md.level",
            "setting.cache",
        ),
        *("setting.series", "workload.jobs", "workload.block_bytes", "environment.kernel"),
        "rand_write.completion_latency.p99",
    ):
        for sort in (name, f"-{name}"):
            few = in_order(runs, sort, slice(0, 99), are_few=True)
            many = [
                pk
                for start in range(0, 30, 5)
                for pk in in_order(runs, sort, slice(start, start + 5), are_few=False)
            ]
            assert many == few, sort
            assert len(few) == 20


def test_a_column_that_there_is_not_is_refused_with_the_nearest(contributor, client, settings):
    a_run(label="there")
    page = contributor.get("/runs/?column=hots&sort=-workload.queue_deph&column=configuration")
    assert "Runs have no column “hots”. Did you mean “host”" in page.text
    assert "“workload.queue_depth”" in page.text
    assert len(page.context["page"].rows) == 1
    # jobs are no business of visitors
    settings.PUBLIC_READ = True
    assert "no column “plan”" in client.get("/runs/?column=plan").text
    assert "no column" not in contributor.get("/runs/?column=plan&sort=plan").text


def test_columns_cost_the_same_few_queries_however_long_the_list(
    contributor, django_assert_max_num_queries, however_many
):
    address = "/runs/?" + "&".join(
        f"column={name}"
        for name in ("host", "workload.jobs", "setting.a", "iops", "plan", "layer.md.level")
    )
    for name in ("-when", "iops", "environment.kernel", "layer.md.level", "run"):
        for number in range(20):
            a_run(
                a_configuration(f"{name} {number}", md__level=str(number)),
                {"rand_write.iops.mean": 5.0},
                environment=an_environment("lab", host=f"store-{number}"),
                workload={"jobs": number + 1},
                settings={"a": number},
            )
        with django_assert_max_num_queries(52):
            contributor.get(f"{address}&sort={name}")


def test_no_two_columns_are_called_alike():
    names = ("rand_read.iops.mean", "rand_read.throughput.mean", "rand_read.latency.mean")
    titles = [
        run_columns.column_title(name)
        for name in (*names, "layer.ext4.journal", "layer.ext4.journal_bytes")
    ]
    assert titles[:3] == ["Random read · IOPS", "Random read · Throughput", "Random read · Latency"]
    assert len(set(titles)) == 5
