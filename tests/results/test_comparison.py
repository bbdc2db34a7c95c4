from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.results.comparison import choose, compare
from benchdash.results.comparison.export import as_markdown
from benchdash.results.comparison.view import CommonFact, MixedValue, Note
from benchdash.results.criteria import Criteria, read_query
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db

WRITE = "seq_write.throughput.mean"
READ = "seq_read.throughput.mean"
CREATE = "seq_create.rate.mean"


def compared(query):
    return compare(read_query(query)).view


def medians(figure):
    return {row.label: row.median for row in figure.rows}


@pytest.fixture
def pair():
    """A local disk and its mirror, five runs each."""
    local = a_configuration("local")
    mirror = a_configuration("mirror", drbd__protocol="C")
    for index in range(5):
        a_run(local, {WRITE: 100.0 + index})
        a_run(mirror, {WRITE: 50.0 + index})
    return local, mirror


def test_nothing_requested_compares_nothing(pair):
    found = compare(Criteria()).view
    assert found.groups == () and found.sections == () and found.runs == 0


def test_configurations_stand_side_by_side_with_n_median_and_interval(pair):
    local, mirror = pair
    found = compared(f"configuration={local.pk}&configuration={mirror.pk}&baseline={local.pk}")
    (section,) = found.sections
    (figure,) = section.figures
    assert medians(figure) == {"local": 102.0, "mirror": 52.0}
    row = figure.rows[1]
    assert row.n == 5 and len(row.values) == 5
    assert row.interval.low <= 52.0 <= row.interval.high
    assert row.ratio == row.against.estimate == pytest.approx(0.51, abs=0.001)
    assert row.ratio_interval.low < row.ratio < row.ratio_interval.high < 1
    assert row.verdict == row.against.word == "worse"
    baseline = figure.rows[0]
    assert (baseline.ratio, baseline.verdict, baseline.against) == (1.0, "none", None)


@pytest.mark.parametrize("query", ["version=3.33", "since=2026-02-02", "until=2026-02-01"])
def test_what_one_host_of_several_matches_brings_what_they_measured_together(query):
    local = a_configuration("local")
    days = [datetime(2026, 2, day, 12, tzinfo=UTC) for day in (1, 2)]
    first = a_run(local, {WRITE: 100.0}, tool_version="3.28", started_at=days[0])
    a_run(local, {WRITE: 10.0}, tool_version="3.33", started_at=days[1], sample=first.sample)
    ((figure,),) = [section.figures for section in compared(f"tool=fio&{query}").sections]
    assert medians(figure) == {"local": 110.0}


def test_a_longer_latency_is_worse(pair):
    slow, quick = a_configuration("slow"), a_configuration("quick")
    for index in range(6):
        a_run(slow, {"rand_read.latency.mean": 0.010 + index / 1e5})
        a_run(quick, {"rand_read.latency.mean": 0.001 + index / 1e5})
    found = compared(f"configuration={slow.pk}&configuration={quick.pk}&baseline={quick.pk}")
    quick, slow = found.sections[0].figures[0].rows
    assert quick.against is None and slow.verdict == "worse"


def test_few_runs_lean_at_most():
    one, other = a_configuration("one"), a_configuration("other")
    for value in (1.0, 2.0):
        a_run(one, {WRITE: value})
        a_run(other, {WRITE: 100 * value})
    found = compared(f"configuration={one.pk}&configuration={other.pk}&baseline={one.pk}")
    row = found.sections[0].figures[0].rows[1]
    assert (row.ratio, row.ratio_interval) == (pytest.approx(100.0), None)
    assert row.against.sentence == (
        "leans better: 100 times the baseline; "
        "2 + 2 samples do not overlap, which happens by chance in 33.3 % of cases"
    )


def test_runs_that_are_not_counted_stay_out_and_are_stated(pair):
    local, _ = pair
    first = a_run(local, {WRITE: 1.0}, set_aside_reason="the array was resyncing")
    a_run(local, {WRITE: 2.0}, withdrawn_at=timezone.now())
    a_run(local, {WRITE: 3.0}, same_as=first)
    a_run(local, {WRITE: 4.0}, deleted_at=timezone.now())
    a_run(local, {WRITE: 103.0}, same_as=first, is_repeat=True)
    found = compared(f"configuration={local.pk}")
    assert found.not_counted == {"set_aside": 1, "withdrawn": 1, "same_result": 1}
    assert found.runs == 6 and found.sections[0].figures[0].rows[0].n == 6


def test_what_was_too_fast_to_measure_is_shown_as_such_and_never_as_zero():
    ssd, disk = a_configuration("ssd"), a_configuration("disk")
    note = {"operation": "seq_create", "metric": "rate", "note": "too fast to measure"}
    a_run(ssd, {WRITE: 9.0}, notes=[note], tool="bonnie++")
    a_run(disk, {WRITE: 5.0, CREATE: 800.0}, tool="bonnie++")
    found = compared(f"configuration={ssd.pk}&configuration={disk.pk}&family=metadata")
    rows = {row.label: row for row in found.sections[0].figures[0].rows}
    assert rows["ssd"].notes == (Note("too fast to measure", 1),)
    assert rows["ssd"].median is None and rows["ssd"].values == ()
    assert rows["disk"].median == 800.0


