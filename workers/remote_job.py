"""A job on a host: its folders, its detached steps (control.sh describes how they are kept there).

What runs there comes over the connection, into the standard input of a shell: no file of the host
is run, so none can be exchanged.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from django.conf import settings

from benchdash.errors import N_, Refused, side_by_side
from benchdash.jobs import leases
from benchdash.jobs.job_states import IllegalChangeError
from benchdash.jobs.models import Job, JobStep, Target
from benchdash.recipes.steps import WRITTEN
from workers import ssh
from workers.connections import HostError
from workers.folders import FOLDERS, SEARCH_PATH, mend_of_folder, refusal, root_shell

_CONTROL = FOLDERS + (Path(__file__).parent / "control.sh").read_text()
_BESIDE = "".join(
    (Path(__file__).parent / name).read_text() for name in ("states.sh", "counters.sh")
)
_MOST_STATES = 2**20  # states.sh ends well before
_MOST_COUNTERS = 2**24  # and so does counters.sh
_PIECE_BYTES = 2**20
# what control.sh prints of a step: anybody on the host could have written its files
_FIELD = re.compile(r"(?<!\S)([a-z]{1,10})=([!-~]{0,100})(?!\S)")
_NUMBER = re.compile(r"-?[0-9]{1,18}")
_LONGEST = 2000  # characters of what a host says in a sentence
_BOOT_ID = 36  # characters of the kernel's name of a boot
_CODE = re.compile(r"[0-9]{1,3}")
# What control.sh ends with where a folder of the job cannot be made or written.
_NO_FOLDER, _NO_DATA_FOLDER = 73, 74


class RemoteError(HostError):
    """The host answers, and a command failed there: a sentence for a sysadmin."""


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of a step.

    `state`: none, starting, running, ended, gone (neither the run nor its exit code is there),
    rebooted. `out`, `err`: bytes printed so far. `left`: processes after a stop.
    """

    state: str
    fields: dict[str, str] = field(default_factory=dict)

    def number(self, name: str) -> int:
        """A number among the fields; 0 where the host did not print it."""
        text = self.fields.get(name, "")
        return int(text) if _NUMBER.fullmatch(text) else 0

    @property
    def identity(self) -> dict[str, str]:
        """Process id, start and boot of the runner."""
        return {name: self.fields[name] for name in ("pid", "born", "boot") if name in self.fields}


