from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.jobs.credentials import sealed
from benchdash.notifications.models import Preference


@pytest.fixture
def operator(db):
    person = User.objects.create(username="ann", email="ann@example.org")
    person.groups.add(Group.objects.get(name="operator"))
    return person


@pytest.fixture
def prefers(operator):
    """`prefers(url=…, secret=…, by_mail=…)`: what the operator wants to be told, since yesterday."""

    def make(url="", secret="", **fields):
        known = {
            "site": "https://bench.example/",
            "since": timezone.now() - timedelta(days=1),
            "webhook": sealed({"url": url, "secret": secret}) if url else "",
        }
        return Preference.objects.create(user=operator, **(known | fields))

    return make
