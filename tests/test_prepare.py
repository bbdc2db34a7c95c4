from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from tests.conftest import need
from tools import servers
from tools.project import ROOT

PATIENCE_S = 120
AT_ONCE = 2


@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_of_several_that_prepare_one_database_at_once_one_makes_the_admin(database, tmp_path):
    if database == "sqlite":  # on one machine, with one var/
        outputs = prepared_at_once(
            [tmp_path / "var"] * AT_ONCE, f"sqlite:///{tmp_path}/own.sqlite3"
        )
    else:  # on one machine each
        need("PostgreSQL")
        with servers.postgres() as address:
            outputs = prepared_at_once([tmp_path / f"var{n}" for n in range(AT_ONCE)], address)
            with psycopg.connect(address) as connection:
                held = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"
                assert connection.execute(held).fetchone() == (0,)
    assert sum("with the password" in each for each in outputs) == 1
    assert sum("Sign in as you did before." in each for each in outputs) == AT_ONCE - 1


def prepared_at_once(folders: list[Path], address: str) -> list[str]:
    """What each said."""
    prepare = [sys.executable, "manage.py", "prepare"]
    pipe = subprocess.PIPE
    running = [
        subprocess.Popen(
            prepare,
            cwd=ROOT,
            env=os.environ | {"VAR_DIR": str(folder), "DATABASE_URL": address},
            stdout=pipe,
            stderr=pipe,
            text=True,
        )
        for folder in folders
    ]
    printed = [process.communicate(timeout=PATIENCE_S) for process in running]
    assert [process.returncode for process in running] == [0] * len(running), printed
    return [out for out, _errors in printed]
