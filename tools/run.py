"""`make run`: from a fresh clone to a page that answers, and nothing left behind at the end."""

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
from tools.place import PYTHON, ROOT, VAR, VENV
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
    """Set up what is missing, serve until told to end."""
    for number in ENDING:
        signal.signal(number, _leave)
    end_with_parent()
    adopt_orphans()
    port = port_to_serve()
    lock = only_one_here(port)
    with lock:
        install_python("requirements.txt")
        build_frontend()
        welcome = Welcome(port, prepare())
        path = f"{VENV / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
        # what answers here speaks HTTP; HTTPS=true is for those who put TLS in front of it
        environment = {"HTTPS": "false"} | os.environ
        environment |= {"HOST": HOST, "PORT": str(port), "PATH": path}
        Supervisor((ROOT / "Procfile").read_text(), environment).run(each_poll=welcome)
        welcome.say_what_is_shown_once()
        end_all_below()


def port_to_serve() -> int:
    """PORT, when it is a port and free."""
    asked = os.environ.get("PORT", "8000")
    if not asked.isdecimal() or not 0 < int(asked) < 2**16:
        raise SystemExit(f"PORT is {asked!r}: a port is a number from 1 to 65535.")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, int(asked)))
        except OSError as error:
            raise SystemExit(
                f"Port {asked} cannot be used ({error.strerror}): "
                f"choose another one, for example `PORT={int(asked) % 60000 + 123} make run`."
            ) from error
    return int(asked)


def only_one_here(port: int) -> TextIO:
    """The lock of var/, which holds as long as the file is open."""
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
    """Where people find it."""
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
    """Says where and how to sign in, once, when the server really answers."""

    def __init__(self, port: int, sign_in: str) -> None:
        self.port = port
        self.sign_in = sign_in
        self.said = False

    def __call__(self) -> None:
        if not self.said and self._answers():
            self.said = True
            print(
                f"\nbenchdash answers at {address(self.port)}\n{self.sign_in}\nCtrl-C stops it.\n"
            )
            sys.stdout.flush()

    def say_what_is_shown_once(self) -> None:
        """How to sign in, where the server never answered."""
        if not self.said:
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
    """End at once: an exception gets lost in a callback, and a child that just begins stays."""
    end_all_below()
    os._exit(128 + number)


if __name__ == "__main__":
    main()
