"""The documented way without Docker: from a bare checkout to a service on PostgreSQL and Redis."""

from __future__ import annotations

import http.client
import json
import re
import urllib.request
from contextlib import closing
from types import SimpleNamespace

import pytest

from tests.conftest import need
from tests.tools.instance import (
    MAKE_TOKEN,
    Instance,
    checkout,
    send_large_file,
    sign_in,
    wait_until,
    wait_until_read,
)
from tools import servers
from tools.project import ROOT

COMMAND = re.search(
    r"^set -a;.*make run$", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE
)[0]
DATABASE_PASSWORD, KEY = "hush/+?%", "dGVzdHMgZW5jcnlwdCB3aXRoIHRoaXMga2V5IG9ubHk="


@pytest.fixture(scope="module")
def team(tmp_path_factory):
    """The instance as docs/settings.md starts it, with two web processes."""
    need("PostgreSQL")
    need("Redis")
    place = tmp_path_factory.mktemp("team")
    project = checkout(place / "benchdash")
    # what was installed for these tests is what a bare checkout would install first
    (project / ".venv").symlink_to(ROOT / ".venv")
    (project / "node_modules").symlink_to(ROOT / "node_modules")
    instance = Instance(place / "var", project)
    with servers.restartable_postgres() as database, servers.restartable_redis() as redis:
        settings = {
            "DATABASE_URL": database.address,
            "DATABASE_PASSWORD": DATABASE_PASSWORD,
            "REDIS_URL": redis.address,
            "SECRET_KEY": "fifty characters sign the cookies of this test's instance",
            "FIELD_ENCRYPTION_KEY": KEY,
            "ALLOWED_HOSTS": "127.0.0.1",
            "WEB_CONCURRENCY": "2",
        }
        lines = (f"{name}={shell_word(value)}\n" for name, value in settings.items())
        (project / ".env").write_text("".join(lines))
        instance.start(COMMAND)
        try:
            output = instance.wait_until_it_answers()
            instance.settings |= settings
            token = instance.manage("shell", "-c", MAKE_TOKEN).split()[-1]
            yield SimpleNamespace(
                instance=instance,
                port=instance.port,
                database=database,
                redis=redis,
                token=token,
                password=re.search(r"with the password (\S+)", output)[1],
            )
        finally:
            instance.started.terminate()
            left = instance.left()
            instance.end()
            assert left == []


def shell_word(text):
    return "'" + text.replace("'", r"'\''") + "'"


def get(port, path, language="en", **headers):
    """`(status, answer, body)`."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=30)) as connection:
        connection.request("GET", path, headers={"Accept-Language": language} | headers)
        answer = connection.getresponse()
        return answer.status, answer, answer.read().decode()


def status(team, path):
    return get(team.port, path)[0]


def test_it_serves_pages_with_their_style_and_lets_the_admin_in(team):
    assert sign_in(team.port, team.password) == f"http://127.0.0.1:{team.port}/"
    page = get(team.port, "/sign-in/")[2]
    style = re.search(r'"(/static/main[^"]+css)"', page)[1]
    with urllib.request.urlopen(f"http://127.0.0.1:{team.port}{style}") as answer:
        assert answer.headers["Content-Type"].startswith("text/css")


def test_a_large_file_is_read_by_a_worker(team):
    upload = send_large_file(team.port, team.token)
    assert wait_until_read(team.port, team.token, upload) == "stored"


def test_a_database_that_is_away_is_stated_in_both_languages_and_comes_back(team):
    authorized = {"Authorization": f"Token {team.token}"}
    assert status(team, "/readyz") == 200
    with team.database.away():
        wait_until(lambda: status(team, "/readyz") == 503)
        for language, words in (("en", "The database is not answering"), ("ja", "データベース")):
            code, answer, page = get(
                team.port, "/runs/", language, Cookie="sessionid=anybody-who-came-before"
            )
            assert (code, answer.headers["Retry-After"]) == (503, "10")
            assert words in page.split("<main")[1]
            code, answer, body = get(team.port, "/api/v1/runs/", language, **authorized)
            assert (code, answer.headers["Content-Type"]) == (503, "application/problem+json")
            assert words in json.loads(body)["detail"]
        assert (
            get(team.port, "/jobs/1/events/", Cookie="sessionid=anybody-who-came-before")[0] == 503
        )
        wait_until(lambda: get(team.port, "/readyz")[2] == "The database does not answer.\n")
        assert status(team, "/healthz") == 200
    wait_until(lambda: status(team, "/readyz") == 200)
    assert get(team.port, "/api/v1/runs/", **authorized)[0] == 200
    assert get(team.port, "/sign-in/")[0] == 200


def test_a_broker_that_is_away_is_reported_to_who_asks_and_pages_go_on(team):
    with team.redis.away():
        wait_until(lambda: get(team.port, "/readyz")[2] == "The broker does not answer.\n")
        assert status(team, "/sign-in/") == 200
    wait_until(lambda: status(team, "/readyz") == 200)


def test_lines_of_the_log_have_time_level_and_request_and_no_secret(team):
    with team.database.away():
        wait_until(lambda: status(team, "/readyz") == 503)
        headers = {"X-Request-ID": "from-the-proxy", "Cookie": "sessionid=anybody-who-came-before"}
        answer = get(team.port, "/runs/", **headers)[1]
        assert answer.headers["X-Request-ID"] == "from-the-proxy"
        assert len(get(team.port, "/", **{"X-Request-ID": 'x" y'})[1].headers["X-Request-ID"]) > 9
    wait_until(lambda: status(team, "/readyz") == 200)
    line = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000 WARNING request=from-the-proxy job=- \S+: "
    assert re.search(
        f"{line}GET /runs/: the database is away: ", team.instance.output, re.MULTILINE
    )
    for secret in (DATABASE_PASSWORD, KEY, team.token):
        assert secret not in team.instance.output
