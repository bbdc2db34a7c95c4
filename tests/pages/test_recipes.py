"""Recipes that people write: checked, offered, planned with, and never in the way of benchdash's own."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.translation import override

from benchdash.jobs.models import OwnRecipe, Plan
from benchdash.pages.step_titles import TITLES, step_title
from benchdash.recipes.reading import builtin
from tests.jobs.records import OWN_RECIPE, a_target, an_own_recipe

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(signed_in):
    return signed_in("admin")


def test_an_admin_writes_a_recipe_and_an_operator_plans_with_it(admin, signed_in):
    answer = admin.post("/recipes/new/", {"text": OWN_RECIPE})
    assert answer.url == "/plans/new/sync-writes/"
    own = OwnRecipe.objects.get()
    assert (own.name, own.changed_by) == ("sync-writes", admin.person)
    operator = signed_in("operator")
    offered = operator.get("/plans/new/").text
    assert "Small synchronous writes" in offered and "own recipe" in offered
    assert "/recipes/" not in offered
    target = a_target()
    fields = {"node-a": target.pk, "repeats": 2, "p-bs": "8K"}
    operator.post(answer.url, fields)
    plan = Plan.objects.get()
    assert (plan.recipe_name, plan.recipe) == ("sync-writes", OWN_RECIPE)
    assert "--bs=8K" in operator.get(f"/plans/{plan.pk}/").text


def test_a_file_is_taken_and_what_is_wrong_is_named_with_file_line_and_mend(admin):
    wrong = SimpleUploadedFile("mine.yaml", b"name: mine\ntitle: Mine\nmeasur: []\n")
    text = admin.post("/recipes/new/", {"file": wrong}).text
    assert "mine.yaml: Line 3 (measur): “measur” is not known here. Did you mean “measure”?" in text
    wrong = SimpleUploadedFile("mine.yaml", b"name: mine\ntitle: Mine\nmeasur: []\n")
    japanese = admin.post("/recipes/new/", {"file": wrong}, headers={"accept-language": "ja"}).text
    assert "mine.yaml: 3 行目（measur）" in japanese
    right = SimpleUploadedFile("mine.yaml", OWN_RECIPE.encode())
    assert admin.post("/recipes/new/", {"file": right}).status_code == 302
    assert "Paste the text, or choose a file." in admin.post("/recipes/new/", {"text": ""}).text
    binary = SimpleUploadedFile("mine.yaml", b"\x00\xff\xfe")
    assert "mine.yaml: This is not YAML" in admin.post("/recipes/new/", {"file": binary}).text


@pytest.mark.parametrize("name", ["fio", "sync-writes"])
def test_a_name_that_is_taken_is_refused(admin, name):
    an_own_recipe()
    text = OWN_RECIPE.replace("name: sync-writes", f"name: {name}")
    assert "is taken by another recipe" in admin.post("/recipes/new/", {"text": text}).text
    assert OwnRecipe.objects.count() == 1


def test_a_recipe_is_changed_and_removed_while_plans_keep_their_text(admin):
    own = an_own_recipe()
    edit = f"/recipes/{own.pk}/edit/"
    assert edit in admin.get("/plans/new/").text
    assert "--rw=randwrite" in admin.get(edit).text
    admin.post("/plans/new/sync-writes/", {"node-a": a_target().pk, "repeats": 1})
    admin.post(edit, {"text": OWN_RECIPE.replace("Small sync", "Tiny sync")})
    assert "Tiny synchronous writes" in admin.get("/plans/new/").text
    assert admin.post(edit, {"remove": "1"}).url == "/plans/new/"
    assert "synchronous writes" not in admin.get("/plans/new/").text
    assert admin.get("/plans/new/sync-writes/").status_code == 404
    assert Plan.objects.get().recipe == OWN_RECIPE


def test_one_that_cannot_be_read_any_more_is_shown_to_admins_and_spoils_nothing(admin, signed_in):
    own = an_own_recipe()
    OwnRecipe.objects.update(text="name: sync-writes\n")
    page = admin.get("/plans/new/").text
    assert f'href="/recipes/{own.pk}/edit/"' in page and "a recipe needs “title”" in page
    assert "/plans/new/fio/" in page
    assert admin.get("/plans/new/sync-writes/").status_code == 404
    assert "needs" not in signed_in("operator").get("/plans/new/").text


@pytest.mark.parametrize("group", ["viewer", "contributor", "operator"])
def test_nobody_else_writes_recipes(signed_in, group):
    own = an_own_recipe()
    client = signed_in(group)
    assert client.post("/recipes/new/", {"text": OWN_RECIPE}).status_code == 403
    assert client.post(f"/recipes/{own.pk}/edit/", {"remove": "1"}).status_code == 403
    assert OwnRecipe.objects.count() == 1


def test_every_step_of_the_recipes_has_a_title_in_both_languages():
    names = {step.name: step.tool for recipe in builtin() for step in recipe.steps}
    assert {name for name, tool in names.items() if not tool} <= TITLES.keys() <= names.keys()
    english = {name: step_title(name) for name in TITLES}
    with override("ja"):
        assert [name for name in TITLES if step_title(name) == english[name]] == []
