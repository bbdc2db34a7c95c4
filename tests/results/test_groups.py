"""Runs that stand under one bar: their words, order, colours, and the chart they allow."""

from __future__ import annotations

import pytest
from django.utils.translation import override

from benchdash.results.comparison import compare, study_charts
from benchdash.results.comparison.values import natural
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.models import Condition, Study
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db

WRITE = "seq_write.throughput.mean"
CREATE = "seq_create.rate.mean"


def compared(query):
    return compare(read_query(query)).view


def test_a_layer_option_groups_configurations_and_says_that_it_pools_them():
    a, c = a_configuration("a", drbd__protocol="A"), a_configuration("c", drbd__protocol="C")
    c_too = a_configuration("c too", drbd__protocol="C")
    plain = a_configuration("plain")
    for configuration in (a, c, c_too, plain):
        a_run(configuration, {WRITE: float(configuration.pk)}, tool="bonnie++")
    found = compared("tool=bonnie%2B%2B&group=layer.drbd.protocol")
    assert [group.label for group in found.groups] == ["A", "C", "DRBD protocol none"]
    assert [group.pools for group in found.groups] == [{}, {"configuration": 2}, {}]


def test_numbers_are_ordered_as_numbers():
    for size in (256, 1024, 8192, 512):
        a_run(a_configuration(f"cache {size}", md__stripe_cache_size=size), {WRITE: 1.0})
    found = compared("tool=fio&group=layer.md.stripe_cache_size")
    assert [group.label for group in found.groups] == [
        f"md stripe cache size {size}" for size in (256, 512, 1024, 8192)
    ]
    found = compared("tool=fio")
    assert [group.label for group in found.groups][:2] == ["cache 256", "cache 512"]


def test_sizes_of_layers_are_written_as_other_sizes_and_named():
    for size in ("64K", "1280K", "1 MB/s"):
        a_run(a_configuration(size, md__chunk_bytes=size), {WRITE: 1.0})
    found = compared("tool=fio&group=layer.md.chunk_bytes")
    assert {group.key: group.label for group in found.groups} == {
        "64K": "md chunk 64 KiB",
        "1280K": "md chunk 1280 KiB",
        "1 MB/s": "md chunk 1 MB/s",  # none that the option takes today
    }


def test_a_configuration_measured_in_two_environments_is_two_groups_by_itself():
    normal = an_environment("normal kernel", "xen01", kernel="2.6.18-92.1.6.el5")
    xen = an_environment("xen kernel", "xen01", kernel="2.6.18-92.1.6.el5xen")
    one = a_configuration("one")
    a_run(one, {WRITE: 1.0}, environment=normal)
    a_run(one, {WRITE: 2.0}, environment=xen)
    found = compared(f"configuration={one.pk}")
    assert [group.label for group in found.groups] == ["normal kernel", "xen kernel"]
    (pooled,) = compared(f"configuration={one.pk}&group=configuration").groups
    assert pooled.pools == {"environment": 2}
    by_fact = compared(f"configuration={one.pk}&group=environment.kernel")
    assert [group.label for group in by_fact.groups] == [
        "2.6.18-92.1.6.el5",
        "2.6.18-92.1.6.el5xen",
    ]
    assert compared("environment.kernel=2.6.18-92.1.6.el5xen").runs == 1
    assert compared("host=xen01").runs == 2
    assert compared("host=xen02").runs == 0


def test_no_two_groups_have_the_same_label():
    one = a_configuration("one")
    environments = [an_environment("lab"), an_environment("lab")]
    for environment in environments:
        a_run(one, {WRITE: 1.0}, environment=environment)
    found = compared(f"configuration={one.pk}").groups
    assert [group.label for group in found] == [f"lab #{e.pk}" for e in environments]


def test_conditions_of_one_label_are_told_apart(study):
    study.conditions.update(label="Mirror")
    for group in ("configuration", "configuration,environment"):
        found = compared(f"study={study.slug}&group={group}&like=0").groups
        assert len({each.label for each in found}) == len(found) > 1


def test_runs_that_belong_to_no_configuration_yet_can_be_compared_one_by_one():
    first, second = (
        a_run(None, {WRITE: 1.0}, label=label, workload={"pattern": "write"}) for label in "ab"
    )
    found = compared(f"run={first.pk}&run={second.pk}&group=run")
    assert [group.label for group in found.groups] == [f"a #{first.pk}", f"b #{second.pk}"]
    # ticked ones stand in columns of their own
    ticked = compared(f"run={first.pk}&run={second.pk}").groups
    assert [group.key for group in ticked] == [str(first.pk), str(second.pk)]
    (together,) = compared("tool=fio").groups
    assert (together.key, together.label) == ("~", "no configuration")
    a_run(a_configuration("a"), {WRITE: 1.0}, environment=an_environment("lab", kernel="6.1"))
    labels = [group.label for group in compared("tool=fio&group=configuration,environment").groups]
    assert sorted(labels) == ["a · lab", "no configuration · no environment"]


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
    found = compared("study=drbd&across=file_bytes")
    assert [group.label for group in found.groups] == [
        "1 local, normal kernel",
        "2 local, Xen kernel",
        "4 mirror",
    ]
    assert found.baseline == found.groups[1].key
    assert found.unmeasured == ("3 later",)
    assert found.sections[0].figures[0].rows[2].ratio == pytest.approx(13 / 11)


def test_a_configuration_keeps_its_colour_within_its_study(study):
    every = {group.label: group.slot for group in compared("study=drbd").groups}
    alone = compared("study=drbd&text=mirror").groups
    assert [group.slot for group in alone] == [every["4 mirror"]]
    assert len(set(every.values())) == len(every)


