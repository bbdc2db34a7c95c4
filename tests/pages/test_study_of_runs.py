"""A study out of runs in one press: ticked, all that match, or of a comparison."""

from __future__ import annotations

import pytest

from benchdash.results.models import Run, Study
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db
WRITE = "seq_write.throughput.mean"


@pytest.fixture
def runs(db):
    """Two samples on each of two configurations."""
    lab = an_environment("lab")
    fast, slow = (
        a_configuration("fast", drbd__protocol="A"),
        a_configuration("slow", drbd__protocol="C"),
    )
    return [
        a_run(configuration, {WRITE: value}, environment=lab)
        for configuration, value in ((slow, 1e6), (fast, 5e6), (slow, 1.1e6), (fast, 5.2e6))
    ]


def press(client, **sent):
    return client.post("/studies/of-runs/", {"next": "/runs/", **sent}, follow=True)


def test_ticked_runs_become_a_named_study_with_conditions_and_a_chart(runs, contributor):
    answer = press(contributor, runs=[run.pk for run in runs[:3]])
    study = Study.objects.get()
    assert answer.redirect_chain == [(f"/studies/{study.slug}/edit/", 302)]
    assert study.title == "Configuration: fast, slow"
    assert "layer.drbd.protocol" in study.factors
    assert [one.configuration.name for one in study.conditions.all()] == ["fast", "slow"]
    assert study.charts == [f"study={study.slug}"]
    assert set(Run.objects.filter(study=study)) == set(runs[:3])
    page = contributor.get(f"/studies/{study.slug}/")
    assert [
        row.label for row in page.context["comparisons"][0]["sections"][0].figures[0].view.rows
    ] == [
        "fast",
        "slow",
    ]


def test_all_that_match_and_the_count_that_was_seen(runs, contributor):
    a_run(runs[0].configuration, {WRITE: 7.0}, tool="bonnie++")
    refused = press(contributor, matching="3", query="tool=fio")
    assert "4 now match, not 3" in refused.text
    assert not Study.objects.exists()
    press(contributor, matching="4", query="tool=fio")
    assert set(Run.objects.filter(study=Study.objects.get())) == set(runs)


def test_a_comparison_keeps_how_it_was_looked_at(runs, contributor):
    query = f"configuration={runs[0].configuration_id}&configuration={runs[1].configuration_id}"
    press(contributor, comparison=f"{query}&group=layer.drbd.protocol&percent=1&measure={WRITE}")
    study = Study.objects.get()
    assert study.title == "DRBD protocol: A, C"
    assert study.charts == [
        f"study={study.slug}&measure={WRITE}&group=layer.drbd.protocol&percent=1"
    ]
    assert study.conditions.count() == 2


def test_runs_of_another_study_stay_there_and_are_compared_all_the_same(house, contributor):
    theirs = list(house.study.runs.all())
    answer = press(contributor, runs=[run.pk for run in theirs])
    assert "2 samples belong to other studies" in answer.text
    made = Study.objects.exclude(pk=house.study.pk).get()
    assert set(house.study.runs.all()) == set(theirs)
    page = contributor.get(f"/studies/{made.slug}/")
    assert page.context["comparisons"][0]["sections"]
    assert [one.configuration.name for one in made.conditions.all()] == ["DRBD C", "Local disk"]


def test_a_second_study_of_the_same_has_a_name_of_its_own(runs, contributor):
    for _press in range(2):
        press(contributor, runs=[run.pk for run in runs])
    assert sorted(Study.objects.values_list("title", flat=True)) == [
        "Configuration: fast, slow",
        "Configuration: fast, slow (2)",
    ]


def test_nothing_ticked_and_nothing_counted_make_none(runs, contributor):
    assert "Tick the runs first." in press(contributor).text
    Run.objects.update(set_aside_reason="noise")
    assert "None of these runs counts" in press(contributor, runs=[run.pk for run in runs]).text
    assert not Study.objects.exists()


def test_environments_tell_conditions_apart_where_one_configuration_has_several(contributor):
    configuration = a_configuration("one")
    places = [an_environment("lab"), an_environment("attic")]
    made = [a_run(configuration, {WRITE: 1.0}, environment=place) for place in places]
    press(contributor, runs=[run.pk for run in made])
    conditions = Study.objects.get().conditions.all()
    assert {one.environment for one in conditions} == set(places)


def test_a_title_names_its_factor_once(contributor):
    runs = [a_run(workload={"queue_depth": depth}) for depth in (1, 8)]
    contributor.post("/studies/of-runs/", {"runs": [run.pk for run in runs]})
    assert Study.objects.get().title == "Queue depth: 1, 8"
