"""The number of queries of each page is fixed, however long its lists are."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.jobs.models import Job
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.readings import File
from tests.jobs.asked import FIO, a_job, a_target, print_out
from tests.pages.addresses import addresses
from tests.pages.house import sample

pytestmark = pytest.mark.django_db
AGREED = {
    "home": 22,
    "studies": 10,
    "new_study": 3,
    "study": 24,
    "edit_study": 4,
    "study_conditions": 8,
    "study_from_file": 3,
    "study_file": 9,
    "runs": 11,
    "counted_filters": 18,
    "run_columns": 7,
    "change_runs": 7,
    "run": 22,
    "run_raw": 4,
    "configurations": 4,
    "new_configuration": 3,
    "configuration": 27,
    "configuration_diff": 5,
    "edit_configuration": 4,
    "history": 16,
    "environments": 7,
    "new_environment": 3,
    "environment": 13,
    "environment_diff": 7,
    "name_of_environment": 5,
    "uploads": 11,
    "refused_uploads": 4,
    "upload": 8,
    "upload_raw": 4,
    "purge_upload": 7,
    "profile": 5,
    "change_password": 3,
    "notifications": 5,
    "sent_notifications": 4,
    "compare": 14,
    "permalink": 7,
    "search": 3,
    "design": 3,
    "help": 3,
    "chapter": 3,
    "change_tags": 6,
    "new_note": 4,
    "edit_note": 4,
    "hosts": 5,
    "new_host": 4,
    "import_hosts": 3,
    "host": 11,
    "edit_host": 4,
    "new_target": 5,
    "edit_target": 5,
    "target_state": 4,
    "jobs": 9,
    "job": 18,
    "job_progress": 12,
    "job_events": 14,
    "plans": 4,
    "new_plan": 5,
    "fill_in_plan": 8,
    "new_recipe": 3,
    "edit_recipe": 4,
    "plan": 30,
    "plan_matrix": 16,
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
    told = Assignment(house.local, house.environment, house.study)
    ingest([File(f"{n}.csv", line.replace("1", str(n % 10)).encode()) for n in range(30)], told)
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
