"""A job on a host: its folder, its detached steps (control.sh says how they are kept there)."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator
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
    "sh",
    "-c",
    # a power failure leaves it empty where it was not on the disk yet
    (
        'if [ -s "$1/control.sh" ]; then cat > /dev/null; exit; fi; mkdir -p -- "$1"'
        ' && cat > "$1/control.part" && printf "%65536s" "" > "$1/spare"'
        ' && mv "$1/control.part" "$1/control.sh" && exit;'
        ' { rm -f -- "$1/control.part" "$1/spare"; rmdir -- "$1"; } 2> /dev/null; exit 1'
    ),
    "sh",
)
_NO_SPACE = 73  # EX_CANTCREAT
_NO_SCRIPT = (2, 127)  # of dash, of bash


class RemoteError(HostError):
    """The host answers, and what was asked failed there: a sentence for a sysadmin."""


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of a step.

    `state`: none, starting, running, ended, gone (neither the run nor its exit code is there),
    rebooted. `out`, `err`: bytes printed so far. `left`: processes after a stop.
    """

    state: str
    words: dict[str, str] = field(default_factory=dict)

    def number(self, word: str) -> int:
        """A number among the words; 0 where the host could not say it."""
        text = self.words.get(word, "")
        return int(text) if text.lstrip("-").isdecimal() else 0

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
        install([self])

    def start(self, step: JobStep) -> Status:
        """Start a step, apart from this connection; started before, it is not started again."""
        script = run_script(step, self.target, self.folder).encode()
        words = [step.folder, str(len(script)), str(step.timeout_s)]
        if step.phase == JobStep.Phase.CLEANUP:
            words.append("spare")  # what was measured may have filled the disk
        return _status(step, self._ask("start", *words, data=script))

    def status(self, step: JobStep) -> Status:
        """How a step is."""
        return _status(step, self._ask("status", step.folder))

    def stop(self, step: JobStep) -> Status:
        """End every process of a step: `left` says how many are still there."""
        return _status(step, self._ask("stop", step.folder, as_root=True))

    def piece(self, step: JobStep, file: str, offset: int, count: int) -> bytes:
        """Bytes of a file in the step's folder, from an offset on."""
        return self._ask("piece", step.folder, file, str(offset), str(count)).out

    def note(self, name: str, text: str) -> None:
        """Keep a text in the job's journal on the host."""
        self._ask("note", name, data=text.encode())

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


def install(remotes: Collection[RemoteJob]) -> None:
    """Make the folders of a job on all its hosts, at the same time."""
    answers = ssh.run_all(
        ssh.Question(each.target, shlex.join([*_INSTALL, each.folder]), _CONTROL)
        for each in remotes
    )
    for each, answer in zip(remotes, answers, strict=True):
        if answer.code:
            sentence = _("The working folder {folder} cannot be made: {why}.")
            raise RemoteError(sentence.format(folder=each.folder, why=answer.err or answer.code))


def _status(step: JobStep, answer: ssh.Answer) -> Status:
    """What the host says of a step, with what it said at its start.

    After a power failure its files may be empty or missing: they prove no end then.
    """
    text = answer.out.decode("utf-8", "replace")
    said = dict(word.split("=", 1) for word in text.split() if "=" in word)
    words = step.identity | said
    if said.get("state") == "ended" and "code" in said:
        return Status("ended", words)
    then, now = words.get("boot"), words.get("now")
    if then and now and then != now:
        return Status("rebooted", words)
    state = said.get("state", "none")
    return Status("gone" if state == "ended" else state, words)