def test_what_is_no_condition_keeps_its_colour_too_and_whatever_it_is_grouped_by():
    study = Study.objects.create(slug="loose", title="Loose")
    for configuration in map(a_configuration, ("b", "a", "c")):
        for depth in (1, 8, 32):
            a_run(configuration, {WRITE: 1.0}, study=study, workload={"queue_depth": depth})
    named = {}
    for part in ("", "&text=a", "&text=c", "&workload.queue_depth=8"):
        for group in compared(f"study=loose&like=1{part}").groups:
            named.setdefault(group.key, set()).add(group.slot)
    assert len(named) == 3
    assert sorted(map(sorted, named.values())) == [[0], [1], [2]]
    found = compared("study=loose&group=configuration,workload.queue_depth")
    lines = found.sections[0].figures[0].rows
    assert len(lines) == 9
    assert all({row.slot} == named[row.group.partition(",")[0]] for row in lines)
    # where each is drawn by itself none has the colour of another
    assert len({group.slot for group in found.groups}) == 9


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
    rows = (
        compared("study=deep&group=configuration,workload.queue_depth").sections[0].figures[0].rows
    )
    assert list(dict.fromkeys(row.at[0].text for row in rows)) == ["2 mirror", "1 local", "a", "b"]
    assert rows[1].label == "2 mirror · Queue depth 16"


def test_a_study_page_compares_what_its_first_chart_says_or_all_of_it(study):
    assert study_charts(study) == [Criteria(studies=("drbd",))]
    study.charts = ["study=drbd&across=file_bytes&percent=1"]
    assert study_charts(study)[0].across == ("file_bytes",)


def test_the_number_of_queries_does_not_grow_with_the_runs(study, django_assert_num_queries):
    with django_assert_num_queries(QUERIES):
        compared("study=drbd")
    for index in range(30):
        a_run(
            a_configuration(f"c{index}", md__level="raid6"),
            {WRITE: 100.0 + index, CREATE: 7.0},
            study=study,
            environment=an_environment(f"e{index}"),
        )
    with django_assert_num_queries(QUERIES):
        assert compared("study=drbd").runs == 33


# One for each of study, runs, configurations, workloads, facets, conditions, what else the study
# has, measures, values, traces and looks; two for environments.
QUERIES = 14


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
    first = compared(f"tool=fio&{query}").groups[0].key.replace(",", "%2C")
    assert compared(f"tool=fio&{query}&baseline={first}").sections[0].figures[0].chart == chart


def test_a_change_against_nothing_is_drawn_as_bars():
    here, there = a_configuration("here"), a_configuration("there")
    for size in (1, 2):
        a_run(here, {WRITE: 90.0 * size}, workload={"file_bytes": size})
    a_run(there, {WRITE: 45.0}, workload={"file_bytes": 1})
    found = compared(f"tool=fio&chart=change&baseline={there.pk}")
    assert [section.figures[0].chart for section in found.sections] == ["change", "bars"]


def test_a_switch_says_yes_and_no_in_the_reader_s_language_and_keeps_its_key():
    for barrier in ("yes", "no"):
        a_run(a_configuration(barrier, ext4__barrier=barrier), {WRITE: 1.0})
    with override("ja"):
        found = compared("tool=fio&group=layer.ext4.barrier")
    assert {group.key: group.label for group in found.groups} == {
        "yes": "ext4 barrier あり",
        "no": "ext4 barrier なし",
    }


@pytest.mark.parametrize(
    ("language", "labels"),
    [
        ("en", ["DRBD diskless no", "DRBD diskless yes", "DRBD diskless not stated"]),
        ("ja", ["DRBD ディスクレス なし", "DRBD ディスクレス あり", "DRBD ディスクレス 記載なし"]),
    ],
)
def test_what_has_no_switch_is_told_from_one_that_is_off(language, labels):
    for name, options in (
        ("cluster", {"drbd__diskless": "no"}),
        ("client", {"drbd__diskless": "yes"}),
        ("local", {}),
    ):
        a_run(a_configuration(name, **options), {WRITE: 1.0})
    with override(language):
        groups = compared("tool=fio&group=layer.drbd.diskless").groups
    assert [group.label for group in groups] == labels


def test_the_groups_of_a_line_share_its_colour_and_stand_at_their_number():
    depths()
    (section,) = compared("tool=fio&group=configuration,workload.queue_depth").sections
    figure = section.figures[0]
    assert figure.along == 1
    assert [row.slot for row in figure.rows] == [0, 0, 0, 1, 1, 1]
    assert [row.at[1].number for row in figure.rows] == [1, 8, 32] * 2


def test_a_facet_gives_each_of_its_values_figures_of_their_own():
    depths()
    found = compared("tool=fio&group=workload.queue_depth&facet=layer.drbd.protocol")
    assert [[one.text for one in section.differs_by] for section in found.sections] == [
        ["A"],
        ["C"],
    ]
    assert [len(section.figures[0].rows) for section in found.sections] == [3, 3]
    by_axis = compared("tool=fio&facet=workload.queue_depth")
    assert [section.differs_by[0].text for section in by_axis.sections] == ["1", "8", "32"]
    assert all(len(section.differs_by) == 1 for section in by_axis.sections)


def test_texts_are_ordered_by_their_numbers_however_many_digits_they_have():
    texts = ["raid", "raid 2", "raid 10", "raid 10²", "raid " + "9" * 5000, "²"]
    mixed = [texts[place] for place in (3, 0, 5, 2, 4, 1)]
    assert sorted(mixed, key=natural) == texts
