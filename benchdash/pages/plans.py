"""Plans: a recipe is chosen and filled in, every command is read, and only then it is launched."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.jobs import launching, plan_changes, queueing
from benchdash.jobs.confirming import touched
from benchdash.jobs.costs import cost_of, expected_of
from benchdash.jobs.making import Made, commands
from benchdash.jobs.models import Plan
from benchdash.jobs.more_levels import add_levels
from benchdash.jobs.more_rounds import add_rounds, is_further_look, room_for_rounds
from benchdash.jobs.over_hosts import add_hosts, batch_of, compared_by, launch_all, plan_each
from benchdash.jobs.own_recipes import offered
from benchdash.jobs.planning import plan as make_plan
from benchdash.jobs.queries import missing_tools, runs_of_plan, targets_not_ready
from benchdash.jobs.queries import plans as all_plans
from benchdash.jobs.study_plans import role_names
from benchdash.pages.access import needs, person
from benchdash.pages.plan_additions import Additions, additions_of, priced, requested_levels, typed
from benchdash.pages.plan_form import PlanForm, initial_of_plan, initial_of_study
from benchdash.pages.plan_looks import stopping_of
from benchdash.pages.plan_matrix import matrix_of
from benchdash.pages.run_rows import LISTED, run_rows
from benchdash.recipes import Recipe
from benchdash.results.language import in_language
from benchdash.results.models import Run, Study
from benchdash.results.models.run import LIVING
from benchdash.results.paging import page_of
from benchdash.results.sorting import one_per_sample
from benchdash.results.titles import in_words

JOBS_A_PAGE = 20
NEWEST_RUNS = 20


@needs(Role.VIEWER)
def plans(request: HttpRequest) -> HttpResponse:
    """All plans, the newest first, and how far each is."""
    return render(request, "plans/list.html", {"page": page_of(all_plans(), request.GET)})


@needs(Role.OPERATOR)
def new_plan(request: HttpRequest) -> HttpResponse:
    """Choose what to run."""
    known, role = offered(), role_of(request.user)
    recipes = [
        {
            "recipe": each.recipe,
            "own": each.own,
            "title": in_words(each.recipe.title),
            "help": in_words(each.recipe.help),
        }
        for each in known
        if each.recipe and each.may_be_planned_by(role)
    ]
    broken = [each for each in known if each.trouble]
    launched = Plan.objects.filter(launched_at__isnull=False).order_by()
    context = {
        "recipes": recipes,
        "broken": broken,
        "measured": set(launched.values_list("recipe_name", flat=True).distinct()),
    }
    return render(request, "plans/recipes.html", context)


@needs(Role.OPERATOR)
def fill_in_plan(request: HttpRequest, recipe: str) -> HttpResponse:
    """Say what the recipe leaves open; nothing runs yet."""
    chosen = _recipe(request, recipe)
    if chosen is None:
        raise Http404
    before = (
        Plan.objects.filter(pk=number).first()
        if (number := _number(request.GET.get("plan"), 0))
        else None
    )
    study = _study(request)
    initial = initial_of_plan(before, chosen) if before else {"node-a": request.GET.get("target")}
    if study and not before:
        initial = initial_of_study(study, chosen)
    called = role_names(study) if study else ()
    form = PlanForm(chosen, request.POST or None, initial=initial, called=called)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("plan", _planned(form, person(request)).pk)
        except Refused as refused:
            form.refuse(refused)
    words = {"title": in_words(chosen.title), "help": in_words(chosen.help)}
    context = {"form": form, "recipe": chosen, "study": study, **words}
    return render(request, "plans/edit.html", context)


def _recipe(request: HttpRequest, name: str) -> Recipe | None:
    """The recipe of that name, where the person may plan it."""
    role = role_of(request.user)
    return next((o.recipe for o in offered() if o.name == name and o.may_be_planned_by(role)), None)


def _study(request: HttpRequest) -> Study | None:
    """The study that is to be measured."""
    slug = request.GET.get("study")
    return get_object_or_404(Study, slug=slug, deleted_at=None) if slug else None


def _planned(form: PlanForm, by: User) -> Plan:
    """The plan that was filled in; the first of several, where each host has its own."""
    targets = form.targets()
    if len(targets) < 2:
        return make_plan(form.wanted(), by)
    return plan_each(form.wanted(), targets, by)[0]


@needs(Role.VIEWER)
def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Every command in the order in which it will run, and the matrix as it fills."""
    return _whole_plan(request, get_object_or_404(all_plans(), pk=pk))


