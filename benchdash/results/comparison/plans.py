"""What runs have of their plans: whether these are over, and how often they were looked at."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.apps import apps
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When

from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.selected_runs import Look, SelectedRun
from benchdash.results.models import Run


def with_looks(samples: Sequence[SelectedRun]) -> list[SelectedRun]:
    """Each sample with the look at its plan, that of its first run; one query."""
    looks = looks_of([sample.id for sample in samples])
    return [
        sample._replace(look=looks[sample.id]) if sample.id in looks else sample
        for sample in samples
    ]


def looks_of(runs: Collection[int]) -> dict[int, Look]:
    """By run, those that no plan made left out; one query.

    Of equal bytes that several jobs printed, the run is the first one's.
    """
    return {run: Look(*columns) for run, *columns in _LOOKS(runs)}


def _looks(runs: Sequence[int]) -> QuerySet[Run, Any]:
    job, plan = "artifact__steps__job", "artifact__steps__job__plan"
    to_come = apps.get_model("jobs", "Job")._default_manager.filter(
        plan=OuterRef(plan), ended_at=None
    )
    return (
        Run.objects.filter(OneOf(F("id"), runs), artifact__steps__isnull=False)
        .annotate(
            over=Case(
                When(
                    ~Exists(to_come)
                    & (Q(**{f"{plan}__to_make": 0}) | Q(**{f"{plan}__stopped_at__isnull": False})),
                    then=True,
                ),
                default=False,
            )
        )
        .order_by("-artifact__steps__pk")  # the first one stays
        .values_list("pk", plan, f"{job}__round", "over", f"{plan}__looks", f"{job}__block")
    )


_LOOKS = Prepared(_looks)
