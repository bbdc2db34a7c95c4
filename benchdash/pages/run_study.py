"""From a study to the plan that measures it: the recipe, where one is known, else the choice of one."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.jobs.own_recipes import Offered, offered
from benchdash.jobs.study_plans import choose_recipe, recipes_of
from benchdash.pages.access import needs
from benchdash.results.language import in_language
from benchdash.results.models import Study
from benchdash.results.titles import in_words


@needs(Role.OPERATOR)
def run_study(request: HttpRequest, slug: str) -> HttpResponse:
    """On to the form of the plan; a study that no recipe measures says so, and lets one be chosen."""
    study = get_object_or_404(Study, slug=slug, deleted_at=None)
    if request.method == "POST":
        try:
            choose_recipe(study, request.POST.get("recipe", ""))
        except Refused as refused:
            messages.error(request, in_language(refused.sentence))
            return redirect("run_study", slug)
    own = _allowed(request, recipes_of(study))
    if len(own) == 1:
        return redirect(_address(own[0], study))
    context = {
        "study": study,
        "own": [(each, _title(each), _address(each, study)) for each in own],
        "others": [(each, _title(each)) for each in _allowed(request, offered())],
        "lost": study.measured_by.get("recipe", ""),
    }
    return render(request, "studies/run.html", context)


def _allowed(request: HttpRequest, found: list[Offered]) -> list[Offered]:
    role = role_of(request.user)
    return [each for each in found if each.may_be_planned_by(role)]


def _title(each: Offered) -> str:
    return in_words(each.recipe.title) if each.recipe else each.name


def _address(each: Offered, study: Study) -> str:
    return f"{reverse('fill_in_plan', args=[each.name])}?{urlencode({'study': study.slug})}"
