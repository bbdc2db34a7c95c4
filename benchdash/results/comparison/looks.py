"""Which plans the runs of a comparison are of, whether these are over, and how often they were looked at."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.apps import apps
from django.db.models import Exists, OuterRef

from benchdash.results.comparison.records import Look, SelectedRun
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
    job, plan = "artifact__steps__job", "artifact__steps__job__plan"
    to_come = apps.get_model("jobs", "Job")._default_manager.filter(
        plan=OuterRef(plan), ended_at=None
    )
    rows = (
        Run.objects.filter(pk__in=runs, artifact__steps__isnull=False)
        .annotate(over=~Exists(to_come))
        .order_by("-artifact__steps__pk")  # the first one stays
        .values_list("pk", plan, f"{job}__round", "over", f"{plan}__looks")
    )
    return {run: Look(*columns) for run, *columns in rows}
