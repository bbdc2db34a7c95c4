"""Plans: a recipe is chosen and filled in, every command is read, and only then it is launched."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.jobs import launching
from benchdash.jobs.models import Plan, Target
from benchdash.jobs.more_rounds import add_rounds, is_further_look, room_for_rounds
from benchdash.jobs.own_recipes import offered
from benchdash.jobs.planning import MOST_SEED, Wanted, touched
from benchdash.jobs.planning import plan as make_plan
from benchdash.jobs.queries import matrix_of, runs_of_plan, whole_jobs
from benchdash.jobs.queries import plans as all_plans
from benchdash.pages.access import needs, person
from benchdash.pages.run_rows import LISTED, one_per_sample, run_rows
from benchdash.pages.study_choice import StudyChoice
from benchdash.pages.target_form import TargetChoice
from benchdash.recipes import Recipe
from benchdash.recipes.parameters import Parameter
from benchdash.results.language import in_language
from benchdash.results.paging import page_of

JOBS_A_PAGE = 20
NEWEST_RUNS = 20
MOST_COMPARED = 200
ROUNDS = 8  # proposed where the recipe names no number: docs/comparing.md


@needs(Role.VIEWER)
def plans(request: HttpRequest) -> HttpResponse:
    """All plans, the newest first, and how far each is."""
    return render(request, "plans/list.html", {"page": page_of(all_plans(), request.GET)})


@needs(Role.OPERATOR)
def new_plan(request: HttpRequest) -> HttpResponse:
    """Choose what to run."""
    known = offered()
    recipes = [
        {
            "recipe": each.recipe,
            "own": each.own,
            "title": in_words(each.recipe.title),
            "help": in_words(each.recipe.help),
        }
        for each in known
        if each.recipe and _may(request, each.recipe)
    ]
    broken = [each for each in known if each.trouble]
    return render(request, "plans/recipes.html", {"recipes": recipes, "broken": broken})


@needs(Role.OPERATOR)
def fill_in_plan(request: HttpRequest, recipe: str) -> HttpResponse:
    """Say what the recipe leaves open; nothing runs yet."""
    chosen = next((each.recipe for each in offered() if each.name == recipe), None)
    if chosen is None or not _may(request, chosen):
        raise Http404
    form = PlanForm(chosen, request.POST or None, initial={"node-a": request.GET.get("target")})
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("plan", make_plan(form.wanted(), person(request)).pk)
        except Refused as refused:
            form.refuse(refused)
    words = {"title": in_words(chosen.title), "help": in_words(chosen.help)}
    return render(request, "plans/edit.html", {"form": form, "recipe": chosen, **words})


@needs(Role.VIEWER)
def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Every command in the order in which it will run, and the matrix as it fills."""
    found = get_object_or_404(all_plans(), pk=pk)
    first = _number(request.GET.get("from"))
    jobs = list(
        whole_jobs()
        .filter(plan=found, position__gte=first, retry_of=None)
        .order_by("position")[: JOBS_A_PAGE + 1]
    )
    runs = LISTED.filter(pk__in=runs_of_plan(found).values("pk"))
    context: dict[str, Any] = _filling(found) | {
        "jobs": jobs[:JOBS_A_PAGE],
        "first": first,
        "before": max(1, first - JOBS_A_PAGE) if first > 1 else None,
        "after": jobs[JOBS_A_PAGE].position if len(jobs) > JOBS_A_PAGE else None,
        "touched": touched(found),
        "compare": _comparison(found),
        "rows": run_rows(request, one_per_sample(runs).order_by("-pk")[:NEWEST_RUNS], slim=True),
    }
    return render(request, "plans/plan.html", context | _rounds(request, found))


@needs(Role.VIEWER)
def plan_matrix(request: HttpRequest, pk: int) -> HttpResponse:
    """The matrix alone, which its page asks for while jobs go on."""
    return render(request, "plans/matrix.html", _filling(get_object_or_404(all_plans(), pk=pk)))


@needs(Role.OPERATOR)
@require_POST
def launch_plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue all jobs of a plan, or discard a plan that was not launched."""
    found = get_object_or_404(Plan, pk=pk)
    try:
        if "discard" in request.POST:
            launching.discard(found)
            messages.success(request, _("The plan was discarded; nothing of it ran."))
            return redirect("plans")
        launching.launch(
            found,
            person(request),
            whatever_conditions="whatever_conditions" in request.POST,
            confirmed=request.POST.getlist("confirmed"),
        )
        messages.success(request, _("Launched. You may close this page: the jobs continue."))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("plan", pk)


@needs(Role.OPERATOR)
@require_POST
def add_rounds_to_plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Further rounds of a plan, queued where it was launched."""
    found = get_object_or_404(Plan, pk=pk)
    try:
        jobs = add_rounds(found, _number(request.POST.get("rounds"), 0), person(request))
        added = ngettext("%(n)s job was added.", "%(n)s jobs were added.", len(jobs))
        messages.success(request, added % {"n": len(jobs)})
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("plan", pk)


def _rounds(request: HttpRequest, found: Plan) -> dict[str, Any]:
    """How the plan came to its rounds, and for operators what more of them would be."""
    added = list(found.added.select_related("by"))
    context = {"added": added, "first_rounds": found.rounds_planned - sum(a.rounds for a in added)}
    if role_of(request.user) < Role.OPERATOR:
        return context
    further = is_further_look(found)
    more = {"room": room_for_rounds(found), "further_look": further, "next_look": found.looks + 1}
    return context | more


