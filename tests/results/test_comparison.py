from __future__ import annotations

import pytest
from django.utils import timezone
from django.utils.translation import override

from benchdash.errors import Refused
from benchdash.results.comparison import compare, selection, study_charts
from benchdash.results.comparison.export import as_markdown
from benchdash.results.comparison.values import natural
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.models import Condition, Study
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db

WRITE = "seq_write.throughput.mean"
CREATE = "seq_create.rate.mean"


def asked(query):
    return compare(read_query(query))


def medians(figure):
    return {row.group.label: row.summary and row.summary.median for row in figure.rows}


@pytest.fixture
def pair():
    """A local disk and its mirror, five runs each."""
    local = a_configuration("local")
    mirror = a_configuration("mirror", drbd__protocol="C")
    for index in range(5):
        a_run(local, {WRITE: 100.0 + index})
        a_run(mirror, {WRITE: 50.0 + index})
    return local, mirror


def test_nothing_asked_for_compares_nothing(pair):
    found = compare(Criteria())
    assert found.groups == () and found.sections == () and found.runs == 0


def test_configurations_stand_side_by_side_with_n_median_and_interval(pair):
    local, mirror = pair
    found = asked(f"configuration={local.pk}&configuration={mirror.pk}&baseline={local.pk}")
    (section,) = found.sections
    (figure,) = section.figures
    assert medians(figure) == {"local": 102.0, "mirror": 52.0}
    row = figure.rows[1]
    assert row.summary.n == 5 and len(row.values) == 5
    assert row.interval.low <= 52.0 <= row.interval.high
    assert row.ratio == pytest.approx(52 / 102)
    assert row.ratio_interval.high < 1 and row.verdict == "worse"
    baseline = figure.rows[0]
    assert (baseline.ratio, baseline.ratio_interval, baseline.verdict) == (1.0, None, "unknown")


def test_a_longer_latency_is_worse(pair):
    slow, quick = a_configuration("slow"), a_configuration("quick")
    for index in range(6):
        a_run(slow, {"rand_read.latency.mean": 0.010 + index / 1e5})
        a_run(quick, {"rand_read.latency.mean": 0.001 + index / 1e5})
    found = asked(f"configuration={slow.pk}&configuration={quick.pk}&baseline={quick.pk}")
    verdicts = {row.group.label: row.verdict for row in found.sections[0].figures[0].rows}
    assert verdicts == {"quick": "unknown", "slow": "worse"}


def test_few_runs_carry_no_verdict():
    one, other = a_configuration("one"), a_configuration("other")
    for value in (1.0, 2.0):
        a_run(one, {WRITE: value})
        a_run(other, {WRITE: 100 * value})
    found = asked(f"configuration={one.pk}&configuration={other.pk}&baseline={one.pk}")
    row = found.sections[0].figures[0].rows[1]
    assert (row.ratio_interval.low, row.ratio_interval.high) == (50.0, 200.0)
    assert row.verdict == "unknown"


def test_runs_that_are_not_counted_stay_out_and_are_said(pair):
    local, _ = pair
    first = a_run(local, {WRITE: 1.0}, set_aside_reason="the array was resyncing")
    a_run(local, {WRITE: 2.0}, withdrawn_at=timezone.now())
    a_run(local, {WRITE: 3.0}, same_as=first)
    a_run(local, {WRITE: 4.0}, deleted_at=timezone.now())
    a_run(local, {WRITE: 103.0}, same_as=first, is_repeat=True)
    found = asked(f"configuration={local.pk}")
    assert found.aside == {"set_aside": 1, "withdrawn": 1, "same_result": 1}
    assert found.runs == 6 and found.sections[0].figures[0].rows[0].summary.n == 6


