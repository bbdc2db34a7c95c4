"""In which order differences are told: those that are likeliest to change a number first.

The stack and what was measured come before hardware, hardware before versions, versions before
names. A name stands for all that begins with it: `environment.network` for the speed of the network
too.
"""

from __future__ import annotations

from benchdash.vocabulary.machines import FACTS, PARTS, TITLES

_STACK_AND_WORKLOAD = ("layer", "setting", "workload", "tool", "options", "beside", "label")
_HARDWARE = (
    *("environment.disks", "environment.network", "environment.nics"),
    *("environment.instance_type", "environment.virtualization"),
    *("environment.memory_bytes", "environment.memory_modules"),
    *("environment.cpu_model", "environment.cpu_count", "environment.cores"),
    *("environment.threads", "environment.model", "environment.architecture"),
    *("environment.roles", "environment.tuning", "environment.zone"),
)
_VERSIONS = ("environment.kernel", "environment.versions", "version", "environment.os")
_NAMES = ("environment.hostname", "host", "configuration", "environment", "study", "run")
_ORDER = {
    name: place
    for place, name in enumerate((*_STACK_AND_WORKLOAD, *_HARDWARE, *_VERSIONS, *_NAMES))
}
# the version of the tool is no fact of them
_MACHINES = {*_HARDWARE, *_VERSIONS} - {"version"}


def importance(factor: str) -> tuple[int, bool]:
    """A key to sort factors by (`layer.drbd.protocol`), the likeliest to matter first.

    What is said of another machine (`environment.node-b.kernel`) follows what is said of the first.
    """
    name = without_role(factor)
    return _ORDER.get(_known(name), len(_ORDER)), name != factor


def is_of_machines(factor: str) -> bool:
    """Whether it could change a number without anybody having meant to: hardware, versions."""
    return _known(without_role(factor)) in _MACHINES


def without_role(factor: str) -> str:
    """`environment.node-b.kernel` as `environment.kernel`; any other as it is."""
    kind, _dot, key = factor.partition(".")
    role, _dot, fact = key.partition(".")
    of_a_role = kind == "environment" and fact and role not in (*FACTS, *PARTS, *TITLES, "network")
    return f"environment.{fact}" if of_a_role else factor


def _known(name: str) -> str:
    """The longest beginning of it that has a place."""
    while name not in _ORDER and "." in name:
        name = name.rpartition(".")[0]
    return name
