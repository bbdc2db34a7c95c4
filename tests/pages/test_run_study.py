"""From a study to its plan, and what was measured beside what was published."""

from __future__ import annotations

import pytest

from benchdash.jobs.models import Plan
from benchdash.jobs.planning import plan as make_plan
from benchdash.jobs.wanted import Wanted
from benchdash.pages.plan_form import PlanForm
from benchdash.recipes import builtin
from benchdash.results.demonstration import demo_folders, load
from benchdash.results.models import Run, Study
from benchdash.results.records import add_condition, choose_baseline, write_study
from benchdash.results.study_files import import_study
from tests.jobs.records import a_target
from tests.jobs.test_study_plans import TWO_SCHEDULERS
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db
RECIPES = {recipe.name: recipe for recipe in builtin()}
PLACES = ["/srv/drbd", "/mnt/drbd", "/srv/new"]
WRITE = "seq_write.throughput.mean"


def test_the_form_opens_filled_in(signed_in):
    study = import_study(TWO_SCHEDULERS)
    operator = signed_in("operator")
    assert f"/studies/{study.slug}/run/" in operator.get(f"/studies/{study.slug}/").text
    answer = operator.get(f"/studies/{study.slug}/run/", follow=True)
    assert answer.redirect_chain == [(f"/plans/new/ext4-lvm-raid6/?study={study.slug}", 302)]
    form = answer.context["form"]
    assert form["f-scheduler"].value() == ["none", "mq-deadline"]
    assert form["f-stripe_cache_size"].value() == "256\n512"
    assert form["p-size"].value() == "4G"
    assert form["study"].value() == study.pk
    assert form["node-a"].label == "client (Measured host)"
    assert form["node-b"].label == "guest-2 (node-b)"


def test_further_hosts_that_were_chosen_stay_in_sight(signed_in):
    operator, guests = signed_in("operator"), [a_target(f"guest-{n}") for n in (1, 2)]
    address = "/plans/new/ceph-rbd-under-kvm/"
    form = operator.get(address).context["form"]
    assert not form.has_more_nodes()
    assert PlanForm(form.recipe, called=["guest-1", "guest-2"]).has_more_nodes()
    chosen = {"node-a": guests[0].pk, "node-b": guests[1].pk, "f-guests": "1,2,10,3"}
    answer = operator.post(address, chosen | {"repeats": 1, "p-measured": "first"})
    assert answer.context["form"].has_more_nodes()
    assert "Hosts needed: 10, chosen: 2." in answer.text


def test_hosts_and_places_of_the_last_plan_are_proposed_again(signed_in):
    operator, target = signed_in("operator"), a_target()
    study = write_study(
        Study(), title="Mirror?", measured_by={"recipe": "fio", "parameters": {"runtime": "9s"}}
    )
    recipe = next(one for one in builtin() if one.name == "fio")
    wanted = Wanted(
        recipe, {"node-a": target}, {"rw": "read"}, {"bs": ["4K", "64K"]}, 1, study=study
    )
    make_plan(wanted, operator.person)
    form = operator.get(f"/studies/{study.slug}/run/", follow=True).context["form"]
    assert form["node-a"].value() == target.pk
    assert form["p-rw"].value() == "read"
    assert form["p-runtime"].value() == "9s"


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


@pytest.fixture
def cluster(operator):
    """The study on DRBD 9, which two recipes measure, and the plan of the first of them."""
    study = load(next(one for one in demo_folders() if one.name.endswith("drbd9-cluster")))
    targets = [a_target(f"drbd-{n}", allowed=PLACES) for n in (1, 2)]
    wanted = Wanted(
        RECIPES["drbd9-files"],
        dict(zip(("node-a", "node-b"), targets, strict=True)),
        {
            "place": "client",
            "rw": "write",
            "size": "1G",
            "bs": "4K",
            "cluster_directory": "/srv/drbd",
            "client_directory": "/mnt/drbd",
        },
        {},
        1,
        title="On DRBD",
        study=study,
        priority=7,
    )
    return study, targets, make_plan(wanted, operator.person)


