"""Machines and the network between them: their canonical form, and side by side as lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchdash.errors import Refused
from benchdash.vocabulary.canonical import canonical
from benchdash.vocabulary.facts import FACTS, GOOD_TO_KNOW, NETWORK, PARTS, TITLES, VERSION
from benchdash.vocabulary.near import near
from benchdash.vocabulary.options import Option, Value

Facts = dict[str, Any]

MEASURED_ROLES = ("node-a", "client", "guest-1")
_NAME = re.compile(r"[a-z0-9][a-z0-9+._-]{0,79}")
_ROLE = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")
_MOST_PARTS = 1000
_OTHER_TITLES = TITLES | {"roles": "Machines"}


def normalised(raw: object, place: str = "The machine") -> tuple[Facts, dict[str, Value]]:
    """(content, good to know) of a machine in canonical form.

    Refused names `place`, the word, its value and what is allowed.
    """
    raw = _object(raw, place)
    known = FACTS | GOOD_TO_KNOW | dict.fromkeys([*PARTS, "versions"])
    for name in raw:
        if name not in known:
            raise Refused(
                f"{place}: “{name}” is no fact of a machine.{near(str(name), known, known)}",
                "facts",
            )
    facts: Facts = _typed(raw, FACTS, place)
    for name, words in PARTS.items():
        if parts := _parts(raw.get(name, []), words, f"{place}, {name}"):
            facts[name] = parts
    if versions := _versions(raw.get("versions", {}), place):
        facts["versions"] = versions
    return facts, _typed(raw, GOOD_TO_KNOW, place)


def normalised_network(raw: object) -> dict[str, Value]:
    """The network between the machines in canonical form; Refused like `normalised`."""
    raw = _object(raw, "The network")
    for name in raw:
        if name not in NETWORK:
            raise Refused(
                f"The network: “{name}” is not known.{near(str(name), NETWORK, NETWORK)}", "network"
            )
    return _typed(raw, NETWORK, "The network")


def checked_role(role: str) -> str:
    """`role` itself; Refused where it is no name such as node-a."""
    if not _ROLE.fullmatch(role):
        raise Refused(
            f"“{role}” is no role; roles are names such as node-a, client, guest-3.", "role"
        )
    return role


def measured_role(roles: Iterable[str]) -> str:
    """The role of the machine that runs the tool: node-a, else client, else guest-1, else the first."""
    roles = sorted(roles)
    return next((role for role in MEASURED_ROLES if role in roles), roles[0])


def lines(machines: Mapping[str, Facts], network: Mapping[str, Value]) -> dict[str, str]:
    """Flat `{key: text}` of an environment, to lay side by side and to group by.

    The machine that runs the tool speaks without a prefix (`kernel`, `versions.drbd`), the others
    with their role (`node-b.kernel`), the network as `network.switch`.
    """
    first = measured_role(machines)
    flat = {"roles": ", ".join([first, *sorted(role for role in machines if role != first)])}
    flat |= machine_lines(machines[first])
    for role in sorted(machines):
        if role != first:
            flat |= {f"{role}.{key}": text for key, text in machine_lines(machines[role]).items()}
    said = [(name, word) for name, word in NETWORK.items() if name in network]
    return flat | {f"network.{name}": word.shown(network[name]) for name, word in said}


def machine_lines(facts: Facts) -> dict[str, str]:
    """Flat `{key: text}` of one machine; parts of a list stand in one line."""
    flat = {name: FACTS[name].shown(facts[name]) for name in FACTS if name in facts}
    for name, words in PARTS.items():
        if name in facts:
            flat[name] = "; ".join(_part_text(part, words) for part in facts[name])
    versions = sorted(facts.get("versions", {}).items())
    return flat | {f"versions.{tool}": version for tool, version in versions}


def key_title(key: str) -> str:
    """The English words for a key of `lines`: `node-b.versions.drbd` as "node-b: drbd version".

    A key that no environment has keeps its own name.
    """
    if title := _own_title(key):
        return title
    role, _, rest = key.partition(".")
    title = _own_title(rest)
    return f"{role}: {title}" if title else key


def _own_title(key: str) -> str:
    """The words for a key without a role; "" for an unknown one."""
    head, _, rest = key.partition(".")
    if head == "versions" and rest:
        return f"{rest} version"
    if head == "network" and rest in NETWORK:
        return f"Network: {NETWORK[rest].help}"
    return FACTS[key].help if key in FACTS else _OTHER_TITLES.get(key, "")


def _object(raw: object, place: str) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise Refused(f"{place} is no object of words and values.", "facts")
    return raw


def _typed(raw: Mapping[str, Any], words: Mapping[str, Option], place: str) -> dict[str, Value]:
    typed: dict[str, Value] = {}
    for name, word in words.items():
        if raw.get(name) in (None, ""):
            continue
        value = word.read(raw[name])
        if value is None:
            raise Refused(f"{place}: {name} is “{raw[name]}”; it takes {word.allowed}.", "facts")
        typed[name] = value
    return typed


def _parts(raw: object, words: Mapping[str, Option], place: str) -> list[dict[str, Value]]:
    """Alike parts as one with their count, sorted."""
    if not isinstance(raw, list) or len(raw) > _MOST_PARTS:
        raise Refused(f"{place} is no list of at most {_MOST_PARTS} parts.", "facts")
    merged: dict[str, dict[str, Value]] = {}
    for entry in raw:
        item = _object(entry, place)
        if unknown := [str(name) for name in item if name not in words]:
            raise Refused(
                f"{place}: “{unknown[0]}” is not known.{near(unknown[0], words, words)}", "facts"
            )
        part = _typed(item, words, place)
        count = int(part.pop("count", 1))
        if not part:
            continue
        alike = canonical(part)
        count += int(merged[alike].get("count", 1)) if alike in merged else 0
        merged[alike] = part | ({"count": count} if count > 1 else {})
    return [merged[alike] for alike in sorted(merged)]


def _versions(raw: object, place: str) -> dict[str, Value]:
    versions: dict[str, Value] = {}
    for name, version in sorted(_object(raw, f"{place}, versions").items()):
        tool = str(name).strip().casefold()
        if not _NAME.fullmatch(tool):
            raise Refused(f"{place}: “{name}” is no name of a program.", "facts")
        versions |= _typed({tool: version}, {tool: VERSION}, f"{place}, versions")
    return versions


def _part_text(part: Mapping[str, Value], words: Mapping[str, Option]) -> str:
    count = f"{part['count']} × " if "count" in part else ""
    said = (name for name in words if name in part and name != "count")
    return count + ", ".join(words[name].shown(part[name]) for name in said)
