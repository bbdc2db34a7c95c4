"""What gets into the image, and that it starts."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import suppress

import pytest

from tests.tools.image import build_context, build_image, command_of_image, instructions
from tests.tools.instance import checkout
from tools.project import ROOT, VENV
from tools.servers import free_port

PATIENCE_S = 60
OWNER = 1001
SECRETS = [
    ".env",
    ".env.production",
    "benchdash/.env",
    "frontend/.env.local",
    "frontend/src/.secret",
    "backup.sql",
    "id_ed25519",
    "var/secret_key",
    "var/benchdash.sqlite3",
    ".git/config",
    "docs/notes.txt",
    "tests/settings.py",
    "node_modules/esbuild/package.json",
    ".venv/pyvenv.cfg",
    "benchdash/__pycache__/settings.cpython-313.pyc",
]


def test_no_secret_that_lies_beside_the_image_gets_into_it(tmp_path):
    place = checkout(tmp_path / "checkout")
    before = build_context(place)
    for name in SECRETS:
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text("SECRET_KEY=whoever-has-this-signs-sessions")
    assert build_context(place) == before


def test_the_context_holds_what_is_copied_and_little_else(tmp_path):
    context = build_context(checkout(tmp_path / "checkout"))
    copied = [
        source
        for stage in ("frontend", "")
        for word, rest in instructions(stage)
        if word == "COPY" and "--from" not in rest
        for source in rest.split()[:-1]
    ]
    for source in copied:
        assert any(name == source or name.startswith(f"{source}/") for name in context), source
    tops = {source.partition("/")[0] for source in copied}
    assert {name.partition("/")[0] for name in context} == tops


def test_the_image_starts_what_make_run_starts():
    procfile = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    assert command_of_image() == ["sh", "-c", f"exec {procfile['web']}"]


@pytest.mark.skipif(os.geteuid() != 0, reason="root is missing: files cannot be another's")
def test_a_checkout_for_its_owner_alone_makes_an_image_that_starts(tmp_path):
    """The files are another account's, whose rights this one does without."""
    image = tmp_path / "image"
    image.mkdir()
    environment = {"PATH": f"{VENV}/bin:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
    build_image(checkout(tmp_path / "checkout", umask=0o077), image, environment)
    shutil.rmtree(tmp_path / "checkout")
    for path in [image, *image.rglob("*")]:
        if not path.is_relative_to(image / "var"):
            os.chown(path, OWNER, OWNER)
    for path in [image / "var", *(image / "var").rglob("*")]:
        os.chown(path, 0, 0)
    port = free_port()
    environment |= {"PORT": str(port), "HOST": "127.0.0.1"}
    as_another = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
    migrate = [*as_another, "python", "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=image, env=environment, check=True)
    start = [*as_another, *command_of_image()]
    with subprocess.Popen(start, cwd=image, env=environment) as web:
        try:
            page = answered(f"http://127.0.0.1:{port}/")
            style = re.search(r'"(/static/main[^"]+css)"', page)[1]
            assert "--" in answered(f"http://127.0.0.1:{port}{style}")
        finally:
            web.terminate()


def answered(address: str) -> str:
    until = time.monotonic() + PATIENCE_S
    while True:
        with suppress(ConnectionError, urllib.error.URLError):
            return urllib.request.urlopen(address).read().decode()
        assert time.monotonic() < until
        time.sleep(0.1)
