"""Rows that an older version made, after the upgrade: runs keep their ids, and get their samples."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.core.management import call_command
from django.utils import translation

from benchdash.inventory.models import Capture, Environment
from benchdash.inventory.records import record_configuration, record_environment
from benchdash.parsers import parse
from benchdash.results.assignment import Assignment
from benchdash.results.doubts import doubts_of
from benchdash.results.ingest import ingest
from benchdash.results.language import in_language
from benchdash.results.models import Doubt, Execution, JoinedMeasurement, Run
from benchdash.results.readings import File
from benchdash.vocabulary.storage import notation
from benchdash.vocabulary.workloads import typed
from tests.measured import a_run
from tests.migrations import migrated
from tests.parsers.golden import SAMPLES
from tests.results.result_files import bonnie

pytestmark = pytest.mark.django_db
OLDER = [("results", "0010_words_of_uploads")]
BEFORE_HOSTS = [
    ("inventory", "0002_deleted_configurations"),
    ("results", "0019_past_dismissals"),
]
UNREAD = "Hardware could not be read: Permission denied."
CLOCK = "node-a: The clock was 120 s behind when the machine was captured."


@pytest.fixture(scope="module")
def upgraded(django_db_setup, django_db_blocker):
    """By the name of what made them, what older rows are, after one way back and one upgrade.

    Each way takes seconds, so all share it.
    """
    with django_db_blocker.unblock():
        today = rows_of_today()
        try:
            today["nameless"] = captured_environment(migrated(BEFORE_HOSTS))
            migrated([("results", "0014_smallest_difference_of_studies")])
            today["reported"] = dict(
                Run.objects.filter(pk__in=today["begun"]).values_list("pk", "started_at")
            )
            apps = migrated(OLDER)
            made = {make.__name__: make(apps) for make in ROWS}
        finally:
            migrated()
        yield today | made
        call_command("flush", interactive=False, verbosity=0)


def file_of(apps, *runs, tool="fio"):
    """One artifact with these runs, each `{"details": …}` and what else it differs in."""
    models = {name: apps.get_model("results", name) for name in ("Artifact", "Workload", "Run")}
    artifact = models["Artifact"].objects.create(
        sha256=f"{models['Artifact'].objects.count():064}", size_bytes=0, compressed=b""
    )
    made = []
    for position, columns in enumerate(runs):
        pattern = columns.pop("pattern", "randwrite")
        workload_row, _ = models["Workload"].objects.get_or_create(
            digest=pattern, defaults={"pattern": pattern, "block_bytes": 4096}
        )
        digest = columns.pop("digest", f"{artifact.pk} {position}")
        made.append(
            models["Run"]
            .objects.create(
                artifact=artifact,
                position=position,
                tool=tool,
                format=tool,
                parser_version=1,
                workload=workload_row,
                digest=digest,
                **columns,
            )
            .pk
        )
    return made


def samples(ids):
    """By the first run that each shares its sample with, how many there are."""
    rows = dict(Run.objects.filter(pk__in=ids).values_list("pk", "sample"))
    ordered = [rows[pk] for pk in ids]
    return [ordered.index(sample) for sample in ordered]


def executions(ids):
    return Execution.objects.filter(runs__in=ids).distinct().count()


def two_groups(apps):
    group = {"details": {"groupid": 0, "options": {"rw": "randwrite"}}}
    later = {"details": {"groupid": 1, "options": {"rw": "randwrite", "stonewall": ""}}}
    return file_of(apps, group.copy(), group.copy(), later.copy(), later.copy())


def test_jobs_of_a_group_become_a_sample_and_keep_their_ids(upgraded):
    ids = upgraded["two_groups"]
    remaining = Run.objects.filter(artifact=Run.objects.get(pk=ids[0]).artifact_id)
    assert list(remaining.order_by("position").values_list("pk", flat=True)) == ids
    assert samples(ids) == [0, 0, 2, 2]
    assert executions(ids) == 1


def jobs_with_numbers(apps):
    ids = two_groups(apps)
    names = {"operation": "rand_write", "metric": "iops", "statistic": "mean"}
    measure, _ = apps.get_model("results", "Measure").objects.get_or_create(**names)
    for pk in ids:
        numbers = apps.get_model("results", "Measurement").objects
        numbers.create(run_id=pk, measure=measure, value=500.0)
    return ids


def test_what_jobs_of_a_group_amount_to_is_stored(upgraded):
    runs = Run.objects.filter(pk__in=upgraded["jobs_with_numbers"])
    joined = JoinedMeasurement.objects.filter(sample__in=runs.values("sample"))
    assert list(joined.values_list("value", flat=True)) == [1000.0, 1000.0]


def a_group_beside_another(apps):
    return file_of(
        apps,
        {"details": {"groupid": 0, "options": {"rw": "randread"}}, "pattern": "randread"},
        {"details": {"groupid": 1, "options": {"rw": "randwrite", "new_group": ""}}},
    )


def test_a_group_that_waits_for_nothing_ran_beside_the_one_before(upgraded):
    runs = Run.objects.filter(pk__in=upgraded["a_group_beside_another"]).order_by("pk")
    beside = runs.values_list("sample__beside", flat=True)
    assert list(beside) == ["1 × randwrite 4 KiB", "1 × randread 4 KiB"]


def rows_of_bonnie(apps):
    return file_of(apps, {}, {}, tool="bonnie++")


def a_group_that_comes_again(apps):
    return file_of(apps, *({"details": {"groupid": group}} for group in (0, 1, 0)))


def test_rows_of_other_tools_and_a_group_that_comes_again_are_executions_of_their_own(upgraded):
    assert samples(upgraded["rows_of_bonnie"]) == [0, 1]
    assert executions(upgraded["rows_of_bonnie"]) == 2
    assert executions(upgraded["a_group_that_comes_again"]) == 2


def one_that_failed(apps):
    group = {"details": {"groupid": 0}}
    error = {"error": {"code": 28, "message": "No space"}, "set_aside_reason": "fio failed"}
    return file_of(apps, {**group, **error, "label": "w"}, group.copy())


def test_what_ran_beside_a_failed_job_is_set_aside(upgraded):
    ids = upgraded["one_that_failed"]
    runs = Run.objects.in_bulk(ids)
    assert [str(runs[pk].set_aside_reason) for pk in ids] == [
        "fio failed",
        "w ran beside it and failed.",
    ]
    assert not any(runs[pk].counted for pk in ids)


def equal_numbers(apps):
    """The ids of one, of its copy in the same file, and of two more in another one."""
    group = {"details": {"groupid": 0}}
    (first,) = file_of(apps, {**group, "digest": "same"})
    copy = apps.get_model("results", "Run").objects.get(pk=first)
    copy.pk, copy.position, copy.same_as_id = None, 1, first
    copy.save()
    again = {**group, "digest": "same", "same_as_id": first}
    return [first, copy.pk, *file_of(apps, again.copy(), again.copy())]


def test_equal_numbers_of_one_execution_are_no_copies_any_more(upgraded):
    first, second, *elsewhere = upgraded["equal_numbers"]
    copy = Run.objects.get(pk=second)
    assert copy.counted
    assert copy.same_as is None
    assert [Run.objects.get(pk=pk).same_as_id for pk in elsewhere] == [first, second]


def options_of_each_kind(apps):
    limited = {"rw": "randwrite", "bs": "4k", "rate_iops": "100"}
    return file_of(
        apps,
        {"details": {"groupid": 0, "options": {"rw": "randwrite", "bs": "4k"}}},
        {"details": {"groupid": 1, "options": limited | {"stonewall": ""}}},
        {"details": {"groupid": 2}},
    )


def test_other_options_come_out_of_the_details(upgraded):
    ids = upgraded["options_of_each_kind"]
    runs = Run.objects.select_related("workload").in_bulk(ids)
    assert [runs[pk].workload.options for pk in ids] == [{}, {"rate_iops": "100"}, None]
    assert {runs[pk].workload.pattern for pk in ids} == {"randwrite"}


TEXT = (SAMPLES / "fio" / "local-3.33-mixed.json").read_bytes()


def a_file_of_fio(apps):
    results = parse(TEXT).results
    ids = file_of(apps, *({"details": result.details} for result in results))
    for pk, result in zip(ids, results, strict=True):
        row = apps.get_model("results", "Workload").objects.create(
            digest=f"old {pk}", **typed(result.workload)
        )
        apps.get_model("results", "Run").objects.filter(pk=pk).update(workload=row)
    return ids


def test_what_is_filled_is_what_reading_again_gives(upgraded):
    """The same workload, so that old and new runs are held against each other."""
    (outcome,) = ingest([File("again.json", TEXT)])
    again = Run.objects.filter(pk__in=[run.pk for run in outcome.runs]).order_by("position")
    now = list(again.values_list("workload", flat=True))
    assert [Run.objects.get(pk=pk).workload_id for pk in upgraded["a_file_of_fio"]] == now


ROWS = (two_groups, a_group_beside_another, rows_of_bonnie, a_group_that_comes_again)
ROWS += (jobs_with_numbers, one_that_failed, equal_numbers, options_of_each_kind, a_file_of_fio)


def rows_of_today():
    begun, doubted = runs_with_starts(), a_doubted_run()
    return {"begun": begun, "doubted": doubted, "doubts": doubts_against(doubted)}


def test_starts_are_right_after_a_way_back_and_the_upgrade(upgraded):
    begun, reported = upgraded["begun"], upgraded["reported"]
    # only what is dated by the end of its output was moved
    assert sum(reported[pk] != begun[pk] for pk in begun) == 3
    assert dict(Run.objects.filter(pk__in=begun).values_list("pk", "started_at")) == begun


def test_doubts_are_there_after_a_way_back_and_the_upgrade(upgraded):
    doubts = upgraded["doubts"]
    assert len(doubts) == 3
    assert doubts_against(upgraded["doubted"]) == doubts
    with translation.override("ja"):
        assert all(in_language(each) != each for each in doubts)


def test_what_a_capture_could_not_read_is_doubted_after_the_upgrade(upgraded):
    environment = Environment.objects.get(digest="e")
    assert [
        str(each.sentence) for each in doubts_of([environment.pk], "environment")[environment.pk]
    ] == [f"node-a: {UNREAD}", CLOCK]


def runs_with_starts():
    """`{run: when it began}` of outputs that print their start or their end, or were given one."""
    reported = datetime(2026, 11, 20, 10, tzinfo=UTC)
    given = Assignment(started_at=datetime(2026, 11, 20, 9, tzinfo=UTC))
    for name, assignment in (
        ("local-2.8-mixed.json", Assignment()),
        ("local-3.33-mixed.json", given),
        ("local-3.36-mixed.json", Assignment()),
        ("local-3.41-mixed.txt", Assignment()),
    ):
        ingest([File(name, (SAMPLES / "fio" / name).read_bytes())], assignment)
    a_run(  # nobody knows its file any more
        None,
        {"rand_read.duration.total": 60.0, "rand_write.duration.total": 61.0},
        tool_version="3.9",
        format="fio/json-3",
        started_at=reported - timedelta(seconds=61),
    )
    a_run(
        None, {"run.duration.total": 60.0}, tool="sysbench", started_at=reported, tool_version="1"
    )
    return dict(Run.objects.values_list("pk", "started_at"))


def a_doubted_run():
    machine = {"model": "R740", "memory_bytes": "16G"}
    gigabit = record_environment({"node-a": machine, "node-b": machine}, {"speed_bps": "1G"})
    mirror = record_configuration(
        "DRBD C", notation.parse("ext3\ndrbd protocol=C\n- disk\n- disk @node-b")
    )
    (outcome,) = ingest([bonnie(write=200_000, read=20_000_000)], Assignment(mirror, gigabit))
    return outcome.runs[0]


def doubts_against(run):
    return set(Doubt.objects.filter(run=run).values_list("sentence", flat=True))


def captured_environment(apps):
    """One whose newest capture could not read its hardware, and had a wrong clock."""
    environment = apps.get_model("inventory", "Environment").objects.create(digest="e")
    for role, name in (("node-b", "store-2"), ("node-a", "store-1"), ("client", "store-2")):
        host = apps.get_model("inventory", "Host").objects.get_or_create(name=name)[0]
        apps.get_model("inventory", "EnvironmentMachine").objects.create(
            environment=environment,
            role=role,
            snapshot=apps.get_model("inventory", "MachineSnapshot").objects.create(
                digest=role, host=host, facts={}
            ),
        )
    captures = apps.get_model("inventory", "Capture").objects
    hidden = {"node-a": [UNREAD, "The storage under “/mnt/x” could not be determined."]}
    skewed = {"uptime_s": 5, "clock_skew_s": -120.0}
    for day, info in (
        (1, {"unread": {"node-a": ["It was busy."]}}),
        (2, {"unread": hidden, "node-a": skewed}),
    ):
        captures.create(
            environment=environment,
            source=Capture.Source.SSH,
            captured_at=f"2026-11-0{day}T00:00Z",
            info=info,
        )
    return environment.pk


def test_environments_of_before_have_their_hosts_for_a_title(upgraded):
    environment = Environment.objects.get(pk=upgraded["nameless"])
    assert environment.title == f"store-2 + store-1 #{environment.pk}"
