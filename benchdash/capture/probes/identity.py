"""Which machine it is: names and addresses, model, operating system, and whether it is a guest."""

from __future__ import annotations

import shlex
from ipaddress import ip_address
from pathlib import PurePosixPath

from benchdash.capture.probe import Files, Probe
from benchdash.errors import N_

Facts = dict[str, object]

_DMI = "/sys/class/dmi/id/"
_PLACEHOLDERS = ("", "not specified", "none", "to be filled by o.e.m.", "system product name")
_GUESTS = {
    "qemu": "QEMU",
    "kvm": "KVM",
    "vmware": "VMware",
    "xen": "Xen",
    "innotek": "VirtualBox",
    "microsoft corporation virtual": "Hyper-V",
    "amazon ec2": "Amazon EC2",
    "google": "Google Compute Engine",
}

MOST_NAMES = 100
_LONGEST_NAME = 253

# For a script of the caller's: one line, without single quotes around it. ifconfig prints `inet addr:10.0.0.1` and `inet6 addr: fe80::1` on CentOS 5.
NAMES_COMMAND = r"""echo $(uname -n; { ip -o addr || ifconfig -a; } 2>/dev/null |
awk '{ for (i = 1; i < NF; i++) if ($i ~ /^inet6?$/) print ($(i + 1) == "addr:" ? $(i + 2) : $(i + 1)) }')"""


def _system(output: str) -> Facts:
    """`uname -nrm` and `date +%s`."""
    hostname, kernel, architecture, clock = output.split()
    facts = {"hostname": hostname, "kernel": kernel, "architecture": architecture}
    return {"facts": facts, "clock": int(clock)}


def _os(files: Files) -> Facts:
    found = _by_name(files)
    for line in found.get("os-release", "").splitlines():
        if line.startswith("PRETTY_NAME="):
            return {"os": " ".join(shlex.split(line.partition("=")[2]))}
    for name in ("redhat-release", "SuSE-release"):
        if name in found:
            return {"os": found[name].splitlines()[0]}
    return {"os": f"Debian {found['debian_version']}"} if "debian_version" in found else {}


def _dmidecode(output: str) -> Facts:
    """dmidecode -t 1, where /sys does not know (before Linux 2.6.22)."""
    found: dict[str, str] = {}
    for line in output.splitlines():
        key, colon, text = line.strip().partition(": ")
        if colon and key in _DMIDECODE:
            found.setdefault(_DMIDECODE[key], text)
    return _model(found)


def _model(files: Files) -> Facts:
    """Model; on EC2 the product's name is the instance type."""
    found = _by_name(files)
    vendor, product = (
        _unless_placeholder(found.get(name, "")) for name in ("sys_vendor", "product_name")
    )
    model = ""
    if vendor:
        model = product if product.startswith(vendor) else f"{vendor} {product}".strip()
    facts: Facts = {"model": model or _unless_placeholder(found.get("model", "").rstrip("\0"))}
    lowered = f"{vendor} {product}".casefold()
    if guest := [name for word, name in _GUESTS.items() if lowered.startswith(word)]:
        facts["virtualization"] = guest[0]
    if vendor == "Amazon EC2" and product:
        facts["instance_type"] = product
    if found.get("type") == "xen":
        facts["virtualization"] = "Xen"
    return {name: text for name, text in facts.items() if text}


def _virtualization(output: str) -> Facts:
    """What systemd-detect-virt prints, else what the CPU's flags betray; a real machine has none."""
    word = "virtual machine" if output.strip() == "hypervisor" else output.strip()
    return {"virtualization": word} if word != "none" else {}


def _by_name(files: Files) -> dict[str, str]:
    return {PurePosixPath(path).name: text for path, text in files.items()}


def _unless_placeholder(text: str) -> str:
    return "" if text.strip().casefold() in _PLACEHOLDERS else text.strip()


def machine_names(output: str) -> list[str]:
    """Host name and addresses that `NAMES_COMMAND` printed, without loopback and link-local ones."""
    first, *rest = output.split()[: MOST_NAMES + 1] or [""]
    addresses = (_global(word.removeprefix("addr:").partition("/")[0]) for word in rest)
    return [*dict.fromkeys(filter(None, (first[:_LONGEST_NAME], *addresses)))]


def _global(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    everywhere = address.is_loopback or address.is_link_local or address.is_unspecified
    return "" if everywhere else str(address)


_DMIDECODE = {"Manufacturer": "sys_vendor", "Product Name": "product_name"}

PROBES = (
    Probe("system", N_("Host name and kernel"), _system, "uname -nrm; date +%s"),
    Probe(
        "os",
        N_("The operating system"),
        _os,
        paths=(
            "/etc/os-release",
            "/usr/lib/os-release",
            "/etc/redhat-release",
            "/etc/SuSE-release",
            "/etc/debian_version",
        ),
    ),
    Probe(
        "model",
        "",
        _model,
        paths=(
            _DMI + "sys_vendor",
            _DMI + "product_name",
            "/sys/firmware/devicetree/base/model",
            "/sys/hypervisor/type",
        ),
    ),
    Probe(
        "dmidecode",
        N_("The machine's model"),
        _dmidecode,
        "dmidecode -t 1",
        only_if="! any /sys/class/dmi/id/* && ! any /sys/firmware/devicetree/base/model",
    ),
    Probe(
        "virtualization",
        "",
        _virtualization,
        "systemd-detect-virt 2>/dev/null || grep -m 1 -o -w hypervisor /proc/cpuinfo || :",
    ),
)
