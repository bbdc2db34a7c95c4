"""What a study asks of a plan, and the series that its runs are."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from benchdash.errors import Refused
from benchdash.jobs.models import Plan
from benchdash.jobs.study_plans import (
    choose_recipe,
    hosts_needed,
    levels_for,
    parameters_for,
    recipes_of,
    role_names,
    series_of,
)
from benchdash.recipes import builtin
from benchdash.results.demonstration import demo_folders, load
from benchdash.results.models import Study
from benchdash.results.records import write_study
from benchdash.results.study_files import import_study

pytestmark = pytest.mark.django_db
RECIPES = {recipe.name: recipe for recipe in builtin()}
TWO_SCHEDULERS = """\
title: Schedulers
measured_by:
  recipe: ext4-lvm-raid6
  parameters: {size: 4G, gone: 1}
  factors: {mount_options: [barrier=0]}
  roles: [client, "guest[2..4]"]
grid:
  name: "{scheduler}, {cache}"
  label: "{scheduler}, {cache}"
  layers: |
    ext4
    md level=6 devices=6 stripe_cache_size={cache}
    disk scheduler={scheduler}
  axes: {scheduler: [none, mq-deadline, anticipatory], cache: [256, 512]}
"""


def test_published_studies_know_their_recipes():
    for folder in demo_folders():
        study = load(folder)
        names = {each.name for each in recipes_of(study)}
        assert names == {name for name, one in RECIPES.items() if one.study == study.slug}
        assert names


def test_levels_are_those_of_the_conditions_which_the_recipe_can_set():
    study = import_study(TWO_SCHEDULERS)
    (only,) = recipes_of(study)
    assert levels_for(study, only.recipe) == {
        "scheduler": ["none", "mq-deadline"],
        "stripe_cache_size": [256, 512],
        "mount_options": ["barrier=0"],
    }
    assert parameters_for(study, only.recipe) == {"size": "4G"}
    assert role_names(study) == ["client", "guest-2", "guest-3", "guest-4"]


def test_the_published_levels_of_the_guests_are_those_of_its_conditions():
    study = load(next(each for each in demo_folders() if each.name.startswith("4-")))
    levels = levels_for(study, RECIPES[study.slug])
    assert levels["guests"] == [*range(1, 11)]
    assert levels["drop_caches"] == [True, False]
    assert role_names(study) == [f"guest-{n}" for n in range(1, 11)]


def test_the_published_levels_of_the_raid_are_those_of_its_conditions():
    study = load(next(each for each in demo_folders() if each.name.startswith("3-")))
    recipe = RECIPES["ext4-lvm-raid6"]
    levels = levels_for(study, recipe)
    assert levels["scheduler"] == ["cfq", "deadline", "noop"]
    assert levels["stripe_cache_size"] == [256, 768, 2048, 8192, 32768]
    assert levels["mount_options"] == list(recipe.factors["mount_options"])


def test_a_study_that_no_recipe_measures_is_given_one():
    study = write_study(Study(), title="Mirror or not?")
    assert recipes_of(study) == []
    with pytest.raises(Refused, match="There is no recipe “fia”"):
        choose_recipe(study, "fia")
    choose_recipe(study, "fio")
    assert [each.name for each in recipes_of(Study.objects.get())] == ["fio"]


def test_runs_are_a_series_where_there_is_something_to_stand_beside():
    plan = Plan(launched_at=datetime(2026, 11, 3, tzinfo=UTC), study=Study(published_as="author"))
    assert series_of(plan) == {"series": "2026-11"}
    assert series_of(Plan(launched_at=plan.launched_at, study=Study())) == {}
    assert series_of(Plan(launched_at=plan.launched_at)) == {}


def test_the_zones_of_the_published_mirrors_are_what_a_plan_of_them_varies():
    study = load(next(each for each in demo_folders() if each.name.startswith("2-")))
    levels = levels_for(study, RECIPES["drbd-between-zones"])
    assert levels["zone"] == ["local", "near", "far"]
    assert [hosts_needed(study, zone) for zone in (*levels["zone"], "moon")] == [1, 2, 2, 0]
