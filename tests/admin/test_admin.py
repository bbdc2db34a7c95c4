"""Django's admin over all records: every page opens, few queries, content stays as it is."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import Group
from django.urls import reverse

from benchdash import administration
from benchdash.accounts.models import Token, User
from benchdash.inventory.models import Configuration, Environment, EnvironmentName, Host
from benchdash.inventory.queries import environment_named
from benchdash.inventory.records import record_environment
from benchdash.jobs.credentials import sealed
from benchdash.jobs.models import HostEvent, Job, JobStep, Target
from benchdash.notifications.models import Notification, Preference
from benchdash.results.demonstration import demo_folders, load
from benchdash.results.models import (
    Artifact,
    Measurement,
    Note,
    Permalink,
    Purge,
    Run,
    Study,
    Tag,
    Trace,
    Upload,
)
from benchdash.results.new_runs import failure
from tests.jobs.records import OWN_RECIPE, a_job, a_target, an_own_recipe
from tests.measured import a_run

pytestmark = pytest.mark.django_db

OURS = ("accounts", "inventory", "jobs", "notifications", "results")
# shown with the record that they belong to
INSIDE = {
    "AddedRounds",
    "StoppingLook",
    "Condition",
    "EnvironmentMachine",
    "EnvironmentName",
    "Execution",
    "Facet",
    "HostTrace",
    "JobEvent",
    "JobNode",
    "JobStep",
    "JoinedMeasurement",
    "Layer",
    "LogChunk",
    "Measurement",
    "PastDismissal",
    "PermalinkSubject",
    "Sample",
    "SavedFilter",
}
JOB_QUERIES = 8
REGISTERED = sorted(
    (model for model in admin.site._registry if model._meta.app_label in OURS),
    key=lambda model: model.__name__,
)


@pytest.fixture
def chief(client):
    person = User.objects.create_superuser("chief", password="correct horse")
    person.groups.add(Group.objects.get_or_create(name="admin")[0])
    client.force_login(person)
    client.person = person
    return client


@pytest.fixture
def study(db):
    a_job(Job.State.RUNNING, a_target("store-a"))
    an_own_recipe()
    person = User.objects.create(username="night")
    Preference.objects.create(user=person, webhook=sealed({"url": "https://hooks.example.org"}))
    Notification.objects.create(user=person, key="test", event="test", subject="A test")
    HostEvent.objects.create(host=Host.objects.get(name="store-a"), what=HostEvent.What.MADE)
    return load(demo_folders()[-1])


def address(record, page="change"):
    return reverse(
        f"admin:{record._meta.app_label}_{record._meta.model_name}_{page}", args=[record.pk]
    )


def list_of(model):
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


def test_every_record_has_a_page_of_its_own_or_one_to_stand_on():
    ours = {model.__name__ for label in OURS for model in apps.get_app_config(label).get_models()}
    told_nobody = {"Attempts"}  # digests and moments
    assert ours - {model.__name__ for model in REGISTERED} == INSIDE | told_nobody


@pytest.mark.parametrize("model", REGISTERED, ids=lambda model: model.__name__)
def test_lists_search_and_records_open(chief, study, model):
    Token.objects.create(chief.person, name="script")
    Permalink.objects.create(query="tool=fio", shown={})
    artifact = Run.objects.last().artifact
    Purge.objects.create(artifact=artifact, name="a.txt", reason="private", purged_by_name="chief")
    run = Run.objects.first()
    Trace.objects.create(
        run=run,
        artifact=run.artifact,
        measure=run.measurements.first().measure,
        points=0,
        seconds=b"",
        values=b"",
    )
    Tag.objects.create(name="lab")
    Note.objects.create(run=run, text="The array was hot.")
    assert chief.get(list_of(model)).status_code == 200
    assert chief.get(list_of(model), {"q": "1"}).status_code == 200
    record = model.objects.first()
    assert chief.get(address(record)).status_code == 200


def test_a_list_of_many_costs_as_few_queries_as_one_of_few(
    chief, study, django_assert_max_num_queries
):
    for folder in demo_folders()[:3]:
        load(folder)
    for number in range(30):
        User.objects.create(username=f"p{number}").groups.set(Group.objects.all())
        a_run(Configuration.objects.all()[number], environment=Environment.objects.first())
        a_job(Job.State.RUNNING, a_target(f"store-{number}"))
        an_own_recipe(OWN_RECIPE.replace("sync-writes", f"own-{number}"))
    HostEvent.objects.bulk_create(HostEvent(host=host, what="made") for host in Host.objects.all())
    for model in REGISTERED:
        chief.get(list_of(model))
        with django_assert_max_num_queries(8, info=model.__name__):
            assert chief.get(list_of(model)).status_code == 200


def test_a_run_shows_its_numbers_and_its_raw_output(chief, study):
    run = study.runs.order_by("pk").first()
    page = chief.get(address(run)).content.decode()
    assert "seq_write throughput mean: 90.1 MB/s (90073088.0)" in page
    assert f"/api/v1/runs/{run.pk}/artifacts/{run.artifact_id}/" in page
    assert "file_bytes=17179869184" in page


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ({"tool": "fio"}, {"in", "out"}),
        ({"tool": "dbench"}, set()),
        ({"counted": "yes"}, {"in"}),
        ({"counted": "no"}, {"out"}),
    ],
)
def test_runs_are_filtered_by_tool_and_by_whether_they_count(chief, asked, labels):
    a_run(label="in")
    a_run(label="out", set_aside_reason="resyncing")
    page = chief.get(list_of(Run), asked)
    assert {run.label for run in page.context["cl"].result_list} == labels


def test_runs_are_searched_by_number_by_file_and_by_configuration(chief, study):
    run = study.runs.select_related("artifact").first()

    def found(term):
        return set(chief.get(list_of(Run), {"q": term}).context["cl"].result_list)

    assert found(str(run.pk)) == {run}
    assert found(run.artifact.sha256[:10]) == {run}
    assert found("Two PCs: local") == set(study.runs.order_by("position", "pk")[:2])
    assert found("nothing of this name") == found("9" * 30) == set()


def test_where_a_run_belongs_is_edited_and_its_numbers_are_not(chief, study):
    run = study.runs.order_by("pk").first()
    form = {
        "configuration": run.configuration_id,
        "environment": run.environment_id,
        "study": "",
        "set_aside_reason": "the array was resyncing",
        "tool": "fio",
    }
    assert chief.post(address(run), form).status_code == 302
    run.refresh_from_db()
    assert (run.study, run.set_aside_reason, run.counted) == (
        None,
        "the array was resyncing",
        False,
    )
    assert run.tool == "bonnie++"


def test_a_reason_that_is_not_edited_keeps_its_template_and_values(chief, study):
    reported = failure("fio", {"message": "no space left on device"})
    run = study.runs.order_by("pk").first()
    Run.objects.filter(pk=run.pk).update(set_aside_reason=reported)
    assert chief.post(address(run), {"study": "", "set_aside_reason": reported}).status_code == 302
    run.refresh_from_db()
    assert run.study is None and run.set_aside_reason == reported
    assert run.set_aside_reason.template == "{tool} reported an error: {message}"


@pytest.mark.parametrize(
    "model", [m for m in REGISTERED if isinstance(admin.site._registry[m], administration.ReadOnly)]
)
def test_content_is_neither_made_nor_changed_nor_removed(chief, study, model):
    upload, artifact = Upload.objects.first(), Artifact.objects.first()
    record = model.objects.first() or {Upload: upload, Artifact: artifact}.get(model)
    place = list_of(model)
    assert chief.get(f"{place}add/").status_code == 403
    if record is not None:
        assert chief.post(address(record), {}).status_code == 403
        assert chief.post(address(record, "delete"), {"post": "yes"}).status_code == 403
        assert model.objects.filter(pk=record.pk).exists()


@pytest.mark.parametrize("model", [Run, Environment])
def test_what_others_refer_to_is_not_removed_here(chief, study, model):
    record = model.objects.first()
    assert chief.post(address(record, "delete"), {"post": "yes"}).status_code == 403


def test_another_name_points_at_the_same_environment(chief, study):
    environment = Environment.objects.first()
    form = {
        "names-TOTAL_FORMS": "1",
        "names-INITIAL_FORMS": "0",
        "names-0-name": "lab",
        "parts-TOTAL_FORMS": "0",
        "parts-INITIAL_FORMS": "0",
        "captures-TOTAL_FORMS": "0",
        "captures-INITIAL_FORMS": "0",
    }
    assert chief.post(address(environment), form).status_code == 302
    assert environment_named("lab") == environment
    assert EnvironmentName.objects.filter(environment=environment).count() == 2


def test_a_configuration_is_renamed_and_keeps_its_stack(chief, study):
    configuration = Configuration.objects.first()
    stack = configuration.stack_id
    form = {"name": "Renamed", "notes": "", "stack": stack + 1}
    assert chief.post(address(configuration), form).status_code == 302
    configuration.refresh_from_db()
    assert (configuration.name, configuration.stack_id) == ("Renamed", stack)


def test_a_study_shows_its_conditions(chief, study, django_assert_max_num_queries):
    with django_assert_max_num_queries(30):
        page = chief.get(address(study)).content.decode()
    assert "6 Protocol C, Primary/Secondary, ext3" in page


def test_a_job_shows_its_commands_and_events_in_a_fixed_number_of_queries(
    chief, django_assert_num_queries
):
    few, many = (a_job(Job.State.DONE, a_target(name)) for name in ("store-a", "store-b"))
    JobStep.objects.bulk_create(
        JobStep(job=many, position=n, phase="after", node="node-a", command="sync", timeout_s=9)
        for n in range(3, 60)
    )
    chief.get(address(few))
    for job in (few, many):
        with django_assert_num_queries(JOB_QUERIES):
            page = chief.get(address(job)).content.decode()
        assert "fio --name=fio --bs=4k" in page
        assert "collecting" in page


def test_a_host_that_is_renamed_is_called_so_by_its_environments(chief):
    environment = record_environment({"node-a": {"hostname": "store-1"}})
    host = Host.objects.get(name="store-1")
    chief.post(address(host), {"name": "store-2", "notes": ""})
    environment.refresh_from_db()
    assert environment.title == f"store-2 #{environment.pk}"


@pytest.mark.parametrize("page", ["change", "history", "changelist"])
def test_how_to_log_in_is_shown_and_never_with_what(chief, page):
    target = a_target(secret=sealed({"password": "hunter2 is secret"}))
    place = list_of(Target) if page == "changelist" else address(target, page)
    text = chief.get(place).content.decode()
    assert target.address in text or page == "history"
    assert "hunter2" not in text
    assert target.secret not in text


def test_a_long_list_is_counted_up_to_a_bound(chief, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(administration, "COUNTED", 60)
    Host.objects.bulk_create(Host(name=f"h{number:03}") for number in range(70))
    page = chief.get(list_of(Host), {"p": 2}).content.decode()
    assert "60 hosts" in page and "h059" in page and "h060" not in page


def test_the_group_admin_opens_it_without_being_staff(client, study):
    person = User.objects.create_user("boss", password="correct horse")
    person.groups.add(Group.objects.get(name="admin"))
    client.force_login(person)
    assert "/admin/results/run/" in client.get("/admin/").content.decode()
    assert client.get(address(study)).status_code == 200
    assert "/admin/" in client.get("/").content.decode()


@pytest.mark.parametrize("group", ["viewer", "contributor", "operator"])
def test_other_groups_stay_out_and_read_who_may(client, group):
    person = User.objects.create_user("other", is_staff=True)
    person.groups.add(Group.objects.get(name=group))
    client.force_login(person)
    answer = client.get("/admin/", follow=True)
    assert answer.status_code == 403
    assert "admin" in answer.content.decode()


def test_whoever_has_not_signed_in_comes_back_after_signing_in(client, db):
    answer = client.get("/admin/results/run/", follow=True)
    assert answer.redirect_chain[-1][0] == "/sign-in/?next=/admin/results/run/"


def test_numbers_are_never_registered():
    assert Measurement not in admin.site._registry
    assert Study in admin.site._registry