@dataclass(frozen=True, slots=True)
class RemoteJob:
    """A job on one target: scripts and logs below the home folder of whom a step runs as.

    `base` is the working folder, with the job's own for data in it. `root` says that root has a
    part in the job there.
    """

    job: Job
    target: Target
    base: str  # absolute, on the host
    root: bool = False

    @property
    def folder(self) -> str:
        """The job's own folder for data."""
        return self.job.work_folder(self.base)

    def install(self) -> None:
        """Make the job's folders; again does no harm. RemoteError where they cannot be trusted."""
        install([self])

    def start(self, step: JobStep) -> Status:
        """Start a step, apart from this connection; started before, it is not started again."""
        return self.started(step, ssh.run_all([self.to_start(step)])[0])

    def started(self, step: JobStep, answer: ssh.Answer) -> Status:
        """How a step is, from the answer to `to_start`."""
        return _status(step, self.checked(answer, "start"))

    def to_start(self, step: JobStep, at: int | None = None) -> ssh.Command:
        """What starts a step; it begins at once, or when the host has been up for `at` ticks."""
        if step.beside_data:  # it never began there
            leases.record(self.job, step, beside_data=False)
        values = {
            # what was measured may have filled the disk
            "last": "1" if step.phase == JobStep.Phase.CLEANUP else "",
            "given": "1" if self.root else "",
            "anywhere": "" if step.tool or step.result or step.files else "1",
        }
        run = {
            "script": run_script(step),
            "result": step.result,
            "most": str(settings.MAX_UPLOAD_BYTES + 1),
            "measures": f"{step.tool} {self.measured(step)}" if step.tool else "",
            "at": "" if at is None else str(at),
        }
        act = shlex.join(["runner", str(step.timeout_s), self.measured(step)])
        looks = f"{_BESIDE}\n{act}" if step.tool else act
        values["runner"] = self._program(step.folder, looks, run)
        paths = [touch["name"] for touch in step.touches if touch["kind"] == "path"]
        values["beside"] = _beside(step)
        call = shlex.join(["start", *paths])
        return self._command(step.folder, call, values, self._as_root(step))

    def status(self, step: JobStep) -> Status:
        """How a step is."""
        return _status(step, self._control(step, "status"))

    def stop(self, step: JobStep) -> Status:
        """End every process of a step: `left` is how many are still there."""
        if self.root and not self._as_root(step):  # it may have used sudo itself
            ended = self._run(self._command(step.folder, "end", {}, as_root=True), "stop")
            if (by_root := _status(step, ended)).number("left"):
                return by_root
        return _status(step, self._control(step, "stop"))

    def piece(self, step: JobStep, file: str, offset: int, count: int) -> bytes:
        """Bytes of a file of the step, from an offset on; of one that is not there, none."""
        return self._control(step, "piece", file, str(offset), str(count)).out

    def result(self, step: JobStep, offset: int, count: int) -> bytes:
        """Bytes of the file that the tool wrote its result to."""
        return self.piece(step, step.result if step.beside_data else "result", offset, count)

    def states(self, step: JobStep) -> bytes:
        """What storage did while a step measured, as states.sh wrote it; none beside others."""
        return self.piece(step, "states.log", 0, _MOST_STATES)

    def counters(self, step: JobStep) -> bytes:
        """What the host did while a step measured, as counters.sh wrote it; none beside others."""
        log = b""
        while len(log) < _MOST_COUNTERS and (
            piece := self.piece(step, "counters.log", len(log), _PIECE_BYTES)
        ):
            log += piece
            leases.keep(self.job)
        return log

    def measured(self, step: JobStep) -> str:
        """The storage that a step measures: what it writes to, else the job's own folder."""
        named = [str(each["name"]) for each in step.touches if each["kind"] in WRITTEN]
        values = self.job.values
        pool, image = (str(values.get(name) or "") for name in ("pool", "image"))
        named += [f"rbd:{pool}/{image}"] if pool and image else []
        named += [str(values.get(name) or "") for name in ("device", "directory")]
        return next(filter(None, named), self.folder)

    def note(self, name: str, text: str) -> None:
        """Keep a text in the job's journal on the host."""
        self._run(self._command(name, "note", {"text": text}), "note")

    def clean(self, *, with_shared: bool = False) -> None:
        """Remove the job's folders from the host, and those that it shares if they are unmade."""
        values = {"unmade": self.job.block if with_shared else ""}
        if self.root:
            with suppress(RemoteError):  # what root may not remove is the user's
                self._run(self._command("-", "clean", values, as_root=True), "clean")
        self._run(self._command("-", "clean", values), "clean")

    @contextmanager
    def follow(self, step: JobStep, stream: str, offset: int, inbox: ssh.Inbox) -> Iterator[None]:
        """What a step prints, from an offset on, until it ends: under `(step id, stream)`.

        Beside its output, the host's CPU under `(step id, "cpu")`.
        """
        act = shlex.join(["follow", f"{stream}.log", str(offset)])
        command = self._command(step.folder, act, {"beside": _beside(step)}, self._as_root(step))
        with ssh.stream(command, inbox, (step.pk, stream), (step.pk, "cpu")):
            yield

    def to_install(self) -> ssh.Command:
        """What makes the job's folders; `checked` reads the answer."""
        return self._command("-", "install", {})

    def checked(self, answer: ssh.Answer, act: str) -> ssh.Answer:
        """RemoteError with a sentence, where the host refused or failed."""
        if sentence := refusal(self.target, answer.err):
            raise RemoteError(sentence)
        if answer.code in (_NO_FOLDER, _NO_DATA_FOLDER):
            sentence = N_(
                "{host} cannot write to the job's folders: {why}.",
                host=self.target.address,
                why=answer.err[:_LONGEST],
            )
            if answer.code == _NO_DATA_FOLDER:
                mend = mend_of_folder(self.target, self.base, answer.err)
                sentence = side_by_side([sentence, mend], " ")
            raise RemoteError(sentence)
        if answer.code:
            raise RemoteError(answer.err[:_LONGEST] or N_("{act} failed on the host.", act=act))
        return answer

    def _as_root(self, step: JobStep) -> bool:
        return step.root and not step.beside_data

    def _control(self, step: JobStep, act: str, *arguments: str, **values: str) -> ssh.Answer:
        values["beside"] = _beside(step)
        call = shlex.join([act, *arguments])
        return self._run(self._command(step.folder, call, values, self._as_root(step)), act)

    def _run(self, command: ssh.Command, act: str) -> ssh.Answer:
        return self.checked(ssh.run_all([command])[0], act)

    def _command(
        self, step: str, act: str, values: Mapping[str, str], as_root: bool = False
    ) -> ssh.Command:
        shell = root_shell(self.target) if as_root else ["sh"]
        # the words behind -s are for people who look at the list of processes
        command = shlex.join([*shell, "-s", act.split(maxsplit=1)[0], f"{self.job.token}.{step}"])
        return ssh.Command(self.target, command, self._program(step, act, values).encode())

    def _program(self, step: str, act: str, values: Mapping[str, str] | None = None) -> str:
        """The whole script; in braces, so that nothing of it runs where it did not arrive whole."""
        known = {"token": self.job.token, "step": step, "base": self.base, "beside": ""}
        known["block"] = self.job.block
        known |= values or {}
        variables = "".join(f"{name}={shlex.quote(text)}\n" for name, text in known.items())
        return f"{{\n{variables}{_CONTROL}\n{act}\nexit\n}}\n"


