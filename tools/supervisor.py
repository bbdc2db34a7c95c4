"""Runs the processes of the house together, and starts again what ended by itself.

Nothing outlives this: each process gets a session of its own, is ended whole, and is told by the
kernel when its parent died (Linux). honcho leaves its children running after SIGHUP and SIGKILL,
and ends them all where one ends.
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
STEADY_S = 60.0  # whoever ran for so long is started again after the first delay
PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_with_parent() -> None:
    """Ask the kernel for SIGTERM when the parent of this process dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def adopt_orphans() -> None:
    """Ask the kernel for what children leave behind, so that `end_all_below` finds it."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)


def end_all_below() -> None:
    """Kill the children of this process, and theirs as they come to it."""
    while children := list(_children()):
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _children() -> Iterator[int]:
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            # in bytes: the name in it is cut off at 15 of them, in the middle of a letter too
            _state, parent, *_ = stat.read_bytes().rpartition(b")")[2].split()
            if int(parent) == os.getpid():
                yield int(stat.parent.name)


class Kept:
    """A process that is started again when it ended: later each time, where it ends soon."""

    def __init__(self, name: str, command: str, environment: Mapping[str, str]) -> None:
        self.name, self.command, self.environment = name, command, environment
        self.delay_s = 0.0
        self.start()

    def start(self) -> None:
        """In a session of its own."""
        self.started_at = time.monotonic()
        self.again_at: float | None = None
        self.process = subprocess.Popen(
            ["/bin/sh", "-c", f"exec {self.command}"],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - this process has one thread
        )

    def look(self) -> None:
        """See whether it ended: say so once, and start it again when that is due."""
        now = time.monotonic()
        if self.process.poll() is None:
            return
        if self.again_at is None:
            _kill_group(self.process.pid)  # what it began is not done twice
            steady = now - self.started_at > STEADY_S
            delay_s = FIRST_DELAY_S if steady else self.delay_s * 2 or FIRST_DELAY_S
            self.delay_s = min(delay_s, LONGEST_DELAY_S)
            self.again_at = now + self.delay_s
            how, delay = _how(self.process.returncode), f"{self.delay_s:.0f} s"
            print(f"The {self.name} process ended ({how}): it starts again in {delay}.", flush=True)
        elif now >= self.again_at:
            self.start()

    def end(self, until: float) -> None:
        """Wait until then for its end, which it was asked for; then it and all of it is killed."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(max(0.0, until - time.monotonic()))
        _kill_group(self.process.pid)
        self.process.wait()


class Supervisor:
    """The processes of a Procfile (name: shell command), from start to end."""

    def __init__(self, procfile: str, environment: Mapping[str, str]) -> None:
        self.commands = dict(line.split(": ", 1) for line in procfile.splitlines() if line)
        self.environment = environment
        self.kept: list[Kept] = []
        self.told_to_end = False

    def run(self, *, each_poll: Callable[[], None]) -> None:
        """Start all, keep them running until told to end, end all."""
        for number in ENDING:
            signal.signal(number, self._remember)
        try:
            for name, command in self.commands.items():
                self.kept.append(Kept(name, command, self.environment))
            while not self.told_to_end:
                for one in self.kept:
                    one.look()
                self._bury_adopted()
                each_poll()
                time.sleep(POLL_S)
        finally:
            self._end()

    def _remember(self, _number: int, _frame: FrameType | None) -> None:
        self.told_to_end = True

    def _bury_adopted(self) -> None:
        """Take the exit codes of orphans that came to this process: nobody else will."""
        ours = {one.process.pid for one in self.kept}
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        with contextlib.suppress(ChildProcessError):  # all of them wait to be started again
            while (ended := os.waitid(os.P_ALL, 0, how)) and ended.si_pid not in ours:
                os.waitpid(ended.si_pid, 0)

    def _end(self) -> None:
        for one in self.kept:
            one.process.terminate()
        until = time.monotonic() + GRACE_S
        for one in self.kept:
            one.end(until)


def _how(code: int) -> str:
    return f"exit code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"


def _kill_group(leader: int) -> None:
    """End what a process left behind in its session."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)
