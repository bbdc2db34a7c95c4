"""The machines of an environment and the network between them, as forms and formsets.

A field is named for its place: `m0-role`, `m0-kernel`, `m0-disks-1-size_bytes`, `network-mtu`. The
buttons among the fields send the whole form, so that a page without scripts adds, copies and
removes machines and rows too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.errors import Refused
from benchdash.inventory.models import Environment
from benchdash.inventory.queries import machines_of
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

MOST = 100  # machines, and rows in a part of one
# the button that adds a row, the words for one
ROW_WORDS = {
    "disks": (gettext_lazy("Add a disk"), gettext_lazy("disk")),
    "nics": (gettext_lazy("Add a network card"), gettext_lazy("network card")),
    "versions": (gettext_lazy("Add a version"), gettext_lazy("version")),
}
FormSet = TypeVar("FormSet", bound=forms.BaseFormSet)  # type: ignore[type-arg] # no generic at run time
# a form's texts by field; of a machine also the texts of its rows by part
Texts = dict[str, Any]


class FactField(forms.Field):
    """One fact as people type it; None where nothing is typed. Drawn by environments/field.html."""

    def __init__(self, option: Option) -> None:
        super().__init__(required=False)
        self.option = option

    def to_python(self, typed: str | None) -> Value | None:
        """The value; ValidationError says what the fact takes."""
        typed = (typed or "").strip()
        value = self.option.read(typed) if typed else None
        if typed and value is None:
            sentence = _("“{typed}” is not {allowed}.")
            allowed = in_language(self.option.allowed)
            raise ValidationError(sentence.format(typed=typed, allowed=allowed))
        return value


class FactsForm(forms.Form):
    """A form with a field for each of its `options`."""

    options: Mapping[str, Option]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields = {name: FactField(option) for name, option in self.options.items()}

    def texts(self) -> Texts:
        """What stands in the fields, right or wrong."""
        return {name: self[name].value() or "" for name in self.fields}

    def values(self) -> dict[str, Value]:
        """The values of a form that was validated, without those that were left out."""
        return {name: value for name, value in self.cleaned_data.items() if value is not None}


class NetworkForm(FactsForm):
    """The network between the machines."""

    options = NETWORK


class PartForm(FactsForm):
    """One or several alike disks or network cards."""

    def clean(self) -> None:
        """A count of nothing is wrong."""
        if set(self.values()) == {"count"}:
            self.add_error("count", _("Describe what these are."))


class DiskForm(PartForm):
    options = PARTS["disks"]


class NetworkCardForm(PartForm):
    options = PARTS["nics"]


class VersionForm(FactsForm):
    """A program and its version."""

    options = {"name": PROGRAM, "version": VERSION}

    def clean(self) -> None:
        """Both or neither, and a name that the vocabulary takes."""
        values = self.values()
        if self.errors or not values:
            return
        program = str(values.get("name", "")).casefold()
        if not program:
            self.add_error("name", _("Name the program."))
        elif "version" not in values:
            self.add_error("version", _("Enter its version, or leave the program empty."))
        else:
            self.cleaned_data["name"] = program
            try:
                normalised({"versions": {program: values["version"]}})
            except Refused as refused:
                self.add_error("name", in_language(refused.sentence))


class Rows(forms.BaseFormSet):  # type: ignore[type-arg] # no generic at run time
    """What a machine has several of, a form each; `prefix` ends in the name of the part."""

    @property
    def part(self) -> str:
        return str(self.prefix).rpartition("-")[2]

    @property
    def title(self) -> str:
        return TITLES[self.part]

    @property
    def words(self) -> tuple[Promise, Promise]:
        return ROW_WORDS[self.part]

    def values(self) -> Any:
        """The rows that say anything, once the formset is validated."""
        return [values for row in self.forms if (values := row.values())]


class VersionRows(Rows):
    """Each program once."""

    def clean(self) -> None:
        programs = set()
        for row in self.forms:
            name = row.cleaned_data.get("name")
            if name in programs:
                row.add_error("name", _("{name} is listed twice.").format(name=name))
            elif name:
                programs.add(name)

    def values(self) -> Any:
        """`{program: version}`"""
        rows = [values for row in self.forms if len(values := row.values()) == 2]
        return {row["name"]: row["version"] for row in rows}


def _formset(form: type[FactsForm], base: type[FormSet]) -> type[FormSet]:
    limits: Any = {"max_num": MOST, "absolute_max": MOST}
    return cast(type[FormSet], forms.formset_factory(form, formset=base, extra=0, **limits))


ROWS = {
    "disks": _formset(DiskForm, Rows),
    "nics": _formset(NetworkCardForm, Rows),
    "versions": _formset(VersionForm, VersionRows),
}
MANAGED = "m-TOTAL_FORMS"  # posted wherever there are fields of machines, even of none
EMPTY_MACHINE: Texts = {part: [{}] for part in ROWS}


class MachineForm(FactsForm):
    """One machine in the part that it plays, with the formsets of what it has several of."""

    options = {"role": ROLE} | FACTS | GOOD_TO_KNOW

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        data = self.data if self.is_bound else None
        self.parts = [
            rows(data, prefix=self.add_prefix(part), auto_id="%s", initial=self.initial.get(part))
            for part, rows in ROWS.items()
        ]

    def clean_role(self) -> str:
        role = self.cleaned_data["role"] or ""
        try:
            return checked_role(role) if role else ""
        except Refused as refused:
            raise ValidationError(in_language(refused.sentence)) from refused

    def is_valid(self) -> bool:
        valid = [super().is_valid(), *(rows.is_valid() for rows in self.parts)]
        return all(valid)

    def texts(self) -> Texts:
        """With the texts of its rows by part."""
        return super().texts() | {rows.part: [row.texts() for row in rows] for rows in self.parts}

    def facts(self) -> dict[str, Any]:
        """All valid values but the role, as the vocabulary takes them."""
        self.is_valid()
        facts = {name: value for name, value in self.values().items() if name != "role"}
        return facts | {rows.part: found for rows in self.parts if (found := rows.values())}

    def role_fields(self) -> list[forms.BoundField]:
        return [self["role"]]

    def fact_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in FACTS]

    def good_to_know_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in GOOD_TO_KNOW]

    def has_good_to_know(self) -> bool:
        return any(field.value() for field in self.good_to_know_fields())


class MachineForms(forms.BaseFormSet):  # type: ignore[type-arg] # no generic at run time
    """The machines; each has a role of its own, and facts."""

    def add_prefix(self, index: int | str) -> str:
        return f"{self.prefix}{index}"

    def clean(self) -> None:
        self.facts: dict[str, dict[str, Any]] = {}
        for machine in self.forms:
            facts, role = machine.facts(), machine.cleaned_data.get("role")
            if "role" not in machine.errors and (role or facts):
                if not role:
                    machine.add_error("role", _("Enter its role."))
                elif role in self.facts:
                    machine.add_error("role", _("Two machines have this role."))
                elif not facts and machine.is_valid():
                    sentence = _("Enter at least one fact about this machine, or remove it.")
                    machine.add_error("role", sentence)
                self.facts[role or ""] = facts
        if not self.forms:
            raise ValidationError(_("An environment has at least one machine."))


MachineFormSet = _formset(MachineForm, MachineForms)


class Machines:
    """All forms of an environment: bound to what was posted, or beginning with texts."""

    def __init__(
        self,
        data: Mapping[str, str] | None = None,
        *,
        machines: Sequence[Texts] = (),
        network: Texts | None = None,
        is_cut: bool = False,
    ) -> None:
        cut = [each | {part: each[part][:MOST] for part in ROWS} for each in machines[:MOST]]
        self.formset = MachineFormSet(data, prefix="m", auto_id="%s", initial=cut)
        self.network_form = NetworkForm(data, prefix="network", auto_id="%s", initial=network)
        self.formsets = [self.formset, *chain(*(machine.parts for machine in self.formset))]
        lengths = [len(machines), *(len(each[part]) for each in machines for part in ROWS)]
        if data is not None:
            lengths = [each.management_form.cleaned_data["TOTAL_FORMS"] for each in self.formsets]
        self.is_cut = is_cut or max(lengths) > MOST

    def is_valid(self) -> bool:
        """Validate everything, so that each field that is wrong says why."""
        return all([self.formset.is_valid(), self.network_form.is_valid()])

    @property
    def is_filled(self) -> bool:
        """Whether anything was typed beside roles."""
        machines = (machine.texts() | {"role": ""} for machine in self.formset)
        return any(map(_has_text, (self.network_form.texts(), *machines)))

    @property
    def facts(self) -> dict[str, dict[str, Any]]:
        """The facts of valid forms by role."""
        return self.formset.facts

    @property
    def network(self) -> dict[str, Value]:
        return self.network_form.values()

    @property
    def error(self) -> str:
        """What is wrong with the machines as a whole."""
        if self.is_cut:
            sentence = _(
                "A form holds at most {n} machines, and {n} rows in each part of one; the "
                "rest is left out here. The API takes more."
            )
            return sentence.format(n=MOST)
        return next((str(each) for rows in self.formsets for each in rows.non_form_errors()), "")

    def unread(self) -> Machines:
        """The same texts in forms that have not been validated, so that none is wrong yet."""
        machines = [machine.texts() for machine in self.formset]
        return Machines(machines=machines, network=self.network_form.texts(), is_cut=self.is_cut)


def _has_text(texts: Texts) -> bool:
    return any(
        any(map(_has_text, text)) if isinstance(text, list) else text.strip()
        for text in texts.values()
    )


def new_machines() -> Machines:
    """The forms of one machine, still empty."""
    return Machines(machines=[EMPTY_MACHINE | {"role": "node-a"}])


def machines_like(environment: Environment) -> Machines:
    """The forms filled in with an environment, for changing a copy."""
    machines = []
    for role, facts in sorted(machines_of(environment).items()):
        versions = facts.get("versions", {}).items()
        parts = {part: facts.get(part, []) for part in PARTS}
        parts["versions"] = [{"name": name, "version": version} for name, version in versions]
        rows = {
            part: [_typed(row, rows.form.options) for row in parts[part]] or [{}]
            for part, rows in ROWS.items()
        }
        machines.append({"role": role} | _typed(facts, FACTS) | rows)
    return Machines(machines=machines, network=_typed(environment.network, NETWORK))


def _typed(values: Mapping[str, Any], options: Mapping[str, Option]) -> Texts:
    return {name: options[name].text(values[name]) for name in options if name in values}


def after_button(posted: Mapping[str, str]) -> Machines | None:
    """The forms after a button among them: one more or one less; None for another button.

    `add`, `copy` and `drop` name a machine (`m0`; to add one, `machine`), a part of one (to add a
    row, `m0-disks`) or a row (to drop it, `m0-disks-1`).
    """
    add, copy, drop = (posted.get(name, "") for name in ("add", "copy", "drop"))
    if not (add or copy or drop):
        return None
    if MANAGED not in posted:
        return new_machines()
    before = Machines(posted)
    machines, more = [], [EMPTY_MACHINE] if add == "machine" else []
    for machine in before.formset:
        texts = machine.texts()
        for rows in machine.parts:
            texts[rows.part] = [row.texts() for row in rows if row.prefix != drop]
            texts[rows.part] += [{}] if rows.prefix == add else []
        if machine.prefix != drop:
            machines.append(texts)
        if machine.prefix == copy:
            more.append(texts | {"role": "", "hostname": ""})
    network = before.network_form.texts()
    return Machines(machines=machines + more, network=network, is_cut=before.is_cut)
