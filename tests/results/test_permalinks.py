"""A permalink shows what it showed, whatever happens to its runs, and says what happened."""

from __future__ import annotations

import pytest
from django.db.models import ProtectedError
from django.utils import timezone, translation

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.results import permalinks
from benchdash.results.assignment import Assignment
from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from benchdash.results.models import Permalink, Run, Study
from benchdash.results.permalinks import (
    ChangedNumber,
    changed_since,
    frozen,
    make_permalink,
)
from benchdash.results.run_actions import assign
from benchdash.vocabulary.measures import MeasureName
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db

WRITE, READ = "seq_write.throughput.mean", "seq_read.throughput.mean"


@pytest.fixture
def study():
    study = Study.objects.create(slug="drbd", title="DRBD")
    local, mirror = a_configuration("local"), a_configuration("mirror", drbd__protocol="C")
    for index in range(3):
        a_run(local, {WRITE: 9e7 + index, READ: 8e7}, study=study, label=f"local-{index}")
        a_run(mirror, {WRITE: 3e7 + index}, study=study)
    return study


def as_shown(link):
    """All that the page draws of it, read anew."""
    return frozen(Permalink.objects.get(pk=link.pk)).view.sections


def first_run():
    return Run.objects.order_by("pk").first()


def read_again(run, **numbers):
    """What `reparse` leaves: other numbers, another digest, a newer parser."""
    Run.objects.filter(pk=run.pk).update(parser_version=2, digest="0" * 64)
    for name, value in numbers.items():
        run.measurements.filter(measure__operation=name).update(value=value)


@pytest.mark.parametrize(
    "view", ["", "&percent=1", "&chart=change", "&facet=layer.drbd.protocol", "&family=throughput"]
)
def test_it_shows_what_the_comparison_shows(study, view):
    query = f"study=drbd{view}"
    live = compare(read_query(query)).view.sections
    assert as_shown(make_permalink(query, None)) == live


def test_runs_that_came_later_are_not_shown(study):
    link = make_permalink("study=drbd", None)
    before = as_shown(link)
    a_run(a_configuration("newer"), {WRITE: 5e7}, study=study)
    a_run(Run.objects.first().configuration, {WRITE: 1.0}, study=study)
    assert as_shown(link) == before
    assert changed_since(link) == []


def test_numbers_that_are_read_differently_now_are_stated_with_both(study):
    link = make_permalink("study=drbd", None)
    before, run = as_shown(link), first_run()
    read_again(run, seq_write=9.5e7)
    (changed,) = changed_since(link)
    measure = MeasureName("seq_write", "throughput", "mean")
    assert changed.numbers == (ChangedNumber(measure, 9e7, 9.5e7),)
    assert (changed.run, changed.label) == (run.pk, "local-0")
    assert (changed.state, changed.shown_version, changed.now_version) == ("counted", 1, 2)
    assert as_shown(link) == before


def test_so_they_are_of_a_result_whose_digest_is_that_of_its_other_form(study):
    run = first_run()
    Run.objects.filter(pk=run.pk).update(tool="bonnie++")
    link = make_permalink("study=drbd", None)
    read_again(run, seq_write=9.5e7)
    Run.objects.filter(pk=run.pk).update(digest=run.digest)
    assert [number.now for number in changed_since(link)[0].numbers] == [9.5e7]


def test_a_number_that_is_no_longer_read_is_stated(study):
    link = make_permalink("study=drbd", None)
    run = first_run()
    read_again(run)
    run.measurements.filter(measure__operation="seq_write").delete()
    assert [number.now for number in changed_since(link)[0].numbers] == [None]


def test_numbers_that_are_not_shown_may_change_in_silence(study):
    link = make_permalink(f"study=drbd&measure={WRITE}", None)
    read_again(first_run(), seq_read=1.0)
    assert changed_since(link) == []


@pytest.mark.parametrize(
    ("state", "fields"),
    [
        ("withdrawn", {"withdrawn_at": timezone.now()}),
        ("deleted", {"deleted_at": timezone.now()}),
        ("set_aside", {"set_aside_reason": "the array was resyncing"}),
    ],
)
def test_what_no_longer_counts_is_still_shown_and_stated(study, state, fields):
    link = make_permalink("study=drbd", None)
    before = as_shown(link)
    Run.objects.filter(pk=first_run().pk).update(**fields)
    assert as_shown(link) == before
    (changed,) = changed_since(link)
    assert changed.state == state
    assert changed.state_text


