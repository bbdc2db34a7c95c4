from __future__ import annotations

import subprocess
import sys

from tools.project import ROOT

SCRIPT = "from tools.components import install_components; install_components()"


def on_a_bare_machine(**environment: str) -> subprocess.CompletedProcess[str]:
    """`install_components` where PATH leads nowhere, not even to apt-get."""
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env={"PATH": "/nowhere"} | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_is_missing_is_named_in_a_line_each():
    done = on_a_bare_machine()
    assert done.returncode == 0
    assert "SKIPPED: Redis is missing (apt-get install redis-server)." in done.stdout.splitlines()
    assert "SKIPPED: fio is missing (apt-get install fio)." in done.stdout.splitlines()


def test_in_ci_nothing_may_be_missing():
    done = on_a_bare_machine(CI="true")
    assert done.returncode != 0
    assert "Redis is missing" in done.stdout
    assert "In CI nothing may be skipped." in done.stderr
