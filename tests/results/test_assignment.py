"""What people change about stored runs, and that the same numbers keep counting once."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Measurement, Run, Study
from benchdash.results.readings import File
from benchdash.results.records import add_condition, delete_study, write_study
from benchdash.results.run_actions import (
    RECOVERABLE,
    assign,
    count_as_repeats,
    delete,
    purge_deleted,
    restore,
    set_aside,
)
from tests.measured import a_configuration, a_run
from tests.results.result_files import bonnie, bonnie_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def alike():
    """Three runs with the same numbers, the first of which counts."""
    files = [File(f"{n}.csv", bonnie_row().encode() + b"\n" * n) for n in range(3)]
    return [outcome.runs[0].pk for outcome in ingest(files)]


def counted():
    return set(Run.objects.filter(counted=True).values_list("pk", flat=True))


def test_what_is_not_stated_stays():
    before = a_configuration("before")
    run = a_run(before)
    with pytest.raises(Refused):
        assign([run.pk], Assignment(label="no place at all"))
    run.refresh_from_db()
    assert run.configuration == before


def test_a_deleted_first_hands_over_to_its_oldest_copy(alike):
    first, second, third = alike
    delete([first])
    assert counted() == {second}
    assert Run.objects.get(pk=third).same_as_id == second


def test_copies_deleted_together_with_the_first_inherit_nothing(alike):
    delete(alike[:2])
    assert counted() == {alike[2]}


def test_a_restored_first_comes_back_as_a_copy_of_its_heir(alike):
    delete(alike[:1])
    restore(alike[:1])
    assert counted() == {alike[1]}
    assert Run.objects.get(pk=alike[0]).same_as_id == alike[1]


def test_all_deleted_and_all_restored_count_once(alike):
    delete(alike)
    assert counted() == set()
    assert restore(alike) == 3
    assert len(counted()) == 1


def test_a_repeat_counts_beside_the_first_until_it_is_taken_back(alike):
    count_as_repeats(alike, repeats=True)
    assert counted() == set(alike)
    count_as_repeats(alike, repeats=False)
    assert counted() == {alike[0]}


def test_a_first_set_aside_does_not_make_its_copy_count(alike):
    set_aside(alike[:1], "the array was resyncing")
    assert counted() == set()


def test_after_thirty_days_numbers_go_and_bytes_stay():
    (outcome,) = ingest([bonnie()])
    run = outcome.runs[0].pk
    delete([run])
    assert purge_deleted() == 0
    Run.objects.update(deleted_at=timezone.now() - RECOVERABLE - timedelta(hours=1))
    assert purge_deleted() == 1
    assert not Measurement.objects.exists() and Artifact.objects.count() == 1
    assert ingest([bonnie()])[0].upload.outcome == "stored"


def test_after_thirty_days_go_studies_and_configurations_that_nothing_belongs_to():
    long_ago = timezone.now() - RECOVERABLE - timedelta(hours=1)
    remaining, _gone = (write_study(Study(), title=title) for title in ("kept", "gone"))
    measured, compared, _unused = map(a_configuration, ("measured", "compared", "unused"))
    recent = write_study(Study(), title="deleted a moment ago")
    delete_study(recent)
    run = a_run(measured, study=remaining)
    add_condition(remaining, compared, None)
    Study.objects.exclude(pk=recent.pk).update(deleted_at=long_ago)
    Configuration.objects.update(deleted_at=long_ago)
    purge_deleted()
    assert set(Study.objects.all()) == {remaining, recent}
    assert set(Configuration.objects.all()) == {measured, compared}
    run.refresh_from_db()
    assert (run.study, run.configuration) == (remaining, measured)
