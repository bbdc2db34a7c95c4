from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from rest_framework.test import APIClient

from benchdash.accounts.models import Token, User


@pytest.fixture
def signed_in(db):
    """`signed_in("viewer")` is a client with a token of somebody in that group."""

    def make(*groups):
        person = User.objects.create(username="-".join(groups) or "nobody")
        person.groups.set(Group.objects.get_or_create(name=name)[0] for name in groups)
        _, token = Token.objects.create(person, name="script")
        client = APIClient()
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
        client.person = person
        return client

    return make


@pytest.fixture
def contributor(signed_in):
    return signed_in("contributor")
