"""Plans: a recipe is chosen and filled in, every command is read, and only then it is launched."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.jobs import launching
from benchdash.jobs.matrix import matrix_of
from benchdash.jobs.models import Plan
from benchdash.jobs.own_recipes import offered
from benchdash.jobs.planning import plan as make_plan
from benchdash.jobs.queries import plans as all_plans
from benchdash.jobs.queries import runs_of_plan, whole_jobs
from benchdash.jobs.touching import touched
from benchdash.pages.access import needs, person
from benchdash.pages.plan_form import PlanForm, in_words
from benchdash.recipes import Recipe
from benchdash.results.paging import page_of

JOBS_A_PAGE = 20
MOST_COMPARED = 200


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
    context: dict[str, Any] = _filling(found) | {
        "jobs": jobs[:JOBS_A_PAGE],
        "first": first,
        "before": max(1, first - JOBS_A_PAGE) if first > 1 else None,
        "after": jobs[JOBS_A_PAGE].position if len(jobs) > JOBS_A_PAGE else None,
        "touched": touched(found),
        "compare": _comparison(found),
    }
    return render(request, "plans/plan.html", context)


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
            messages.success(request, _("The plan is discarded; nothing of it ran."))
            return redirect("plans")
        launching.launch(
            found,
            person(request),
            whatever_conditions="whatever_conditions" in request.POST,
            confirmed=request.POST.getlist("confirmed"),
        )
        messages.success(request, _("Launched. You may close this page: the jobs go on."))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("plan", pk)


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


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 6 else 1