def form_of(operator, study, recipe):
    return operator.get(f"/plans/new/{recipe}/?study={study.slug}").context["form"]


def test_hosts_and_folders_of_one_recipe_are_proposed_for_another_of_the_study(cluster, operator):
    study, targets, plan = cluster
    form = form_of(operator, study, "drbd9-transactions")
    assert [form[role].value() for role in ("node-a", "node-b")] == [one.pk for one in targets]
    assert form["p-cluster_directory"].value() == "/srv/drbd"
    assert form["p-client_directory"].value() == "/mnt/drbd"
    assert form["p-local_directory"].value() == ""
    assert form["f-clients"].value() == "1\n2\n4\n8\n16\n32\n64", "as the recipe says"
    assert [form[name].value() for name in ("title", "priority", "repeats")] == ["", 0, 3]
    assert plan.launched_at is None and Plan.objects.count() == 1


def test_what_a_plan_did_not_choose_is_as_the_recipe_says(cluster, operator):
    study, _targets, _plan = cluster
    form = form_of(operator, study, "fio")
    assert form["p-size"].value() == "1G"
    assert form["p-bs"].value() == RECIPES["fio"].parameters["bs"].default
    Plan.objects.update(recipe="no recipe at all", parameters={"size": "1G"})
    form = form_of(operator, study, "fio")
    assert form["p-size"].value() == RECIPES["fio"].parameters["size"].default
    assert form["node-a"].value(), "its hosts are known all the same"


def test_a_value_of_another_kind_or_one_that_is_not_taken_is_not_proposed(cluster, operator):
    study, _targets, plan = cluster
    text = plan.recipe.replace("    kind: path\n    lies_on: drbd diskless=yes", "    kind: text")
    text = text.replace("    scratch: true\n", "")
    Plan.objects.update(recipe=text, parameters=plan.parameters | {"cluster_directory": "srv:1"})
    form = form_of(operator, study, "drbd9-transactions")
    assert form["p-client_directory"].value() == "", "a text there"
    assert form["p-cluster_directory"].value() == "", "a path has no colon"


def test_a_host_that_was_deleted_is_not_proposed(cluster, operator):
    study, (first, second), plan = cluster
    plan.jobs.all().delete()  # those of which some ran keep their hosts
    second.delete()
    for recipe in ("drbd9-transactions", "drbd9-files"):
        form = form_of(operator, study, recipe)
        assert (form["node-a"].value(), form["node-b"].value()) == (first.pk, None)
    again = operator.get(f"/plans/new/drbd9-files/?plan={plan.pk}").context["form"]
    assert (again["node-a"].value(), again["node-b"].value()) == (first.pk, None)


def test_the_newest_plan_says_the_hosts_and_that_of_the_recipe_the_rest(cluster, operator):
    study, (first, second), _plan = cluster
    third = a_target("drbd-3", allowed=PLACES)
    values = {"place": "cluster", "cluster_directory": "/srv/new", "clients": "1", "scale": "9"}
    hosts = {"node-a": second, "node-b": third}
    wanted = Wanted(RECIPES["drbd9-transactions"], hosts, values, {}, 1, study=study)
    make_plan(wanted, operator.person)
    form = form_of(operator, study, "drbd9-files")
    assert [form[role].value() for role in ("node-a", "node-b")] == [second.pk, third.pk]
    assert form["p-cluster_directory"].value() == "/srv/new"
    assert form["p-client_directory"].value() == "/mnt/drbd"
    assert form["p-size"].value() == "1G" and form["priority"].value() == 7
    only_one = Wanted(RECIPES["fio"], {"node-a": second}, {"rw": "read"}, {}, 1, study=study)
    make_plan(only_one, operator.person)
    form = form_of(operator, study, "drbd9-files")
    assert [form[role].value() for role in ("node-a", "node-b")] == [second.pk, None], "not twice"
    assert first.pk != second.pk


