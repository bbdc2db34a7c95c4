"""A real sshd on a loopback port, with keys of its own."""

from __future__ import annotations

import getpass
import os
import pwd
import signal
import subprocess
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.servers import folder, free_port, program, server


@dataclass
class Sshd:
    """Where it listens, who may log in, and with what; `folder` is for data, `home` the home folder."""

    place: Path
    home: Path
    port: int
    user: str
    address: str = "127.0.0.1"
    within: tuple[str, ...] = ()  # the command that enters its network namespace
    more: str = ""  # lines of its configuration
    running: ExitStack = field(default_factory=ExitStack)

    @property
    def folder(self) -> Path:
        return self.place / "work"

    @property
    def control(self) -> Path:
        return self.home / ".benchdash"

    def left(self) -> list[Path]:
        """What of jobs lies there."""
        return [each for place in (self.folder, self.control) for each in place.glob("*")]

    @property
    def host_key(self) -> str:
        return " ".join((self.place / "host.pub").read_text().split()[:2])

    @property
    def user_key(self) -> str:
        return (self.place / "user").read_text()

    def start(self) -> None:
        command = [*self.within, program("sshd"), "-D", "-e", "-f", str(self.place / "config")]
        scan = f"ssh-keyscan -p {self.port} {self.address} 2>&1 | grep -q OpenSSH"
        ready = ["sh", "-c", scan]
        self.running.enter_context(server(command, self.place, ready))

    def sessions(self) -> list[int]:
        """The processes of this server, itself included; those of logins have other names."""
        found = subprocess.run(["pgrep", "-x", "sshd"], capture_output=True, text=True, check=False)
        return [int(pid) for pid in found.stdout.split() if self._started(pid)]

    def _started(self, pid: str) -> bool:
        while pid not in ("0", "1"):
            try:
                if str(self.place) in Path(f"/proc/{pid}/cmdline").read_text():
                    return True
                pid = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1]
            except (FileNotFoundError, ProcessLookupError):  # it ended before or while it was read
                return False
        return False

    def stop(self) -> None:
        """End the server and every session of it."""
        for pid in self.sessions():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.running.close()

    def new_host_key(self) -> None:
        for name in ("host", "host.pub"):
            (self.place / name).unlink()
        _key(self.place / "host")


@contextmanager
def sshd(address="127.0.0.1", within=(), more="", sets_home=True):
    """A running server whose folder goes with it, and the home folder that it gives to sessions."""
    # below the account's own home folder: HOME of a test may be below /tmp, where none is accepted
    ours = pwd.getpwuid(os.getuid()).pw_dir
    with folder() as place, TemporaryDirectory(prefix=".of-a-test-", dir=ours) as home_name:
        home = Path(home_name).resolve()
        place.chmod(0o755)
        one = Sshd(place, home, free_port(), getpass.getuser(), address, tuple(within), more)
        one.folder.mkdir()
        _key(place / "host")
        _key(place / "user")
        (place / "authorized").write_text((place / "user.pub").read_text())
        (place / "config").write_text(_config(one, sets_home))
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # where root's sshd wants to be
        one.start()
        try:
            yield one
        finally:
            one.stop()


def _key(path: Path) -> None:
    make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)]
    subprocess.run(make, check=True)


def _config(one: Sshd, sets_home: bool) -> str:
    lines = {
        "ListenAddress": one.address,
        "Port": one.port,
        "HostKey": one.place / "host",
        "AuthorizedKeysFile": f"{one.place / 'authorized'} {one.home / '.ssh/authorized_keys'}",
        "PidFile": one.place / "pid",
        "StrictModes": "no",
        "PasswordAuthentication": "no",
        "KbdInteractiveAuthentication": "no",
        "UsePAM": "no",
        "PermitRootLogin": "prohibit-password",
    }
    more = (
        one.more if "SetEnv " in one.more else f"SetEnv A_TEST=1\n{one.more}"
    )  # the first one counts
    if sets_home:
        more = more.replace("SetEnv ", f"SetEnv HOME={one.home} ")
    return "".join(f"{name} {value}\n" for name, value in lines.items()) + more
