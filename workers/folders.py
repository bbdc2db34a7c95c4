"""Whether folders of a host can be trusted (folders.sh finds out), and shells of root there."""

from __future__ import annotations

import shlex
from pathlib import Path

from benchdash.errors import N_, Sentence
from benchdash.jobs.models import Target

FOLDERS = (Path(__file__).parent / "folders.sh").read_text()
# A login that is no login shell may not look where Debian keeps bonnie++ and mkfs.
SEARCH_PATH = "PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin"
MAKE_ROOM = N_("Make room, or choose another folder.")
_REFUSES = "benchdash refuses: "
# The folders of root alone: what sudo takes over from a user may name one that others write to.
_PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def mend_of_folder(target: Target, folder: str, why: str = "") -> str:
    """What to do where a working folder cannot be written; `why` is what the host printed."""
    if "No space left" in why:
        return MAKE_ROOM
    return N_(
        "Make {folder} on the host, and let {user} write to it.", folder=folder, user=target.user
    )


def root_shell(target: Target) -> list[str]:
    """The command of a shell that root has on a target; what it runs is to come as its input."""
    if target.user == "root":
        return ["sh"]
    return ["sudo", "-n", "-H", "/usr/bin/env", _PATH, "/bin/sh"]


def refusal(target: Target, output: str) -> str:
    """Why the host refused a folder, and the mend; empty where it did not."""
    line = next((one for one in output.splitlines() if one.startswith(_REFUSES)), "")
    why, owner, path = [*line.removeprefix(_REFUSES).split(" ", 2), "", "", ""][:3]
    if not path:
        return ""
    templates = {
        "home": N_(
            "{user} has no home folder of their own on {host} that survives a reboot "
            "({path}): scripts and logs are kept in the home folder. Create one and set it "
            "with usermod --home."
        ),
        "missing": N_("{path} does not exist on {host}."),
        "kind": N_("{path} on {host} is not a folder: remove it, or choose another one."),
        "owner": N_(
            "{path} on {host} belongs to another account (user id {owner}), which could "
            "replace what is run and measured there: remove it, or choose another folder."
        ),
        "open": N_(
            "Other accounts can write to {path} on {host}, and could replace what is run "
            "and measured below it: chmod go-w {quoted}, or chmod +t {quoted} for a shared "
            "folder."
        ),
        "link": N_(
            "{path} on {host} is a symbolic link (of user id {owner}), which could lead elsewhere: "
            "remove it, or choose another folder."
        ),
    }
    if why not in templates:
        return line
    return Sentence(
        templates[why],
        user=target.user,
        host=target.address,
        owner=owner,
        path=path,
        quoted=shlex.quote(path),
    )
