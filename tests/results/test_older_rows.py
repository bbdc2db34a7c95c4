"""Rows that an older version made, after the upgrade: runs keep their ids, and get their samples."""

from __future__ import annotations

import pytest

from benchdash.parsers import parse
from benchdash.results.ingest import ingest
from benchdash.results.models import Execution, Run
from benchdash.results.readings import File
from benchdash.vocabulary.workloads import typed
from tests.migrations import migrated
from tests.parsers.golden import SAMPLES

pytestmark = pytest.mark.django_db(transaction=True)
OLDER = [("results", "0010_words_of_uploads")]


@pytest.fixture
def older(transactional_db):
    yield migrated(OLDER)
    migrated()


def file_of(apps, *runs, tool="fio"):
    """One artifact with these runs, each `{"details": …}` and what else it differs in."""
    models = {name: apps.get_model("results", name) for name in ("Artifact", "Workload", "Run")}
    artifact = models["Artifact"].objects.create(
        sha256=f"{models['Artifact'].objects.count():064}", size_bytes=0, compressed=b""
    )
    made = []
    for position, columns in enumerate(runs):
        pattern = columns.pop("pattern", "randwrite")
        told, _ = models["Workload"].objects.get_or_create(
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
                workload=told,
                digest=digest,
                **columns,
            )
            .pk
        )
    return made


def upgrade():
    migrated()


def samples(ids):
    """By the first run that each shares its sample with, how many there are."""
    rows = dict(Run.objects.filter(pk__in=ids).values_list("pk", "sample"))
    ordered = [rows[pk] for pk in ids]
    return [ordered.index(sample) for sample in ordered]


def test_jobs_of_a_group_become_a_sample_and_keep_their_ids(older):
    group = {"details": {"groupid": 0, "options": {"rw": "randwrite"}}}
    later = {"details": {"groupid": 1, "options": {"rw": "randwrite", "stonewall": ""}}}
    ids = file_of(older, group.copy(), group.copy(), later.copy(), later.copy())
    upgrade()
    assert list(Run.objects.order_by("position").values_list("pk", flat=True)) == ids
    assert samples(ids) == [0, 0, 2, 2]
    assert Execution.objects.count() == 1


def test_a_group_that_waits_for_nothing_ran_beside_the_one_before(older):
    ids = file_of(
        older,
        {"details": {"groupid": 0, "options": {"rw": "randread"}}, "pattern": "randread"},
        {"details": {"groupid": 1, "options": {"rw": "randwrite", "new_group": ""}}},
    )
    upgrade()
    beside = Run.objects.filter(pk__in=ids).order_by("pk").values_list("sample__beside", flat=True)
    assert list(beside) == ["1 × randwrite 4 KiB", "1 × randread 4 KiB"]


def test_rows_of_other_tools_and_a_group_that_comes_again_are_executions_of_their_own(older):
    rows = file_of(older, {}, {}, tool="bonnie++")
    twice = file_of(
        older,
        *({"details": {"groupid": group}} for group in (0, 1, 0)),
    )
    upgrade()
    assert samples(rows) == [0, 1]
    assert Execution.objects.filter(runs__in=rows).count() == 2
    assert Execution.objects.filter(runs__in=twice).distinct().count() == 2


def test_what_ran_beside_a_failed_job_is_set_aside(older):
    group = {"details": {"groupid": 0}}
    error = {"error": {"code": 28, "message": "No space"}, "set_aside_reason": "fio failed"}
    ids = file_of(older, {**group, **error, "label": "w"}, group.copy())
    upgrade()
    runs = Run.objects.in_bulk(ids)
    assert [str(runs[pk].set_aside_reason) for pk in ids] == [
        "fio failed",
        "w ran beside it and failed.",
    ]
    assert not any(runs[pk].counted for pk in ids)


def test_equal_numbers_of_one_execution_are_no_copies_any_more(older):
    group = {"details": {"groupid": 0}}
    (first,) = file_of(older, {**group, "digest": "same"})
    Older = older.get_model("results", "Run")  # noqa: N806
    artifact = Older.objects.get(pk=first).artifact
    copy = Older.objects.get(pk=first)
    copy.pk, copy.position, copy.same_as_id = None, 1, first
    copy.save()
    elsewhere = file_of(
        older,
        {**group, "digest": "same", "same_as_id": first},
        {**group, "digest": "same", "same_as_id": first},
    )
    upgrade()
    second = Run.objects.get(artifact_id=artifact.pk, position=1)
    assert second.counted
    assert second.same_as is None
    other = [Run.objects.get(pk=pk).same_as_id for pk in elsewhere]
    assert other == [first, second.pk]


def test_other_options_come_out_of_the_details(older):
    limited = {"rw": "randwrite", "bs": "4k", "rate_iops": "100"}
    ids = file_of(
        older,
        {"details": {"groupid": 0, "options": {"rw": "randwrite", "bs": "4k"}}},
        {"details": {"groupid": 1, "options": limited | {"stonewall": ""}}},
        {"details": {"groupid": 2}},
    )
    upgrade()
    runs = Run.objects.select_related("workload").in_bulk(ids)
    assert [runs[pk].workload.options for pk in ids] == [{}, {"rate_iops": "100"}, None]
    assert {runs[pk].workload.pattern for pk in ids} == {"randwrite"}


def test_what_is_filled_is_what_reading_again_gives(older):
    """The same workload, so that old and new runs are held against each other."""
    text = (SAMPLES / "fio" / "local-3.33-mixed.json").read_bytes()
    results = parse(text).results
    ids = file_of(older, *({"details": result.details} for result in results))
    for pk, result in zip(ids, results, strict=True):
        Workload = older.get_model("results", "Workload")
        row = Workload.objects.create(digest=f"old {pk}", **typed(result.workload))
        older.get_model("results", "Run").objects.filter(pk=pk).update(workload=row)
    upgrade()
    (outcome,) = ingest([File("again.json", text)])
    now = [
        run.workload_id
        for run in Run.objects.filter(pk__in=[r.pk for r in outcome.runs]).order_by("position")
    ]
    assert [Run.objects.get(pk=pk).workload_id for pk in ids] == now
