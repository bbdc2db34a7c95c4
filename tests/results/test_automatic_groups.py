"""What runs are grouped by where nobody said."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import quote_plus

import pytest
from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Concat, Substr
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdash.inventory.models import Configuration, EnvironmentMachine
from benchdash.jobs.models import Job
from benchdash.results.comparison import compare
from benchdash.results.comparison.export import as_markdown
from benchdash.results.criteria import read_query
from benchdash.results.models import Run, Sample, Study, Upload
from benchdash.results.records import add_condition
from tests.jobs.records import a_job, a_plan, a_target
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db
WRITE = "seq_write.throughput.mean"
S = Job.State


def seen(query):
    view = compare(read_query(query)).view
    return view.group, [group.label for group in view.groups], len(view.sections)


def measured(configuration=None, **more):
    workload = {name: more.pop(name) for name in ("queue_depth", "pattern", "jobs") if name in more}
    return a_run(configuration, {WRITE: 1e8}, workload=workload, **more)


def test_two_ticked_runs_of_another_depth_stand_side_by_side():
    runs = [measured(queue_depth=depth).pk for depth in (1, 8)]
    query = "&".join(f"run={pk}" for pk in runs)
    assert seen(query) == (("workload.queue_depth",), ["Queue depth 1", "Queue depth 8"], 1)


def test_a_few_differences_are_all_in_the_names_of_the_groups():
    runs = [measured(queue_depth=depth, jobs=jobs).pk for depth, jobs in ((16, 1), (4, 2))]
    _, labels, sections = seen("&".join(f"run={pk}" for pk in runs))
    assert labels == ["Queue depth 4 · Jobs 2", "Queue depth 16 · Jobs 1"]
    assert sections == 1


def test_ticked_runs_that_do_not_differ_stand_in_columns_of_their_own():
    runs = [measured().pk for _ in range(2)]
    group, labels, _ = seen("&".join(f"run={pk}" for pk in runs))
    assert group == ("run",)
    assert len(labels) == 2


def test_identical_ticked_runs_collapse_where_two_groups_remain():
    runs = [measured(queue_depth=depth).pk for depth in (1, 1, 8)]
    assert len(seen("&".join(f"run={pk}" for pk in runs))[1]) == 2


def test_a_sweep_of_one_number_draws_lines_and_one_of_two_a_map():
    for depth in (1, 4, 16):
        measured(queue_depth=depth)
    charts = {
        figure.chart
        for section in compare(read_query("tool=fio")).view.sections
        for figure in section.figures
    }
    assert charts == {"lines"}
    for depth in (1, 4, 16):
        for jobs in (1, 2, 4):
            measured(queue_depth=depth, jobs=jobs, settings={"sweep": "two"})
    view = compare(read_query("tool=fio&setting.sweep=two")).view
    assert set(view.group) == {"workload.queue_depth", "workload.jobs"}
    assert {figure.chart for section in view.sections for figure in section.figures} == {"heat"}


def test_a_chunk_stands_for_the_stride_that_follows_from_it():
    plan, target = a_plan(launched_at=timezone.now()), a_target("store")
    for chunk, stride in ((65536, 16), (262144, 64)):
        configuration = a_configuration(
            str(chunk), ext4__stride=stride, ext4__stripe_width=4 * stride, md__chunk_bytes=chunk
        )
        run = measured(configuration)
        a_job(S.DONE, target, plan).steps.filter(tool="fio").update(artifact=run.artifact)
    found, labels, _sections = seen(f"plan={plan.pk}")
    assert found == ("layer.md.chunk_bytes",), labels


def test_configurations_are_compared_like_with_like_and_all_together_on_request():
    for configuration in map(a_configuration, ("a", "b")):
        for depth in (1, 8):
            measured(configuration, queue_depth=depth)
    assert seen("tool=fio") == (("configuration",), ["a", "b"], 2)
    group, labels, sections = seen("tool=fio&like=0")
    assert (group, sections) == (("configuration", "workload.queue_depth"), 1)
    assert labels[:2] == ["a · Queue depth 1", "a · Queue depth 8"]


def test_mixed_runs_of_which_few_have_their_like_are_seen_together():
    first, second = map(a_configuration, ("a", "b"))
    measured(first, queue_depth=1)
    measured(second, queue_depth=1)
    for depth in (2, 4, 8):
        measured(first, queue_depth=depth)
    assert seen("tool=fio")[2] == 1
    assert seen("tool=fio&like=1")[2] == 4


def test_what_goes_with_another_difference_is_no_further_name():
    for name in ("a", "b"):
        measured(a_configuration(name), environment=an_environment(f"lab {name}"))
    assert seen("tool=fio")[:2] == (("configuration",), ["a", "b"])


def test_the_version_names_groups_where_nothing_else_differs():
    one = a_configuration("a")
    for version in ("3.1", "3.36"):
        measured(one, tool_version=version)
    assert seen("tool=fio")[:2] == (("version",), ["fio version 3.1", "fio version 3.36"])


def test_two_tools_are_not_held_against_each_other_unless_somebody_says_so():
    measured(tool="fio")
    measured(tool="bonnie++")
    assert seen("text=")[2] == 0
    query = f"measure={WRITE}&tool=fio&tool=bonnie%2B%2B"
    assert seen(query) == (("configuration",), ["no configuration"], 2)
    assert seen(f"{query}&like=0") == (("tool",), ["bonnie++", "fio"], 1)


def test_jobs_that_hosts_have_together_are_no_name_where_the_number_of_hosts_was_set():
    for guests in (1, 2, 4):
        sample = Sample.objects.create()
        for _each in range(guests):
            measured(jobs=4, sample=sample, settings={"guests": guests})
    assert seen("tool=fio")[:2] == (
        ("setting.guests",),
        ["Concurrent guests 1", "Concurrent guests 2", "Concurrent guests 4"],
    )
    for jobs in (8, 16):
        measured(jobs=jobs, settings={"guests": 1})
    assert seen("tool=fio")[0] == ("workload.jobs", "setting.guests")


def a_larger_environment(part, name):
    """The same machines and one more."""
    whole = an_environment(name)
    EnvironmentMachine.objects.filter(environment=whole).update(role="node-b")
    for one in part.parts.all():
        EnvironmentMachine.objects.create(environment=whole, role=one.role, snapshot=one.snapshot)
    return whole


def test_what_a_plan_calls_its_configurations_is_no_further_difference():
    """Each condition of a recipe makes storage of its own: its name is that of the group."""
    plan, target = a_plan(), a_target()
    for condition in ("local", "drbd-c"):
        configuration = a_configuration(f"made for {condition}")
        for _round in (1, 2):
            run = measured(configuration, settings={"condition": condition})
            a_job(S.DONE, target, plan).steps.filter(tool="fio").update(artifact=run.artifact)
    assert seen(f"plan={plan.pk}") == (("setting.condition",), ["drbd-c", "local"], 1)
    (section,) = compare(read_query(f"plan={plan.pk}")).view.sections
    assert not section.mixed
    # a setting that has several configurations is held equal as before
    other = measured(a_configuration("another"), settings={"condition": "local"})
    a_job(S.DONE, target, plan).steps.filter(tool="fio").update(artifact=other.artifact)
    assert seen(f"plan={plan.pk}")[0] != ("setting.condition",)


def test_hosts_that_a_cell_of_a_plan_leaves_out_make_no_other_environment():
    one = an_environment("alone", "node-1")
    both = a_larger_environment(one, "both")
    plan, target = a_plan(), a_target()
    study = Study.objects.create(slug="guests", title="Guests")
    for name in ("cold", "warm"):
        configuration = a_configuration(name)
        add_condition(study, configuration, None)
        for guests, environment in ((1, one), (2, both)):
            run = measured(
                configuration, settings={"guests": guests}, environment=environment, study=study
            )
            a_job(S.DONE, target, plan).steps.filter(tool="fio").update(artifact=run.artifact)
    for query in ("study=guests", f"plan={plan.pk}"):
        assert seen(query)[:2] == (("configuration",), ["cold", "warm"]), query
        assert set(seen(f"{query}&like=0")[0]) == {"configuration", "setting.guests"}


def in_environments(one, *versions, kernel="6.1", **columns):
    """A run in each of as many unnamed captures of one host, with these versions of tools."""
    for own in versions:
        environment = an_environment("", "node-1", kernel=kernel, versions=own)
        measured(one, environment=environment, **columns)


def test_a_tool_that_was_installed_meanwhile_makes_no_other_groups():
    with_fio, with_both = {"fio": "3.33"}, {"fio": "3.33", "dbench": "4.00"}
    one = a_configuration("a")
    in_environments(one, with_fio, with_both, {**with_both, "pgbench": "15"}, tool_version="3.33")
    assert seen("tool=fio") == (("configuration",), ["a"], 1)
    comparison = compare(read_query("tool=fio"))
    assert len(comparison.view.groups[0].runs) == 3
    in_common = {one.title: one.text for one in comparison.view.in_common}
    assert in_common["Kernel"] == "6.1" and in_common["fio version"] == "3.33"
    assert "dbench version" not in in_common  # not all of them had it
    # who asks for it sees it
    assert len(seen("tool=fio&group=environment")[1]) == 3
    assert len(seen("tool=fio&group=environment.versions.dbench")[1]) == 2
    # another kernel is another environment
    in_environments(one, with_both, kernel="6.6", tool_version="3.33")
    assert len(seen("tool=fio")[1]) == 2


def test_a_tool_that_was_updated_tells_groups_apart_by_its_own_version():
    one = a_configuration("a")
    for version in ("3.33", "3.36"):
        in_environments(one, {"fio": version}, tool_version=version)
    assert seen("tool=fio")[:2] == (("version",), ["fio version 3.33", "fio version 3.36"])


def test_where_runs_do_not_say_their_version_that_of_the_environment_counts():
    in_environments(a_configuration("a"), {"fio": "3.33"}, {"fio": "3.36"}, tool_version="")
    assert len(seen("tool=fio")[1]) == 2


def uploaded(name, **columns):
    """A result of fio's terse output, which says nothing of what was measured."""
    run = a_run(None, {"read.iops.mean": 1e4}, tool_version="3.33", **columns)
    return Upload.objects.create(artifact=run.artifact, name=name, outcome="stored")