def test_what_was_too_fast_to_measure_is_shown_as_such_and_never_as_zero():
    ssd, disk = a_configuration("ssd"), a_configuration("disk")
    note = {"operation": "seq_create", "metric": "rate", "note": "too fast to measure"}
    a_run(ssd, {WRITE: 9.0}, notes=[note], tool="bonnie++")
    a_run(disk, {WRITE: 5.0, CREATE: 800.0}, tool="bonnie++")
    found = asked(f"configuration={ssd.pk}&configuration={disk.pk}&family=metadata")
    rows = {row.group.label: row for row in found.sections[0].figures[0].rows}
    assert rows["ssd"].notes == {"too fast to measure": 1}
    assert rows["ssd"].summary is None and rows["ssd"].values == {}
    assert rows["disk"].summary.median == 800.0


def test_a_measure_that_every_run_was_too_fast_for_is_still_there():
    ssd = a_configuration("ssd")
    note = {"operation": "seq_stat", "metric": "rate", "note": "too fast to measure"}
    a_run(ssd, {WRITE: 9.0}, notes=[note], tool="bonnie++")
    found = asked(f"configuration={ssd.pk}&family=metadata")
    (figure,) = found.sections[0].figures
    assert figure.measure.operation == "seq_stat"
    assert figure.rows[0].notes == {"too fast to measure": 1}


def test_different_workloads_are_kept_apart_each_compared_with_its_like():
    one, other = a_configuration("one"), a_configuration("other")
    for configuration in (one, other):
        for block in (4096, 1048576):
            a_run(configuration, {"rand_read.iops.mean": block}, workload={"block_bytes": block})
    found = asked(f"configuration={one.pk}&configuration={other.pk}")
    assert [[held.text for held in section.apart] for section in found.sections] == [
        ["4 KiB"],
        ["1 MiB"],
    ]
    for section in found.sections:
        assert [len(group.runs) for group in section.groups] == [1, 1]
        assert section.crossings == ()


def test_two_tools_are_kept_apart():
    one = a_configuration("one")
    a_run(one, {WRITE: 1.0}, tool="fio")
    a_run(one, {WRITE: 9.0}, tool="bonnie++")
    sections = asked(f"configuration={one.pk}").sections
    assert [section.apart[0].text for section in sections] == ["bonnie++", "fio"]


def test_what_is_crossed_on_purpose_is_said_with_who_has_which_value():
    one, other = a_configuration("one"), a_configuration("other")
    a_run(one, {WRITE: 1.0}, workload={"file_bytes": 16 * 2**30, "jobs": 1})
    a_run(other, {WRITE: 2.0}, workload={"file_bytes": 15856 * 2**20, "jobs": 1})
    found = asked(f"configuration={one.pk}&configuration={other.pk}&across=file_bytes")
    (section,) = found.sections
    assert [row.group.label for row in section.figures[0].rows] == ["one", "other"]
    (crossing,) = section.crossings
    assert crossing.title == "File size"
    assert crossing.values == (("15856 MiB", ("other",)), ("16 GiB", ("one",)))
    told = as_markdown(found, binary=False, address="x")
    assert "**not like with like**: File size differs: 15856 MiB – other; 16 GiB – one" in told
    assert "One run each: small differences may be noise" in told
    assert [(held.name, held.value) for held in found.shared] == [("tool", "fio"), ("jobs", 1)]


def test_of_what_is_crossed_the_odd_one_out_is_named_first():
    sizes = {"a": 2, "b": 1, "c": 2}
    for name, size in sizes.items():
        a_run(a_configuration(name), {WRITE: 1.0}, workload={"file_bytes": size * 2**30})
    (section,) = asked("tool=fio&across=file_bytes").sections
    assert section.crossings[0].values == (("1 GiB", ("b",)), ("2 GiB", ("a", "c")))


def test_an_axis_that_is_grouped_by_is_what_the_comparison_is_about():
    one = a_configuration("one")
    for depth in (1, 8, 32):
        a_run(one, {"rand_read.iops.mean": 100.0 * depth}, workload={"queue_depth": depth})
    (section,) = asked(f"configuration={one.pk}&group=workload.queue_depth").sections
    assert medians(section.figures[0]) == {
        "Queue depth 1": 100.0,
        "Queue depth 8": 800.0,
        "Queue depth 32": 3200.0,
    }
    assert section.crossings == ()


