"""Versions of the tools that measure and of the drivers below them."""

from __future__ import annotations

import re

from benchdash.capture.probe import Files, Probe
from benchdash.errors import N_
from benchdash.vocabulary.tools import TOOLS

_TOOLS = {name: tool for name, tool in TOOLS.items() if tool.version_pattern}
# Each prints its version somewhere in its first words.
_COMMANDS = {
    **{name: tool.version_command for name, tool in _TOOLS.items()},
    "drbd-utils": "drbdadm --version",
    "mdadm": "mdadm --version",
    "lvm": "lvm version",
    "ceph": "ceph --version",
    "librbd": "rbd --version",
}
_PATTERNS = {
    **{name: tool.version_pattern for name, tool in _TOOLS.items()},
    "drbd-utils": r"DRBDADM_VERSION=(\S+)|Version: (\d\S+)",
    "mdadm": r"mdadm - v(\S+)",
    "lvm": r"LVM version: *(\S+)",
    "ceph": r"ceph version (\S+)",
    "librbd": r"ceph version (\S+)",
}
_SCRIPT = (
    'say() { tool=$1; shift; command -v "$1" >/dev/null 2>&1 || return 0; '
    'printf "%s: " "$tool"; "$@" 2>&1 </dev/null | tr "\\n" " " | tr -s " " | head -c 3000; echo; }\n'
    + "\n".join(f"say {tool} {command}" for tool, command in _COMMANDS.items())
)


def _versions(output: str) -> dict[str, str]:
    """`{"fio": "3.33", "drbd": "8.4.11"}`: what is not installed is not named."""
    versions: dict[str, str] = {}
    for line in output.splitlines():
        tool, _, text = line.partition(": ")
        pattern = _PATTERNS.get(tool)
        if match := re.search(pattern, text) if pattern else None:
            versions[tool] = next(group for group in match.groups() if group).rstrip(",;")
    if "ceph" in versions:
        versions.pop("librbd", None)
    elif "librbd" in versions:
        versions["ceph"] = versions.pop("librbd")
    return versions


def _drivers(files: Files) -> dict[str, str]:
    """Of DRBD while it is loaded: the driver, not the tools."""
    text = " ".join(files.values())
    match = re.search(r"version: (\d\S*)", text) or re.fullmatch(r"(\d\S*)", text)
    return {"drbd": match[1]} if match else {}


PROBES = (
    Probe("versions", N_("Versions of the tools"), _versions, _SCRIPT, seconds=30),
    Probe("drivers", "", _drivers, paths=("/proc/drbd", "/sys/module/drbd/version")),
)
