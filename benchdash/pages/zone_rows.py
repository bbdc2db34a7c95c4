"""The zones of a plan's form: a row for each, with its name and its hosts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.jobs.models import Target
from benchdash.jobs.planning import MOST_ZONES
from benchdash.pages.target_states import named_with_state
from benchdash.results.language import in_language
from benchdash.vocabulary.settings import ZONE

_ROWS, _HOSTS, _MOST_HOSTS = 5, 2, 10
_FIELD = re.compile(r"zone-(\d{1,2})-node-([a-j])", re.ASCII)


class ZoneRows:
    """Rows of `zone-1`, `zone-1-node-a`, … in a form; as many as there were before, and some."""

    def __init__(self, form: forms.Form) -> None:
        self._form = form
        self.chosen: dict[str, dict[str, Target]] = {}
        before: dict[str, dict[str, int]] = form.initial.get("zones") or {}
        posted = [match for name in form.data if (match := _FIELD.fullmatch(name))]
        rows = max([_ROWS, len(before) + 1, *(int(one[1]) for one in posted)])
        letters = [one[2] for one in posted] + [
            role[-1] for own in before.values() for role in own if re.fullmatch("node-[a-j]", role)
        ]
        hosts = max([_HOSTS, *("abcdefghij".index(letter) + 1 for letter in letters)])
        self._roles = [f"node-{letter}" for letter in "abcdefghij"[: min(hosts, _MOST_HOSTS)]]
        self._rows = range(1, min(rows, MOST_ZONES) + 1)
        self._targets = {
            str(target.pk): target
            for target in Target.objects.select_related("host").defer("secret")
        }
        self._add_fields()
        for number, (zone, own) in zip(count(1), before.items(), strict=False):
            form.initial[f"zone-{number}"] = zone
            form.initial.update({f"zone-{number}-{role}": pk for role, pk in own.items()})

    def _add_fields(self) -> None:
        # choices of one query: a field of its own would ask for each of them
        choices = [
            ("", _("none")),
            *((pk, named_with_state(target)) for pk, target in self._targets.items()),
        ]
        for number in self._rows:
            self._form.fields[f"zone-{number}"] = forms.CharField(
                label=_("Zone {n}").format(n=number), required=False, max_length=80
            )
            for role in self._roles:
                usual = _("Measured host") if role == "node-a" else role
                label = _("{host} of zone {n}").format(host=usual, n=number)
                self._form.fields[f"zone-{number}-{role}"] = forms.ChoiceField(
                    label=label, choices=choices, required=False
                )

    def __iter__(self) -> Iterator[list[BoundField]]:
        for number in self._rows:
            names = [f"zone-{number}", *(f"zone-{number}-{role}" for role in self._roles)]
            yield [self._form[name] for name in names]

    @property
    def is_open(self) -> bool:
        """Whether something stands in them."""
        return any(field.value() or field.errors for row in self for field in row)

    def clean(self) -> None:
        """Read the zones that are chosen; names alone are none where a host is measured without."""
        values = self._form.cleaned_data
        rows = {
            number: {
                role: self._targets[pk]
                for role in self._roles
                if (pk := values.get(f"zone-{number}-{role}"))
            }
            for number in self._rows
        }
        if not any(rows.values()):
            return
        parameter = self._form.recipe.parameters[ZONE]  # type: ignore[attr-defined] # a PlanForm
        for number, hosts in rows.items():
            name = values.get(f"zone-{number}", "")
            if not hosts and name == self._form.initial.get(f"zone-{number}"):
                continue  # a zone of the study that somebody has no hosts for
            if hosts and not name:
                self._form.add_error(f"zone-{number}", _("Name this zone."))
            elif (hosts or name) and "node-a" not in hosts:
                self._form.add_error(f"zone-{number}-node-a", _("Choose the host to measure."))
            elif name in self.chosen:
                self._form.add_error(f"zone-{number}", _("Each zone needs its own name."))
            elif hosts:
                try:
                    self.chosen[str(parameter.read(name))] = hosts
                except Refused as refused:
                    self._form.add_error(f"zone-{number}", in_language(refused.sentence))