def test_a_layer_option_groups_configurations_and_says_that_it_pools_them():
    a, c = a_configuration("a", drbd__protocol="A"), a_configuration("c", drbd__protocol="C")
    c_too = a_configuration("c too", drbd__protocol="C")
    plain = a_configuration("plain")
    for configuration in (a, c, c_too, plain):
        a_run(configuration, {WRITE: float(configuration.pk)}, tool="bonnie++")
    found = asked("tool=bonnie%2B%2B&group=layer.drbd.protocol")
    assert [group.label for group in found.groups] == ["A", "C", "none"]
    assert [group.pools for group in found.groups] == [{}, {"configuration": 2}, {}]


def test_numbers_are_ordered_as_numbers():
    for size in (256, 1024, 8192, 512):
        a_run(a_configuration(f"cache {size}", md__stripe_cache_size=size), {WRITE: 1.0})
    found = asked("tool=fio&group=layer.md.stripe_cache_size")
    assert [group.label for group in found.groups] == [
        f"md.stripe_cache_size {size}" for size in (256, 512, 1024, 8192)
    ]
    found = asked("tool=fio")
    assert [group.label for group in found.groups][:2] == ["cache 256", "cache 512"]


def test_a_configuration_measured_in_two_environments_is_two_groups_by_itself():
    normal = an_environment("normal kernel", "xen01", kernel="2.6.18-92.1.6.el5")
    xen = an_environment("xen kernel", "xen01", kernel="2.6.18-92.1.6.el5xen")
    one = a_configuration("one")
    a_run(one, {WRITE: 1.0}, environment=normal)
    a_run(one, {WRITE: 2.0}, environment=xen)
    found = asked(f"configuration={one.pk}")
    assert [group.label for group in found.groups] == ["one · normal kernel", "one · xen kernel"]
    (pooled,) = asked(f"configuration={one.pk}&group=configuration").groups
    assert pooled.pools == {"environment": 2}
    by_fact = asked(f"configuration={one.pk}&group=environment.kernel")
    assert [group.label for group in by_fact.groups] == [
        "2.6.18-92.1.6.el5",
        "2.6.18-92.1.6.el5xen",
    ]
    assert asked("environment.kernel=2.6.18-92.1.6.el5xen").runs == 1
    assert asked("host=xen01").runs == 2
    assert asked("host=xen02").runs == 0


def test_no_two_groups_have_the_same_label():
    one = a_configuration("one")
    environments = [an_environment("lab"), an_environment("lab")]
    for environment in environments:
        a_run(one, {WRITE: 1.0}, environment=environment)
    found = asked(f"configuration={one.pk}").groups
    assert [group.label for group in found] == [f"one · lab #{e.pk}" for e in environments]


def test_runs_that_belong_to_no_configuration_yet_can_be_compared_one_by_one():
    first, second = a_run(None, {WRITE: 1.0}, label="a"), a_run(None, {WRITE: 2.0}, label="b")
    found = asked(f"run={first.pk}&run={second.pk}&group=run")
    assert [group.label for group in found.groups] == [f"a #{first.pk}", f"b #{second.pk}"]
    (together,) = asked(f"run={first.pk}&run={second.pk}").groups
    assert together.key == "~"


def test_picked_runs_and_picked_configurations_are_taken_together_and_narrowed_by_all_else(pair):
    local, _ = pair
    extra = a_run(a_configuration("extra"), {WRITE: 7.0}, tool="dbench")
    picked = f"configuration={local.pk}&run={extra.pk}"
    assert asked(picked).runs == 6
    assert asked(f"{picked}&tool=dbench").runs == 1


@pytest.mark.parametrize(
    ("query", "labels"),
    [
        ("layer.drbd.protocol=C", ["mirror"]),
        ("layer.drbd.protocol=~", ["local"]),
        ("layer.drbd.protocol=C&layer.drbd.protocol=~", ["local", "mirror"]),
        ("text=MIRR", ["mirror"]),
        ("workload.block_bytes=~", ["local", "mirror"]),
        ("workload.block_bytes=4096", []),
        ("since=2020-01-01", []),
        ("version=3.33", []),
    ],
)
def test_runs_are_chosen_by_what_they_are(pair, query, labels):
    assert [group.label for group in asked(query).groups] == labels