def test_a_study_without_a_recipe_says_so_and_takes_one(house, signed_in):
    operator = signed_in("operator")
    Study.objects.update(slug="of-our-own")
    house.study.refresh_from_db()
    page = operator.get(f"/studies/{house.study.slug}/run/").text
    assert "No recipe can measure this study yet." in page
    answer = operator.post(f"/studies/{house.study.slug}/run/", {"recipe": "fio"}, follow=True)
    assert answer.redirect_chain[-1] == (f"/plans/new/fio/?study={house.study.slug}", 302)
    page = operator.post(f"/studies/{house.study.slug}/run/", {"recipe": "nowhere"}, follow=True)
    assert "There is no recipe “nowhere”." in page.text
    Study.objects.update(measured_by={"recipe": "gone"})
    page = operator.get(f"/studies/{house.study.slug}/run/").text
    assert "The recipe “gone” that was chosen for it no longer exists." in page


@pytest.fixture
def measured(db):
    """Two conditions that an author published, and both measured since on other disks."""
    old, new = an_environment("their lab", kernel="2.6"), an_environment("our lab", kernel="6.1")
    study = write_study(
        Study(), title="Mirror?", published_as="author, 2008", factors=["layer.drbd.protocol"]
    )
    for label, protocol, theirs, ours in (("Slow", "C", 4e6, 40e6), ("Fast", "A", 8e6, 70e6)):
        named = a_configuration(f"their {label}", drbd__protocol=protocol, disk__model="old")
        condition = add_condition(study, named, None, label)
        a_run(named, {WRITE: theirs}, environment=old, study=study)
        again = a_configuration(f"our {label}", drbd__protocol=protocol, disk__model="new")
        a_run(again, {WRITE: ours}, environment=new, study=study, settings={"series": "2026-11"})
        if label == "Slow":
            choose_baseline(condition)
    return study


def test_what_was_measured_since_stands_beside_what_was_published(measured, contributor):
    page = contributor.get(f"/studies/{measured.slug}/")
    (section,) = page.context["comparisons"][0]["sections"]
    (figure,) = section.figures
    assert [(row.label, row.median) for row in figure.view.rows] == [
        ("Slow · author, 2008", 4e6),
        ("Slow · ours, November 2026", 40e6),
        ("Fast · author, 2008", 8e6),
        ("Fast · ours, November 2026", 70e6),
    ]
    groups = page.context["comparisons"][0]["comparison"].view.groups
    assert [group.label for group in groups if group.is_baseline] == ["Slow · author, 2008"]
    assert "As published, and as measured since" in page.text
    beside = page.context["beside"]
    assert [(one.name, one.runs) for one in beside.series] == [
        ("author, 2008", 2),
        ("ours, November 2026", 2),
    ]
    assert ("Kernel", ("2.6", "6.1")) in beside.facts


def test_one_series_alone_is_shown_as_before(measured, contributor):
    Run.objects.filter(settings__series="2026-11").delete()
    page = contributor.get(f"/studies/{measured.slug}/")
    (section,) = page.context["comparisons"][0]["sections"]
    assert [row.label for row in section.figures[0].view.rows] == ["Slow", "Fast"]
    assert page.context["beside"] is None


def test_a_series_has_a_name_and_words_and_what_was_published_without_figures_comes_first(
    measured, contributor
):
    words = "Settings are real, speeds are not."
    measured.series = {"2026-11": {"title": "lab machines", "words": words}}
    measured.save()
    page = contributor.get(f"/studies/{measured.slug}/")
    (section,) = page.context["comparisons"][0]["sections"]
    assert "Slow · lab machines" in [row.label for row in section.figures[0].view.rows]
    assert words in page.text
    old = measured.conditions.first().configuration.runs.first().environment
    measured.conditions.update(environment=old)
    Run.objects.filter(settings={}).delete()
    beside = contributor.get(f"/studies/{measured.slug}/").context["beside"]
    assert [(one.name, one.runs, one.words) for one in beside.series] == [
        ("author, 2008", 0, ""),
        ("lab machines", 2, words),
    ]
    assert ("Kernel", ("2.6", "6.1")) in beside.facts


