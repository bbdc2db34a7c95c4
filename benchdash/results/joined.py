"""What the runs of a sample amount to, stored where they are several: lists are sorted by it.

Comparisons join the numbers that they show themselves, by the same rules (`analysis/joining.py`).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Sequence

from django.db.models import Count

from benchdash.results.comparison.measures import offered, values_of
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.models import JoinedMeasurement, Measurement, Run, Sample

_PORTION = 1_000


def join_numbers(samples: Collection[int]) -> None:
    """Store anew how many runs each of these samples has, and what several amount to."""
    if not samples:
        return
    JoinedMeasurement.objects.filter(sample__in=samples).delete()
    members = defaultdict(list)
    runs = Run.objects.filter(sample__in=samples, withdrawn_at=None).order_by("pk")
    for sample, pk in runs.values_list("sample", "pk"):
        members[sample].append(pk)
    by_size = defaultdict(list)
    for sample, own in members.items():
        by_size[len(own)].append(sample)
    for size, alike in by_size.items():
        Sample.objects.filter(pk__in=alike).update(size=size)
    several = [
        SelectedRun(own[0], "", None, None, None, 0, sample_id=sample, runs=tuple(own))
        for sample, own in members.items()
        if len(own) > 1
    ]
    offers = offered(several)
    names = {each.number: each.measure for each in offers}
    values = values_of([*names.values()], offers, several)
    first = {each.sample_id: each.id for each in several}
    there = Measurement.objects.filter(run__sample__in=first, run__withdrawn_at=None).distinct()
    JoinedMeasurement.objects.bulk_create(
        [
            JoinedMeasurement(
                sample_id=sample,
                measure_id=measure,
                value=values[names[measure]].get(first[sample]),
            )
            for sample, measure in there.values_list("run__sample", "measure")
        ],
        _PORTION,
    )


def join_over_hosts(artifacts: Sequence[int]) -> None:
    """One sample of what a cell's step measured on several hosts that it started together.

    Samples of the artifacts with the same parameters that stand at the same place among those,
    become one.
    """
    rows = Run.objects.filter(artifact__in=artifacts).order_by("artifact", "position")
    first: dict[tuple[Hashable, ...], int] = {}
    seen: Counter[tuple[Hashable, ...]] = Counter()
    places: dict[int, tuple[Hashable, ...]] = {}
    for artifact, sample, tool, workload in rows.values_list(
        "artifact", "sample", "tool", "workload"
    ):
        if sample not in places:
            seen[artifact, tool, workload] += 1
            places[sample] = (tool, workload, seen[artifact, tool, workload])
        first.setdefault(places[sample], sample)
    for sample, place in places.items():
        if first[place] != sample:
            Run.objects.filter(sample=sample).update(sample=first[place])
            Sample.objects.filter(pk=sample).delete()
    join_numbers([*first.values()])


def join_all() -> None:
    """The same of all samples that there are."""
    runs = Run.objects.filter(withdrawn_at=None).order_by().values("sample")
    several = runs.annotate(count=Count("pk")).filter(count__gt=1)
    samples = list(several.values_list("sample", flat=True))
    for start in range(0, len(samples), _PORTION):
        join_numbers(samples[start : start + _PORTION])
