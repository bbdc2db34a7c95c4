from __future__ import annotations

import pytest
from django.contrib.auth.models import Group

from benchdash.accounts.models import User


@pytest.fixture
def people(db):
    """`people("admin")` is somebody in that group."""

    def make(group):
        person = User.objects.get_or_create(username=group)[0]
        person.groups.set([Group.objects.get(name=group)])
        return person

    return make