def install(remotes: Collection[RemoteJob]) -> None:
    """Make the folders of a job on all its hosts, at the same time."""
    answers = ssh.run_all(each.to_install() for each in remotes)
    for each, answer in zip(remotes, answers, strict=True):
        each.checked(answer, "install")


def _beside(step: JobStep) -> str:
    return "1" if step.beside_data else ""


def _status(step: JobStep, answer: ssh.Answer) -> Status:
    """How a step is, from what the host prints now and printed at its start.

    After a power failure its files may be empty or missing: they prove no end then.
    """
    text = answer.out.decode("utf-8", "replace")
    printed = dict(_FIELD.findall(text))
    fields = step.identity | printed
    if printed.get("state") == "ended" and _CODE.fullmatch(printed.get("code", "")):
        return Status("ended", fields)
    then, now = fields.get("boot"), fields.get("now")
    if then and now and then != now:
        return Status("rebooted", fields)
    state = printed.get("state", "none")
    return Status("gone" if state == "ended" else state, fields)


def run_script(step: JobStep) -> str:
    """POSIX sh that puts the step's files into the working directory and becomes its command.

    It comes as standard input: nothing of it runs where it did not arrive whole, and the command
    reads none of it.
    """
    files = "".join(_file(name, text, step.job.token) for name, text in sorted(step.files.items()))
    return f"{{\n{SEARCH_PATH}\n{files}exec {step.command} < /dev/null\n}}\n"


def _file(name: str, text: str, token: str) -> str:
    end = f"end-of-file-{token}"
    body = text if text.endswith("\n") or not text else f"{text}\n"
    return f"cat > {shlex.quote(name)} <<'{end}' || exit 1\n{body}{end}\n"


def boots_of(steps: Iterable[JobStep]) -> list[tuple[str, str]]:
    """The boots in which steps began, for `Nodes.rebooted_since`."""
    return [(step.node, step.identity.get("boot", "")) for step in steps]


@dataclass(frozen=True, slots=True)
class Nodes:
    """A job's folders on each of its hosts."""

    job: Job
    by_role: dict[str, RemoteJob]

    def of(self, step: JobStep) -> RemoteJob:
        """Where a step runs."""
        return self.by_role[step.node]

    def contact(self) -> None:
        """Reach every host, and make the job's folder where it is missing; HostError if one fails."""
        install(self.by_role.values())

    def boots(self, roles: Collection[str]) -> dict[str, str]:
        """The boot that each of these hosts is in; empty where it does not say."""
        command = "cat /proc/sys/kernel/random/boot_id"
        answers = ssh.run_all(ssh.Command(self.by_role[role].target, command) for role in roles)
        ids = (answer.out.decode("ascii", "replace").strip()[:_BOOT_ID] for answer in answers)
        return dict(zip(roles, ids, strict=True))

    def rebooted_since(self, boots: Iterable[tuple[str, str]]) -> list[str]:
        """Names of the hosts that are in another boot than this of `(role, boot)`, as far as known."""
        known = {(role, boot) for role, boot in boots if boot}
        now = self.boots(sorted({role for role, _boot in known}))
        changed = {role for role, boot in known if now[role] and now[role] != boot}
        return [self.by_role[role].target.host.name for role in sorted(changed)]

    @contextmanager
    def entered(self) -> Iterator[None]:
        """Reach every host; where one fails, or the block does, no folder of the job is left."""
        made = []
        try:
            for remote in self.by_role.values():
                remote.install()
                made.append(remote)
            yield
        except (HostError, Refused, IllegalChangeError):
            leases.keep(self.job)  # whoever took the job over needs its folders
            for remote in made:
                with suppress(HostError, Refused):
                    remote.clean()
            raise

    def clean(self, *, with_shared: bool = False) -> None:
        """Remove the job's folders, and those that it shares if they are unmade."""
        for remote in self.by_role.values():
            remote.clean(with_shared=with_shared)


def nodes_of(job: Job) -> Nodes:
    """The nodes of a job, with the jump hosts of their targets."""
    parts = job.nodes.select_related("target__host", "target__jump__jump__jump")
    root = set(job.steps.filter(root=True).values_list("node", flat=True))
    remotes = {
        part.role: RemoteJob(job, part.target, part.folder, part.role in root) for part in parts
    }
    return Nodes(job, remotes)
