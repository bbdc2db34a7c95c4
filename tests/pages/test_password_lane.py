"""Hashing passwords in the web process that people use: two at once, and pages go on."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db.models import F
from django.urls import reverse
from django.utils import timezone

from benchdash.accounts.models import Attempts, User
from benchdash.accounts.throttling import FORGOTTEN_AFTER, FREE
from benchdash.serving.lanes import MOST_OF_ONE
from tests.another_process import database_url, wait_until_it_answers
from tools.project import ROOT
from tools.servers import end, free_port

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_S = 60
RIGHT = "correct horse battery"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class GatedHasher(MD5PasswordHasher):
    """Tells in a file when it hashes and in which thread, and waits for a file to be there."""

    algorithm = "gated"

    def encode(self, password, salt, iterations=None):
        from threading import current_thread  # noqa: PLC0415 - as the server loads it

        place = os.environ.get("GATE")
        if place:
            self._log(place, f"+ {current_thread().name}")
            while not os.path.exists(f"{place}/open"):  # noqa: PTH110
                time.sleep(0.01)
        encoded = super().encode(password, salt)
        if place:
            self._log(place, "-")
        return encoded

    def _log(self, place, line):
        with open(f"{place}/log", "a") as log:  # noqa: PTH123
            log.write(f"{line}\n")


@contextmanager
def web(**environment):
    """The web process of the Procfile; gives its port."""
    port = free_port()
    command = (ROOT / "Procfile").read_text().splitlines()[0].removeprefix("web: ")
    env = {**os.environ, "DATABASE_URL": database_url(), "PORT": str(port)}
    env |= {"DJANGO_SETTINGS_MODULE": "tests.settings", **environment}
    env["PATH"] = f"{ROOT / '.venv/bin'}{os.pathsep}{env['PATH']}"
    process = subprocess.Popen(["/bin/sh", "-c", f"exec {command}"], cwd=ROOT, env=env)
    try:
        wait_until_it_answers(port)
        yield port
    finally:
        end(process)


def call(port, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    connection.request(method, path, body, headers or {})
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer, text


def sign_in(port, name, password="no", sent_for=None):
    """The answer to a form that was asked for before; `sent_for` is the address a proxy tells."""
    answer, page = call(port, "GET", "/sign-in/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    headers = FORM | {"Cookie": answer.getheader("Set-Cookie").split(";")[0]}
    headers |= {"X-Forwarded-For": sent_for} if sent_for else {}
    form = {"username": name, "password": password, "csrfmiddlewaretoken": token}
    return call(port, "POST", "/sign-in/", urllib.parse.urlencode(form), headers)


def given(answer):
    """The cookies of an answer, by name."""
    set_cookies = answer.headers.get_all("Set-Cookie", [])
    return dict(one.split(";")[0].split("=", 1) for one in set_cookies)


def lengthen():
    """So that no delay is over before it is looked at, however slow the machine is."""
    delayed = Attempts.objects.filter(waits_until__gt=F("forgotten_at") - FORGOTTEN_AFTER)
    assert delayed.update(waits_until=timezone.now() + timedelta(hours=1))


def until(true):
    end_at = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_at
        time.sleep(0.02)


@pytest.mark.once
def test_under_a_flood_two_passwords_are_hashed_at_once_and_pages_are_answered(tmp_path):
    log = tmp_path / "log"
    log.touch()
    settings = {"DJANGO_SETTINGS_MODULE": "tests.pages.gated_settings", "GATE": str(tmp_path)}
    with web(TRUSTED_PROXIES="127.0.0.1", **settings) as port, ThreadPoolExecutor(40) as clients:
        flood = [
            clients.submit(sign_in, port, f"name-{n % 7}", sent_for=f"10.0.{n % 8}.1")
            for n in range(32)
        ]
        until(lambda: len(log.read_text().splitlines()) == 2)
        # more at once than there are threads for pages, while every hash stands still
        pages = [clients.submit(call, port, "GET", "/runs/") for _ in range(12)]
        assert [page.result(PATIENCE_S)[0].status for page in pages] == [200] * 12
        assert not any(one.done() for one in flood)
        assert len(log.read_text().splitlines()) == 2
        (tmp_path / "open").touch()
        assert {one.result(PATIENCE_S)[0].status for one in flood} == {200}
    lines = log.read_text().splitlines()
    running, most = 0, 0
    for line in lines:
        running += 1 if line.startswith("+") else -1
        most = max(most, running)
    assert most == 2
    assert {line[2:-2] for line in lines if line.startswith("+")} == {"passwords"}


@pytest.mark.once
def test_one_address_does_not_take_all_the_room_of_those_who_wait(tmp_path):
    log = tmp_path / "log"
    log.touch()
    User.objects.create_user("ann", password=RIGHT)
    settings = {"DJANGO_SETTINGS_MODULE": "tests.pages.gated_settings", "GATE": str(tmp_path)}
    with web(TRUSTED_PROXIES="127.0.0.1", **settings) as port, ThreadPoolExecutor(40) as clients:
        flood = [
            clients.submit(sign_in, port, "x", sent_for="10.0.0.1") for _ in range(MOST_OF_ONE)
        ]
        until(lambda: len(log.read_text().splitlines()) == 2)
        extra = [clients.submit(sign_in, port, "x", sent_for="10.0.0.1") for _ in range(10)]
        until(lambda: sum(one.done() for one in [*flood, *extra]) == 10)
        refused = [one.result() for one in [*flood, *extra] if one.done()]
        assert {answer.status for answer, _text in refused} == {503}
        assert {answer.getheader("Retry-After") for answer, _text in refused} == {"5"}
        assert refused[0][1].startswith("Too many sign-ins")
        person = clients.submit(sign_in, port, "ann", RIGHT, sent_for="10.0.0.2")
        (tmp_path / "open").touch()
        assert person.result(PATIENCE_S)[0].status == 302


def test_every_web_process_sees_what_another_one_counted():
    with web() as one, web() as other:
        for number in range(FREE):
            assert sign_in((one, other)[number % 2], "ann")[0].status == 200
        lengthen()
        for port in (one, other):
            answer, page = sign_in(port, "ann")
            assert answer.status == 429
            assert "Too many wrong passwords." in page


@pytest.mark.once
def test_an_address_that_a_client_tells_counts_where_a_proxy_is_trusted_alone():
    with web() as direct, web(TRUSTED_PROXIES="127.0.0.1") as behind:
        for number in range(FREE):
            assert sign_in(direct, "ann", sent_for=f"10.0.0.{number}")[0].status == 200
            assert sign_in(behind, "bob", sent_for=f"10.0.1.{number}")[0].status == 200
            # what the client itself wrote stands before what the proxy added
            set_cookies = f"1.1.1.{number}, 10.0.2.1"
            assert sign_in(behind, "eve", sent_for=set_cookies)[0].status == 200
        lengthen()
        assert sign_in(direct, "ann", sent_for="10.0.0.9")[0].status == 429
        assert sign_in(behind, "bob", sent_for="10.0.1.9")[0].status == 200
        assert sign_in(behind, "eve", sent_for="1.1.1.9, 10.0.2.1")[0].status == 429


@pytest.mark.parametrize("setting", ["*", "10.0.0.1/8", "proxy.example"])
def test_proxies_that_nobody_can_recognise_stop_the_start_with_a_sentence(setting, tmp_path):
    """uvicorn would believe the first, in what any client writes, and pass over the others."""
    env = os.environ | {"TRUSTED_PROXIES": f"127.0.0.1,{setting}", "VAR_DIR": str(tmp_path)}
    command = [sys.executable, "-c", "import benchdash.settings"]
    ended = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"TRUSTED_PROXIES has {setting!r}: write addresses and networks")


def test_every_form_that_takes_a_password_is_hashed_in_the_lane(tmp_path):
    """By what each does, so that none is forgotten in the list of the lanes."""
    (tmp_path / "open").touch()
    (tmp_path / "log").touch()
    User.objects.create_superuser("chief", password=RIGHT)
    ann = User.objects.create_user("ann")
    new = {"password1": "another horse", "password2": "another horse"}
    settings = {"DJANGO_SETTINGS_MODULE": "tests.pages.gated_settings", "GATE": str(tmp_path)}
    with web(**settings) as port:
        signed_in, _text = sign_in(port, "chief", RIGHT)
        assert signed_in.status == 302
        cookies = given(signed_in)
        for address, form in [
            (reverse("admin:accounts_user_add"), {"username": "new", **new}),
            (reverse("admin:auth_user_password_change", args=[ann.pk]), new),
            (
                reverse("change_password"),
                {
                    "old_password": RIGHT,
                    "new_password1": "other horse",
                    "new_password2": "other horse",
                },
            ),
        ]:
            (tmp_path / "log").write_text("")
            headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
            answer, page = call(port, "GET", address, headers=headers)
            assert answer.status == 200, address
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
            form |= {"csrfmiddlewaretoken": token, "usable_password": "true"}
            answer, text = call(port, "POST", address, urllib.parse.urlencode(form), FORM | headers)
            assert answer.status == 302, text
            cookies |= given(answer)
            threads = re.findall(r"\+ (\w+)_", (tmp_path / "log").read_text())
            assert threads
            assert set(threads) == {"passwords"}
