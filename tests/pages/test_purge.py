"""The page of the purge: for admins, named, and told on the run's page afterwards."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from benchdash.results.models import Purge

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
