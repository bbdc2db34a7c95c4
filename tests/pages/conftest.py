from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from benchdash.accounts.models import User
from tests.jobs.records import a_target
from tests.pages.compared import study_of_two_disks
from tests.pages.house import build


@pytest.fixture
def house(db):
    return build()


@pytest.fixture
def signed_in(db):
    """`signed_in("viewer")` is the browser of somebody in that group."""

    def make(group="", **fields):
        person = User.objects.create(username=group or "nobody", **fields)
        if group:
            person.groups.add(Group.objects.get(name=group))
        client = Client()
        client.force_login(person)
        client.person = person
        return client

    return make


@pytest.fixture
def contributor(signed_in):
    return signed_in("contributor")


@pytest.fixture
def operator(signed_in):
    return signed_in("operator")


@pytest.fixture
def target():
    return a_target(user="root", allowed=["/dev/sdz"])


@pytest.fixture
def public(settings):
    """Who has not signed in may look."""
    settings.PUBLIC_READ = True


@pytest.fixture
def study(db):
    return study_of_two_disks()
