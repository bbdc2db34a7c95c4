"""`make run`: from a fresh clone to a running server, with no process left at the end."""

from __future__ import annotations

import fcntl
import http.client
import os
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, TextIO

from tools.install import build_frontend, install_python
from tools.project import PYTHON, ROOT, VAR, VENV
from tools.supervisor import (
    ENDING,
    Supervisor,
    adopt_orphans,
    end_all_below,
    end_with_parent,
)

if TYPE_CHECKING:
    from types import FrameType

HOST = os.environ.get("HOST", "127.0.0.1")


def main() -> None:
    """Set up what is missing, then serve until a signal ends it."""
    for number in ENDING:
        signal.signal(number, _leave)
    end_with_parent()
    adopt_orphans()
    port = port_to_serve()
    lock = only_instance(port)
    with lock:
        install_python("requirements.txt")
        build_frontend()
        welcome = Welcome(port, prepare())
        path = f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        # this server speaks plain HTTP; HTTPS=true is for those who put TLS in front of it
        environment = {"HTTPS": "false"} | os.environ
        environment |= {"HOST": HOST, "PORT": str(port), "PATH": path}
        Supervisor((ROOT / "Procfile").read_text(), environment).run(each_poll=welcome)
        welcome.print_sign_in_if_unseen()
        end_all_below()


def port_to_serve() -> int:
    """The port in PORT; SystemExit where it is not a port or not free."""
    port = os.environ.get("PORT", "8000")
    if not port.isdecimal() or not 0 < int(port) < 2**16:
        raise SystemExit(f"PORT is {port!r}: a port is a number from 1 to 65535.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, int(port)))
        except OSError as error:
            raise SystemExit(
                f"Port {port} cannot be used ({error.strerror}): "
                f"choose another one, for example `PORT={int(port) % 60000 + 123} make run`."
            ) from error
    return int(port)


def only_instance(port: int) -> TextIO:
    """The lock of var/, held as long as the file is open; SystemExit where another instance has it."""
    VAR.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = (VAR / "run.lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        raise SystemExit(f"benchdash already runs on {VAR}, at {lock.read()}") from None
    lock.truncate(0)
    lock.write(address(port))
    lock.flush()
    return lock


def address(port: int) -> str:
    """The URL that is printed."""
    return f"http://{HOST}:{port}/"


def prepare() -> str:
    """Bring the database and the static files up to date; the sentence on how to sign in."""
    done = subprocess.run(
        [PYTHON, "manage.py", "prepare"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit("benchdash could not be prepared, for the reason above.")
    return done.stdout.strip()


class Welcome:
    """Prints where and how to sign in, once, as soon as the server answers."""

    def __init__(self, port: int, sign_in: str) -> None:
        self.port = port
        self.sign_in = sign_in
        self.is_printed = False

    def __call__(self) -> None:
        if not self.is_printed and self._answers():
            self.is_printed = True
            print(
                f"\nbenchdash answers at {address(self.port)}\n{self.sign_in}\nCtrl-C stops it.\n"
            )
            sys.stdout.flush()

    def print_sign_in_if_unseen(self) -> None:
        """Print how to sign in (the password is shown once) where the server never answered."""
        if not self.is_printed:
            print(self.sign_in, flush=True)

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=10)
        try:
            connection.request("GET", "/healthz")  # by whatever name, and without TLS
            return connection.getresponse().status == http.HTTPStatus.OK
        except OSError:
            return False
        finally:
            connection.close()


def _leave(number: int, _frame: FrameType | None) -> None:
    """Exit at once: an exception could be lost in a callback, and leave a starting child behind."""
    end_all_below()
    os._exit(128 + number)


if __name__ == "__main__":
    main()
