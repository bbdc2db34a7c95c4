"""Machines and the network between them as typed fields, with rows for what there are several of.

A field is named for its place: `m0-role`, `m0-kernel`, `m0-disks-1-size_bytes`, `network-mtu`.
`machine_texts` says where the texts in these places come from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.errors import Refused
from benchdash.results.language import in_language
from benchdash.vocabulary.machines import (
    FACTS,
    GOOD_TO_KNOW,
    NETWORK,
    PARTS,
    PROGRAM,
    ROLE,
    TITLES,
    VERSION,
    checked_role,
    normalised,
)
from benchdash.vocabulary.options import Option, Value

ROWS = PARTS | {"versions": {"name": PROGRAM, "version": VERSION}}
# the button that adds one, the words for one
WORDS = {
    "disks": (gettext_lazy("Add a disk"), gettext_lazy("disk")),
    "nics": (gettext_lazy("Add a network card"), gettext_lazy("network card")),
    "versions": (gettext_lazy("Add a version"), gettext_lazy("version")),
}
PLACE = re.compile(r"(?:m([0-9]{1,4})|network)-(?:([a-z]+)-([0-9]{1,4})-)?([a-z0-9_]+)")
MOST = 100  # machines, and rows in a part of one


@dataclass(slots=True)
class Field:
    """One input: what was typed, and what is wrong with it."""

    name: str
    word: Option
    text: str
    error: str = ""

    def value(self) -> Value | None:
        """What was typed as a value; where it cannot be one, the field says so."""
        typed = self.text.strip()
        value = self.word.read(typed) if typed else None
        if typed and value is None:
            self.error = _("“{typed}” is not {allowed}.").format(
                typed=typed, allowed=in_language(self.word.allowed)
            )
        return value


@dataclass(slots=True)
class Row:
    """One disk, network card or version."""

    name: str
    fields: list[Field]

    def said(self) -> dict[str, Value]:
        """The values; a count of nothing is wrong."""
        said = _said(self.fields)
        if set(said) == {"count"}:
            self.fields[-1].error = _("Describe what these are.")
        return said


@dataclass(slots=True)
class Rows:
    """What a machine has several of."""

    name: str
    part: str
    rows: list[Row]

    @property
    def title(self) -> str:
        return TITLES[self.part]

    @property
    def one_more(self) -> str:
        return str(WORDS[self.part][0])

    @property
    def one_word(self) -> str:
        return str(WORDS[self.part][1])


@dataclass(slots=True)
class Machine:
    """One machine in the part that it plays."""

    name: str
    role: Field
    facts: list[Field]
    good_to_know: list[Field]
    parts: list[Rows]
    said: dict[str, Any] = field(default_factory=dict)

    @property
    def knows_more(self) -> bool:
        return any(each.text for each in self.good_to_know)

    def read(self) -> None:
        """Fill `said` with the values; a field that is wrong says why."""
        self.said = {**_said([*self.facts, *self.good_to_know])}
        *parts, versions = self.parts
        for part in parts:
            if rows := [said for row in part.rows if (said := row.said())]:
                self.said[part.part] = rows
        if programs := _programs(versions.rows):
            self.said["versions"] = programs


@dataclass(slots=True)
class Machines:
    """All fields, with what they say: `facts` by role, and `network`."""

    machines: list[Machine]
    network_fields: list[Field]
    facts: dict[str, dict[str, Any]] = field(default_factory=dict)
    network: dict[str, Value] = field(default_factory=dict)
    error: str = ""

    @property
    def is_said(self) -> bool:
        """Whether anything was typed beside roles."""
        return any(each.text.strip() for each in _all_fields(self) if each.word is not ROLE)

    @property
    def is_wrong(self) -> bool:
        return bool(self.error) or any(each.error for each in _all_fields(self))

    def read(self) -> None:
        """Fill `facts` and `network`; each field that is wrong says why."""
        self.network = _said(self.network_fields)
        for machine in self.machines:
            machine.read()
            if machine.said or machine.role.text.strip():
                self._take(machine)
        if not self.machines:
            self.error = _("An environment has at least one machine.")

    def _take(self, machine: Machine) -> None:
        role = machine.role.text.strip()
        try:
            machine.role.error = (
                _("Two machines have this role.") if checked_role(role) in self.facts else ""
            )
        except Refused as refused:
            machine.role.error = in_language(refused.sentence) if role else _("Give its role.")
        wrong = any(each.error for each in _fields_of(machine))
        if not machine.said and not machine.role.error and not wrong:
            machine.role.error = _("Enter at least one fact about this machine, or remove it.")
        self.facts.setdefault(role, machine.said)


def machine_fields(texts: Mapping[str, str]) -> Machines:
    """The fields that these texts stand in, MOST of each; unread, so that no field is wrong yet."""
    places = [match for name in texts if (match := PLACE.fullmatch(name))]
    numbers = {int(match[1]) for match in places if match[1]}
    rows: dict[str, set[int]] = {}
    for match in places:
        if match[1] and match[2] in ROWS:
            rows.setdefault(f"m{int(match[1])}-{match[2]}", set()).add(int(match[3]))
    return Machines(
        [_machine(f"m{number}", texts, rows) for number in sorted(numbers)[:MOST]],
        _fields("network", NETWORK, texts),
        error=_too_many() if any(len(each) > MOST for each in (numbers, *rows.values())) else "",
    )


def _too_many() -> str:
    sentence = _(
        "A form holds at most {n} machines, and {n} rows in each part of one; "
        "what goes beyond is left out here. The API takes more."
    )
    return sentence.format(n=MOST)


def _machine(name: str, texts: Mapping[str, str], rows: Mapping[str, set[int]]) -> Machine:
    return Machine(
        name,
        Field(f"{name}-role", ROLE, texts.get(f"{name}-role", "")),
        _fields(name, FACTS, texts),
        _fields(name, GOOD_TO_KNOW, texts),
        [
            Rows(
                f"{name}-{part}",
                part,
                [
                    Row(f"{name}-{part}-{place}", _fields(f"{name}-{part}-{place}", words, texts))
                    for place in sorted(rows.get(f"{name}-{part}", ()))[:MOST]
                ],
            )
            for part, words in ROWS.items()
        ],
    )


def _fields(place: str, words: Mapping[str, Option], texts: Mapping[str, str]) -> list[Field]:
    names = ((f"{place}-{name}", word) for name, word in words.items())
    return [Field(name, word, texts.get(name, "")) for name, word in names]


def _said(fields: list[Field]) -> dict[str, Value]:
    values = ((each.word.name, each.value()) for each in fields)
    return {name: value for name, value in values if value is not None}


def _all_fields(machines: Machines) -> Iterator[Field]:
    yield from machines.network_fields
    for machine in machines.machines:
        yield from _fields_of(machine)


def _fields_of(machine: Machine) -> Iterator[Field]:
    yield from (machine.role, *machine.facts, *machine.good_to_know)
    for part in machine.parts:
        for row in part.rows:
            yield from row.fields


def _programs(rows: list[Row]) -> dict[str, Value]:
    """`{program: version}`, each program once."""
    found: dict[str, Value] = {}
    for row in rows:
        said, (name, version) = row.said(), row.fields
        program = str(said.get("name", "")).casefold()
        if not said or name.error or version.error:
            continue
        if not program:
            name.error = _("Name the program.")
        elif "version" not in said:
            version.error = _("Say its version, or leave the program out.")
        elif program in found:
            name.error = _("{name} is listed twice.").format(name=program)
        else:
            name.error = _refusal_of({"versions": {program: said["version"]}})
            found[program] = said["version"]
    return found


def _refusal_of(facts: dict[str, Any]) -> str:
    """Why the vocabulary takes no such facts; "" where it does."""
    try:
        normalised(facts)
    except Refused as refused:
        return in_language(refused.sentence)
    return ""
