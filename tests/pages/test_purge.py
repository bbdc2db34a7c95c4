"""The page of the purge: for admins, named, and told on the run's page afterwards."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from benchdash.jobs import logs
from benchdash.results.models import Purge
from tests.jobs.records import print_out

pytestmark = pytest.mark.django_db


def test_an_admin_purges_and_the_run_says_so(house, signed_in, settings):
    settings.PUBLIC_READ = True
    admin, viewer = signed_in("admin"), signed_in("viewer")
    address = f"/uploads/{house.upload.pk}/purge/"
    assert house.upload.artifact.sha256 in admin.get(address).text
    refused = admin.post(address, {"named": "other", "reason": "A password."})
    assert "Type the file" in refused.text
    assert "A password." in refused.text
    assert not Purge.objects.exists()
    done = admin.post(address, {"named": house.upload.name, "reason": "A password."})
    assert done.url == f"/uploads/{house.upload.pk}/"
    assert "purged the bytes" in admin.get(done.url).text
    page = f"/runs/{house.run.pk}/"
    assert "A password." in viewer.get(page).text
    page_of_run = APIClient().get(page)
    assert "An admin purged the bytes" in page_of_run.content.decode()
    assert "A password." not in page_of_run.content.decode()


def test_the_log_of_its_job_loses_the_same_bytes(house, signed_in):
    admin, over = signed_in("admin"), house.job.plan.jobs.get(state="done")
    print_out(over, b"password=hunter2\n")
    print_out(over, b"more of it\n")
    print_out(over, b"said beside it\n", "err")
    address = f"/uploads/{house.upload.pk}/purge/"
    assert "The same output in the log of the job" in admin.get(address).text
    admin.post(address, {"named": house.upload.name, "reason": "A password."})
    step = over.steps.get(tool="fio")
    assert logs.whole(step) == b"[An admin purged this output.]\n"
    assert logs.whole(step, "err") == b"said beside it\n"
    assert logs.whole(house.job.steps.get(tool="fio"))


def test_a_download_of_purged_bytes_is_gone_with_the_sentence(house, signed_in):
    admin = signed_in("admin")
    admin.post(f"/uploads/{house.upload.pk}/purge/", {"named": house.upload.name, "reason": "x"})
    for address in (f"/runs/{house.run.pk}/raw/", f"/uploads/{house.upload.pk}/raw/"):
        answer = admin.get(address)
        assert answer.status_code == 410
        assert "An admin purged the bytes" in answer.text
    artifact = house.upload.artifact_id
    answer = admin.get(f"/api/v1/runs/{house.run.pk}/artifacts/{artifact}/")
    assert answer.status_code == 410
    assert "An admin purged the bytes" in answer.json()["detail"]


@pytest.mark.parametrize("group", ["viewer", "contributor", "operator"])
def test_nobody_else_may(house, signed_in, group):
    answer = signed_in(group).post(
        f"/uploads/{house.upload.pk}/purge/", {"named": house.upload.name, "reason": "x"}
    )
    assert answer.status_code == 403
    assert not Purge.objects.exists()
