"""Runs the processes of the house together: where one ends, or a signal comes, all end.

Nothing outlives this: each process gets a session of its own, is ended whole, and is told by the
kernel when its parent died (Linux). honcho leaves its children running after SIGHUP and SIGKILL.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

GRACE_S = 3.0
POLL_S = 0.1
PR_SET_PDEATHSIG = 1  # linux/prctl.h
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_with_parent() -> None:
    """Ask the kernel for SIGTERM when the parent of this process dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Supervisor:
    """The processes of a Procfile (name: shell command), from start to end."""

    def __init__(self, procfile: str, environment: Mapping[str, str]) -> None:
        self.commands = dict(line.split(": ", 1) for line in procfile.splitlines() if line)
        self.environment = environment
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.told_to_end = False

    def run(self, *, each_poll: Callable[[], None]) -> int:
        """Start all, wait, end all. The exit code: 0 when told to end, 1 when one ended itself."""
        for number in ENDING:
            signal.signal(number, self._remember)
        try:
            self._start()
            while not self.told_to_end and not self.ended():
                each_poll()
                time.sleep(POLL_S)
            if not self.told_to_end:
                print(f"The {self.ended()} process ended by itself: stopping the others.")
            return 0 if self.told_to_end else 1
        finally:
            self._end()

    def ended(self) -> str | None:
        """The name of a process that ended."""
        return next((name for name, one in self.processes.items() if one.poll() is not None), None)

    def _remember(self, _number: int, _frame: FrameType | None) -> None:
        self.told_to_end = True

    def _start(self) -> None:
        for name, command in self.commands.items():
            self.processes[name] = subprocess.Popen(
                ["/bin/sh", "-c", f"exec {command}"],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - this process has one thread
            )

    def _end(self) -> None:
        for process in self.processes.values():
            process.terminate()
        until = time.monotonic() + GRACE_S
        for process in self.processes.values():
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, until - time.monotonic()))
            _kill_group(process.pid)
            process.wait()


def _kill_group(leader: int) -> None:
    """End what a process left behind in its session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
