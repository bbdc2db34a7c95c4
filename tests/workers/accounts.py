"""A host with several accounts: a real sshd with a passwd, homes and sudo of its own.

It runs in a mount namespace, so that no account is made on the machine that tests.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.conftest import need
from tests.workers.sshd import Sshd, sshd
from tools.components import CI
from tools.servers import folder

BENCH, MALLORY = 40401, 40402
_FILES = {
    "passwd": f"root:x:0:0::/home/root:/bin/sh\nbench:x:{BENCH}:{BENCH}::/home/bench:/bin/sh\n"
    "sshd:x:105:65534::/run/sshd:/usr/sbin/nologin\n",
    "group": f"root:x:0:\nbench:x:{BENCH}:\nnogroup:x:65534:\n",
    "shadow": "root:*:19000:0:99999:7:::\nbench:*:19000:0:99999:7:::\n",
    "sudoers": "Defaults !lecture\nroot ALL=(ALL) ALL\nbench ALL=(root) NOPASSWD: ALL\n",
}
_ENTER = """
for each in passwd group shadow sudoers; do mount --bind "$0/$each" "/etc/$each" || exit; done
mount --bind "$0/homes" /home || exit
exec "$@"
"""


@dataclass
class SharedHost:
    """The server, a folder that everybody may write to, and what shows whose code ran."""

    server: Sshd
    place: Path

    @property
    def everybodys(self) -> Path:
        """Like /var/tmp."""
        return self.place / "everybodys"

    @property
    def homes(self) -> Path:
        return self.place / "homes"

    @property
    def proof(self) -> Path:
        return self.place / "proof"

    @property
    def payload(self) -> str:
        """What the other account wants to have run: it leaves a line with who ran it."""
        return f"id -u >> {self.proof}/ran"

    def ran_as(self) -> list[str]:
        """Who ran the payload."""
        marker = self.proof / "ran"
        return marker.read_text().split() if marker.exists() else []

    def attack(self, script: str) -> None:
        """What the other account does now."""
        subprocess.run(["sh", "-c", script], check=True, **self._as_mallory())

    @contextmanager
    def attacking(self, script: str):
        """What the other account does meanwhile, again and again."""
        loop = f"while :; do {script}\nsleep 0.01; done"
        process = subprocess.Popen(["sh", "-c", loop], **self._as_mallory())
        try:
            yield
        finally:
            process.kill()
            process.wait()

    def _as_mallory(self):
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return quiet | {"user": MALLORY, "group": MALLORY, "extra_groups": [], "umask": 0}


@contextmanager
def shared_host(more=""):
    """A host with the accounts root, bench (with sudo) and one more; needs root."""
    if os.geteuid() != 0:
        (pytest.fail if CI else pytest.skip)("root is missing: no other account can attack")
    need("sshd")
    need("sudo")
    with folder() as place:
        place.chmod(0o755)
        _furnish(place)
        # slave: what another test unmounts meanwhile must not stay mounted in here
        enter = ("unshare", "--mount", "--propagation=slave", "sh", "-c", _ENTER, str(place))
        with sshd(within=enter, more=more, sets_home=False) as server:
            server.user = "bench"
            yield SharedHost(server, place)


def _furnish(place):
    for name, text in _FILES.items():
        (place / name).write_text(text)
    (place / "sudoers").chmod(0o440)
    for name, mode in (("everybodys", 0o1777), ("proof", 0o1777), ("homes", 0o755)):
        (place / name).mkdir()
        (place / name).chmod(mode)
    for name, owner in (("root", 0), ("bench", BENCH)):
        home = place / "homes" / name
        home.mkdir(mode=0o700)
        os.chown(home, owner, owner)
    (place / "proof" / "ran").touch()
    (place / "proof" / "ran").chmod(0o666)
