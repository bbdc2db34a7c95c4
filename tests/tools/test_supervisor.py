from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

from tools.project import ROOT

SUPERVISE = """
import os, sys
from tools import supervisor
supervisor.adopt_orphans()
supervisor.Supervisor(sys.argv[1], os.environ).run(each_poll=lambda: None)
supervisor.end_all_below()
"""


def supervised(procfile: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SUPERVISE, procfile]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_what_ends_again_and_again_is_started_later_each_time():
    with supervised("one: sh -c 'exit 3'\nother: sleep 60\n") as running:
        lines = [running.stdout.readline().strip() for _each in range(3)]
        running.terminate()
        assert running.wait(10) == 0
    assert lines == [
        f"The one process ended (exit code 3): it starts again in {delay} s." for delay in (1, 2, 4)
    ]


def test_what_left_its_session_ends_with_the_others():
    with supervised("one: sh -c 'setsid --fork sleep 4242; sleep 60'\n") as running:
        pid = None
        until = time.monotonic() + 10
        while not pid and time.monotonic() < until:
            found = subprocess.run(
                ["pgrep", "-f", "^sleep 4242$"], capture_output=True, check=False
            )
            pid = int(found.stdout or 0)
        assert pid
        running.send_signal(signal.SIGINT)
        assert running.wait(10) == 0
    assert not Path(f"/proc/{pid}").exists()
