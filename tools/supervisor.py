"""Runs the processes of a Procfile together, and restarts those that end by themselves.

No process outlives this one: each has a session of its own, which is killed as a whole, and gets a
signal from the kernel when its parent dies (Linux). honcho leaves its children running after SIGHUP
and SIGKILL, and ends all of them when one ends.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import FrameType

GRACE_S = 3.0
POLL_S = 0.1
FIRST_DELAY_S, LONGEST_DELAY_S = 1.0, 60.0
STEADY_S = 60.0  # a process that ran for so long is restarted after the first delay
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_with_parent() -> None:
    """Ask the kernel for SIGTERM when the parent of this process dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants (a subreaper), so that `end_all_below` finds them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_all_below() -> None:
    """Kill the children of this process, and their children as they are reparented to it."""
    while children := list(_children()):
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> Iterator[int]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            # in bytes: the name is cut off after 15, possibly within a UTF-8 character
            _state, parent, *_ = stat.read_bytes().rpartition(b")")[2].split()
            if int(parent) == os.getpid():
                yield int(stat.parent.name)


class Process:
    """A process that is restarted when it ends, with a growing delay where it ends soon."""

    def __init__(self, name: str, command: str, environment: Mapping[str, str]) -> None:
        self.name, self.command, self.environment = name, command, environment
        self.delay_s = 0.0
        self.start()

    def start(self) -> None:
        """In a session of its own."""
        self.started_at = time.monotonic()
        self.restart_at: float | None = None
        self.popen = subprocess.Popen(
            ["/bin/sh", "-c", f"exec {self.command}"],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - this process has one thread
        )

    def check(self) -> None:
        """Where it has ended, print that once, and restart it when that is due."""
        now = time.monotonic()
        if self.popen.poll() is None:
            return
        if self.restart_at is None:
            _kill_group(self.popen.pid)  # what it started must not run beside its replacement
            steady = now - self.started_at > STEADY_S
            delay_s = FIRST_DELAY_S if steady else self.delay_s * 2 or FIRST_DELAY_S
            self.delay_s = min(delay_s, LONGEST_DELAY_S)
            self.restart_at = now + self.delay_s
            how, delay = _how(self.popen.returncode), f"{self.delay_s:.0f} s"
            print(f"The {self.name} process ended ({how}): it starts again in {delay}.", flush=True)
        elif now >= self.restart_at:
            self.start()

    def end(self, until: float) -> None:
        """Wait until then for its end, after SIGTERM; then kill its whole session."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(max(0.0, until - time.monotonic()))
        _kill_group(self.popen.pid)
        self.popen.wait()


class Supervisor:
    """The processes of a Procfile (name: shell command), from start to end."""

    def __init__(self, procfile: str, environment: Mapping[str, str]) -> None:
        self.commands = dict(line.split(": ", 1) for line in procfile.splitlines() if line)
        self.environment = environment
        self.processes: list[Process] = []
        self.is_ending = False

    def run(self, *, each_poll: Callable[[], None]) -> None:
        """Start all, keep them running until a signal comes, end all."""
        for number in ENDING:
            signal.signal(number, self._stop)
        try:
            for name, command in self.commands.items():
                self.processes.append(Process(name, command, self.environment))
            while not self.is_ending:
                for process in self.processes:
                    process.check()
                self._reap_orphans()
                each_poll()
                time.sleep(POLL_S)
        finally:
            self._end()

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self.is_ending = True

    def _reap_orphans(self) -> None:
        """Collect the exit codes of adopted orphans, which would stay zombies otherwise."""
        ours = {kept.popen.pid for kept in self.processes}
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        with contextlib.suppress(
            ChildProcessError
        ):  # there is no child: all wait for their restart
            while (ended := os.waitid(os.P_ALL, 0, how)) and ended.si_pid not in ours:
                os.waitpid(ended.si_pid, 0)

    def _end(self) -> None:
        for process in self.processes:
            process.popen.terminate()
        until = time.monotonic() + GRACE_S
        for process in self.processes:
            process.end(until)


def _how(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"


def _kill_group(leader: int) -> None:
    """Kill what a process left behind in its process group."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