def _whole_plan(
    request: HttpRequest, found: Plan, additions: Additions | None = None
) -> HttpResponse:
    """Its page; a launch that was refused keeps what was typed and ticked."""
    first = _number(request.GET.get("from"))
    total = found.cell_count * found.rounds_planned
    batch = list(batch_of(found))
    outside = touched(found)
    typed = [name.strip() for name in request.POST.getlist("confirmed")]
    runs = LISTED.filter(pk__in=runs_of_plan(found).values("pk"))
    context: dict[str, Any] = {
        "plan": found,
        "matrix": matrix_of(request, found),
        "jobs": _commands(request, found, first),
        "first": first,
        "before": max(1, first - JOBS_A_PAGE) if first > 1 else None,
        "after": first + JOBS_A_PAGE if first + JOBS_A_PAGE <= total else None,
        "touched": outside,
        "is_destroying": any(each.destroyed for each in outside),
        "confirmations": list(zip_longest(outside, typed[: len(outside)], fillvalue="")),
        "whatever_conditions": found.whatever_conditions or "whatever_conditions" in request.POST,
        "wait_minutes": request.POST.get("wait_minutes", found.wait_minutes),
        "most_wait": launching.MOST_WAIT_MINUTES,
        "unmeasured": plan_changes.unmeasured(found).count() if found.launched_at else 0,
        "doubted": plan_changes.doubted(found).count() if found.launched_at else 0,
        "failures": plan_changes.reasons_of_failures(found) if found.launched_at else [],
        "compare": _comparison(found),
        "batch": batch,
        "to_launch": sum(each.launched_at is None for each in batch),
        "zones": list(found.zones.items()),
        "additions": additions
        or additions_of(found, batch, may=role_of(request.user) >= Role.OPERATOR),
        "compare_hosts": _comparison_of_hosts(batch) if batch else "",
        "rows": run_rows(request, one_per_sample(runs).order_by("-pk")[:NEWEST_RUNS], slim=True),
    }
    if found.launched_at is None:
        context["cost"] = cost_of(found)
        unlaunched = [found, *(each for each in batch if each.launched_at is None)]
        context["not_ready"] = targets_not_ready(unlaunched)
        context["missing_tools"] = missing_tools(unlaunched)
        context["expected_s"] = context["cost"].expected_s
    else:
        context["expected_s"] = expected_of(found)
        context["left_alone_since"] = queueing.left_alone_since(found)
        if role_of(request.user) >= Role.OPERATOR:
            context["may_plan_again"] = _recipe(request, found.recipe_name) is not None
    rounds = _rounds(request, found, context["expected_s"])
    return render(request, "plans/plan.html", context | rounds)


def _commands(request: HttpRequest, found: Plan, first: int) -> list[Made]:
    """Some jobs with every command, those that are not made yet as they will be."""
    try:
        return commands(found, first, JOBS_A_PAGE)
    except Refused as refused:
        messages.warning(request, in_language(refused.sentence))
        return []


