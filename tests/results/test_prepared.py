"""Queries whose SQL is made once give what Django gives."""

from __future__ import annotations

import inspect
from functools import partial

import pytest
from django.contrib.auth.models import Group
from django.db import connection

from benchdash.accounts import backends
from benchdash.accounts import models as accounts
from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration, Environment
from benchdash.jobs.models import Job
from benchdash.jobs.queries import search
from benchdash.pages import (
    home,
    job_rows,
    jobs,
    run_changes,
    run_rows,
    runs,
    studies,
    tags_and_notes,
)
from benchdash.prepared import Prepared, asked_once, planned_anew
from benchdash.results import doubts, environment_words, outcomes, upload_runs
from benchdash.results.annotations import add_note, set_tags
from benchdash.results.comparison import (
    cards,
    choose,
    curves,
    environments,
    measures,
    plans,
    records,
)
from benchdash.results.models import (
    Artifact,
    Condition,
    Doubt,
    Measure,
    Run,
    Sample,
    SavedFilter,
    Study,
    Upload,
)
from benchdash.results.run_filters import read_filters
from benchdash.results.search import SearchQuery
from tests.jobs.records import a_job
from tests.measured import a_configuration, a_run, a_trace, an_environment

pytestmark = [pytest.mark.django_db, pytest.mark.database]
ROOMS = (
    accounts,
    backends,
    cards,
    choose,
    curves,
    doubts,
    environment_words,
    environments,
    home,
    job_rows,
    jobs,
    plans,
    measures,
)
ROOMS += (outcomes, records, run_changes, run_rows, runs, studies, tags_and_notes)
ROOMS += (upload_runs,)
RECORDS = (Artifact, Configuration, Environment, Job, Measure, Run, Sample, Study, User)


def prepared():
    """By name, those of every module, also where several stand in a dictionary."""
    found = {}
    for room in ROOMS:
        for name, value in vars(room).items():
            several = value if isinstance(value, dict) else {"": value}
            for key, one in several.items():
                if isinstance(one, Prepared):
                    found[f"{room.__name__}.{name} {key}"] = one
    return found


def lists_of(one):
    """How many lists of numbers it is called with."""
    query = one.query
    bound = (query.args, query.keywords) if isinstance(query, partial) else ((), {})
    names = inspect.signature(query.func if bound[0] or bound[1] else query).parameters
    return len(names) - len(bound[0]) - len(bound[1])


@pytest.fixture
def records_of_each():
    study = Study.objects.create(slug="mirror", title="What does the mirror cost?")
    configuration = a_configuration("Stripe", md__level=0)
    environment = an_environment("Two PCs", host="store-1", cpu_model="Xeon")
    Condition.objects.create(study=study, position=0, configuration=configuration)
    values = {"seq_read.throughput.mean": 1e6, "run.cpu.total": 60.0}
    columns = {"environment": environment, "study": study, "settings": {"cache": "cold"}}
    run = a_run(configuration, values, **columns)
    by_hand = a_run(None, values).artifact
    Upload.objects.create(artifact=by_hand, name="night/run.json", outcome="stored")
    a_trace(run, "seq_read.throughput", [1.0, 2.0])
    for record in (run, study, configuration):
        set_tags(record, ["nightly"])
        add_note(record, "Fans on full.", by=None)
    Doubt.objects.create(run=run, kind="output", sentence="It ended early.", operations=["read"])
    Doubt.objects.create(environment=environment, kind="load", sentence="It was busy.")
    job = a_job()
    job.steps.filter(tool="fio").update(artifact=run.artifact)
    ann = User.objects.create(username="ann")
    ann.groups.add(Group.objects.get(name="viewer"))
    SavedFilter.objects.create(person=ann, name="nightly", query="tag=nightly")
    return study


def test_each_gives_what_its_query_gives(records_of_each):
    numbers = {pk for each in RECORDS for pk in each.objects.values_list("pk", flat=True)}
    for name, one in prepared().items():
        given = [range(1, max(numbers) + 1)] * lists_of(one)
        expected = list(one.query(*map(list, given)))
        assert expected, name
        assert one(*given) == expected, name
        assert one(*given) == expected, name  # and so it does when it is made already
        for number in numbers:
            given = [[number]] * lists_of(one)
            assert one(*given) == list(one.query(*given)), (name, number)


def test_a_later_call_brings_its_own_numbers(records_of_each):
    names = [a_configuration(name) for name in ("LVM", "DRBD")]
    for one in names:
        found = records._CONFIGURATIONS([one.pk])
        assert found == [(one.pk, one.name, one.stack_id)]


def test_no_query_is_made_for_no_numbers(django_assert_num_queries, records_of_each):
    with django_assert_num_queries(0):
        assert measures._VALUES([1], []) == []
        assert records._CONFIGURATIONS(()) == []


def cached_plans():
    """The statements whose plan PostgreSQL keeps for this connection."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return " ".join(statement for (statement,) in cursor.fetchall())


def test_what_is_planned_anew_leaves_no_plan_behind():
    def search_by(column):
        for number in range(8):
            list(
                Study.objects.filter(**{f"{column}__icontains": f"mirror {number}"}).values("slug")
            )

    with planned_anew():
        search_by("question")
    search_by("title")
    if connection.vendor == "postgresql":  # SQLite keeps none
        assert 'UPPER("results_study"."title"' in cached_plans()
        assert 'UPPER("results_study"."question"' not in cached_plans()


def test_a_search_and_very_long_lists_are_planned_by_their_values():
    for number in range(8):
        search(SearchQuery(f"nosuchword{number}", read_filters({})), Role.VISITOR)
        run_rows._BY_ID(range(1, 600 + number))
    if connection.vendor == "postgresql":
        assert "LIKE" not in cached_plans() and "::bigint[]" not in cached_plans()


def test_what_is_asked_once_is_asked_again_afterwards(django_assert_num_queries, records_of_each):
    one, other = a_configuration("LVM"), a_configuration("DRBD")
    with django_assert_num_queries(2), asked_once():
        first = records._CONFIGURATIONS([one.pk, other.pk])
        assert records._CONFIGURATIONS({other.pk, one.pk}) == first
        assert records._CONFIGURATIONS([one.pk]) == [(one.pk, "LVM", one.stack_id)]
    Configuration.objects.filter(pk=one.pk).update(name="LVM, thin")
    with asked_once():
        assert records._CONFIGURATIONS([one.pk]) == [(one.pk, "LVM, thin", one.stack_id)]