def test_a_result_known_to_be_another_since_is_stated(study):
    link = make_permalink("study=drbd", None)
    first, second = Run.objects.order_by("pk")[:2]
    Run.objects.filter(pk=second.pk).update(same_as=first)
    assert [(one.run, one.state) for one in changed_since(link)] == [(second.pk, "same_result")]


def test_runs_that_are_gone_are_shown_with_the_names_they_had(study):
    link = make_permalink("study=drbd", None)
    before = as_shown(link)
    configuration = first_run().configuration
    Run.objects.all().delete()
    with pytest.raises(ProtectedError):
        configuration.delete()
    assert as_shown(link) == before
    assert {(one.state, one.now_version) for one in changed_since(link)} == {("removed", None)}


def test_runs_stand_where_they_stood(study):
    link = make_permalink("study=drbd", None)
    before = as_shown(link)
    assign([first_run().pk], Assignment(configuration=a_configuration("elsewhere")))
    assert as_shown(link) == before


def test_a_baseline_chosen_later_changes_nothing(study):
    link = make_permalink("study=drbd", None)
    before = as_shown(link)
    study.conditions.create(
        position=0, configuration=first_run().configuration, is_baseline=True, label="local"
    )
    shown = as_shown(link)
    assert [row.ratio for row in shown[0].figures[0].rows] == [
        row.ratio for row in before[0].figures[0].rows
    ]
    assert frozen(link).view.unmeasured == ()


@pytest.mark.parametrize("query", ["tool=dbench", "", "study=none", "family=speed"])
def test_what_shows_no_run_is_refused(study, query):
    with pytest.raises(Refused):
        make_permalink(query, None)
    assert Permalink.objects.count() == 0


def test_each_run_is_pinned_to_its_parser_and_digest(study):
    link = make_permalink("study=drbd", None)
    pins = {(run["id"], run["parser_version"], run["digest"]) for run in link.shown["runs"]}
    assert pins == set(Run.objects.values_list("pk", "parser_version", "digest"))


def test_percentile_curves_stand_still_too(study):
    run = first_run()
    tail = {f"rand_read.completion_latency.p{p}": p * 1e-5 for p in (50, 99)}
    other = a_run(run.configuration, tail | {"rand_read.completion_latency.mean": 1e-3})
    query = f"run={other.pk}&family=latency"
    live = compare(read_query(query)).view.sections
    link = make_permalink(query, None)
    assert [len(curve.points) for curve in live[0].percentiles[0].curves] == [2]
    Run.objects.filter(pk=other.pk).update(digest="0" * 64, parser_version=2)
    other.measurements.filter(measure__statistic="p99").update(value=1.0)
    assert as_shown(link) == live
    (changed,) = changed_since(link)
    assert [(str(one.measure), one.now) for one in changed.numbers] == [
        ("rand_read.completion_latency.p99", 1.0)
    ]


def test_a_later_rule_changes_nothing_of_a_link(study, monkeypatch):
    link = make_permalink("study=drbd", None)
    before = as_shown(link)
    assert not frozen(link).rules_changed
    monkeypatch.setattr(permalinks, "RULES", permalinks.RULES + 1)
    monkeypatch.setattr(permalinks, "compare_numbers", None)  # nothing is computed anew
    frozen_view = frozen(Permalink.objects.get(pk=link.pk))
    assert frozen_view.rules_changed
    assert frozen_view.view.sections == before


def test_it_keeps_the_names_that_it_showed(study):
    link = make_permalink("study=drbd", None)
    before = as_shown(link)
    for configuration in Configuration.objects.all():
        configuration.name += " renamed"
        configuration.save()
    assert as_shown(link) == before


def test_each_language_has_its_own_words(study):
    query = f"study=drbd&measure={WRITE}"
    with translation.override("ja"):
        japanese = compare(read_query(query)).view.sections
    link = make_permalink(query, None)
    english = as_shown(link)
    with translation.override("ja"):
        assert as_shown(link) == japanese
    assert english[0].figures[0].title != japanese[0].figures[0].title


def test_it_is_in_the_units_of_whoever_made_it(study, django_user_model):
    person = django_user_model.objects.create_user("ann", binary_units=True)
    link = make_permalink("study=drbd", person)
    assert {figure.shown.name for figure in as_shown(link)[0].figures} == {"MiB/s"}
    assert frozen(link).binary


def test_an_address_that_no_longer_makes_sense_is_no_matter(study):
    link = make_permalink("study=drbd&group=layer.drbd.protocol", None)
    before = as_shown(link)
    Permalink.objects.update(query="gone=1")
    link.refresh_from_db()
    assert as_shown(link) == before
    assert [str(factor) for factor in frozen(link).factors] == ["layer.drbd.protocol"]