def test_a_measure_that_every_run_was_too_fast_for_is_still_there():
    ssd = a_configuration("ssd")
    note = {"operation": "seq_stat", "metric": "rate", "note": "too fast to measure"}
    a_run(ssd, {WRITE: 9.0}, notes=[note], tool="bonnie++")
    found = compared(f"configuration={ssd.pk}&family=metadata")
    (figure,) = found.sections[0].figures
    assert figure.measure == "seq_stat.rate.mean"
    assert figure.rows[0].notes == (Note("too fast to measure", 1),)


def test_different_workloads_are_kept_apart_each_compared_with_its_like():
    one, other = a_configuration("one"), a_configuration("other")
    for configuration in (one, other):
        for block in (4096, 1048576):
            a_run(configuration, {"rand_read.iops.mean": block}, workload={"block_bytes": block})
    found = compared(f"configuration={one.pk}&configuration={other.pk}")
    assert [[one.text for one in section.differs_by] for section in found.sections] == [
        ["4 KiB"],
        ["1 MiB"],
    ]
    for section in found.sections:
        assert [row.n for row in section.figures[0].rows] == [1, 1]
        assert section.mixed == ()


def test_two_tools_are_kept_apart():
    one = a_configuration("one")
    a_run(one, {WRITE: 1.0}, tool="fio")
    a_run(one, {WRITE: 9.0}, tool="bonnie++")
    sections = compared(f"configuration={one.pk}").sections
    assert [section.differs_by[0].text for section in sections] == ["bonnie++", "fio"]


def test_what_is_crossed_on_purpose_is_stated_with_who_has_which_value():
    one, other = a_configuration("one"), a_configuration("other")
    a_run(one, {WRITE: 1.0}, workload={"file_bytes": 16 * 2**30, "jobs": 1})
    a_run(other, {WRITE: 2.0}, workload={"file_bytes": 15856 * 2**20, "jobs": 1})
    found = compared(f"configuration={one.pk}&configuration={other.pk}&across=file_bytes")
    (section,) = found.sections
    assert [row.label for row in section.figures[0].rows] == ["one", "other"]
    (mixed,) = section.mixed
    assert mixed.title == "File size"
    assert mixed.values == (MixedValue("15.5 GiB", ("other",)), MixedValue("16 GiB", ("one",)))
    text = as_markdown(found, address="x")
    assert "**not held equal**: File size differs: 15.5 GiB (other), 16 GiB (one)" in text
    assert "One sample each: small differences may be noise" in text
    assert [(held.name, held.value) for held in found.shared] == [("tool", "fio"), ("jobs", 1)]


def test_of_what_is_crossed_the_odd_one_out_is_named_first():
    sizes = {"a": 2, "b": 1, "c": 2}
    for name, size in sizes.items():
        a_run(a_configuration(name), {WRITE: 1.0}, workload={"file_bytes": size * 2**30})
    (section,) = compared("tool=fio&across=file_bytes").sections
    assert section.mixed[0].values == (MixedValue("1 GiB", ("b",)), MixedValue("2 GiB", ("a", "c")))


def test_what_parts_the_measures_alone_is_held_against_nothing():
    one = a_configuration("one")
    a_run(one, {WRITE: 1.0}, workload={"pattern": "write"})
    a_run(one, {READ: 2.0}, workload={"pattern": "read"})
    query = f"configuration={one.pk}&across=pattern"
    (section,) = compared(query).sections
    assert len(section.figures) == 2 and section.mixed == ()
    a_run(one, {WRITE: 3.0, READ: 3.0}, workload={"pattern": "readwrite"})
    (section,) = compared(query).sections
    assert [mixed.title for mixed in section.mixed] == ["Pattern"]


def test_picked_runs_and_picked_configurations_are_taken_together_and_narrowed_by_all_else(pair):
    local, _ = pair
    extra = a_run(a_configuration("extra"), {WRITE: 7.0}, tool="dbench")
    picked = f"configuration={local.pk}&run={extra.pk}"
    assert compared(picked).runs == 6
    assert compared(f"{picked}&tool=dbench").runs == 1


