"""The number of queries of each page is fixed, however long its lists are."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.jobs.models import Job
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Study
from benchdash.results.readings import File
from tests.jobs.records import FIO, a_job, a_target, print_out
from tests.pages.addresses import addresses
from tests.pages.house import sample

pytestmark = pytest.mark.django_db
AGREED = {
    "home": 23,
    "studies": 9,
    "new_study": 2,
    "study": 21,
    "edit_study": 3,
    "study_conditions": 7,
    "study_from_file": 2,
    "study_file": 8,
    "study_with_outputs": 19,  # and one for each output, as it is sent
    "runs": 11,
    "counted_filters": 18,
    "run_columns": 6,
    "change_runs": 6,
    "run": 21,
    "run_raw": 3,
    "configurations": 3,
    "new_configuration": 2,
    "configuration": 27,
    "configuration_diff": 4,
    "edit_configuration": 4,
    "history": 15,
    "environments": 6,
    "new_environment": 2,
    "environment": 13,
    "environment_diff": 6,
    "name_of_environment": 5,
    "uploads": 10,
    "recent_uploads": 7,
    "refused_uploads": 3,
    "upload": 8,
    "upload_raw": 3,
    "purge_upload": 7,
    "profile": 4,
    "change_password": 2,
    "notifications": 4,
    "sent_notifications": 3,
    "compare": 13,
    "permalink": 6,
    "search": 2,
    "design": 2,
    "help": 2,
    "chapter": 2,
    "change_tags": 6,
    "new_note": 4,
    "edit_note": 4,
    "hosts": 4,
    "new_host": 3,
    "import_hosts": 2,
    "host": 10,
    "edit_host": 3,
    "new_target": 4,
    "edit_target": 4,
    "target_state": 3,
    "jobs": 9,
    "job": 18,
    "job_progress": 12,
    "job_events": 13,
    "plans": 3,
    "new_plan": 4,
    "fill_in_plan": 7,
    "new_recipe": 2,
    "edit_recipe": 3,
    "plan": 33,
    "plan_matrix": 15,
    "plan_cell": 11,
}


def counted(client, house):
    counts = {}
    for name in AGREED:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(addresses(house)[name][0]).status_code == 200
        counts[name] = len(queries)
    return counts


def more(house):
    """Thirty further runs of the same, and as many files that nobody can read."""
    line = sample("bonnie++/local-2.00a-c4.csv").data.decode()
    assignment = Assignment(house.local, house.environment, house.study)
    ingest(
        [File(f"{n}.csv", line.replace("1", str(n % 10)).encode()) for n in range(30)], assignment
    )
    ingest([File(f"{n}.txt", f"nothing {n}".encode()) for n in range(30)])
    for state in (Job.State.QUEUED, Job.State.RUNNING, Job.State.DONE) * 3:
        a_job(state, a_target(f"store-{state}-{Job.objects.count()}"))
    for _ in range(3):
        a_job(Job.State.QUEUED, house.target, house.job.plan)
        print_out(house.job, FIO)


def test_pages_ask_as_often_as_agreed_and_no_more_with_more_rows(house, signed_in):
    admin = signed_in("admin")
    few = counted(admin, house)
    assert few == AGREED
    more(house)
    many = counted(admin, house)
    assert {name: (few[name], n) for name, n in many.items() if n > few[name]} == {}


def test_every_page_that_is_looked_at_is_counted(house):
    acts = {
        "check_target",
        "approve_host_key",
        "change_job",
        "give_up_job",
        "launch_plan",
        "change_plan",
        "add_rounds",
        "add_to_plan",
        "change_run",
        "dismiss_doubt",
        "take_back_dismissal",
        "change_condition",
        "change_study",
        "run_study",
        "new_study_of_runs",
        "change_configuration",
        "choose_theme",
        "set_language",
        "upload_files",
        "machines_of_uploads",
        "machine_rows",
        "settings_from_names",
    }
    acts |= {
        "new_permalink",
        "save_filter",
        "forget_filter",
        "new_token",
        "revoke_token",
        "login",
        "logout",
        "change_tray",
    }
    assert set(addresses(house)) - acts == set(AGREED)


def test_a_further_chart_of_a_study_asks_for_other_numbers_alone(house, signed_in):
    admin = signed_in("admin")
    address = addresses(house)["study"][0]
    chart = f"study={house.study.slug}"

    def asked(charts):
        Study.objects.filter(pk=house.study.pk).update(charts=charts)
        with CaptureQueriesContext(connection) as queries:
            assert admin.get(address).status_code == 200
        return [query["sql"] for query in queries.captured_queries]

    one = asked([chart])
    again = asked([chart, f"{chart}&group=tool", f"{chart}&family=latency"])
    assert len(again) - len(one) <= 2
