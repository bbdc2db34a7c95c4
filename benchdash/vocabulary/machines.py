"""A machine and the network between machines: their facts, canonical form, and text.

A field of machines is one entry of FACTS, PARTS or GOOD_TO_KNOW here: forms, pages, API and
digests follow from it. A fact has its place among differences in `importance.py`. What could change a number is content: two machines with the same content
are one snapshot. What a recipe can set (scheduler, sysctl, mount options) belongs to the
configuration instead, and what differs at each capture (uptime, load) is only good to know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.vocabulary.canonical import canonical
from benchdash.vocabulary.near import near
from benchdash.vocabulary.options import Option, Value, option
from benchdash.vocabulary.units import amount_shown

Facts = dict[str, Any]


def _by_name(*options: Option) -> dict[str, Option]:
    return {field.name: field for field in options}


FACTS = _by_name(
    option("hostname", "text", N_("Host name"), example="xen01.example.org"),
    option("model", "text", N_("Model"), example="Dell PowerEdge R740"),
    option("instance_type", "text", N_("Instance type"), example="m5.large"),
    option("zone", "text", N_("Zone"), example="us-east-1a"),
    option("virtualization", "text", N_("Virtualization"), example="KVM guest"),
    option("architecture", "text", N_("Architecture"), example="x86_64"),
    option("cpu_model", "text", N_("CPU"), example="Intel Xeon Silver 4210"),
    option("cpu_count", "integer", N_("CPU sockets"), minimum=1, example="2"),
    option("cores", "integer", N_("Cores"), minimum=1, example="20"),
    option("threads", "integer", N_("Threads"), minimum=1, example="40"),
    option("memory_bytes", "bytes", N_("Memory"), example="64G"),
    option("memory_modules", "text", N_("Memory modules"), example="4 × 16 GiB DDR4-2400"),
    option("os", "text", N_("Operating system"), example="Debian 12"),
    option("kernel", "text", N_("Kernel"), example="6.1.0-18-amd64"),
    option("tuning", "text", N_("Tuned for the test"), example="tuned-adm throughput-performance"),
)
PARTS = {
    "disks": _by_name(
        option("model", "text", N_("Model"), example="Samsung PM883"),
        option("size_bytes", "bytes", N_("Size"), example="960GB"),
        option("medium", "choice", N_("Medium"), choices=("hdd", "ssd", "nvme", "memory")),
        option("interface", "text", N_("Interface"), example="SATA 6 Gbit/s"),
        option("firmware", "text", N_("Firmware"), example="HXT7404Q"),
        option("device", "text", N_("Device"), example="/dev/sda"),
        option("role", "text", N_("Used for"), example="DRBD"),
        option("count", "integer", N_("Count"), minimum=1, example="8"),
    ),
    "nics": _by_name(
        option("model", "text", N_("Model"), example="Intel X710"),
        option("speed_bps", "bits", N_("Speed"), example="10G"),
        option("driver", "text", N_("Driver"), example="i40e"),
        option("firmware", "text", N_("Firmware"), example="8.30"),
        option("mtu", "integer", N_("MTU"), minimum=68, example="9000"),
        option("count", "integer", N_("Count"), minimum=1, example="2"),
    ),
}
GOOD_TO_KNOW = _by_name(
    option("uptime_s", "seconds", N_("Uptime"), example="86400s"),
    option("load_1m", "number", N_("Load over a minute"), minimum=0, example="0.05"),
    option("memory_available_bytes", "bytes", N_("Memory available"), example="60G"),
    option("temperature_c", "number", N_("Temperature"), unit="°C", example="22.5"),
    option("clock_skew_s", "number", N_("Clock skew"), unit="s", example="0.002"),
)
NETWORK = _by_name(
    option("switch", "text", N_("Switch"), example="Cisco SG350-28"),
    option("speed_bps", "bits", N_("Speed"), example="10G"),
    option("mtu", "integer", N_("MTU"), minimum=68, example="9000"),
    option("cabling", "text", N_("Cabling"), example="Cat 6"),
    option("measured_bytes_s", "bytes", N_("Measured throughput"), unit="B/s", example="1170MB"),
    option("measured_with", "text", N_("Measured with"), example="iperf3"),
    option("round_trip_s", "seconds", N_("Round trip"), example="0.2ms"),
    option("traffic", "text", N_("Other traffic"), example="NFS"),
    option("distance", "text", N_("Distance"), example="3 km"),
)
TITLES = {"disks": N_("Disks"), "nics": N_("Network cards"), "versions": N_("Versions")}
ROLE = option("role", "text", N_("Role"), example="node-b")
PROGRAM = option("name", "text", N_("Program"), example="drbd")
VERSION = option("version", "text", N_("Version"), example="9.2.8")

MEASURED_ROLES = ("node-a", "client", "guest-1")
_PROGRAM_NAME = re.compile(r"[a-z0-9][a-z0-9+._-]{0,79}")
_ROLE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
_MOST_PARTS = 1000
_OTHER_TITLES = TITLES | {"roles": N_("Machines")}


def normalised(raw: object, place: str = "The machine") -> tuple[Facts, dict[str, Value]]:
    """(content, good to know) of a machine in canonical form.

    Refused names `place`, the field, its value and what is allowed.
    """
    raw = _object(raw, place)
    known = FACTS | GOOD_TO_KNOW | dict.fromkeys([*PARTS, "versions"])
    for name in raw:
        if name not in known:
            sentence = N_("{place}: “{name}” is not a machine fact.", place=place, name=name)
            raise Refused(near(sentence, str(name), known, known), "facts")
    facts: Facts = _typed(raw, FACTS, place)
    for name, options in PARTS.items():
        if parts := _parts(raw.get(name, []), options, f"{place}, {name}"):
            facts[name] = parts
    if versions := _versions(raw.get("versions", {}), place):
        facts["versions"] = versions
    return facts, _typed(raw, GOOD_TO_KNOW, place)


def normalised_network(raw: object) -> dict[str, Value]:
    """The network between the machines in canonical form; Refused like `normalised`."""
    raw = _object(raw, "The network")
    for name in raw:
        if name not in NETWORK:
            sentence = N_("The network: “{name}” is not known.", name=name)
            raise Refused(near(sentence, str(name), NETWORK, NETWORK), "network")
    return _typed(raw, NETWORK, "The network")


def checked_role(role: str) -> str:
    """`role` itself; Refused where it is no name such as node-a."""
    if not _ROLE_NAME.fullmatch(role):
        raise Refused(
            "“{role}” is not a role; roles are names such as node-a, client, guest-3.",
            "role",
            role=role,
        )
    return role


def measured_role(roles: Iterable[str]) -> str:
    """The role of the machine that runs the tool: node-a, else client, else guest-1, else the first."""
    roles = sorted(roles)
    return next((role for role in MEASURED_ROLES if role in roles), roles[0])


def lines(machines: Mapping[str, Facts], network: Mapping[str, Value]) -> dict[str, str]:
    """Flat `{key: text}` of an environment, to compare and to group by.

    Keys of the machine that runs the tool have no prefix (`kernel`, `versions.drbd`), those of the
    others have their role (`node-b.kernel`), those of the network are `network.switch`.
    """
    first = measured_role(machines)
    flat = {"roles": ", ".join([first, *sorted(role for role in machines if role != first)])}
    flat |= machine_lines(machines[first])
    for role in sorted(machines):
        if role != first:
            flat |= {f"{role}.{key}": text for key, text in machine_lines(machines[role]).items()}
    return flat | {
        f"network.{name}": field.shown(network[name])
        for name, field in NETWORK.items()
        if name in network
    }


def machine_lines(facts: Facts) -> dict[str, str]:
    """Flat `{key: text}` of one machine; the parts of a list are joined into one line."""
    flat = {name: _shown(FACTS[name], facts[name]) for name in FACTS if name in facts}
    for name, options in PARTS.items():
        if name in facts:
            flat[name] = "; ".join(_part_text(part, options) for part in facts[name])
    versions = sorted(facts.get("versions", {}).items())
    return flat | {f"versions.{tool}": version for tool, version in versions}


def key_title(key: str) -> str:
    """The English title of a key of `lines`: `node-b.versions.drbd` as "node-b: drbd version".

    A key that no environment has keeps its own name.
    """
    if title := _own_title(key):
        return title
    role, _, rest = key.partition(".")
    title = _own_title(rest)
    return f"{role}: {title}" if title else key


def _own_title(key: str) -> str:
    """The title of a key without a role; "" for an unknown one."""
    head, _, rest = key.partition(".")
    if head == "versions" and rest:
        return N_("{rest} version", rest=rest)
    if head == "network" and rest in NETWORK:
        return N_("Network: {help}", help=NETWORK[rest].help)
    return FACTS[key].help if key in FACTS else _OTHER_TITLES.get(key, "")


def _object(raw: object, place: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise Refused("{place} is not an object of names and values.", "facts", place=place)
    return raw


def _typed(raw: Mapping[str, Any], options: Mapping[str, Option], place: str) -> dict[str, Value]:
    typed: dict[str, Value] = {}
    for name, field in options.items():
        if raw.get(name) in (None, ""):
            continue
        value = field.read(raw[name])
        if value is None:
            raise Refused(
                "{place}: {name} is “{value}”; it takes {allowed}.",
                "facts",
                place=place,
                name=name,
                value=raw[name],
                allowed=field.allowed,
            )
        typed[name] = value
    return typed


def _parts(raw: object, options: Mapping[str, Option], place: str) -> list[dict[str, Value]]:
    """Sorted; equal parts are merged into one with their count."""
    if not isinstance(raw, list) or len(raw) > _MOST_PARTS:
        raise Refused(
            "{place} is not a list of at most {most} parts.", "facts", place=place, most=_MOST_PARTS
        )
    merged: dict[str, dict[str, Value]] = {}
    for entry in raw:
        item = _object(entry, place)
        if unknown := [str(name) for name in item if name not in options]:
            sentence = N_("{place}: “{name}” is not known.", place=place, name=unknown[0])
            raise Refused(near(sentence, unknown[0], options, options), "facts")
        part = _typed(item, options, place)
        count = int(part.pop("count", 1))
        if not part:
            continue
        content = canonical(part)
        count += int(merged[content].get("count", 1)) if content in merged else 0
        merged[content] = part | ({"count": count} if count > 1 else {})
    return [merged[content] for content in sorted(merged)]


def _versions(raw: object, place: str) -> dict[str, Value]:
    versions: dict[str, Value] = {}
    for name, version in sorted(_object(raw, f"{place}, versions").items()):
        tool = str(name).strip().casefold()
        if not _PROGRAM_NAME.fullmatch(tool):
            raise Refused(
                "{place}: “{name}” is not the name of a program.", "facts", place=place, name=name
            )
        versions |= _typed({tool: version}, {tool: VERSION}, f"{place}, versions")
    return versions


def _shown(fact: Option, value: Value) -> str:
    if fact.type == "bytes" and isinstance(value, int):
        return amount_shown(value)
    return fact.shown(value)


def _part_text(part: Mapping[str, Value], options: Mapping[str, Option]) -> str:
    count = f"{part['count']} × " if "count" in part else ""
    return count + ", ".join(
        _shown(field, part[name])
        for name, field in options.items()
        if name in part and name != "count"
    )
