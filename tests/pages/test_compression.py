from __future__ import annotations

import gzip

import pytest

pytestmark = pytest.mark.django_db
GZIP = {"accept-encoding": "gzip"}


def test_a_page_is_compressed_for_browsers_that_take_it(client, house):
    answer = client.get("/runs/", headers=GZIP)
    assert answer["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in answer["Vary"]
    page = gzip.decompress(answer.content)
    assert page.startswith(b"<!doctype html>")
    assert len(answer.content) < len(page) / 3
    assert "Content-Encoding" not in client.get("/runs/").headers


def test_the_length_of_a_compressed_page_tells_nothing_about_its_secrets(client, house):
    lengths = {len(client.get("/", headers=GZIP).content) for _ in range(20)}
    assert len(lengths) > 5  # of a hundred random ones


def test_raw_output_and_events_go_as_they_are(signed_in, house):
    viewer = signed_in("viewer")
    for address in (f"/runs/{house.run.pk}/raw/", f"/jobs/{house.job.pk}/events/"):
        answer = viewer.get(address, headers=GZIP)
        assert answer.status_code == 200
        assert len(answer.content) > 200  # enough to be worth it
        assert "Content-Encoding" not in answer.headers
