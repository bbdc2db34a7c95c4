"""The matrix of a plan, live: what is shown of it, what changed since, and everything about one cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.safestring import SafeString

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.jobs.making import upcoming
from benchdash.jobs.matrix import (
    ANY,
    CellCounts,
    Offer,
    Part,
    Progress,
    cell_counts,
    changed_since,
    medians,
    offer_of,
    progress_of,
    values_of,
)
from benchdash.jobs.models import Plan
from benchdash.jobs.queries import listed, runs_of_plan
from benchdash.jobs.queries import plans as all_plans
from benchdash.jobs.stretches import position_of
from benchdash.pages.access import needs
from benchdash.pages.job_rows import job_rows
from benchdash.pages.matrix_cells import (
    Axis,
    Cells,
    Scale,
    Table,
    Unit,
    axes_of,
    chosen_axes,
    label_of,
    scale_of,
    tables_of,
    unit_of,
)
from benchdash.pages.run_rows import LISTED, run_rows
from benchdash.results.sorting import one_per_sample
from benchdash.results.titles import measure_title, metric_title
from benchdash.vocabulary.measures import METRICS, MeasureName

ROOMY = 14  # columns whose cells have room for their numbers
_DAY = timedelta(days=1)
NUMBER_LENGTH = 7  # letters that the head of a column for numbers has room for


@dataclass(frozen=True, slots=True)
class Best:
    """The best cell so far."""

    label: str
    text: str
    address: str
    samples: int


@dataclass(frozen=True, slots=True)
class Live:
    """What is fetched again while jobs go on; `query` is how, `best` None where nothing is new."""

    progress: Progress
    active: bool
    query: str
    best: Best | None


@dataclass(frozen=True, slots=True)
class Matrix:
    """What the page shows. `parts` and `measures` are (key, words) of what there is to choose."""

    offer: Offer
    axes: list[Axis]
    across: Axis | None
    down: Axis | None
    tables: list[Table]
    unit: Unit
    live: Live
    dense: bool
    parts: list[tuple[str, str]]
    measures: list[tuple[str, str]]

    @property
    def wordy(self) -> bool:
        """Whether its columns are headed by words, which need more room than numbers."""
        return self.across is not None and max(map(len, self.across.texts)) > NUMBER_LENGTH

    @property
    def measure_key(self) -> str:
        """That of the chosen one."""
        return str(self.offer.measure or "")


def matrix_of(request: HttpRequest, plan: Any) -> Matrix:
    """All of it, of a plan of `queries.plans`; a fixed number of queries."""
    offer = offer_of(plan, request.GET.get("part", ""), request.GET.get("measure", ""))
    samples = values_of(plan, offer.part, offer.measure) if offer.part and offer.measure else {}
    axes = axes_of(plan)
    across, down = chosen_axes(axes, request.GET.get("x", ""), request.GET.get("y", ""))
    scale = scale_of(offer.measure, medians(samples), binary=_binary(request))
    cells = _cells(plan, scale, cell_counts(plan), medians(samples))
    shown = {
        "part": offer.part.key if offer.part else "",
        "measure": str(offer.measure or ""),
        "x": across.name if across else "",
        "y": down.name if down else "",
    }
    return Matrix(
        offer=offer,
        axes=axes,
        across=across,
        down=down,
        tables=list(tables_of(plan, axes, across, down, cells)),
        unit=scale.unit,
        live=_live(plan, cells, samples, shown),
        dense=across is not None and len(across.texts) > ROOMY,
        parts=[(part.key, " ".join(filter(None, (part.key, part.label)))) for part in offer.parts],
        measures=_named(offer.measures),
    )


def _cells(
    plan: Plan, scale: Scale, found: Mapping[int, CellCounts], values: Mapping[int, float]
) -> Cells:
    return Cells(
        f"{reverse('plan', args=[plan.pk])}cells/", plan.rounds_planned, found, values, scale
    )


def _live(
    plan: Any, cells: Cells, samples: Mapping[int, list[float]], shown: Mapping[str, str]
) -> Live:
    progress, scale = progress_of(plan), cells.scale
    query = {name: value for name, value in shown.items() if value}
    for name, value in (("best", scale.best), ("largest", scale.largest)):
        if value is not None:
            query[name] = repr(value)
    return Live(
        progress=progress,
        active=bool(plan.launched_at) and plan.ended_count < plan.job_count,
        query=urlencode(query | {"since": progress.changed_at.isoformat()}),
        best=_best(plan, cells, samples),
    )


def _binary(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "binary_units", False))


def title_of(measure: MeasureName) -> str:
    """What a measure is called; where cells do different things, the metric alone."""
    return metric_title(measure) if measure.operation == ANY else measure_title(measure)


def _named(measures: Sequence[MeasureName]) -> list[tuple[str, str]]:
    """Key and title of each."""
    return [(str(one), title_of(one)) for one in measures]


def _best(plan: Plan, cells: Cells, samples: Mapping[int, list[float]]) -> Best | None:
    best, unit = cells.scale.best, cells.scale.unit
    number = next((cell for cell, value in cells.values.items() if value == best), None)
    if number is None or best is None:
        return None
    text = f"{unit.text(best)} {unit.name}".strip()
    return Best(label_of(plan, number), text, f"{cells.address}{number}/", len(samples[number]))


@needs(Role.VIEWER)
def plan_matrix(request: HttpRequest, pk: int) -> HttpResponse:
    """What changed of the matrix since it was last fetched, nothing where nothing did.

    All of it where there is a first result, or the unit of its numbers became another; the whole page
    anew once the plan is over.
    """
    since = _moment(request.GET.get("since", ""))
    changed, ended = (
        changed_since(get_object_or_404(Plan, pk=pk), since) if since else (set(), True)
    )
    if since and not changed:
        return HttpResponse(status=204)
    found: Any = get_object_or_404(all_plans(), pk=pk)  # with counts
    if since and found.ended_count >= found.job_count:
        # what may be done with a plan is another thing now, above the matrix too
        return HttpResponse(headers={"HX-Refresh": "true"})
    context = _changes(request, found, changed, ended=ended) if since else None
    if context:
        return render(request, "plans/matrix_live.html", context)
    whole = {"plan": found, "matrix": matrix_of(request, found)}
    answer = render(request, "plans/matrix.html", whole)
    answer["HX-Retarget"], answer["HX-Reswap"] = "#matrix", "outerHTML"
    return answer


def _changes(
    request: HttpRequest, plan: Any, changed: set[int], *, ended: bool
) -> dict[str, Any] | None:
    """The cells that look different now, and what stands above them; None where all of them do.

    While no job ends nothing is measured, and the best is what it was.
    """
    query = request.GET
    part, measure = _part(query.get("part", "")), _measure(query.get("measure", ""))
    best, largest = _number(query.get("best", "")), _number(query.get("largest", ""))
    if ended and measure is None:
        return None
    samples = values_of(plan, part, measure, None if ended else changed) if measure else {}
    values = medians(samples)
    unit = (
        unit_of(measure, largest, binary=_binary(request))
        if measure and largest is not None
        else Unit()
    )
    before = scale = Scale(best, largest, unit)
    if ended:
        scale = scale_of(measure, values, binary=_binary(request))
        if scale.unit != unit:
            return None
        changed |= {
            cell
            for cell, value in values.items()
            if before.step(value) != scale.step(value)
            or (value == before.best) != (value == scale.best)
        }
    cells = _cells(plan, scale, cell_counts(plan, changed), values)
    shown = {name: query.get(name, "") for name in ("part", "measure", "x", "y")}
    more = ' tabindex="-1" hx-swap-oob="true"'
    # a plan without factors has no matrix for its cell to be replaced in
    drawn = sorted(changed) if axes_of(plan) else []
    return {
        "plan": plan,
        "live": _live(plan, cells, samples, shown),
        "cells": SafeString("".join(cells.html(number, more) for number in drawn)),
    }


@needs(Role.VIEWER)
def plan_cell(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """One cell: its jobs round by round and their runs, or the commands that it will have."""
    found = get_object_or_404(Plan.objects.select_related("study"), pk=pk)
    if not 1 <= number <= max(found.cell_count, 1):
        raise Http404
    jobs = list(listed(found.jobs.filter(cell=number)).order_by("round", "attempt"))
    of_cell = runs_of_plan(found).filter(artifact__steps__job__cell=number)
    runs = one_per_sample(LISTED.filter(pk__in=of_cell.values("pk"))).order_by("pk")
    context = {
        "plan": found,
        "number": number,
        "label": label_of(found, number),
        "jobs": list(zip((job.round for job in jobs), job_rows(jobs), strict=True)),
        "steps": [] if jobs or not found.cell_count else _commands(found, number),
        "before": number - 1 or None,
        "after": number + 1 if number < found.cell_count else None,
        "rows": run_rows(request, list(runs), slim=True),
    }
    return render(request, "plans/cell.html", context)


def _commands(plan: Plan, number: int) -> list[Any]:
    """The steps of the cell's first job, which is not made yet."""
    try:
        return next(upcoming(plan, 1, position_of(plan, number))).steps
    except (Refused, StopIteration):
        return []


def _moment(text: str) -> datetime | None:
    """A time in UTC that has a day before it; None for what is not one."""
    try:
        found = parse_datetime(text)
        return found.astimezone(UTC) if found and found.tzinfo and found - _DAY else None
    except (ValueError, OverflowError):
        return None


def _number(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if isfinite(found) and found >= 0 else None


def _measure(text: str) -> MeasureName | None:
    words = text.split(".", 2)
    known = len(words) == 3 and words[1] in METRICS and "\0" not in text
    return MeasureName(*words) if known else None


def _part(key: str) -> Part:
    step, _colon, position = key.replace("\0", "").partition(":")
    place = int(position) if position.isdecimal() and len(position) < 9 else None
    return Part(step, place)