def test_results_that_do_not_say_what_they_did_are_told_apart_by_their_jobs():
    first, second = (uploaded(f"{job}.csv", label=job) for job in ("rand-4k", "seq-1m"))
    query = f"upload={first.pk}-{second.pk}"
    assert seen(query) == (("label",), ["rand-4k", "seq-1m"], 1)
    assert seen("tool=fio&like=1")[2] == 2
    assert compare(read_query(f"{query}&like=0")).view.sections[0].mixed == ()
    for depth in (1, 8):
        measured(a_configuration(f"d{depth}"), queue_depth=depth, pattern="randread")
    labels = seen("tool=fio&like=0")[1]
    assert any("rand-4k" in label for label in labels)
    assert any("seq-1m" in label for label in labels)
    assert not any("no environment" in label for label in labels)


def test_of_jobs_of_one_name_the_files_are_named():
    first, second = (uploaded(f"night/{name}.csv", label="mixed") for name in ("a", "b"))
    assert seen(f"upload={first.pk}-{second.pk}") == (("label",), ["a.csv", "b.csv"], 1)
    # one file alone is one group, and repeats that say what they did are one too
    assert len(seen(f"upload={first.pk}")[1]) == 1
    for configuration, groups in ((None, 2), (a_configuration("md0"), 1)):
        known = [
            measured(configuration, queue_depth=1, pattern="read", label="mixed") for _ in range(2)
        ]
        both = [
            Upload.objects.create(artifact=run.artifact, name="c", outcome="stored")
            for run in known
        ]
        assert len(seen("&".join(f"upload={one.pk}" for one in both))[1]) == groups


