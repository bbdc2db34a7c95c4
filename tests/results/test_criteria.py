from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.errors import Refused
from benchdash.results.criteria import Criteria, Filter, read_criteria, read_query
from benchdash.results.factors import NONE, PLAIN, Factor, read_factor
from benchdash.results.parameters import CHARTS, HELD, SCALES, UNITS
from benchdash.vocabulary.measures import FAMILIES, METRICS, OPERATIONS, MeasureName
from benchdash.vocabulary.workloads import AXES, axis_text

words = st.text(min_size=1, max_size=40).map(str.strip).filter(lambda t: t and "\x00" not in t)
ids = st.integers(min_value=1, max_value=2**63 - 1)
names = st.from_regex(r"[a-z][a-z0-9_-]{0,9}(\.[a-z0-9_-]{1,9})?", fullmatch=True)


def some(values):
    return st.sets(values, max_size=3).map(lambda found: tuple(sorted(found)))


def ordered(choices):
    return st.sets(st.sampled_from(choices)).map(lambda s: tuple(c for c in choices if c in s))


measures = st.builds(
    MeasureName,
    st.sampled_from(sorted(OPERATIONS)),
    st.sampled_from(sorted(METRICS)),
    st.sampled_from(["mean", "p99", "p99.99", "max"]),
)
factors = st.one_of(
    st.sampled_from(PLAIN).map(Factor),
    st.builds(Factor, st.just("layer"), names),
    st.builds(Factor, st.just("environment"), names),
    st.builds(Factor, st.just("workload"), st.sampled_from(sorted(AXES))),
)
filters = st.one_of(
    st.builds(
        Filter,
        st.builds(Factor, st.sampled_from(["layer", "environment"]), names),
        some(words).filter(bool),
    ),
    st.builds(
        Filter,
        st.just(Factor("workload", "block_bytes")),
        some(st.one_of(st.just(NONE), st.integers(0, 2**40).map(axis_text))).filter(bool),
    ),
)
every_criteria = st.builds(
    Criteria,
    studies=some(words),
    configurations=some(ids),
    environments=some(ids),
    runs=some(ids),
    executions=some(ids),
    tools=some(words),
    versions=some(words),
    hosts=some(words),
    filters=st.lists(filters, max_size=3, unique_by=lambda f: f.factor).map(
        lambda found: tuple(sorted(found))
    ),
    since=st.none() | st.dates(),
    until=st.none() | st.dates(),
    text=st.just("") | words,
    measures=st.lists(measures, max_size=3, unique=True).map(tuple),
    families=ordered(tuple(FAMILIES)),
    group=st.lists(factors, max_size=2, unique=True).map(tuple),
    facet=st.none() | factors,
    across=ordered(tuple(HELD)),
    baseline=st.none() | words,
    percent=st.booleans(),
    chart=st.sampled_from(CHARTS),
    axis=st.sampled_from(SCALES),
    units=st.sampled_from(("", *UNITS)),
)


@given(every_criteria)
def test_an_address_says_all_that_was_requested(criteria):
    assert read_query(criteria.query()) == criteria


@given(every_criteria)
def test_the_same_state_has_the_same_address(criteria):
    shuffled = dict(reversed(parse_qs(criteria.query()).items()))
    assert read_criteria(shuffled).query() == criteria.query()


def test_a_bare_address_asks_for_nothing():
    assert read_query("") == Criteria()
    assert Criteria().query() == ""
    assert not Criteria(percent=True, families=("iops",)).chooses_runs


def test_sizes_and_times_are_read_as_people_write_them():
    sizes = "&".join(f"workload.block_bytes={each}" for each in ("4k", "4+KiB", "4096"))
    assert read_query(sizes).query() == "workload.block_bytes=4096"
    assert read_query("since=30d").since == datetime.now(UTC).date() - timedelta(days=30)
    morning = read_query("since=2026-01-31T08:00:00Z")
    assert morning.since == datetime(2026, 1, 31, 8, tzinfo=UTC)
    assert read_query(morning.query()) == morning


def test_older_names_of_filters_still_mean_the_same():
    assert read_query("runs=3,4&tool_version=3.36") == read_query("run=3&run=4&version=3.36")


def test_fields_that_a_form_leaves_empty_say_nothing():
    assert read_query("study=&text=+&since=&baseline=") == Criteria()


def test_an_address_reads_as_one_would_write_it():
    found = read_query(
        "study=drbd&layer.drbd.protocol=C&workload.block_bytes=4096&since=2008-07-26"
        "&measure=seq_write.throughput.mean&group=configuration,environment&percent=1"
    )
    assert found.studies == ("drbd",)
    assert found.filters == (
        Filter(Factor("layer", "drbd.protocol"), ("C",)),
        Filter(Factor("workload", "block_bytes"), ("4096",)),
    )
    assert found.since == date(2008, 7, 26)
    assert found.measures == (MeasureName("seq_write", "throughput", "mean"),)
    assert found.group == (Factor("configuration"), Factor("environment"))
    assert found.percent


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("colour=red", "colour"),
        ("configuration=x", "configuration"),
        ("configuration=0", "configuration"),
        ("run=" + "9" * 30, "run"),
        ("run=" + "9" * 5000, "run"),
        ("run=²", "run"),
        ("since=yesterday", "since"),
        ("until=2026-02-30", "until"),
        ("measure=seq_write", "measure"),
        ("measure=seq_write.speed.mean", "measure"),
        ("measure=seq_write.throughput.p101", "measure"),
        ("family=speed", "family"),
        ("group=colour", "group"),
        ("group=workload.colour", "group"),
        ("group=layer.", "group"),
        ("across=colour", "across"),
        ("facet=colour", "facet"),
        ("facet=tool&facet=host", "facet"),
        ("chart=pie", "chart"),
        ("axis=log2", "axis"),
        ("axis=log&axis=linear", "axis"),
        ("percent=yes", "percent"),
        ("units=imperial", "units"),
        ("workload.block_bytes=4q", "workload.block_bytes"),
        ("plan=x", "plan"),
        ("state=gone", "state"),
        ("since=99999d", "since"),
        ("until=0001-01-01T00:00:00%2B14:00", "until"),
        ("workload.read_fraction=nan", "workload.read_fraction"),
        ("workload.direct=maybe", "workload.direct"),
        ("workload.colour=red", "workload.colour"),
        ("layer.=C", "layer."),
        ("layer=C", "layer"),
        ("text=" + "x" * 201, "text"),
        ("tool=a%00b", "tool"),
    ],
)
def test_what_makes_no_sense_is_refused_by_the_name_of_its_parameter(query, field):
    with pytest.raises(Refused) as refused:
        read_query(query)
    assert refused.value.field == field
    assert refused.value.sentence.endswith(".")


@given(st.dictionaries(st.text(max_size=20), st.lists(st.text(max_size=30), max_size=3)))
def test_nothing_but_a_refusal_comes_of_nonsense(query):
    with suppress(Refused):
        found = read_criteria(query)
        assert read_query(found.query()) == found


@given(factors)
def test_a_factor_is_read_as_it_is_written(factor):
    assert read_factor(str(factor), "group") == factor


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("iodepth", "workload.queue_depth"),
        ("bs", "workload.block_bytes"),
        ("queue_depth", "workload.queue_depth"),
    ],
)
def test_a_name_of_a_tool_leads_to_the_factor_that_is_meant(name, meant):
    with pytest.raises(Refused) as refused:
        read_query(f"group={name}")
    assert str(refused.value.sentence).endswith(f"Did you mean “{meant}”?")
