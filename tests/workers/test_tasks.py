"""What workers see to every few seconds."""

from __future__ import annotations

import sqlite3

import pytest
from django.db import connection

from benchdash.results.models import Tag
from workers import tasks

pytestmark = pytest.mark.django_db(transaction=True)


def names_in_the_file():
    """Tags as the database's own file has them, without its log."""
    place = f"file:{connection.settings_dict['NAME']}?immutable=1"
    found = sqlite3.connect(place, uri=True).execute("SELECT name FROM results_tag")
    return [name for (name,) in found]


def test_commits_reach_the_disk_though_nobody_waits_for_it(django_assert_num_queries):
    if connection.vendor != "sqlite":
        with django_assert_num_queries(0):  # PostgreSQL syncs each commit itself
            tasks.checkpoint()
        return
    tasks.checkpoint()
    Tag.objects.create(name="night")
    assert names_in_the_file() == []
    tasks.checkpoint()
    assert names_in_the_file() == ["night"]
