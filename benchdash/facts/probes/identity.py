"""Which machine it is: names, model, system, and whether it is a guest."""

from __future__ import annotations

import shlex
from pathlib import PurePosixPath

from benchdash.facts.probe import Files, Probe

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
    said: dict[str, str] = {}
    for line in output.splitlines():
        word, colon, text = line.strip().partition(": ")
        if colon and word in _DMIDECODE:
            said.setdefault(_DMIDECODE[word], text)
    return _model(said)


def _model(files: Files) -> Facts:
    """Model; on EC2 the product's name is the type of the instance."""
    said = _by_name(files)
    vendor, product = (_said(said.get(name, "")) for name in ("sys_vendor", "product_name"))
    words = vendor if product.startswith(vendor) else f"{vendor} {product}"
    model = product if vendor and product.startswith(vendor) else words.strip()
    facts: Facts = {"model": model or _said(said.get("model", "").rstrip("\0"))}
    lowered = f"{vendor} {product}".casefold()
    if guest := [name for word, name in _GUESTS.items() if lowered.startswith(word)]:
        facts["virtualization"] = guest[0]
    if vendor == "Amazon EC2" and product:
        facts["instance_type"] = product
    if said.get("type") == "xen":
        facts["virtualization"] = "Xen"
    return {name: text for name, text in facts.items() if text}


def _virtualization(output: str) -> Facts:
    """What systemd-detect-virt says, else what the CPU's flags betray; "none" is no word of ours."""
    word = "virtual machine" if output.strip() == "hypervisor" else output.strip()
    return {"virtualization": word} if word != "none" else {}


def _by_name(files: Files) -> dict[str, str]:
    return {PurePosixPath(path).name: text for path, text in files.items()}


def _said(text: str) -> str:
    return "" if text.strip().casefold() in _PLACEHOLDERS else text.strip()


_DMIDECODE = {"Manufacturer": "sys_vendor", "Product Name": "product_name"}

PROBES = (
    Probe("system", "Host name and kernel", _system, "uname -nrm; date +%s"),
    Probe(
        "os",
        "The operating system",
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
        "The machine's model",
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