@pytest.mark.parametrize(
    ("tool", "labels"),
    [("bonnie++", ("azure", "aws")), ("fio", ("job @ azure", "job @ aws"))],
)
def test_what_is_recorded_nowhere_is_told_apart_by_the_machine_that_was_printed(tool, labels):
    for label in (*labels, labels[0]):
        measured(tool=tool, label=label)
    asked = f"tool={quote_plus(tool)}"
    assert seen(asked) == (("host",), ["aws", "azure"], 1)
    # a machine is no repeat of another, whatever is asked for
    (group,) = compare(read_query(f"{asked}&group=configuration")).view.groups
    assert group.pools == {"environment": 2}
    study = Study.objects.create(slug="clouds", title="Clouds")
    Run.objects.update(study=study)
    assert seen("study=clouds")[:2] == (("host",), ["aws", "azure"])


def test_a_sample_of_several_machines_bears_the_names_of_all():
    first = measured(label="job @ b")
    measured(label="job @ a", sample=first.sample)
    measured(label="job @ c")
    assert seen("tool=fio")[:2] == (("host",), ["a + b", "c"])


def test_results_of_one_file_are_told_apart_by_the_headings_above_them():
    for heading in ("PgBouncer", "PgCat"):
        a_run(None, {"transaction.transactions.mean": 9e2}, tool="pgbench", label=heading)
    group, labels, _ = seen("tool=pgbench")
    assert group == ("run",)
    assert [label.split(" #")[0] for label in labels] == ["PgBouncer", "PgCat"]


