"""What a recipe can set on the whole machine: sysctls of writing back, governor, huge pages."""

from __future__ import annotations

from pathlib import PurePosixPath

from benchdash.facts.probe import Files, Probe

_VM = (
    *("dirty_ratio", "dirty_background_ratio", "dirty_bytes", "dirty_background_bytes"),
    *("dirty_expire_centisecs", "dirty_writeback_centisecs", "swappiness", "vfs_cache_pressure"),
)
_HUGE = "/sys/kernel/mm/transparent_hugepage/enabled"
_GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"


def _settings(files: Files) -> dict[str, str]:
    """`{"vm.swappiness": "60"}`; of dirty_ratio and dirty_bytes the one that is in force."""
    found = {}
    for path, text in files.items():
        name = PurePosixPath(path).name
        if path.startswith("/proc/sys/vm/") and not (name.startswith("dirty") and text == "0"):
            found[f"vm.{name}"] = text
        elif path == _GOVERNOR:
            found["cpu_governor"] = text
        elif path == _HUGE:
            found["transparent_hugepage"] = chosen(text)
    return found


def chosen(text: str) -> str:
    """The word in brackets of `always [madvise] never`; the only word where there is one."""
    words = text.split()
    return next((word.strip("[]") for word in words if word.startswith("[")), "".join(words[:1]))


PROBES = (
    Probe(
        "settings",
        "The sysctls",
        _settings,
        paths=(*(f"/proc/sys/vm/{name}" for name in _VM), _HUGE, _GOVERNOR),
    ),
)