@needs(Role.OPERATOR)
def launch_plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Queue all jobs of a plan, or discard a plan that was not launched."""
    if request.method != "POST":  # where it was refused, this is the address of the page
        return redirect("plan", pk)
    found = get_object_or_404(all_plans(), pk=pk)
    try:
        if "discard" in request.POST:
            launching.discard(found)
            messages.success(request, _("The plan was discarded; none of it ran."))
            return redirect("plans")
        launch = launch_all if "all" in request.POST else launching.launch
        launch(
            found,
            person(request),
            whatever_conditions="whatever_conditions" in request.POST,
            wait_minutes=_minutes(request.POST.get("wait_minutes", "")),
            confirmed=request.POST.getlist("confirmed"),
        )
        messages.success(request, _("Launched. You may close this page: the jobs continue."))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
        return _whole_plan(request, found)
    return redirect("plan", pk)


@needs(Role.OPERATOR)
@require_POST
def change_plan(request: HttpRequest, pk: int) -> HttpResponse:
    """Pause a launched plan, go on, insist, cancel what is left, or measure some of it again."""
    found, by = get_object_or_404(Plan, pk=pk), person(request)
    try:
        if "pause" in request.POST:
            plan_changes.pause(found, by)
        elif "resume" in request.POST:
            plan_changes.resume(found)
        elif "insist" in request.POST:
            plan_changes.insist(found, by)
        elif "wait" in request.POST:
            plan_changes.wait_for_quiet_again(found)
        elif "cancel" in request.POST:
            plan_changes.cancel_jobs(found, by)
        elif "again" in request.POST:
            which = {"unmeasured": plan_changes.unmeasured, "doubted": plan_changes.doubted}
            chosen = which.get(request.POST["again"], plan_changes.unmeasured)(found)
            jobs = plan_changes.measure_again(found, chosen, by)
            queued = ngettext("%(n)s job was queued.", "%(n)s jobs were queued.", len(jobs))
            messages.success(request, queued % {"n": len(jobs)})
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
        added = ngettext("%(n)s job was added.", "%(n)s jobs were added.", jobs)
        messages.success(request, added % {"n": f"{jobs:,}"})
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("plan", pk)


@needs(Role.OPERATOR)
@require_POST
def add_to_plan(request: HttpRequest, pk: int) -> HttpResponse:
    """A further host, with a plan of its own; or further levels: what they cost, then their jobs."""
    found, by = get_object_or_404(all_plans(), pk=pk), person(request)
    additions = additions_of(found, list(batch_of(found)), may=True)
    try:
        if "host" in request.POST:
            number = _number(request.POST["host"], 0)
            targets = [target for target in additions.targets if target.pk == number]
            return redirect("plan", add_hosts(found, targets, by)[0].pk)
        if "start" in request.POST:
            factor, levels, names = requested_levels(found, request)
            jobs = add_levels(found, factor, levels, by, names)
            added = ngettext("%(n)s job was added.", "%(n)s jobs were added.", jobs)
            messages.success(request, added % {"n": f"{jobs:,}"})
            return redirect("plan", pk)
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    try:
        additions = priced(found, typed(additions, request), request, by)
    except Refused as refused:
        additions = typed(additions, request)
        if "start" not in request.POST and "host" not in request.POST:
            messages.error(request, in_language(refused.sentence))
    return _whole_plan(request, found, additions)


def _rounds(request: HttpRequest, found: Plan, expected_s: float | None) -> dict[str, Any]:
    """How the plan, whose rounds take so long, came to them; for operators what more of them would be."""
    added = list(found.added.select_related("by"))
    looks = list(found.stopping_looks.all()) if found.until_percent is not None else []
    deciding = found.is_deciding
    context = {
        "added": added,
        "first_rounds": found.rounds_planned - sum(a.rounds for a in added),
        "stopping": stopping_of(found, looks),
        "deciding": deciding,
    }
    if deciding or role_of(request.user) < Role.OPERATOR:
        return context
    further = is_further_look(found)
    more = {"room": room_for_rounds(found), "further_look": further, "next_look": found.looks + 1}
    if expected_s is not None and found.rounds_planned:
        more["a_round_s"] = expected_s / found.rounds_planned
    return context | more


def _comparison(found: Plan) -> str:
    """The address that lays the runs side by side, as soon as there are some: of its study, or its own."""
    if found.study:
        return f"{reverse('compare')}?{urlencode({'study': found.study.slug})}"
    return f"{reverse('compare')}?plan={found.pk}" if runs_of_plan(found).exists() else ""


def _comparison_of_hosts(batch: list[Plan]) -> str:
    """The address that lays the hosts of a batch side by side, as soon as there are runs."""
    if not Run.objects.filter(LIVING, artifact__steps__job__plan__in=batch).exists():
        return ""
    plans = [("plan", plan.pk) for plan in batch]
    groups = [("group", factor) for factor in compared_by(batch[0])]
    return f"{reverse('compare')}?{urlencode([*plans, *groups])}"


def _minutes(text: str) -> int | None:
    if text.isdecimal() and len(text) < 6 and int(text) <= launching.MOST_WAIT_MINUTES:
        return int(text)
    if text.strip():
        raise Refused(launching.WAIT_RANGE, "wait_minutes", most=launching.MOST_WAIT_MINUTES)
    return None


def _number(text: str | None, otherwise: int = 1) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 7 else otherwise
