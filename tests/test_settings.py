"""What settings refuse before anything is served, and what they keep to their owner."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tools.project import ROOT, VENV

SECRET_KEY = "fifty characters sign the cookies of this test's house"
KEY = "dGVzdHMgZW5jcnlwdCB3aXRoIHRoaXMga2V5IG9ubHk="
PASSWORD = "$p/q+r?s%t#u@v:w"
SERVER = {
    "DATABASE_URL": "postgres://ann@database.example/benchdash",
    "SECRET_KEY": SECRET_KEY,
    "FIELD_ENCRYPTION_KEY": KEY,
}
STARTS = {
    "web": [str(VENV / "bin/uvicorn"), "benchdash.asgi:application", "--port", "0"],
    "worker": [sys.executable, "-m", "celery", "--app", "workers.celery", "worker"],
    "prepare": [sys.executable, "manage.py", "prepare"],
}
PRINT_DATABASE = "from benchdash.settings import DATABASES as d; print(d['default']['PASSWORD'])"


def started(command: list[str], var: Path, **settings: str) -> subprocess.CompletedProcess[str]:
    """A process of the house that ends by itself, or is ended as a failure of the test."""
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(var)} | settings
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("FIELD_ENCRYPTION_KEY", "hunter2-hunter2", "FIELD_ENCRYPTION_KEY has a key that is not"),
        ("SECRET_KEY", "hunter2-hunter2", "SECRET_KEY is too short or too plain"),
    ],
)
def test_a_key_of_no_use_stops_every_process_with_a_sentence(
    tmp_path, start, name, value, sentence
):
    done = started(STARTS[start], tmp_path, **SERVER | {name: value})
    assert done.returncode != 0
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert value not in done.stdout + done.stderr


@pytest.mark.parametrize("keys", ["", ",", "é" * 44, f"{KEY},tail"])
def test_each_of_several_keys_has_to_be_one(tmp_path, keys):
    settings = SERVER | {"FIELD_ENCRYPTION_KEY": keys}
    done = started([sys.executable, "manage.py", "check"], tmp_path, **settings)
    assert done.returncode != 0
    assert "FIELD_ENCRYPTION_KEY" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("var", ["fresh", "open"])
def test_what_is_kept_in_files_is_for_its_owner_alone(tmp_path, var):
    folder = tmp_path / "var"
    if var == "open":  # as versions before left it
        folder.mkdir(mode=0o755)
    done = started([sys.executable, "manage.py", "check"], folder)
    assert done.returncode == 0, done.stderr
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_password_of_any_characters_stands_beside_the_address(tmp_path):
    settings = SERVER | {"DATABASE_PASSWORD": PASSWORD}
    done = started([sys.executable, "-c", PRINT_DATABASE], tmp_path, **settings)
    assert done.stdout.strip() == PASSWORD


@pytest.mark.parametrize(
    "address", ["postgres://ann:p/q@h/d", "postgres://ann:p?q@h/d", "nonsense", "foo://h/d"]
)
def test_an_address_that_cannot_be_read_is_refused_without_being_quoted(tmp_path, address):
    settings = SERVER | {"DATABASE_URL": address}
    done = started([sys.executable, "manage.py", "check"], tmp_path, **settings)
    assert done.returncode != 0
    assert "DATABASE_URL cannot be read" in done.stderr
    assert "DATABASE_PASSWORD" in done.stderr
    assert "Traceback" not in done.stderr
    assert address not in done.stderr


PRINT_MAIL = """
from benchdash import settings as s
print(s.EMAIL_HOST, s.EMAIL_PORT, s.EMAIL_HOST_USER, s.EMAIL_HOST_PASSWORD, s.EMAIL_USE_TLS)
"""


@pytest.mark.parametrize(
    ("settings", "read"),
    [
        ({}, "25   False"),
        ({"EMAIL_URL": "smtp+tls://ann:pw@mail.example"}, "mail.example 587 ann pw True"),
        ({"EMAIL_URL": "smtp://mail.example:2525"}, "mail.example 2525   False"),
        ({"EMAIL_HOST": "mail.example", "EMAIL_USE_SSL": "true"}, "mail.example 465   False"),
        (
            {"EMAIL_URL": "smtp+tls://ann@mail.example", "EMAIL_HOST_PASSWORD": "$a/b?c"},
            "mail.example 587 ann $a/b?c True",
        ),
    ],
)
def test_the_mail_server_is_an_address_or_its_parts(tmp_path, settings, read):
    done = started([sys.executable, "-c", PRINT_MAIL], tmp_path, **settings)
    assert done.stdout.strip() == read


def test_a_mail_address_that_cannot_be_read_is_refused_without_its_password(tmp_path):
    address = {"EMAIL_URL": "nonsense://ann:hunter2@mail.example"}
    done = started([sys.executable, "manage.py", "check"], tmp_path, **address)
    assert done.returncode != 0
    assert "EMAIL_URL cannot be read" in done.stderr
    assert "hunter2" not in done.stderr
