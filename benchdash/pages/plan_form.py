"""The form of a plan: hosts, values, factors, rounds, and where its runs belong."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.analysis.verdicts import ENOUGH
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.jobs.models import Plan, Target
from benchdash.jobs.over_hosts import is_for_one_host
from benchdash.jobs.plan_titles import LONGEST_TITLE, own_title
from benchdash.jobs.planning import MOST_SEED
from benchdash.jobs.stopping import LEAST_PERCENT, MOST_PERCENT
from benchdash.jobs.study_plans import last_plan, levels_for, parameters_for, values_of_another
from benchdash.jobs.wanted import Wanted
from benchdash.pages.study_choice import StudyChoice
from benchdash.pages.target_form import MeasuredChoice, TargetChoices
from benchdash.pages.zone_rows import ZoneRows
from benchdash.recipes import Recipe
from benchdash.recipes.parameters import Parameter
from benchdash.results.language import closed_up
from benchdash.results.models import Study
from benchdash.results.titles import in_words
from benchdash.vocabulary.settings import ZONE

ROUNDS = 8  # proposed where the recipe names no number: docs/comparing.md
MOST_NODES = 10
_NUMBERS = ("integer", "size", "duration")
_SWITCH = {"true": True, "false": False}


class PlanForm(forms.Form):
    """What a recipe leaves open: hosts, values, factors, rounds, and where the runs belong."""

    title = forms.CharField(
        label=gettext_lazy("Title"),
        required=False,
        max_length=LONGEST_TITLE,
        help_text=gettext_lazy("If empty: recipe, factors, hosts and time."),
    )
    repeats = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        min_value=1,
        max_value=100,
        help_text=format_lazy(
            gettext_lazy(
                "Each round measures every cell once, in random order. With fewer than {n} rounds "
                "no comparison of two cells is firm."
            ),
            n=ENOUGH,
        ),
    )
    until_percent = forms.FloatField(
        label=gettext_lazy("Stop once each interval is within ± %"),
        min_value=LEAST_PERCENT,
        max_value=MOST_PERCENT,
        required=False,
        help_text=format_lazy(
            gettext_lazy(
                "If set, rounds end early: once the interval of each cell’s median is this "
                "narrow, after {n} rounds at the earliest. Each look at the intervals "
                "makes the verdicts stricter."
            ),
            n=ENOUGH,
        ),
    )
    seed = forms.IntegerField(
        label=gettext_lazy("Seed of the order"),
        min_value=0,
        max_value=MOST_SEED,
        required=False,
        help_text=gettext_lazy(
            "The seed of another plan repeats its order. If empty, the order is random."
        ),
    )
    study = StudyChoice(
        label=gettext_lazy("Study"),
        required=False,
        empty_label=gettext_lazy("none"),
    )
    configuration = forms.ModelChoiceField(
        Configuration.objects.filter(deleted_at=None).only("name").order_by("name"),
        label=gettext_lazy("Configuration"),
        required=False,
        empty_label=gettext_lazy("the stack found on the host"),
    )
    priority = forms.IntegerField(
        label=gettext_lazy("Priority"),
        min_value=-100,
        max_value=100,
        initial=0,
        required=False,
        help_text=gettext_lazy("Jobs with a higher number run first."),
    )

    def __init__(
        self, recipe: Recipe, *args: Any, called: Sequence[str] = (), **kwargs: Any
    ) -> None:
        """`called` are what a study calls the hosts, in their order."""
        super().__init__(*args, **kwargs)
        self.recipe = recipe
        self.called = len(called)
        self.fields["repeats"].initial = recipe.repeats if recipe.repeats > 1 else ROUNDS
        self.roles = [f"node-{letter}" for letter in "abcdefghij"[:MOST_NODES]]
        for index, role in enumerate(self.roles):
            usual = _("Measured host") if index == 0 else role
            needed = index < recipe.nodes and not recipe.has_zones
            self.fields[role] = MeasuredChoice(
                Target.objects.select_related("host").defer("secret"),
                label=f"{called[index]} ({usual})" if index < len(called) else usual,
                required=needed,
                empty_label=_("choose one") if needed else _("none"),
            )
        if is_for_one_host(recipe):
            self.fields["also"] = TargetChoices(
                Target.objects.select_related("host").defer("secret"),
                label=_("These hosts as well"),
                required=False,
                widget=forms.CheckboxSelectMultiple(),
                help_text=_(
                    "Each gets its own plan, otherwise identical; they measure at the same "
                    "time and can be compared by host."
                ),
            )
        self.zones = ZoneRows(self) if recipe.has_zones else None
        for name, parameter in recipe.parameters.items():
            if parameter.kind == "hosts":
                continue
            self.fields[f"p-{name}"] = _value_field(parameter)
            self.fields[f"f-{name}"] = _levels_field(parameter, recipe.factors.get(name, ()))

    def nodes(self) -> list[BoundField]:
        """The hosts that the recipe needs."""
        return [self[role] for role in self.roles[: self.recipe.nodes]]

    def more_nodes(self) -> list[BoundField]:
        """Further hosts: as many as there are, or those that some values need."""
        used = {choice.node for step in self.recipe.steps for choice in step.node}
        wide = not used.isdisjoint(("all", "peers")) or any(s.count for s in self.recipe.steps)
        return [self[role] for role in self.roles[self.recipe.nodes :] if wide or role in used]

    def has_more_nodes(self) -> bool:
        """Whether further hosts were chosen, refused, or are what a study calls its hosts."""
        more = self.more_nodes()
        return len(more) > 0 and (
            self.called > self.recipe.nodes or any(one.value() or one.errors for one in more)
        )

    def parameters(self) -> Iterator[tuple[BoundField, BoundField, bool]]:
        """Each value with its levels, and whether it is varied now."""
        for name in self._valued:
            levels = self[f"f-{name}"]
            yield self[f"p-{name}"], levels, bool(levels.value() or levels.errors)

    @property
    def _valued(self) -> list[str]:
        """The parameters that have a value; the zone has hosts."""
        return [name for name in self.recipe.parameters if f"p-{name}" in self.fields]

    def clean(self) -> dict[str, Any]:
        """Hosts, or zones that have some; and every value, so that all that is wrong is said at once."""
        values = self.cleaned_data
        for name in self._valued:
            if {f"p-{name}", f"f-{name}"} & self.errors.keys():
                continue
            levels = self._levels(name)
            for value in levels or [values.get(f"p-{name}")]:
                try:
                    self.recipe.parameters[name].read(value)
                except Refused as refused:
                    self.refuse(refused)
                    break
        if self.zones is not None:
            self.zones.clean()
            if not self.zones.chosen and not values.get("node-a"):
                self.add_error("node-a", _("Choose a host, or hosts for each zone."))
        return values

    def wanted(self) -> Wanted:
        """What was requested; after `is_valid`."""
        values = self.cleaned_data
        levels = {name: self._levels(name) for name in self._valued}
        factors = {name: chosen for name, chosen in levels.items() if chosen}
        return Wanted(
            recipe=self.recipe,
            targets={role: values[role] for role in self.roles if values[role]},
            parameters={
                name: values[f"p-{name}"]
                for name in self._valued
                if name not in factors and values[f"p-{name}"] not in ("", None)
            },
            factors=factors,
            repeats=values["repeats"],
            until_percent=values["until_percent"],
            seed=values["seed"],
            title=values["title"],
            study=values["study"],
            configuration=values["configuration"],
            priority=values["priority"] or 0,
            zones=self.zones.chosen if self.zones else {},
        )

    def targets(self) -> list[Target]:
        """The hosts that each are to have such a plan, the first one first; after `is_valid`."""
        first, also = self.cleaned_data[self.roles[0]], self.cleaned_data.get("also") or ()
        if first is None:
            return []
        return [first, *(target for target in also if target != first)]

    def refuse(self, refused: Refused) -> None:
        """Show a refusal beside the input that it is about."""
        name = f"p-{refused.field}"
        if name in self.fields and self._levels(refused.field):
            name = f"f-{refused.field}"
        hosts = "zone-1" if self.zones and self.zones.chosen else "node-a"
        others = {"targets": hosts, "each_of": "also", "zones": "zone-1", "factors": None}
        plain = others.get(refused.field, refused.field)
        field = name if name in self.fields else plain if plain in self.fields else None
        self.add_error(field, refused.sentence)

    def _levels(self, name: str) -> list[Any]:
        levels = self.cleaned_data.get(f"f-{name}") or []
        parameter = self.recipe.parameters[name]
        return levels_in(parameter, levels if isinstance(levels, str) else "\n".join(levels))


def levels_in(parameter: Parameter, text: str) -> list[Any]:
    """The levels in a text, one a line."""
    # a text or a place may have a comma in it
    lines = (text.replace(",", "\n") if parameter.kind in _NUMBERS else text).splitlines()
    levels = [line.strip() for line in lines]
    is_switch = parameter.kind == "boolean"
    return [_SWITCH.get(line, line) if is_switch else line for line in levels if line]


def initial_of_plan(plan: Plan, recipe: Recipe, newest: Plan | None = None) -> dict[str, Any]:
    """The fields of a plan, as its form takes them; what the recipe no longer has is left out.

    `newest` is a plan whose hosts are proposed first.
    """
    initial: dict[str, Any] = _initial_hosts(plan, newest) | {
        "title": own_title(plan.title, recipe.title["en"]),
        "repeats": plan.rounds_at_most or plan.rounds_planned,
        "until_percent": plan.until_percent,
        "study": plan.study_id,
        "configuration": plan.configuration_id,
        "priority": plan.priority,
    }
    return initial | _initial_parameters(recipe, plan.parameters, plan.factors)


def initial_of_study(study: Study, recipe: Recipe) -> dict[str, Any]:
    """What a study prescribes for a plan, as its form takes it.

    Hosts and places are those of its last plan, be it one of another recipe.
    """
    before, newest = last_plan(study, recipe), last_plan(study)
    initial = initial_of_plan(before, recipe, newest) if before else _initial_hosts(newest)
    values = before.parameters if before else {}
    if newest and newest != before:
        values = values | values_of_another(newest, recipe)
    values = values | parameters_for(study, recipe)
    levels = levels_for(study, recipe)
    initial |= _initial_parameters(recipe, values, levels)
    if recipe.has_zones and ZONE in levels:
        known = initial.get("zones", {})
        initial["zones"] = {zone: known.get(zone, {}) for zone in levels[ZONE]}
    return initial | {"study": study.pk, "title": "", "configuration": None}


def _initial_hosts(*plans: Plan | None) -> dict[str, Any]:
    """The hosts by role, and those of zones, of the last plan first; none that is gone."""
    known = [plan for plan in plans if plan]
    named = {node["target"] for plan in known for node in plan.nodes}
    there = set(Target.objects.filter(pk__in=named).values_list("pk", flat=True))
    hosts: dict[str, Any] = {}
    zones: dict[str, dict[str, Any]] = {}
    for plan in known:
        if zones and not plan.zones:
            continue  # it does not say in which zone its hosts are
        own = _by_role(plan.nodes_of(""), there)
        # one that has another role now is not proposed twice
        hosts = {role: host for role, host in hosts.items() if host not in own.values()} | own
        zones |= {zone: _by_role(nodes, there) for zone, nodes in plan.zones.items()}
    return hosts | {"zones": zones}


def _by_role(nodes: Iterable[Mapping[str, Any]], there: Container[int]) -> dict[str, int]:
    return {node["role"]: node["target"] for node in nodes if node["target"] in there}


def _initial_parameters(
    recipe: Recipe, values: Mapping[str, Any], factors: Mapping[str, Any]
) -> dict[str, Any]:
    """Values and levels as the fields take them; what the recipe no longer has is left out."""
    initial: dict[str, Any] = {}
    for name, parameter in recipe.parameters.items():
        if parameter.kind == "hosts":
            continue
        if name in values:
            value = values[name]
            initial[f"p-{name}"] = value if isinstance(value, bool) else _line(value)
        texts = [_level(level) for level in factors.get(name, ())]
        ticked = parameter.kind in ("boolean", "choice")
        initial[f"f-{name}"] = texts if ticked else "\n".join(texts)
    return initial


def _level(level: Any) -> str:
    return str(level).lower() if isinstance(level, bool) else _line(level)


def _value_field(parameter: Parameter) -> forms.Field:
    words: dict[str, Any] = {
        "label": in_words(parameter.label) or parameter.name,
        "help_text": _help(parameter),
        "required": False,
    }
    if parameter.kind == "boolean":
        return forms.BooleanField(initial=bool(parameter.default), **words)
    if parameter.kind == "choice":
        empty = [] if parameter.default else [("", "–")]
        choices = [*empty, *((choice, choice) for choice in parameter.choices)]
        return forms.ChoiceField(choices=choices, initial=parameter.default, **words)
    initial = parameter.default
    initial = ", ".join(map(str, initial)) if isinstance(initial, list | tuple) else initial
    widget = forms.Textarea({"rows": 6, "class": "code"}) if parameter.lines else forms.TextInput()
    widget.attrs |= {"placeholder": str(parameter.example or ""), "spellcheck": "false"}
    return forms.CharField(initial=initial, widget=widget, strip=not parameter.lines, **words)


def _levels_field(parameter: Parameter, levels: tuple[Any, ...]) -> forms.Field:
    """The values that a parameter is varied over: ticked, or one a line."""
    label = _("Several values of {name}").format(name=in_words(parameter.label) or parameter.name)
    if parameter.kind == "boolean":
        choices = [("true", _("yes")), ("false", _("no"))]
        ticked = [str(level).lower() for level in levels]
    elif parameter.kind == "choice":
        choices = [(choice, choice) for choice in parameter.choices]
        ticked = [str(level) for level in levels]
    else:
        return forms.CharField(
            label=label,
            required=False,
            initial="\n".join(map(_line, levels)),
            widget=forms.Textarea({"rows": 3, "class": "code", "spellcheck": "false"}),
            help_text=_("One value per line, or separated by commas: each is measured.")
            if parameter.kind in _NUMBERS
            else _("One value per line: each is measured."),
        )
    widget = forms.CheckboxSelectMultiple()
    return forms.MultipleChoiceField(
        label=label, choices=choices, initial=ticked, required=False, widget=widget
    )


def _line(level: Any) -> str:
    return ", ".join(map(str, level)) if isinstance(level, list | tuple) else str(level)


def _help(parameter: Parameter) -> str:
    sentences = [in_words(parameter.help)]
    is_bounded = parameter.minimum is not None and parameter.maximum is not None
    if parameter.kind == "integer" and is_bounded:
        words = {"low": f"{parameter.minimum:,.0f}", "high": f"{parameter.maximum:,.0f}"}
        if parameter.unit:
            sentences.append(_("From {low} to {high} {unit}.").format(unit=parameter.unit, **words))
        else:
            sentences.append(_("From {low} to {high}.").format(**words))
    elif parameter.unit:
        sentences.append(_("In {unit}.").format(unit=parameter.unit))
    return closed_up(" ".join(filter(None, sentences)))
