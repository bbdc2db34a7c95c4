"""What a judged comparison shows: sections with figures, the overview, matrices."""

from __future__ import annotations

from collections.abc import Sequence

from benchdash.results.comparison.cells import cells_of
from benchdash.results.comparison.curves import RunTrace, read_behind
from benchdash.results.comparison.figures import FigureOptions, draw_figures
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.judging import JudgedParts, shares_of
from benchdash.results.comparison.laid_out import LaidOut
from benchdash.results.comparison.likeness import mixed_factors
from benchdash.results.comparison.measures import Offered
from benchdash.results.comparison.order import order_of
from benchdash.results.comparison.overview import overview_of
from benchdash.results.comparison.view import (
    ComparisonView,
    GroupView,
    OfferedMeasure,
    Section,
)
from benchdash.results.comparison.view_matrix import Matrix
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS


def present(
    laid: LaidOut,
    judged: JudgedParts,
    matrices: tuple[Matrix, ...],
    traces: Sequence[RunTrace] | None = None,
) -> tuple[ComparisonView, tuple[RunTrace, ...]]:
    """What is shown, and what ran over time, which is read where `traces` are not at hand."""
    criteria, chosen, numbers, binary, grouped, doubted, counted, starts, parts, deltas = laid
    grouping, records = grouped.grouping, grouped.records
    options = FigureOptions(criteria, grouping.baseline, binary, doubted)
    figures = [
        draw_figures(like.groups, counted, of_part, options)
        for like, of_part in zip(grouped.likeness.parts, judged, strict=True)
    ]
    drawn = [(like, own) for like, own in zip(grouped.parts, figures, strict=True) if own]
    behind, known_traces = read_behind([like.groups for like, _own in drawn], counted, traces)
    sections = tuple(
        Section(
            like.differs_by,
            mixed_factors(
                like.groups,
                grouped.about,
                grouped.arranged.across,
                records.workloads,
                [values.keys() for values in counted.shown.values()],
            ),
            order_of(like.groups, grouping.baseline, starts),
            own,
            *rest,
        )
        for (like, own), rest in zip(drawn, behind, strict=True)
    )
    overview = overview_of(
        grouped.parts,
        counted.overview,
        shares_of(parts, counted, grouping.baseline),
        grouping.baseline,
        binary=binary,
    )
    view = ComparisonView(
        query=criteria.query(),
        runs=sum(len(run.members) for run in grouped.runs),
        samples=len(grouped.runs),
        not_counted=chosen.not_counted,
        group=tuple(map(str, grouping.factors)),
        groups=tuple(_group_view(group, grouping.baseline) for group in grouped.groups),
        baseline=grouping.baseline,
        delta=deltas[""],
        percent=criteria.percent,
        shared=grouped.likeness.shared,
        unmeasured=records.unmeasured,
        varying=tuple(map(str, grouped.likeness.varying)),
        differences=grouped.likeness.differences,
        in_common=grouped.likeness.in_common,
        offered=tuple(map(_offered_view, numbers.offers)),
        sections=sections,
        overview=overview if overview.rows else None,
        cells=cells_of(grouping.groups, grouping.factors),
        like=grouped.arranged.is_alike,
        intended=laid.intended,
        matrices=matrices,
        unrecorded=tuple(group.label for group in grouped.groups if _is_unrecorded(group)),
    )
    return view, known_traces


def _group_view(group: Group, baseline: str | None) -> GroupView:
    return GroupView(
        key=group.key,
        label=group.label,
        slot=group.slot,
        is_baseline=group.key == baseline,
        runs=tuple(pk for run in group.runs for pk in run.members),
        samples=len(group.runs),
        pools=group.pools,
        whole=group.whole,
    )


def _offered_view(offer: Offered) -> OfferedMeasure:
    return OfferedMeasure(
        measure=str(offer.measure),
        title=measure_title(offer.measure),
        family=METRICS[offer.measure.metric].family,
        samples=offer.samples,
    )


def _is_unrecorded(group: Group) -> bool:
    """Whether it has several samples whose configuration, environment and machine nobody recorded."""
    places = (
        run.configuration_id is None and run.environment_id is None and not run.machine
        for run in group.runs
    )
    return sum(places) > 1
