"""The project's settings, in a place of their own: nothing of var/ is read or written."""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile

WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")

if "TESTS_DIR" not in os.environ:  # workers and their children find the one of the first process
    os.environ["TESTS_DIR"] = tempfile.mkdtemp(prefix="benchdash-")
    atexit.register(shutil.rmtree, os.environ["TESTS_DIR"], ignore_errors=True)
os.environ["VAR_DIR"] = f"{os.environ['TESTS_DIR']}/{WORKER}"
os.environ["SECRET_KEY"] = "tests sign their cookies with these fifty characters"
os.environ["FIELD_ENCRYPTION_KEY"] = "dGVzdHMgZW5jcnlwdCB3aXRoIHRoaXMga2V5IG9ubHk="
os.environ |= {"HTTPS": "false", "PUBLIC_READ": "true"}  # the same on each database
if "REDIS_URL" in os.environ:
    database = WORKER.removeprefix("gw")
    os.environ["REDIS_URL"] = re.sub(r"(//[^/]+).*", rf"\1/{database}", os.environ["REDIS_URL"])

from benchdash.settings import *  # noqa: E402, F403 - after the environment is set
from benchdash.settings import DATABASES, STORAGES, VAR_DIR  # noqa: E402

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in use: SQLite in memory has neither WAL nor writers that wait for each other.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
DATABASES["default"]["CONN_MAX_AGE"] = 0  # a connection that is kept keeps the test database
(VAR_DIR / "static").mkdir(parents=True, exist_ok=True)  # WhiteNoise warns where there is none
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
