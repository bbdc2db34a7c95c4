"""A job on a host: its folder, its detached steps (control.sh says how they are kept there)."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.utils.translation import gettext as _

from benchdash.jobs.models import Job, JobStep, Target
from benchdash.jobs.scripts import run_script
from workers import ssh
from workers.connections import HostError

_CONTROL = (Path(__file__).parent / "control.sh").read_bytes()
_INSTALL = (
    'if [ -f "$1/control.sh" ]; then cat > /dev/null; exit; fi; mkdir -p -- "$1"'
    ' && cat > "$1/control.part" && printf "%65536s" "" > "$1/spare"'
    ' && mv "$1/control.part" "$1/control.sh" && exit;'
    ' { rm -f -- "$1/control.part" "$1/spare"; rmdir -- "$1"; } 2> /dev/null; exit 1'
)
_NO_SPACE = 73  # EX_CANTCREAT
_NO_SCRIPT = (2, 127)  # of dash, of bash


class RemoteError(HostError):
    """The host answers, and what was asked failed there: a sentence for a sysadmin."""


@dataclass(frozen=True, slots=True)
class Status:
    """What the host knows of a step.

    `state`: none, starting, running, ended, gone (neither the run nor its exit code is there),
    rebooted. `out`, `err`: bytes printed so far. `left`: processes after a stop. `boot`: the one
    that it ran in, `now`: the present one.
    """

    state: str
    words: dict[str, str] = field(default_factory=dict)

    def number(self, word: str) -> int:
        """A number among the words; 0 where the host could not say it."""
        text = self.words.get(word, "")
        return int(text) if text.lstrip("-").isdecimal() else 0

    @property
    def is_of_another_boot(self) -> bool:
        """Whether the host was rebooted since the step began; False where it cannot be said."""
        then, now = self.words.get("boot"), self.words.get("now")
        return bool(then and now) and then != now

    @property
    def identity(self) -> dict[str, str]:
        """Process id, start and boot of the runner."""
        return {word: self.words[word] for word in ("pid", "born", "boot") if word in self.words}


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """The folder of one job on one target."""

    job: Job
    target: Target
    folder: str  # absolute, on the host
    root: bool = False

    def install(self) -> None:
        """Make the folder, with the script that all the rest asks; again does no harm."""
        words = shlex.join(["sh", "-c", _INSTALL, "sh", self.folder])
        answer = ssh.run(self.target, words, _CONTROL)
        if answer.code:
            sentence = _("The working folder {folder} cannot be made: {why}.")
            raise RemoteError(sentence.format(folder=self.folder, why=answer.err or answer.code))

    def start(self, step: JobStep) -> Status:
        """Start a step, apart from this connection; started before, it is not started again."""
        script = run_script(step, self.target, self.folder).encode()
        size, limit = str(len(script)), str(step.timeout_s)
        return self._status(self._ask("start", step.folder, size, limit, data=script))

    def status(self, step: JobStep) -> Status:
        """How a step is."""
        return self._status(self._ask("status", step.folder))

    def stop(self, step: JobStep) -> Status:
        """End every process of a step: `left` says how many are still there."""
        return self._status(self._ask("stop", step.folder, as_root=True))

    def piece(self, step: JobStep, file: str, offset: int, count: int) -> bytes:
        """Bytes of a file in the step's folder, from an offset on."""
        return self._ask("piece", step.folder, file, str(offset), str(count)).out

    def note(self, name: str, text: str) -> None:
        """Keep a text in the job's journal on the host."""
        self._ask("note", name, data=text.encode())

    def spare(self) -> None:
        """Free the room that was kept for cleaning up: what was measured may have filled the disk."""
        self._ask("spare", "-")

    def clean(self) -> None:
        """Remove the job's folder from the host."""
        self._ask("clean", "-", as_root=True)

    @contextmanager
    def follow(self, step: JobStep, stream: str, offset: int, inbox: ssh.Inbox) -> Iterator[None]:
        """What a step prints, from an offset on, until it ends: under `(step id, stream)`.

        Beside its output, the host's CPU under `(step id, "cpu")`.
        """
        command = self._words("follow", step.folder, f"{stream}.log", str(offset))
        with ssh.stream(self.target, command, inbox, (step.pk, stream), (step.pk, "cpu")):
            yield

    def _words(self, *words: str, as_root: bool = False) -> str:
        sudo = ["sudo", "-n"] if as_root and self.root and self.target.user != "root" else []
        return shlex.join([*sudo, "sh", f"{self.folder}/control.sh", *words])

    def _ask(self, *words: str, data: bytes = b"", as_root: bool = False) -> ssh.Answer:
        command = self._words(*words, as_root=as_root)
        answer = ssh.run(self.target, command, data)
        if words[0] != "start" and answer.code in _NO_SCRIPT and "control.sh" in answer.err:
            self.install()  # somebody removed the folder: what is left is to be asked all the same
            answer = ssh.run(self.target, command, data)
        if answer.code == _NO_SPACE:
            sentence = _("{host} cannot write to {folder}: {why}.")
            raise RemoteError(
                sentence.format(host=self.target.address, folder=self.folder, why=answer.err)
            )
        if answer.code:
            raise RemoteError(answer.err or _("{act} failed on the host.").format(act=words[0]))
        return answer

    def _status(self, answer: ssh.Answer) -> Status:
        text = answer.out.decode("utf-8", "replace")
        words = dict(word.split("=", 1) for word in text.split() if "=" in word)
        return Status(words.get("state", "none"), words)
