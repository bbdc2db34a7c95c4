"""A run is called by what it did, on which machine, and when, in the reader's language."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone, translation

from benchdash.inventory.models import (
    Environment,
    EnvironmentMachine,
    Host,
    MachineSnapshot,
)
from benchdash.results.models import Run
from benchdash.results.run_names import run_name, with_names
from benchdash.vocabulary.canonical import digest
from tests.measured import a_configuration, a_run, an_environment, named

pytestmark = pytest.mark.django_db

THIS_YEAR = timezone.now().year
STARTED = datetime(THIS_YEAR, 11, 22, 8, 45, 30, tzinfo=UTC)
RANDWRITE = {"pattern": "randwrite", "block_bytes": 4096, "queue_depth": 8, "jobs": 4}


def name_of(runs=1, *, started_at=STARTED, **columns):
    run = a_run(columns.pop("configuration", None), started_at=started_at, **columns)
    return run_name(named(run), runs)


def work_of(tool, **workload):
    """The name less its date."""
    name = name_of(tool=tool, workload=workload)
    return name.removesuffix(" · 22 Nov 08:45").removesuffix(" · about 22 Nov")


def test_a_name_says_what_was_done_where_and_when():
    lab = an_environment("lab", "node-a")
    name = name_of(workload=RANDWRITE, environment=lab)
    assert name == "randwrite 4 KiB · QD 8 × 4 jobs · node-a · 22 Nov 08:45"


def test_a_name_speaks_japanese():
    lab = an_environment("lab", "node-a")
    with translation.override("ja"):
        name = name_of(workload=RANDWRITE, environment=lab)
        assert name == "randwrite 4 KiB · QD 8 × 4 ジョブ · node-a · 11月22日 08:45"
        assert name_of(tool="dbench", workload={"clients": 8}).startswith(
            "dbench 8 クライアント · "
        )


def test_without_a_host_the_configuration_says_where():
    assert name_of(workload=RANDWRITE, configuration=a_configuration("DRBD C")) == (
        "randwrite 4 KiB · QD 8 × 4 jobs · DRBD C · 22 Nov 08:45"
    )


def test_the_machine_that_ran_the_tool_is_named():
    environment = Environment.objects.create(digest=digest("two"))
    for role, host in (("client", "one"), ("node-a", "two"), ("node-b", "three")):
        owner = Host.objects.create(name=host)
        snapshot = MachineSnapshot.objects.create(digest=digest(role), host=owner, facts={})
        EnvironmentMachine.objects.create(environment=environment, role=role, snapshot=snapshot)
    assert " · two · " in name_of(workload=RANDWRITE, environment=environment)


def test_a_year_that_is_over_is_named():
    name = name_of(workload=RANDWRITE, started_at=datetime(2009, 1, 2, 3, 4, tzinfo=UTC))
    assert name.endswith(" · 2 Jan 2009 03:04")


def test_a_name_says_that_it_has_only_the_date_of_storing():
    run = a_run(workload=RANDWRITE)
    Run.objects.update(created_at=STARTED)
    name = run_name(named(run))
    assert name == "randwrite 4 KiB · QD 8 × 4 jobs · stored 22 Nov 08:45"


def test_a_sample_is_as_many_jobs_as_its_runs_together():
    one = {"pattern": "read", "block_bytes": 1048576, "queue_depth": 1, "jobs": 1}
    assert name_of(4, workload=one) == "read 1 MiB · QD 1 × 4 jobs · 22 Nov 08:45"
    assert name_of(1, workload=one) == "read 1 MiB · QD 1 · 22 Nov 08:45"


@pytest.mark.parametrize(
    ("tool", "workload", "words"),
    [
        (
            "fio",
            {"pattern": "randrw", "read_fraction": 0.7, "block_bytes": 8192},
            "randrw 70/30 8 KiB",
        ),
        ("fio", {"block_bytes": 4096, "queue_depth": 32}, "fio 4 KiB · QD 32"),
        ("fio", {}, "fio"),
        ("bonnie++", {"file_bytes": 17179869184, "files": 16384}, "bonnie++ 16 GiB"),
        ("bonnie++", {"file_bytes": 134217728, "concurrency": 4}, "bonnie++ 128 MiB × 4"),
        ("bonnie++", {"files": 8192}, "bonnie++ 8192 files"),
        ("dbench", {"clients": 8}, "dbench 8 clients"),
        ("dbench", {"clients": 1, "sync": True}, "dbench 1 client · sync"),
        (
            "pgbench",
            {"clients": 4, "jobs": 2, "script": "select only"},
            "pgbench 4 clients × 2 threads, select only",
        ),
        (
            "pgbench",
            {"clients": 8, "jobs": 1, "script": "TPC-B (sort of)", "scale": 100},
            "pgbench 8 clients, TPC-B, scale 100",
        ),
        ("pgbench", {"clients": 1, "script": "/srv/secret/half.sql"}, "pgbench 1 client, half.sql"),
        ("pgbench", {}, "pgbench"),
        (
            "sysbench",
            {"pattern": "rndrw", "block_bytes": 16384, "read_fraction": 0.6, "jobs": 16},
            "sysbench rndrw 60/40 16 KiB · 16 threads",
        ),
        (
            "rados",
            {"pattern": "write", "block_bytes": 4194304, "queue_depth": 16},
            "rados bench write 4 MiB · QD 16",
        ),
        (
            "rbd",
            {"pattern": "randwrite", "block_bytes": 4096, "queue_depth": 16},
            "rbd bench randwrite 4 KiB · QD 16",
        ),
        ("iozone", {"block_bytes": 65536}, "iozone 64 KiB"),  # a tool of which we know no longer
    ],
)
def test_each_tool_is_named_as_its_users_name_it(tool, workload, words):
    assert work_of(tool, **workload) == words


@pytest.mark.parametrize(
    ("label", "start"),
    [
        ("journal", "journal · randwrite 4 KiB"),
        ("nightly: rand-write-4k-qd8", "nightly · randwrite 4 KiB"),
        ("randwrite_4k_iodepth8_numjobs4", "randwrite 4 KiB"),
        ("job1", "randwrite 4 KiB"),
        ("夜間", "夜間 · randwrite 4 KiB"),
        ("x" * 300, f"{'x' * 59}… · randwrite 4 KiB"),
        ("a" * 299 + "!", f"{'a' * 59}… · randwrite 4 KiB"),
    ],
)
def test_a_label_stands_first_where_it_tells_more(label, start):
    name = name_of(workload=RANDWRITE, label=label)
    assert name == f"{start} · QD 8 × 4 jobs · 22 Nov 08:45"


def test_where_nothing_else_is_printed_the_label_tells_all():
    assert name_of(label="randread-4k") == "fio randread-4k · 22 Nov 08:45"


def test_the_label_of_bonnie_is_the_machine():
    axes = {"file_bytes": 17179869184}
    columns = {"tool": "bonnie++", "workload": axes, "label": "xen01.example.o"}
    assert name_of(**columns) == "bonnie++ 16 GiB · xen01.example.o · about 22 Nov"
    lab = an_environment("lab", "xen01.example.org")
    known = name_of(**columns, environment=lab)
    assert known == "bonnie++ 16 GiB · xen01.example.org · about 22 Nov"


def test_what_bonnie_prints_as_its_start_is_about_then_and_what_a_job_recorded_is_exact():
    recorded = STARTED.replace(microsecond=250)
    columns = {"tool": "bonnie++", "workload": {"files": 8192}}
    assert name_of(**columns) == "bonnie++ 8192 files · about 22 Nov"
    assert name_of(**columns, started_at=recorded) == "bonnie++ 8192 files · 22 Nov 08:45"


def test_runs_and_their_names_are_one_query(django_assert_num_queries):
    lab = an_environment("lab", "node-a")
    for _ in range(3):
        a_run(a_configuration("DRBD C" + "C" * _), workload=RANDWRITE, environment=lab)
    with django_assert_num_queries(1):
        assert len({run_name(run) for run in with_names(Run.objects.all())}) == 1


def test_of_several_hosts_that_measured_at_once_a_run_has_its_own():
    lab = an_environment("lab", "node-1")
    for number in (2, 3):
        host = Host.objects.create(name=f"n{number}")
        snapshot = MachineSnapshot.objects.create(
            digest=digest(["of", number]), host=host, facts={}
        )
        EnvironmentMachine.objects.create(
            environment=lab, role=f"node-{'abc'[number - 1]}", snapshot=snapshot
        )
    columns = {"workload": RANDWRITE, "environment": lab}
    assert name_of(**columns).endswith("· node-1 · 22 Nov 08:45")
    for label in ("n3", "n3: randwrite-4k"):
        assert name_of(**columns, label=label).endswith("4 jobs · n3 · 22 Nov 08:45"), label
    assert name_of(**columns, label="n30: x").endswith("· node-1 · 22 Nov 08:45")
