"""The API describes itself, and its documentation needs no other server."""

from __future__ import annotations

import re

import pytest
import yaml
from django.core.management import call_command
from django.urls import get_resolver

pytestmark = pytest.mark.django_db


def test_the_description_is_valid_and_whole(client, tmp_path):
    call_command("spectacular", validate=True, fail_on_warn=True, file=str(tmp_path / "api.yml"))
    described = yaml.safe_load((tmp_path / "api.yml").read_text())["paths"]
    routes = get_resolver("benchdash.api.urls").url_patterns[0].url_patterns
    served = {re.sub(r"<\w+:\w+>", "{}", f"/api/v1/{route.pattern}") for route in routes}
    assert {re.sub(r"{\w+}", "{}", path) for path in described} == served


def test_the_description_is_served(client):
    assert client.get("/api/schema/").status_code == 200


def test_the_documentation_loads_nothing_from_elsewhere(client):
    page = client.get("/api/docs/").content.decode()
    assert "swagger" in page
    assert not re.findall(r"""(?:src|href)=["'](?:https?:)?//""", page)
