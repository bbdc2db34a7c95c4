"""Links that show next year what they show today."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.pages.access import needs, person
from benchdash.pages.comparison_context import comparison_context, stacks_of
from benchdash.pages.overview import shown_overview
from benchdash.results.models import Permalink
from benchdash.results.permalinks import (
    ChangedNumber,
    ChangedRun,
    changed_since,
    frozen,
    make_permalink,
)
from benchdash.results.run_names import names_of
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.prefixes import shown_unit


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """One line of the table of what changed; a number in the unit of both its values."""

    run: ChangedRun
    name: str
    title: str = ""
    shown: str = ""
    now: str = ""


@needs(Role.CONTRIBUTOR)
@require_POST
def new_permalink(request: HttpRequest) -> HttpResponse:
    """Keep what the compare page shows, and go to where it is kept."""
    try:
        permalink = make_permalink(request.POST.get("query", ""), person(request))
    except Refused as refused:
        return render(request, "compare/refused.html", {"refused": refused}, status=422)
    messages.success(request, _("This address will show the same runs and numbers from now on."))
    return redirect("permalink", permalink.slug)


@needs(Role.VISITOR)
def permalink(request: HttpRequest, slug: str) -> HttpResponse:
    """The comparison as it was shown, and what changed since."""
    link = get_object_or_404(Permalink, slug=slug)
    try:
        comparison = frozen(link, binary=getattr(request.user, "binary_units", False))
    except Refused as refused:
        return render(request, "compare/refused.html", {"refused": refused}, status=422)
    changed = changed_since(link)
    names = names_of([run.run for run in changed])
    lines = [
        line
        for run in changed
        for line in _changed_lines(
            run, names.get(run.run) or f"#{run.run} {run.label}", binary=comparison.binary
        )
    ]
    context = comparison_context(comparison, is_permalink=True)
    context |= {
        "permalink": link,
        "changed": lines,
        "likeness": None,
        "clocks": None,
        "overview": shown_overview(
            context["comparison"].view, comparison.criteria, stands_still=True
        ),
        **stacks_of(link.subjects.values_list("configuration", flat=True)),
    }
    return render(request, "compare/permalink.html", context)


def _changed_lines(run: ChangedRun, name: str, *, binary: bool) -> list[ChangedLine]:
    if not run.numbers:
        return [ChangedLine(run, name)]
    return [_changed_line(run, name, number, binary=binary) for number in run.numbers]


def _changed_line(
    run: ChangedRun, name: str, number: ChangedNumber, *, binary: bool
) -> ChangedLine:
    there = [value for value in (number.shown, number.now) if value is not None]
    unit = shown_unit(METRICS[number.measure.metric], there, binary=binary)
    texts = [
        f"{unit.text(value)} {unit.name}".strip() if value is not None else _("none")
        for value in (number.shown, number.now)
    ]
    return ChangedLine(run, name, measure_title(number.measure), *texts)
