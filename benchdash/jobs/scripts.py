"""What a step runs on its host, character for character."""

from __future__ import annotations

import shlex

from benchdash.jobs.models import JobStep, Target

# A login that is no login shell may not look where Debian keeps bonnie++ and mkfs.
SEARCH_PATH = "PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin"


def work_folder(folder: str, token: str) -> str:
    """The job's own folder on a host, below the working folder."""
    return f"{folder.rstrip('/')}/{token}"


def run_script(step: JobStep, target: Target, work: str) -> str:
    """POSIX sh that puts the step's files in place and becomes its command.

    `work` is the job's own folder on the host.
    """
    folder, token = shlex.quote(f"{work}/{step.folder}"), step.job.token
    files = "".join(_file(name, text, token) for name, text in sorted(step.files.items()))
    return (
        f"{SEARCH_PATH}\ncd {folder} || exit 1\n{files}exec {as_root(step, target)}{step.command}\n"
    )


def as_root(step: JobStep, target: Target) -> str:
    """What stands before a command that needs root, for this user.

    sudo empties the environment: the mark by which the step's processes are found goes along.
    """
    if not step.root or target.user == "root":
        return ""
    return 'sudo -n env BENCHDASH_STEP="$BENCHDASH_STEP" '


def _file(name: str, text: str, token: str) -> str:
    end = f"end-of-file-{token}"
    body = text if text.endswith("\n") or not text else f"{text}\n"
    return f"cat > {shlex.quote(name)} <<'{end}' || exit 1\n{body}{end}\n"
