"""What a plan can be given later, as its page offers it: a level of a factor, or a host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.http import HttpRequest
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.jobs.confirming import Touched, touched
from benchdash.jobs.costs import Cost, cost_of
from benchdash.jobs.models import Plan, Target
from benchdash.jobs.more_levels import AddedLevels, added_levels, cells_to_add, factors_of
from benchdash.jobs.over_hosts import takes_hosts
from benchdash.jobs.plan_contents import recipe_of
from benchdash.pages.plan_form import levels_in
from benchdash.recipes import Recipe
from benchdash.recipes.holes import written
from benchdash.results.titles import in_words


@dataclass(frozen=True, slots=True)
class Additions:
    """`added` are levels with their words. `factors` are (name, title) of those that take levels.

    `levels` is what was typed for `factor`; with `cost` it is what these would cost, and each that
    they write to stands beside what was typed to confirm it.
    """

    added: Sequence[tuple[str, AddedLevels]] = ()
    factors: Sequence[tuple[str, str]] = ()
    targets: Sequence[Target] = ()
    factor: str = ""
    levels: str = ""
    title: str = ""
    cost: Cost | None = None
    cells: Plan | None = None
    touched: Sequence[Touched] = ()
    confirmations: Sequence[tuple[Touched, str]] = field(default=())

    @property
    def is_destroying(self) -> bool:
        return any(each.destroyed for each in self.touched)


def additions_of(plan: Plan, batch: Sequence[Plan], *, may: bool) -> Additions:
    """What there is, and what can be added where one may; one query for the hosts."""
    try:
        recipe = recipe_of(plan)
    except Refused:  # the language of recipes has changed since
        return Additions()
    added = [(_added(recipe, each), each) for each in added_levels(plan)]
    if not may:
        return Additions(added)
    factors = factors_of(plan) if plan.launched_at else []
    named = [(name, title_of(recipe, name)) for name in factors]
    return Additions(added, named, _targets(batch or [plan]) if takes_hosts(plan) else ())


def priced(plan: Plan, additions: Additions, request: HttpRequest, by: User) -> Additions:
    """With what the levels that were typed would cost; Refused as they would be."""
    factor, levels, names = requested_levels(plan, request)
    cells = cells_to_add(plan, factor, levels, by)
    outside = touched(cells)
    typed_names = [names[n] if n < len(names) else "" for n in range(len(outside))]
    return replace(
        additions,
        title=title_of(recipe_of(plan), factor),
        cost=cost_of(cells),
        cells=cells,
        touched=outside,
        confirmations=list(zip(outside, typed_names, strict=True)),
    )


def typed(additions: Additions, request: HttpRequest) -> Additions:
    """With what was typed, to be mended."""
    factor, levels = request.POST.get("factor", ""), request.POST.get("levels", "")
    return replace(additions, factor=factor, levels=levels)


def requested_levels(plan: Plan, request: HttpRequest) -> tuple[str, list[object], list[str]]:
    """The factor, its further levels, and the names that were typed to confirm them."""
    factor, text = request.POST.get("factor", ""), request.POST.get("levels", "")
    parameter = recipe_of(plan).parameters.get(factor)
    levels = levels_in(parameter, text) if parameter else []
    return factor, levels, [name.strip() for name in request.POST.getlist("confirmed")]


def title_of(recipe: Recipe, name: str) -> str:
    """What a factor is called."""
    return in_words(recipe.parameters[name].label) or name


def _added(recipe: Recipe, each: AddedLevels) -> str:
    """`Queue depth 16, 32`."""
    parameter = recipe.parameters[each.factor]
    texts = (written(parameter.read(level), parameter.kind) or "–" for level in each.levels)
    return f"{title_of(recipe, each.factor)} {_(', ').join(texts)}"


def _targets(batch: Sequence[Plan]) -> list[Target]:
    """Those on hosts that none of these plans measures."""
    measured = Target.objects.filter(pk__in=[node["target"] for one in batch for node in one.nodes])
    further = Target.objects.exclude(host__in=measured.values("host"))
    return list(further.select_related("host").defer("secret").order_by("host__name", "pk"))