def _comparison(found: Plan) -> str:
    """The address that lays the plan's runs side by side: of its study, else one by one."""
    if found.study:
        return f"{reverse('compare')}?{urlencode({'study': found.study.slug})}"
    runs = list(runs_of_plan(found).values_list("pk", flat=True)[:MOST_COMPARED])
    return f"{reverse('compare')}?{urlencode([('run', pk) for pk in runs])}" if runs else ""


def _filling(found: Plan) -> dict[str, Any]:
    return {"plan": found, "matrix": matrix_of(found)}


def _may(request: HttpRequest, recipe: Recipe) -> bool:
    return not recipe.admin or role_of(request.user) >= Role.ADMIN


def _number(text: str | None, otherwise: int = 1) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 6 else otherwise


MOST_NODES = 10
_SWITCH = {"true": True, "false": False}


def in_words(texts: dict[str, str]) -> str:
    """The text in the reader's language, in English where it has none."""
    return texts.get((get_language() or "en")[:2]) or texts.get("en", "")


class PlanForm(forms.Form):
    """What is asked of a recipe: hosts, values, factors, rounds, and where the runs belong."""

    title = forms.CharField(label=gettext_lazy("Title"), required=False, max_length=200)
    repeats = forms.IntegerField(
        label=gettext_lazy("Rounds"),
        min_value=1,
        max_value=100,
        help_text=gettext_lazy(
            "Each round measures every cell once, in random order. With fewer than five rounds "
            "a comparison can only lean."
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
        Configuration.objects.only("name").order_by("name"),
        label=gettext_lazy("Configuration"),
        required=False,
        empty_label=gettext_lazy("the stack found on the host"),
    )
    priority = forms.IntegerField(
        label=gettext_lazy("Priority"), min_value=-100, max_value=100, initial=0, required=False
    )

    def __init__(self, recipe: Recipe, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.recipe = recipe
        self.fields["title"].widget.attrs["placeholder"] = in_words(recipe.title)
        self.fields["repeats"].initial = recipe.repeats if recipe.repeats > 1 else ROUNDS
        self.roles = [f"node-{letter}" for letter in "abcdefghij"[:MOST_NODES]]
        for index, role in enumerate(self.roles):
            self.fields[role] = TargetChoice(
                Target.objects.select_related("host").defer("secret"),
                label=_("Measured host") if index == 0 else role,
                required=index < recipe.nodes,
                empty_label=_("choose one") if index < recipe.nodes else _("none"),
            )
        for name, parameter in recipe.parameters.items():
            self.fields[f"p-{name}"] = _value_field(parameter)
            self.fields[f"f-{name}"] = _levels_field(parameter, recipe.factors.get(name, ()))

    def nodes(self) -> list[BoundField]:
        """The hosts that the recipe needs."""
        return [self[role] for role in self.roles[: self.recipe.nodes]]

    def more_nodes(self) -> list[BoundField]:
        """Further hosts, for recipes that use as many as there are."""
        wide = any(step.node in ("all", "peers") or step.count for step in self.recipe.steps)
        return [self[role] for role in self.roles[self.recipe.nodes :]] if wide else []

    def parameters(self) -> Iterator[tuple[BoundField, BoundField, bool]]:
        """Each value with its levels, and whether it is varied now."""
        for name in self.recipe.parameters:
            levels = self[f"f-{name}"]
            yield self[f"p-{name}"], levels, bool(levels.value() or levels.errors)

    def wanted(self) -> Wanted:
        """What was requested; after `is_valid`."""
        values = self.cleaned_data
        levels = {name: self._levels(name) for name in self.recipe.parameters}
        factors = {name: chosen for name, chosen in levels.items() if chosen}
        return Wanted(
            recipe=self.recipe,
            targets={role: values[role] for role in self.roles if values[role]},
            parameters={
                name: values[f"p-{name}"]
                for name in self.recipe.parameters
                if name not in factors and values[f"p-{name}"] not in ("", None)
            },
            factors=factors,
            repeats=values["repeats"],
            seed=values["seed"],
            title=values["title"],
            study=values["study"],
            configuration=values["configuration"],
            priority=values["priority"] or 0,
        )

    def refuse(self, refused: Refused) -> None:
        """Show a refusal beside the input that it is about."""
        name = f"p-{refused.field}"
        if name in self.fields and self._levels(refused.field):
            name = f"f-{refused.field}"
        plain = {"targets": "node-a", "factors": None, "": None}.get(refused.field, refused.field)
        field = name if name in self.fields else plain if plain in self.fields else None
        self.add_error(field, refused.sentence)

    def _levels(self, name: str) -> list[Any]:
        levels = self.cleaned_data.get(f"f-{name}") or []
        lines = (
            [line.strip() for line in levels.splitlines()] if isinstance(levels, str) else levels
        )
        kind = self.recipe.parameters[name].kind
        return [_SWITCH[line] if kind == "boolean" else line for line in lines if line]


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
            help_text=_("One value per line: each is measured."),
        )
    widget = forms.CheckboxSelectMultiple()
    return forms.MultipleChoiceField(
        label=label, choices=choices, initial=ticked, required=False, widget=widget
    )


def _line(level: Any) -> str:
    return ", ".join(map(str, level)) if isinstance(level, list | tuple) else str(level)


def _help(parameter: Parameter) -> str:
    sentences = [in_words(parameter.help)]
    if parameter.unit:
        sentences.append(_("In {unit}.").format(unit=parameter.unit))
    if parameter.minimum is not None and parameter.maximum is not None:
        low, high = f"{parameter.minimum:,.0f}", f"{parameter.maximum:,.0f}"
        if parameter.kind == "integer":
            sentences.append(_("From {low} to {high}.").format(low=low, high=high))
    return " ".join(filter(None, sentences))