def test_where_nothing_was_published_conditions_are_measured_all_the_same(measured, contributor):
    Run.objects.filter(settings={}).delete()
    page = contributor.get(f"/studies/{measured.slug}/")
    (section,) = page.context["comparisons"][0]["sections"]
    assert [row.label for row in section.figures[0].view.rows] == ["Slow", "Fast"]
    assert page.context["comparisons"][0]["comparison"].view.unmeasured == ()


def test_what_a_condition_leaves_unstated_is_repeated_and_what_it_cannot_tell_is_not(
    db, contributor
):
    factors = ["layer.drbd.protocol", "layer.drbd.roles", "layer.filesystem"]
    study = write_study(Study(), title="Pair", published_as="author, 2008", factors=factors)
    local, old = a_configuration("theirs, local", filesystem__type="ext3"), an_environment("old")
    for label, kernel in (("1 Normal kernel", None), ("2 Xen kernel", old)):
        add_condition(study, local, kernel, label)
    roles = {"drbd__roles": "Primary/Secondary"}
    for label, fields in (
        ("3 A", {"drbd__protocol": "A"}),
        ("5 C", {"drbd__protocol": "C"}),
        ("6 C, one primary", {"drbd__protocol": "C"} | roles),
    ):
        add_condition(study, a_configuration(f"their {label}", **fields), None, label)
    for name, found in (
        ("our A", {"drbd__protocol": "A"} | roles),
        ("our C", {"drbd__protocol": "C"} | roles),
        ("our B", {"drbd__protocol": "B"} | roles),
        ("our local", {"filesystem__type": "ext3"}),
    ):
        configuration = a_configuration(name, disk__model="new", **found)
        a_run(configuration, {WRITE: 1e8}, study=study, settings={"series": "2026-11"})
    view = contributor.get(f"/compare/?study={study.slug}").context["comparison"].view
    labels = [group.label for group in view.groups]
    assert len(labels) == 4
    for name in ("3 A", "6 C, one primary", "our B", "our local"):
        assert any(label.startswith(name) for label in labels), labels


def test_conditions_are_measured_by_settings_too(db, contributor):
    study = write_study(
        Study(),
        title="Guests",
        published_as="author, 2015",
        factors=["layer.vm.guests", "layer.system.drop_caches"],
    )
    for guests in (1, 2):
        options = {"vm__guests": guests, "system__drop_caches": "never"}
        add_condition(study, a_configuration(f"their {guests}", **options), None, f"{guests}")
    own = {"guests": 2, "drop_caches": False, "measured": "all", "series": "2026-11"}
    a_run(a_configuration("ours"), {WRITE: 1e8}, study=study, settings=own)
    view = contributor.get(f"/compare/?study={study.slug}").context["comparison"].view
    assert view.unmeasured == ("1",)


def test_series_are_filtered_and_grouped_by_like_any_setting(measured, contributor):
    query = f"/compare/?study={measured.slug}&setting.series=2026-11"
    (section,) = contributor.get(query).context["sections"]
    assert {row.median for row in section.figures[0].view.rows} == {40e6, 70e6}
    query = f"/compare/?study={measured.slug}&group=setting.series"
    (section,) = contributor.get(query).context["sections"]
    assert [row.label for row in section.figures[0].view.rows] == [
        "author, 2008",
        "ours, November 2026",
    ]


def test_labels_in_other_languages_stay_when_the_form_is_saved(measured, contributor):
    translation = {"labels": {"Slow": "遅い"}, "series": {"2026-11": {"title": "実験機"}}}
    measured.translations = {"ja": translation}
    measured.save()
    form = {"title": "Mirror?", "ja_title": "ミラー", "published_as": "author, 2008"}
    contributor.post(f"/studies/{measured.slug}/edit/", form)
    measured.refresh_from_db()
    assert measured.translations == {"ja": {"title": "ミラー", **translation}}