def test_days_include_themselves():
    one = a_configuration("one")
    a_run(one, {WRITE: 1.0}, started_at="2008-07-26T23:59:59Z")
    assert asked("since=2008-07-26&until=2008-07-26").runs == 1
    assert asked("since=2008-07-27").runs == 0
    assert asked("until=2008-07-25").runs == 0


def test_values_decades_apart_are_shown_on_a_logarithmic_axis_unless_asked_otherwise():
    ext3, gfs2 = a_configuration("ext3"), a_configuration("gfs2")
    a_run(ext3, {CREATE: 75970.0})
    a_run(gfs2, {CREATE: 125.0})
    query = f"configuration={ext3.pk}&configuration={gfs2.pk}"
    assert asked(query).sections[0].figures[0].axis == "log"
    assert asked(f"{query}&axis=linear").sections[0].figures[0].axis == "linear"


def test_headlines_come_first_and_any_measure_can_be_asked_for(pair):
    local, _ = pair
    a_run(local, {WRITE: 101.0, "rand_read.completion_latency.p99.9": 0.5, "run.cpu.mean": 0.1})
    by_default = asked(f"configuration={local.pk}")
    assert [str(measure) for measure in by_default.measures] == [WRITE]
    one = asked(f"configuration={local.pk}&measure=rand_read.completion_latency.p99.9")
    assert [str(f.measure) for f in one.sections[0].figures] == [
        "rand_read.completion_latency.p99.9"
    ]
    none = asked(f"configuration={local.pk}&measure=trim.iops.mean")
    assert none.sections == () and none.groups


def test_a_baseline_that_is_no_group_is_none_and_percent_falls_back_on_the_first(pair):
    local, mirror = pair
    both = f"configuration={local.pk}&configuration={mirror.pk}"
    assert asked(f"{both}&baseline=999").baseline is None
    assert asked(both).baseline is None
    assert asked(f"{both}&percent=1").baseline == str(local.pk)


def test_more_runs_than_a_person_can_read_are_refused(pair, monkeypatch):
    monkeypatch.setattr(selection, "MOST_RUNS", 9)
    with pytest.raises(Refused, match="narrow them down"):
        asked("tool=fio")


def test_a_study_that_does_not_exist_is_refused():
    with pytest.raises(Refused) as refused:
        asked("study=nothing")
    assert refused.value.field == "study"


@pytest.fixture
def study():
    """Two conditions that differ by environment, one not measured yet, one that is the baseline."""
    study = Study.objects.create(slug="drbd", title="DRBD")
    normal, xen = an_environment("normal"), an_environment("xen")
    local, mirror, later = map(a_configuration, ("local", "mirror", "later"))
    conditions = [
        ("1 local, normal kernel", local, normal, False),
        ("2 local, Xen kernel", local, xen, True),
        ("3 later", later, None, False),
        ("4 mirror", mirror, xen, False),
    ]
    for position, (label, configuration, environment, is_baseline) in enumerate(conditions):
        Condition.objects.create(
            study=study,
            position=position,
            label=label,
            configuration=configuration,
            environment=environment,
            is_baseline=is_baseline,
        )
        if configuration is not later:
            a_run(
                configuration,
                {WRITE: 10.0 + position},
                environment=environment,
                study=study,
                workload={"file_bytes": 2**34 if position else 2**33},
            )
    return study


def test_a_study_names_its_groups_orders_them_and_knows_its_baseline(study):
    found = asked("study=drbd&across=file_bytes")
    assert [group.label for group in found.groups] == [
        "1 local, normal kernel",
        "2 local, Xen kernel",
        "4 mirror",
    ]
    assert found.baseline == found.groups[1].key
    assert found.unmeasured == ("3 later",)
    assert found.sections[0].figures[0].rows[2].ratio == pytest.approx(13 / 11)


