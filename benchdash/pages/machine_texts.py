"""What stands in the fields of machines: of a form, a copied environment, a button that was pressed.

All are one flat mapping of texts by place, so that a page without scripts adds and removes rows
by sending its form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchdash.inventory.models import Environment
from benchdash.inventory.queries import machines_of
from benchdash.pages.machine_fields import PLACE, ROWS
from benchdash.vocabulary.machines import FACTS, NETWORK, PARTS

Texts = dict[str, str]


def start() -> Texts:
    """The texts of an empty form."""
    return _empty_machine("m0", "node-a")


def texts_of(environment: Environment) -> Texts:
    """What the fields say of an environment, for changing a copy."""
    texts: Texts = {}
    for number, (role, facts) in enumerate(sorted(machines_of(environment).items())):
        name = f"m{number}"
        texts |= _empty_machine(name, role)
        texts |= {f"{name}-{key}": FACTS[key].text(facts[key]) for key in FACTS if key in facts}
        versions = facts.get("versions", {}).items()
        parts = {part: facts.get(part, []) for part in PARTS}
        parts["versions"] = [{"name": key, "version": value} for key, value in versions]
        for part, rows in parts.items():
            for place, row in enumerate(rows):
                texts |= {
                    f"{name}-{part}-{place}-{key}": ROWS[part][key].text(value)
                    for key, value in row.items()
                }
    network = environment.network.items()
    return texts | {f"network-{key}": NETWORK[key].text(value) for key, value in network}


def pressed(posted: Mapping[str, str]) -> Texts | None:
    """The texts after a button among the fields: one more or one less; None for another button."""
    texts = {name: text for name, text in posted.items() if PLACE.fullmatch(name)}
    if drop := posted.get("drop", ""):
        return {name: text for name, text in texts.items() if not name.startswith(f"{drop}-")}
    if "add" in posted:
        return texts | _one_more(posted["add"], texts)
    if "copy" in posted:
        return texts | _copied(posted["copy"], texts)
    return None


def _one_more(of: str, texts: Texts) -> Texts:
    machine, _dash, part = of.partition("-")
    if machine == "machine":
        return _empty_machine(_free("m", texts), "")
    return _empty_row(_free(f"{machine}-{part}-", texts), part) if part in ROWS else {}


def _copied(machine: str, texts: Texts) -> Texts:
    name = _free("m", texts)
    copied = {
        name + each.removeprefix(machine): text
        for each, text in texts.items()
        if each.startswith(f"{machine}-")
    }
    return copied | {f"{name}-role": "", f"{name}-hostname": ""}


def _free(start: str, texts: Texts) -> str:
    """The name of the next machine or row after those that are there."""
    found = [re.match(rf"{re.escape(start)}([0-9]+)-", name) for name in texts]
    last = max((int(match[1]) for match in found if match), default=-1)
    return f"{start}{last + 1}"


def _empty_machine(name: str, role: str) -> Texts:
    empty = {f"{name}-role": role}
    for part in ROWS:
        empty |= _empty_row(f"{name}-{part}-0", part)
    return empty


def _empty_row(name: str, part: str) -> Texts:
    return {f"{name}-{next(iter(ROWS[part]))}": ""}