def test_two_tools_are_not_ranked_with_each_other_where_groups_are_versions():
    array = a_configuration("md0")
    for tool, versions in (("fio", ("3.1", "3.33")), ("bonnie++", ("1.03", "1.97"))):
        for version in versions:
            measured(array, tool=tool, tool_version=version)
    view = compare(read_query(f"group=version&configuration={array.pk}")).view
    assert [[one.value for one in section.differs_by] for section in view.sections] == [
        *(["bonnie++"], ["fio"])
    ]


def test_a_group_of_which_nothing_says_where_it_was_measured_is_named():
    array = a_configuration("md0")
    for depth in (1, 1, 8):
        measured(queue_depth=depth)
        measured(array, queue_depth=depth)
    query = "tool=fio&group=configuration,workload.queue_depth"
    view = compare(read_query(query)).view
    assert view.unrecorded == ("no configuration · Queue depth 1",)
    assert "may not be repeats" in as_markdown(view, address="x")
    assert compare(read_query("tool=fio&group=run")).view.unrecorded == ()


def test_folders_of_files_stand_for_machines_that_nothing_names():
    for folder in ("hostA", "hostB"):
        for pattern in ("randread", "randwrite", "randread"):
            run = measured(pattern=pattern)
            Upload.objects.create(
                artifact=run.artifact, name=f"night/{folder}/{run.pk}.json", outcome="stored"
            )
    assert seen("tool=fio") == (("host",), ["hostA/", "hostB/"], 2)
    Upload.objects.update(name=Substr("name", len("night/") + 1))
    assert seen("tool=fio") == (("host",), ["hostA/", "hostB/"], 2)
    # files beside the folders, of an archive or not, lengthen no name
    Upload.objects.update(name=Concat(Value("night.zip/"), F("name")))
    beside = measured(pattern="randread")
    Upload.objects.create(artifact=beside.artifact, name="mix.json", outcome="stored")
    assert seen("tool=fio")[1] == ["hostA/", "hostB/", "no host"]
    # and one folder is still told from none
    Run.objects.filter(artifact__uploads__name__contains="hostB").update(
        deleted_at=datetime(2026, 11, 27, tzinfo=UTC)
    )
    assert seen("tool=fio&like=1")[1] == ["night.zip/hostA/", "no host"]
    # with a configuration a folder says nothing
    Run.objects.update(configuration=a_configuration("md0"))
    assert "host" not in seen("tool=fio")[0]


def test_folders_and_names_of_files_take_one_query_whatever_their_number(
    django_assert_num_queries,
):
    def uploads(numbers):
        for number in numbers:
            run = measured(queue_depth=1)
            name = f"host{number % 2}/{number}.json"
            Upload.objects.create(artifact=run.artifact, name=name, outcome="stored")

    uploads(range(4))
    with CaptureQueriesContext(connection) as few:
        seen("tool=fio")
    uploads(range(4, 40))
    with django_assert_num_queries(len(few)):
        seen("tool=fio")


@pytest.mark.parametrize(
    ("tool", "microsecond", "order"),
    [("bonnie++", 0, "unknown"), ("bonnie++", 250, "sequential"), ("fio", 0, "sequential")],
)
def test_the_seed_of_bonnie_is_no_start_to_order_runs_by(tool, microsecond, order):
    """It is the time XOR the process number: hours off."""
    at = datetime(2026, 11, 27, 12, 0, 0, microsecond, tzinfo=UTC)
    for number in range(6):
        configuration = Configuration.objects.filter(name=f"md{number // 3}").first()
        configuration = configuration or a_configuration(f"md{number // 3}")
        started = at + timedelta(minutes=number)
        measured(configuration, tool=tool, started_at=started)
    (section,) = compare(read_query(f"tool={quote_plus(tool)}")).view.sections
    assert section.order.kind == order