def test_a_configuration_keeps_its_colour_within_its_study(study):
    every = {group.label: group.slot for group in asked("study=drbd").groups}
    alone = asked("study=drbd&text=mirror").groups
    assert [group.slot for group in alone] == [every["4 mirror"]]
    assert len(set(every.values())) == len(every)


def test_what_is_no_condition_keeps_its_colour_too_and_whatever_it_is_grouped_by():
    study = Study.objects.create(slug="loose", title="Loose")
    for configuration in map(a_configuration, ("b", "a", "c")):
        for depth in (1, 8, 32):
            a_run(configuration, {WRITE: 1.0}, study=study, workload={"queue_depth": depth})
    named = {}
    for part in ("", "&text=a", "&text=c", "&workload.queue_depth=8"):
        for group in asked(f"study=loose{part}").groups:
            named.setdefault(group.key, set()).add(group.slot)
    assert len(named) == 3
    assert sorted(map(sorted, named.values())) == [[0], [1], [2]]
    lines = asked("study=loose&group=configuration,workload.queue_depth&chart=bars").groups
    assert len(lines) == 9
    assert all({group.slot} == named[group.at[0].key] for group in lines)


def test_a_study_s_words_for_a_configuration_stand_beside_a_second_factor_too():
    study = Study.objects.create(slug="deep", title="Deep")
    conditions = (("mirror", "2 mirror"), ("local", "1 local"), ("a", "twice"), ("b", "twice"))
    for position, (name, label) in enumerate(conditions):
        configuration = a_configuration(name)
        Condition.objects.create(
            study=study, position=position, label=label, configuration=configuration
        )
        for depth in (8, 16):
            a_run(configuration, {WRITE: 1.0}, study=study, workload={"queue_depth": depth})
    groups = asked("study=deep&group=configuration,workload.queue_depth").groups
    rows = list(dict.fromkeys(group.at[0].text for group in groups))
    assert rows == ["2 mirror", "1 local", "a", "b"]
    assert groups[1].label == "2 mirror · Queue depth 16"


def test_a_study_page_compares_what_its_first_chart_says_or_all_of_it(study):
    assert study_charts(study) == [Criteria(studies=("drbd",))]
    study.charts = ["study=drbd&across=file_bytes&percent=1"]
    assert study_charts(study)[0].across == ("file_bytes",)


def test_the_number_of_queries_does_not_grow_with_the_runs(study, django_assert_num_queries):
    with django_assert_num_queries(QUERIES):
        asked("study=drbd")
    for index in range(30):
        a_run(
            a_configuration(f"c{index}", md__level="raid6"),
            {WRITE: 100.0 + index, CREATE: 7.0},
            study=study,
            environment=an_environment(f"e{index}"),
        )
    with django_assert_num_queries(QUERIES):
        assert asked("study=drbd").runs == 33


# One for each of study, runs, configurations, workloads, facets, studies, conditions, what else the
# study has, values and traces; two for environments and two for measures.
QUERIES = 14


def test_what_else_differs_is_told_line_by_line_and_the_rest_is_in_common():
    a = a_configuration("a", drbd__protocol="A", filesystem="ext3")
    c = a_configuration("c", drbd__protocol="C", filesystem="ext3")
    one = an_environment("one", "xen01", kernel="2.6.18", model="Shuttle")
    other = an_environment("other", "xen02", kernel="2.6.18", model="Shuttle")
    a_run(a, {WRITE: 1.0}, environment=one, workload={"file_bytes": 2**34})
    a_run(c, {WRITE: 2.0}, environment=other, workload={"file_bytes": 2**33})
    a_run(c, {WRITE: 2.0}, environment=other, workload={"file_bytes": 2**34})
    found = asked("tool=fio")
    assert {str(line.factor): line.texts for line in found.differences} == {
        "host": ("xen01", "xen02"),
        "layer.drbd.protocol": ("A", "C"),
        "workload.file_bytes": ("16 GiB", "8 GiB, 16 GiB"),
    }
    assert ("filesystem", "ext3") in found.in_common
    assert ("Kernel", "2.6.18") in found.in_common
    assert all(str(line.factor) in map(str, found.varying) for line in found.differences)


