"""What a comparison counts: executions of a tool, and the runs that ran at once and alike."""

from __future__ import annotations

import json
import subprocess

import pytest

from benchdash.results.assignment import Assignment
from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from benchdash.results.ingest import ingest
from benchdash.results.joined import join_numbers, join_over_hosts
from benchdash.results.models import (
    Artifact,
    Execution,
    JoinedMeasurement,
    Measure,
    Measurement,
    Run,
    Sample,
)
from benchdash.results.permalinks import changed_since, make_permalink
from benchdash.results.readings import File
from benchdash.results.reparse import reparse
from benchdash.results.run_actions import assign, delete, restore, set_aside
from benchdash.vocabulary.measures import MeasureName
from tests.conftest import need
from tests.measured import a_configuration, a_run
from tests.results.result_files import bonnie_row

pytestmark = pytest.mark.django_db

IOPS = MeasureName("rand_write", "iops", "mean")
P99 = MeasureName("rand_write", "completion_latency", "p99")


def fio(folder, *jobs):
    """What fio printed of these job sections, as `json+`."""
    command = [need("fio"), "--output-format=json+", f"--directory={folder}", "--size=512k"]
    command += ["--ioengine=psync", "--bs=4k", *(word for job in jobs for word in job)]
    return subprocess.run(command, check=True, capture_output=True).stdout


def jobs_of(output):
    return json.loads(output)["jobs"]


@pytest.fixture
def eight(tmp_path):
    """Eight equal jobs at once."""
    return fio(tmp_path, ["--name=w", "--rw=randwrite", "--numjobs=8"])


def figure(query, measure):
    view = compare(read_query(f"{query}&measure={measure}")).view
    (section,) = view.sections
    return section.figures[0]


def stored(measure):
    """What the runs of each sample of several amount to."""
    names = dict(zip(("operation", "metric", "statistic"), measure, strict=True))
    own = Measure.objects.get(**names)
    return list(JoinedMeasurement.objects.filter(measure=own).values_list("value", flat=True))


def test_what_the_runs_of_a_sample_amount_to_is_stored(eight):
    ingest([File("eight.json", eight), File("row.csv", bonnie_row().encode())])
    assert JoinedMeasurement.objects.values("sample").distinct().count() == 1
    for measure in (IOPS, P99):
        assert stored(measure) == [figure("tool=fio", measure).rows[0].median]
    # it is that of the runs as they are read now
    (iops,) = stored(IOPS)
    fio_runs = Run.objects.filter(tool="fio")
    fio_runs.filter(position=0).update(digest="older")
    Measurement.objects.filter(run__in=fio_runs.filter(position=0)).update(value=1.0)
    JoinedMeasurement.objects.update(value=1.0)
    reparse(fio_runs[0].artifact_id)
    assert stored(IOPS) == [iops]
    fio_runs.filter(position__gt=0).delete()
    join_numbers([fio_runs.get().sample_id])
    assert not JoinedMeasurement.objects.exists()


def test_eight_jobs_of_one_command_are_one_sample(eight):
    (outcome,) = ingest([File("eight.json", eight)])
    assert len(outcome.runs) == 8
    assert Execution.objects.count() == Sample.objects.count() == 1
    assert all(run.counted for run in Run.objects.all())


def test_three_equal_commands_under_three_configurations_have_one_sample_each(tmp_path):
    for name in ("a", "b", "c"):
        output = fio(tmp_path, ["--name=w", "--rw=randwrite", "--numjobs=8"])
        ingest([File(f"{name}.json", output)], Assignment(configuration=a_configuration(name)))
        writes = [job["write"] for job in jobs_of(output)]
        expected = sum(w["total_ios"] for w in writes) / (max(w["runtime"] for w in writes) / 1000)
        row = figure("tool=fio", IOPS).rows[-1]
        assert row.n == 1
        assert row.median == pytest.approx(expected)
    rows = figure("tool=fio", IOPS).rows
    assert [row.n for row in rows] == [1, 1, 1]
    assert {row.interval for row in rows} == {None}


