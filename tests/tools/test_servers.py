from __future__ import annotations

import psycopg
import pytest
import redis


def test_a_postgres_of_our_own_answers(postgres_url):
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("show server_encoding").fetchone() == ("UTF8",)


def test_a_redis_of_our_own_answers(redis_url):
    with redis.Redis.from_url(redis_url) as client:
        assert client.ping() is True


@pytest.mark.django_db(transaction=True)
def test_pages_are_seen_in_a_real_browser(page):
    response = page.goto("/")
    assert response is not None
    assert response.ok
    assert page.title() != ""
