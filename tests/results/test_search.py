"""One question over everything finds records by any of their words, and as much as a role may see."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation

from benchdash.accounts.roles import Role
from benchdash.inventory.records import record_environment
from benchdash.jobs import queries
from benchdash.jobs.models import Job
from benchdash.results import search as searching
from benchdash.results.annotations import tag_runs
from benchdash.results.models import Doubt, Run, Study
from benchdash.results.run_filters import read_filters
from benchdash.results.run_names import run_name
from benchdash.results.search import SHOWN, SearchQuery, search
from tests.measured import a_configuration, a_run, an_environment, named
from tests.pages.house import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(db):
    return build()


@pytest.fixture(params=["among the newest", "by index"])
def way(request, monkeypatch):
    """A word that many records have is found among the newest, one that few have by index.

    Returns how many queries more than the first way it takes.
    """
    by_index = request.param == "by index"
    # ids go on from test to test where sequences do
    monkeypatch.setattr(searching, "_NEWEST", 0 if by_index else 10**12)
    return int(by_index)


both_ways = pytest.mark.usefixtures("way")


def found(text, role=Role.CONTRIBUTOR):
    return {group.kind: group.rows for group in groups_of(text, role)}


def groups_of(text, role, search=search, **filters):
    return search(SearchQuery(text, read_filters({n: [str(v)] for n, v in filters.items()})), role)


def test_a_layer_is_found_by_its_kind_and_the_value_of_an_option(house):
    assert found("drbd C")["configurations"] == [house.mirror]
    assert found("protocol=c") == {"configurations": [house.mirror]}
    assert found("drbd protocol=A") == {}
    assert found("data=ordered")["configurations"] == [house.local]


def test_each_word_has_to_stand_somewhere(house):
    assert found("mirrored switch") == {"configurations": [house.mirror]}
    assert found("mirrored nowhere") == {}
    assert found("  ") == found("") == {}


@both_ways
def test_runs_are_found_by_a_question_with_plurals_and_little_words():
    disk = a_configuration("Local disks")
    workload = {"pattern": "randwrite", "block_bytes": 4096}
    values = {"rand_write.iops.mean": 100.0}
    run, _other = (
        a_run(disk, values, workload=workload, environment=an_environment(host, host))
        for host in ("stor1", "stor2")
    )
    for text in (
        "4k random write stor1",
        "4k random writes on stor1",
        "The random writes of stor1",
    ):
        assert found(text).get("runs") == [run], text
    assert found("with the local disks")["configurations"] == [disk]
    assert found("random writes on stor3") == {}
    assert found("with the") == {}  # beside no others they are meant


def test_environments_are_found_by_names_machines_and_facts(house):
    other = record_environment({"node-a": {"hostname": "stor07", "model": "東芝"}}, {}, name="Lab")
    assert found("2.6.18")["environments"] == [house.environment]
    assert found("stor07") == {"environments": [other]}
    assert found("東芝") == {"environments": [other]}
    assert found("two pcs")["environments"] == [house.environment]


def test_studies_are_found_in_both_languages(house):
    Study.objects.update(translations={"ja": {"title": "二台のPC", "question": "代償は?"}})
    assert found("代償") == {"studies": [house.study]}
    assert found("mirror cost") == {"studies": [house.study]}


@both_ways
def test_runs_are_found_by_label_tool_version_number_and_file(house):
    run = a_run(label="nightly", tool="fio", tool_version="3.36")
    assert found("fio 3.3") == {"runs": [run]}
    assert found("night") == {"runs": [run]}
    assert run in found(str(run.pk))["runs"]
    assert found("condition-1")["runs"] == [house.run]


@both_ways
def test_deleted_runs_are_not_found(house):
    run = a_run(label="nightly")
    assert found("nightly") == {"runs": [run]}
    Run.objects.filter(pk=run.pk).update(deleted_at=run.created_at)
    assert found("nightly") == {}


@both_ways
def test_names_of_files_are_for_members_and_uploads_for_those_who_bring_them(house):
    assert found("notes/README") == {"uploads": [house.refused]}
    assert found("notes/README", Role.VIEWER) == {}
    assert found("condition-1", Role.VIEWER) == {"runs": [house.run]}
    assert found("condition-1", Role.VISITOR) == {}


def test_what_patterns_mean_elsewhere_is_text_here(house):
    for text in ("%", "_", "\\", "'", "a.*", "=", "9" * 40, "[[:alpha:]]"):
        assert house.run not in found(text).get("runs", []), text


@both_ways
def test_a_group_is_bounded_and_says_that_there_is_more(db):
    for _ in range(SHOWN + 1):
        a_run(label="many")
    (group,) = groups_of("many", Role.VIEWER)
    assert (len(group.rows), group.more) == (SHOWN, True)
    assert group.rows[0].pk == Run.objects.latest("pk").pk


@pytest.mark.parametrize("question", ["999999999 PB", "9" * 18, "4 KiB 999999999 TiB"])
def test_what_is_larger_than_any_number_finds_nothing(house, question):
    assert not found(question)


def test_the_number_of_queries_is_fixed(house, django_assert_num_queries, way):
    for _ in range(5):
        record_environment({"node-a": {"model": f"drbd {_}"}}, {}, name=f"drbd {_}")
    # one a kind, four for runs, and the names of environments
    with django_assert_num_queries(9 + way):
        groups_of("drbd", Role.CONTRIBUTOR)


RANDWRITE = {"pattern": "randwrite", "block_bytes": 4096, "queue_depth": 8, "jobs": 4}
OTHER = {"pattern": "randread", "block_bytes": 16384, "queue_depth": 32, "jobs": 1}
STARTED = datetime(2024, 11, 22, 8, 45, 30, tzinfo=UTC)


def of(workload, **columns):
    return a_run(workload=workload, **columns)


@both_ways
@pytest.mark.parametrize(
    "question",
    [
        *("randwrite 4 KiB", "4KiB", "4k randwrite", "QD 8", "qd8 4 jobs", "iodepth=8", "4 ジョブ"),
        *("node-a", "22 Nov 2024", "22 Nov 2024 08:45", "2024年11月22日", "randwrite, 4 KiB"),
    ],
)
def test_runs_are_found_by_the_words_of_their_names(db, question):
    lab = an_environment("lab", "node-a")
    run = of(RANDWRITE, environment=lab, started_at=STARTED)
    of(OTHER)
    assert found(question, Role.VISITOR)["runs"] == [run]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("tool", "workload"),
    [
        ("fio", RANDWRITE),
        ("fio", {"pattern": "randrw", "read_fraction": 2 / 3, "block_bytes": 8192}),
        ("bonnie++", {"file_bytes": 16626221056, "concurrency": 4}),
        ("bonnie++", {"files": 8192}),
        ("dbench", {"clients": 8}),
        ("pgbench", {"clients": 4, "jobs": 2, "script": "TPC-B (sort of)", "scale": 100}),
        ("sysbench", {"pattern": "rndrw", "block_bytes": 16384, "read_fraction": 0.6, "jobs": 16}),
        ("rados", {"pattern": "write", "block_bytes": 4194304, "queue_depth": 16}),
    ],
)
def test_a_whole_name_finds_its_run_alone(db, tool, workload, language):
    run = of(workload, tool=tool, label="nightly", started_at=STARTED)
    stored = of(workload, tool=tool, label="weekly")
    of(OTHER, started_at=STARTED)
    for one in (run, stored):
        with translation.override(language):
            assert found(run_name(named(one)))["runs"] == [one], run_name(named(one))


@pytest.mark.parametrize("question", ["31 Feb 2024", "22 Xyz", "99:99", "30/70 99 Nov 25:00"])
def test_a_date_that_cannot_be_is_a_word(db, question):
    of(RANDWRITE)
    assert found(question) == {}


def test_a_configuration_that_a_name_has_for_a_place_finds_its_runs(db):
    run = a_run(a_configuration("mirror"), workload=RANDWRITE)
    assert found("randwrite mirror") == {"runs": [run]}


def test_a_search_takes_as_many_queries_for_many_as_for_one(db, django_assert_num_queries, way):
    for number in range(1, 4):
        of(RANDWRITE, label=f"n{number}", environment=an_environment(f"lab {number}", "node-a"))
        with django_assert_num_queries(8 + way):
            names = [run_name(run) for run in found("randwrite 4 KiB QD 8")["runs"]]
        assert len(names) == number


@both_ways
@pytest.mark.parametrize(
    "question",
    [
        *("random write", "Random Write 4 KiB", "ランダム書き込み", "ランダム書き込み 4 KiB"),
        *("degraded", "縮退", "random write degraded", "with doubts", "注意点あり"),
        *("raid6", "RAID6 randwrite", "raid6 degraded", "set aside", "集計外"),
        *("queue depth 8", "Queue depth: 8", "キューの深さ 8", "block size 4 KiB", "failed"),
    ],
)
def test_runs_are_found_by_the_words_of_the_interface_in_both_languages(db, question):
    run = a_run(
        a_configuration("scratch", md__level="raid6"),
        {"rand_write.iops.mean": 5.0},
        workload=RANDWRITE,
        set_aside_reason="The array was rebuilding.",
        error={"message": "I/O error"},
    )
    Doubt.objects.create(run=run, kind="degraded", sentence="It lacked a disk.")
    other = a_run(a_configuration("local"), {"rand_read.iops.mean": 5.0}, workload=OTHER)
    Doubt.objects.create(
        run=other, kind="degraded", sentence="Was it?", dismissed_at=STARTED, dismissed_reason="No."
    )
    for language in ("en", "ja"):
        with translation.override(language):
            assert found(question, Role.VISITOR)["runs"] == [run]


@both_ways
def test_jobs_and_uploads_are_found_by_their_states(house):
    for language, words in (("en", ("failed", "refused")), ("ja", ("失敗", "拒否"))):
        Job.objects.update(state=Job.State.FAILED)
        with translation.override(language):
            groups = groups_of(words[0], Role.VIEWER, queries.search)
            assert house.job in next(group.rows for group in groups if group.kind == "jobs")
            assert house.refused in found(words[1])["uploads"]


@both_ways
def test_a_tag_of_a_run_finds_it_alone(db):
    run, _other = a_run(), a_run()
    tag_runs([run.pk], ["odd disks"])
    assert found("odd")["runs"] == [run]
    assert found("even").get("runs") is None


@both_ways
def test_jobs_are_found_by_host_plan_title_and_number(house):
    job = house.job
    Job.objects.filter(pk=job.pk).update(title="bs=64K")
    host = job.nodes.first().target.host.name

    def jobs(text):
        groups = groups_of(text, Role.VIEWER, queries.search)
        return [one for group in groups if group.kind == "jobs" for one in group.rows]

    assert job in jobs(host)
    assert job in jobs(job.plan.title)
    for text in ("bs=64k", f"{job.plan_id}-{job.position}", f"{host} 64K"):
        assert jobs(text) == [job], text
    assert jobs(f"{host} 65K") == []


@both_ways
def test_filters_of_runs_narrow_what_is_searched_and_stand_alone_too(house):
    place = an_environment("lab", host="store-a")
    run = a_run(
        house.local,
        tool="fio",
        label="nightly",
        workload={"block_bytes": 4096},
        environment=place,
        study=house.study,
    )
    a_run(house.mirror, tool="dbench", label="nightly")

    def narrowed(text, **filters):
        groups = groups_of(text, Role.CONTRIBUTOR, queries.search, **filters)
        return {group.kind: group.rows for group in groups}

    assert narrowed("nightly", tool="fio") == {"runs": [run]}
    found = narrowed("", **{"tool": "fio", "workload.block_bytes": "4k"})
    assert found["runs"] == [run]
    assert found["configurations"] == [house.local]
    assert found["studies"] == [house.study]
    assert found["environments"] == [place]
    assert "jobs" not in found
    assert narrowed("mirrored", tool="fio") == {}
    step = house.job.steps.first()
    step.artifact = run.artifact
    step.save()
    assert narrowed("", tool="fio")["jobs"] == [house.job]
    assert narrowed("", plan=house.job.plan_id)["plans"] == [house.job.plan]
    assert [str(host) for host in narrowed("", tool="fio")["hosts"]] == ["store-a"]
    Run.objects.filter(pk=run.pk).update(deleted_at=STARTED)
    assert narrowed("", state="deleted")["runs"] == [run]
    assert narrowed("", state="deleted")["configurations"] == [house.local]
    for role in (Role.VISITOR, Role.VIEWER):
        for hidden in ({"state": "deleted"}, {"deleted": "true"}):
            assert groups_of("", role, queries.search, **hidden) == []