def test_percentiles_of_jobs_come_from_their_bins_and_are_never_averaged(eight):
    ingest([File("eight.json", eight)])
    counts = {}
    for job in jobs_of(eight):
        for bin_, count in job["write"]["clat_ns"]["bins"].items():
            counts[int(bin_)] = counts.get(int(bin_), 0) + count
    ordered = [bin_ for bin_ in sorted(counts) for _ in range(counts[bin_])]
    expected = ordered[-(-99 * len(ordered) // 100) - 1] / 1e9
    assert figure("tool=fio", P99).rows[0].median == pytest.approx(expected)

    Run.objects.update(details={})
    (row,) = figure("tool=fio", P99).rows
    assert row.n == 0
    assert "can be merged only from json+" in row.notes[0].note


def test_who_did_something_else_lacks_no_percentile(tmp_path):
    for name in ("randread", "randwrite"):
        output = fio(tmp_path, ["--name=w", f"--rw={name}", "--numjobs=2"])
        ingest([File(f"{name}.json", output)], Assignment(configuration=a_configuration(name)))
    Run.objects.update(details={})
    (row,) = figure("tool=fio&like=0&group=configuration", P99).rows
    assert row.label == "randwrite"
    assert "can be merged only from json+" in row.notes[0].note


def test_readers_beside_writers_are_samples_of_their_own(tmp_path):
    output = fio(
        tmp_path,
        ["--name=r", "--rw=randread", "--numjobs=2"],
        ["--name=w", "--rw=randwrite", "--numjobs=2"],
    )
    ingest([File("both.json", output)])
    ingest([File("alone.json", fio(tmp_path, ["--name=r", "--rw=randread", "--numjobs=2"]))])
    beside = Run.objects.order_by("artifact", "position").values_list("label", "sample__beside")
    assert list(beside) == [
        *[("r", "2 × randwrite 4 KiB")] * 2,
        *[("w", "2 × randread 4 KiB")] * 2,
        *[("r", "")] * 2,
    ]
    view = compare(read_query("tool=fio&like=1&measure=rand_read.iops.mean")).view
    # like with like: who had company is not held against who had none
    assert [[one.text for one in s.differs_by if one.name == "beside"] for s in view.sections] == [
        ["nothing (alone)"],
        ["2 × randwrite 4 KiB"],
    ]


def test_groups_that_wait_for_each_other_are_samples_alone(tmp_path):
    output = fio(
        tmp_path,
        ["--name=r", "--rw=randread"],
        ["--name=w", "--rw=randwrite", "--stonewall"],
    )
    ingest([File("one-after-the-other.json", output)])
    assert Execution.objects.count() == 1
    assert list(Sample.objects.values_list("beside", flat=True)) == ["", ""]


def test_a_row_of_bonnie_is_an_execution_of_its_own():
    ingest([File("x.csv", (bonnie_row(write=80_000) + bonnie_row(write=81_000)).encode())])
    assert list(Execution.objects.order_by("number").values_list("number", flat=True)) == [0, 1]
    assert Sample.objects.count() == 2


def test_equal_numbers_of_jobs_beside_each_other_are_no_duplicates(eight):
    document = json.loads(eight)
    document["jobs"] = [document["jobs"][0]] * 3
    ingest([File("a.json", json.dumps(document).encode())])
    assert list(Run.objects.values_list("counted", flat=True)) == [True] * 3
    # the same output in another file is what it was before
    ingest([File("b.json", json.dumps(document, indent=1).encode())])
    assert (
        list(Run.objects.order_by("pk").values_list("counted", flat=True))
        == [True] * 3 + [False] * 3
    )


def test_a_job_that_failed_sets_aside_what_ran_beside_it(eight):
    document = json.loads(eight)
    document["jobs"][3]["error"] = 28
    ingest([File("a.json", json.dumps(document).encode())])
    runs = Run.objects.order_by("position")
    assert not runs.filter(counted=True).exists()
    assert "No space left" in runs[3].set_aside_reason
    assert runs[0].set_aside_reason == "w ran beside it and failed."


def test_what_is_done_to_a_run_is_done_to_its_sample(eight):
    ingest([File("eight.json", eight)])
    first = Run.objects.earliest("pk").pk
    assert assign([first], Assignment(configuration=a_configuration("c"))) == 8
    assert set_aside([first], "why") == 8
    assert set_aside([first], "") == 8
    assert delete([first]) == 8
    assert restore([first]) == 8
    assert Run.objects.filter(counted=True).count() == 8


def test_one_ticked_run_brings_its_sample(eight):
    ingest([File("eight.json", eight)])
    second = Run.objects.order_by("pk")[1]
    view = compare(read_query(f"run={second.pk}&measure={IOPS}")).view
    assert view.runs == 8
    assert view.samples == 1


def test_reading_again_keeps_samples_and_finds_new_ones(eight):
    ingest([File("eight.json", eight)])
    before = list(Run.objects.order_by("pk").values_list("pk", "execution", "sample"))
    # as an older version left them: each a sample of its own
    for run in Run.objects.order_by("position")[1:]:
        Run.objects.filter(pk=run.pk).update(sample=Sample.objects.create())
    reparse(Artifact.objects.get().pk)
    assert list(Run.objects.order_by("pk").values_list("pk", "execution", "sample")) == before
    assert Sample.objects.count() == 1


def test_hosts_that_a_cell_started_together_are_one_sample(tmp_path):
    place = Assignment(configuration=a_configuration("c"))
    writes = []
    for host in ("node-a", "node-b"):
        output = fio(tmp_path, ["--name=w", "--rw=randwrite", "--numjobs=2"])
        ingest([File(f"{host}.json", output)], place)
        writes += [job["write"] for job in jobs_of(output)]
    assert figure("tool=fio", IOPS).rows[0].n == 2
    join_over_hosts(list(Artifact.objects.order_by("pk").values_list("pk", flat=True)))
    row = figure("tool=fio", IOPS).rows[0]
    assert row.n == Sample.objects.count() == 1
    longest = max(write["runtime"] for write in writes) / 1000
    assert row.median == pytest.approx(sum(write["total_ios"] for write in writes) / longest)
    assert stored(IOPS) == [row.median]


def test_jobs_of_a_sample_are_as_many_as_ran(eight, tmp_path):
    ingest([File("eight.json", eight)])
    grouped = fio(tmp_path, ["--name=w", "--rw=randwrite", "--numjobs=8", "--group_reporting"])
    ingest([File("grouped.json", grouped)])
    row = figure("tool=fio", IOPS).rows[0]
    assert row.n == 2


def test_a_link_says_when_a_part_of_a_sample_is_read_differently(eight):
    ingest([File("eight.json", eight)])
    link = make_permalink(f"tool=fio&measure={IOPS}", None)
    assert changed_since(link) == []
    third = Run.objects.order_by("pk")[2]
    Measurement.objects.filter(
        run=third, measure__operation="rand_write", measure__metric="operations"
    ).update(value=1)
    Run.objects.filter(pk=third.pk).update(digest="read by a better parser")
    (changed,) = changed_since(link)
    assert changed.run == Run.objects.earliest("pk").pk
    assert [number.measure for number in changed.numbers] == [IOPS]


def test_settings_part_runs_and_unknown_ones_neither_part_nor_join():
    place = a_configuration("c")
    values = {"seq_write.throughput.mean": 1e8}
    a_run(place, values, settings={"guests": 1})
    a_run(place, values)
    name = MeasureName("seq_write", "throughput", "mean")
    assert figure("tool=fio", name).rows[0].n == 2
    a_run(place, values, settings={"guests": 4})
    view = compare(read_query(f"tool=fio&like=1&measure={name}")).view
    texts = sorted(one.text for section in view.sections for one in section.differs_by)
    assert texts == ["1", "4", "not recorded"]
    view = compare(read_query(f"tool=fio&measure={name}&across=setting.guests")).view
    assert [section.figures[0].rows[0].n for section in view.sections] == [3]
    view = compare(read_query(f"tool=fio&measure={name}&group=setting.guests")).view
    assert [group.label for group in view.groups] == [
        "Concurrent guests 1",
        "Concurrent guests 4",
        "Concurrent guests not recorded",
    ]


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("setting.guests=4", 1),
        ("setting.guests=~", 4),
        ("setting.cached=yes", 2),
        ("setting.cached=1", 1),
        ("setting.cached=cold", 1),
        ('setting.cached="', 0),
        ("setting.guests=1&setting.guests=4", 2),
    ],
)
def test_runs_are_chosen_by_their_settings(query, count):
    a_run(settings={"guests": 1})
    a_run(settings={"guests": 4})
    for cached in (True, True, 1, "cold"):
        a_run(settings={"cached": cached})
    assert compare(read_query(query)).view.samples == count


def test_other_options_are_held_equal(tmp_path):
    ingest([File("free.json", fio(tmp_path, ["--name=w", "--rw=randwrite"]))])
    limited = fio(tmp_path, ["--name=w", "--rw=randwrite", "--rate_iops=1000"])
    ingest([File("limited.json", limited)])
    view = compare(read_query(f"tool=fio&like=1&measure={IOPS}")).view
    texts = {one.text for section in view.sections for one in section.differs_by}
    assert texts == {"none", "rate_iops=1000"}