def test_factors_worth_grouping_by_are_those_that_differ():
    for level in ("raid5", "raid6"):
        a_run(a_configuration(level, md__level=level, md__chunk_bytes=65536), {WRITE: 1.0})
    factors = [str(factor) for factor in asked("tool=fio").varying]
    assert factors == ["configuration", "environment", "run", "layer.md.level"]


def depths():
    for protocol in "AC":
        configuration = a_configuration(f"DRBD {protocol}", drbd__protocol=protocol)
        for depth in (1, 8, 32):
            a_run(
                configuration,
                {"rand_read.iops.mean": 100.0 * depth},
                workload={"queue_depth": depth},
            )


@pytest.mark.parametrize(
    ("query", "chart"),
    [
        ("group=workload.queue_depth", "lines"),
        ("group=configuration,workload.queue_depth", "lines"),
        ("group=configuration,workload.queue_depth&chart=bars", "bars"),
        ("group=configuration,workload.queue_depth&chart=heat", "heat"),
        ("group=workload.queue_depth&chart=heat", "bars"),
        ("group=layer.drbd.protocol&across=queue_depth", "bars"),
        ("group=layer.drbd.protocol&across=queue_depth&chart=lines", "bars"),
        ("group=layer.drbd.protocol&across=queue_depth&chart=boxes", "boxes"),
        ("group=layer.drbd.protocol&across=queue_depth&chart=change", "change"),
    ],
)
def test_a_chart_is_drawn_where_the_groups_allow_it(query, chart):
    depths()
    assert asked(f"tool=fio&{query}").sections[0].figures[0].chart == chart


def test_a_change_against_nothing_is_drawn_as_bars():
    here, there = a_configuration("here"), a_configuration("there")
    for size in (1, 2):
        a_run(here, {WRITE: 90.0 * size}, workload={"file_bytes": size})
    a_run(there, {WRITE: 45.0}, workload={"file_bytes": 1})
    found = asked(f"tool=fio&chart=change&baseline={there.pk}")
    assert [section.figures[0].chart for section in found.sections] == ["change", "bars"]


def test_a_switch_says_yes_and_no_in_the_reader_s_language_and_keeps_its_key():
    for barrier in ("yes", "no"):
        a_run(a_configuration(barrier, ext4__barrier=barrier), {WRITE: 1.0})
    with override("ja"):
        found = asked("tool=fio&group=layer.ext4.barrier")
    assert {group.key: group.label for group in found.groups} == {"yes": "はい", "no": "いいえ"}


def test_the_groups_of_a_line_share_its_colour_and_stand_at_their_number():
    depths()
    (section,) = asked("tool=fio&group=configuration,workload.queue_depth").sections
    figure = section.figures[0]
    assert figure.along == 1
    assert figure.slots == [0, 0, 0, 1, 1, 1]
    assert [row.group.at[1].number for row in figure.rows] == [1, 8, 32] * 2


def test_a_facet_gives_each_of_its_values_figures_of_their_own():
    depths()
    found = asked("tool=fio&group=workload.queue_depth&facet=layer.drbd.protocol")
    assert [[held.text for held in section.apart] for section in found.sections] == [["A"], ["C"]]
    assert [len(section.groups) for section in found.sections] == [3, 3]
    by_axis = asked("tool=fio&facet=workload.queue_depth")
    assert [section.apart[0].text for section in by_axis.sections] == ["1", "8", "32"]
    assert all(len(section.apart) == 1 for section in by_axis.sections)


def test_texts_are_ordered_by_their_numbers_however_many_digits_they_have():
    texts = ["raid", "raid 2", "raid 10", "raid 10²", "raid " + "9" * 5000, "²"]
    mixed = [texts[place] for place in (3, 0, 5, 2, 4, 1)]
    assert sorted(mixed, key=natural) == texts