def test_an_axis_that_is_grouped_by_is_what_the_comparison_is_about():
    one = a_configuration("one")
    for depth in (1, 8, 32):
        a_run(one, {"rand_read.iops.mean": 100.0 * depth}, workload={"queue_depth": depth})
    (section,) = compared(f"configuration={one.pk}&group=workload.queue_depth").sections
    assert medians(section.figures[0]) == {
        "Queue depth 1": 100.0,
        "Queue depth 8": 800.0,
        "Queue depth 32": 3200.0,
    }
    assert section.mixed == ()


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ("layer.drbd.protocol=C", ["mirror"]),
        ("layer.drbd.protocol=~", ["local"]),
        ("layer.drbd.protocol=C&layer.drbd.protocol=~", ["local", "mirror"]),
        ("text=MIRR", ["mirror"]),
        ("workload.block_bytes=~", ["local", "mirror"]),
        ("workload.block_bytes=4096", []),
        ("until=2020-01-01", []),
        ("version=3.33", []),
    ],
)
def test_runs_are_chosen_by_what_they_are(pair, query, labels):
    assert [group.label for group in compared(query).groups] == labels


def test_days_include_themselves():
    one = a_configuration("one")
    a_run(one, {WRITE: 1.0}, started_at="2008-07-26T23:59:59Z")
    assert compared("since=2008-07-26&until=2008-07-26").runs == 1
    assert compared("since=2008-07-27").runs == 0
    assert compared("until=2008-07-25").runs == 0


def test_values_decades_apart_are_shown_on_a_logarithmic_axis_unless_asked_otherwise():
    ext3, gfs2 = a_configuration("ext3"), a_configuration("gfs2")
    a_run(ext3, {CREATE: 75970.0})
    a_run(gfs2, {CREATE: 125.0})
    query = f"configuration={ext3.pk}&configuration={gfs2.pk}"
    assert compared(query).sections[0].figures[0].axis == "log"
    assert compared(f"{query}&axis=linear").sections[0].figures[0].axis == "linear"


def test_headlines_come_first_and_any_measure_can_be_requested(pair):
    local, _ = pair
    a_run(local, {WRITE: 101.0, "rand_read.completion_latency.p99.9": 0.5, "run.cpu.mean": 0.1})
    by_default = compared(f"configuration={local.pk}")
    assert [figure.measure for figure in by_default.sections[0].figures] == [WRITE]
    one = compared(f"configuration={local.pk}&measure=rand_read.completion_latency.p99.9")
    assert [figure.measure for figure in one.sections[0].figures] == [
        "rand_read.completion_latency.p99.9"
    ]
    none = compared(f"configuration={local.pk}&measure=trim.iops.mean")
    assert none.sections == () and none.groups


def test_a_baseline_that_is_no_group_is_none_and_percent_does_not_make_one(pair):
    local, mirror = pair
    both = f"configuration={local.pk}&configuration={mirror.pk}"
    assert compared(f"{both}&baseline=999").baseline is None
    assert compared(both).baseline is None
    assert compared(f"{both}&percent=1").baseline is None


def test_more_runs_than_a_person_can_read_are_refused(pair, monkeypatch):
    monkeypatch.setattr(choose, "MOST_RUNS", 9)
    with pytest.raises(Refused, match="narrow them down"):
        compared("tool=fio")


def test_a_study_that_does_not_exist_is_refused():
    with pytest.raises(Refused) as refused:
        compared("study=nothing")
    assert refused.value.field == "study"


def test_what_else_differs_is_reported_line_by_line_and_the_rest_is_in_common():
    a = a_configuration("a", drbd__protocol="A", filesystem="ext3")
    c = a_configuration("c", drbd__protocol="C", filesystem="ext3")
    one = an_environment("one", "xen01", kernel="2.6.18", model="Shuttle")
    other = an_environment("other", "xen02", kernel="2.6.18", model="Shuttle")
    a_run(a, {WRITE: 1.0}, environment=one, workload={"file_bytes": 2**34})
    a_run(c, {WRITE: 2.0}, environment=other, workload={"file_bytes": 2**33})
    a_run(c, {WRITE: 2.0}, environment=other, workload={"file_bytes": 2**34})
    found = compared("tool=fio")
    assert {line.factor: line.texts for line in found.differences} == {
        "host": ("xen01", "xen02"),
        "layer.drbd.protocol": ("A", "C"),
        "workload.file_bytes": ("16 GiB", "8 GiB, 16 GiB"),
    }
    assert CommonFact("Filesystem", "ext3") in found.in_common
    assert CommonFact("Kernel", "2.6.18") in found.in_common
    assert all(line.factor in found.varying for line in found.differences)


def test_what_is_known_of_some_runs_alone_is_not_the_same_in_all():
    known = a_run(a_configuration("a", filesystem="ext3"), {WRITE: 1.0})
    unknown = a_run(values={WRITE: 2.0})
    assert compared(f"runs={known.pk}").in_common == (CommonFact("Filesystem", "ext3"),)
    assert compared(f"runs={known.pk},{unknown.pk}").in_common == ()


def test_factors_worth_grouping_by_are_those_that_differ():
    for level in ("raid5", "raid6"):
        a_run(a_configuration(level, md__level=level, md__chunk_bytes=65536), {WRITE: 1.0})
    factors = compared("tool=fio").varying
    assert factors == ("configuration", "environment", "run", "layer.md.level")
