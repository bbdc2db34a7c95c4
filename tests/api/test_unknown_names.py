"""A filter that a list does not have is refused, with the nearest name: never ignored."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("runs/?confguration=1", "configuration"),
        ("executions/?artefact=x", "artifact"),
        ("configurations/?facets=x", "facet"),
        ("environments/?hots=x", "host"),
        ("jobs/?stat=done", "state"),
    ],
)
def test_an_unknown_filter_is_refused_with_the_nearest(signed_in, address, meant):
    answer = signed_in("operator").get(f"/api/v1/{address}")
    assert answer.status_code == 400
    assert f"“{meant}”" in answer.json()["detail"]


def test_what_every_list_has_is_no_filter(signed_in):
    operator = signed_in("operator")
    for name in ("runs", "executions", "jobs"):
        answer = operator.get(f"/api/v1/{name}/?page_size=2&format=json")
        assert answer.status_code == 200
