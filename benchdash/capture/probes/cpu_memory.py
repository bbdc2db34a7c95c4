"""CPU and memory, and what a recipe can set of both: sysctls of write-back, governor, huge pages."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath

from benchdash.capture.probe import Files, Probe, chosen, of_one
from benchdash.errors import N_

Facts = dict[str, object]

_CPU = (
    "grep -E '^(processor|model name|cpu model|physical id|core id|Model|Hardware)' /proc/cpuinfo"
)
_SIZE = {"kB": 2**10, "KB": 2**10, "MB": 2**20, "GB": 2**30, "TB": 2**40}
_VM = (
    *("dirty_ratio", "dirty_background_ratio", "dirty_bytes", "dirty_background_bytes"),
    *("dirty_expire_centisecs", "dirty_writeback_centisecs", "swappiness", "vfs_cache_pressure"),
)
_HUGE = "/sys/kernel/mm/transparent_hugepage/enabled"
_GOVERNOR = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"
_FIELD = re.compile(r"^(\w[\w ().-]*?)\s*:\s*(.*)$", re.MULTILINE)


def _cpuinfo(output: str) -> Facts:
    """/proc/cpuinfo, a block per thread; without core ids (many guests, ARM) only threads are known."""
    threads: list[dict[str, str]] = []
    for name, value in _FIELD.findall(output):
        if name == "processor":
            threads.append({})
        elif threads:
            threads[-1][name] = value.strip()
    facts: Facts = {"threads": len(threads)} if threads else {}
    names = Counter(_cpu_name(thread) for thread in threads)
    if name := next((name for name, _ in names.most_common() if name), ""):
        facts["cpu_model"] = name
    cores = {(thread.get("physical id", "0"), thread.get("core id")) for thread in threads}
    if threads and all(core is not None for _, core in cores):
        facts |= {"cores": len(cores), "cpu_count": len({socket for socket, _ in cores})}
    return facts


def _lscpu(output: str) -> Facts:
    """lscpu: on ARM it knows what /proc/cpuinfo leaves out."""
    fields = {name: value.strip() for name, value in _FIELD.findall(output)}
    facts: Facts = {"threads": _whole(fields.get("CPU(s)")), "cpu_model": fields.get("Model name")}
    sockets, per_socket = _whole(fields.get("Socket(s)")), _whole(fields.get("Core(s) per socket"))
    if sockets and per_socket:
        facts |= {"cpu_count": sockets, "cores": sockets * per_socket}
    return {name: value for name, value in facts.items() if value and value != "-"}


def _meminfo(output: str) -> dict[str, int]:
    """Bytes by the names of /proc/meminfo."""
    lines = re.findall(r"^(\w+):\s+(\d{1,15}) kB", output, re.MULTILINE)
    return {name: int(kib) * 1024 for name, kib in lines}


def _modules(output: str) -> Facts:
    """dmidecode -t 17: `4 × 16 GiB DDR4 3200 MT/s`, and their sum."""
    modules: Counter[tuple[int, str, str]] = Counter()
    for block in re.split(r"\n(?=\S)", output):
        fields = {
            name: value.strip() for name, value in re.findall(r"^\s+([\w ]+): (.*)$", block, re.M)
        }
        size = re.fullmatch(r"(\d{1,9}) ([kKMGT]B)", fields.get("Size", ""))
        if size:  # "No Module Installed" has none
            speed = fields.get("Configured Memory Speed") or fields.get("Speed", "")
            kind = fields.get("Type", "")
            modules[int(size[1]) * _SIZE[size[2]], _known(kind), _known(speed)] += 1
    if not modules:
        return {}
    texts = [
        f"{count} × {size / 2**30:g} GiB {kind} {speed}".strip()
        for (size, kind, speed), count in sorted(modules.items())
    ]
    total = sum(size * count for (size, _, _), count in modules.items())
    return {"memory_modules": "; ".join(" ".join(text.split()) for text in texts), "total": total}


def _tunables(files: Files) -> dict[str, str]:
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


def _cpu_name(thread: dict[str, str]) -> str:
    for name in ("model name", "cpu model", "Model", "Hardware"):
        if thread.get(name):
            return " ".join(thread[name].split())
    return ""


def _known(text: str) -> str:
    return "" if text.casefold() in ("unknown", "other", "none") else text


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) < 9 else None


PROBES = (
    Probe("cpuinfo", N_("The CPU"), _cpuinfo, _CPU),
    Probe("lscpu", "", _lscpu, "lscpu", only_if="! grep -qs '^model name' /proc/cpuinfo"),
    Probe("meminfo", N_("Memory"), of_one(_meminfo), paths=("/proc/meminfo",)),
    Probe("modules", N_("The memory modules"), _modules, "dmidecode -t 17"),
    Probe(
        "tunables",
        N_("The sysctls"),
        _tunables,
        paths=(*(f"/proc/sys/vm/{name}" for name in _VM), _HUGE, _GOVERNOR),
        layers=("system.*",),
    ),
)
