"""Where a batch of files belongs: records by name, or new ones written down right there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from django import forms
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.inventory.queries import machines_of, newest_under
from benchdash.inventory.records import (
    CaptureInfo,
    checked_name,
    record_configuration,
    record_environment,
)
from benchdash.pages.machine_forms import Machines
from benchdash.pages.settings_field import settings_field
from benchdash.results.assignment import Assignment, assignment_by_name
from benchdash.results.models import Study
from benchdash.results.records import write_study
from benchdash.vocabulary.storage.notation import parse

Record = TypeVar("Record")
RECORDS = ("configuration", "environment", "study")


def _named(list_id: str) -> forms.TextInput:
    return forms.TextInput({"list": list_id, "autocomplete": "off"})


def _code(rows: int) -> forms.Textarea:
    return forms.Textarea({"rows": rows, "class": "code", "spellcheck": "false"})


class AssignmentForm(forms.Form):
    """Everything may stay empty: runs can be assigned later."""

    configuration = forms.CharField(
        label=_("Configuration"), required=False, max_length=200, widget=_named("configurations")
    )
    layers = forms.CharField(
        label=_("Its layers, if it is new"), required=False, strip=False, widget=_code(6)
    )
    environment = forms.CharField(
        label=_("Environment"), required=False, max_length=200, widget=_named("environments")
    )
    study = forms.CharField(
        label=_("Study"), required=False, max_length=200, widget=_named("studies")
    )
    new_study = forms.BooleanField(label=_("This study is new"), required=False)
    settings = settings_field()

    @property
    def is_new_configuration(self) -> bool:
        return bool(self["layers"].value() or "layers" in self.errors)


@transaction.atomic
def assignment_of(form: AssignmentForm, machines: Machines | None, by: User) -> Assignment:
    """The records that a valid form names, new ones recorded; Refused with the form's field.

    `machines` are those of a new environment.
    """
    values = form.cleaned_data
    new: dict[str, Any] = {}
    if values["layers"].strip():
        new["configuration"] = _new_configuration(values["configuration"], values["layers"], by)
    if machines:
        new["environment"] = _new_environment(values["environment"], machines, by)
    if values["new_study"]:
        title = values["study"]
        new["study"] = _beside("study", lambda: write_study(Study(), title=checked_name(title)))
    old = {record: "" if record in new else values[record] for record in RECORDS}
    named = assignment_by_name(
        configuration=old["configuration"],
        environment=old["environment"],
        study=old["study"],
        settings=values["settings"],
    )
    return replace(named, **new)


def _new_configuration(name: str, layers: str, by: User) -> Configuration:
    tree = parse(layers)
    return _beside("configuration", lambda: record_configuration(name, tree, by=by))


def _new_environment(name: str, machines: Machines, by: User) -> Environment:
    label = _beside("environment", lambda: checked_name(name))
    capture = CaptureInfo(captured_by=by)
    facts, network = machines.facts, machines.network
    if before := newest_under(label):
        _refuse_others(label, _hosts(machines_of(before)), _hosts(facts))
    return _beside(
        "machines", lambda: record_environment(facts, network, name=label, capture=capture)
    )


def _hosts(facts: Mapping[str, Mapping[str, object]]) -> set[str]:
    return {str(one["hostname"]) for one in facts.values() if one.get("hostname")}


def _refuse_others(name: str, before: set[str], now: set[str]) -> None:
    """A host whose kernel is newer is the same one; another host is not what the name means."""
    if before and now and not before & now:
        raise Refused(
            "“{name}” already names the machines of other hosts ({hosts}); choose another name.",
            "environment",
            name=name,
            hosts=", ".join(sorted(before)),
        )


def _beside(field: str, record: Callable[[], Record]) -> Record:
    """What `record` makes; its refusal is shown beside `field` of this form."""
    try:
        return record()
    except Refused as refused:
        raise Refused(refused.sentence, field) from refused
