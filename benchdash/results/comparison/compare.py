"""The comparison, in a straight line: choose runs, read, group, figures. A fixed number of queries.

What comes out of it for people, scripts and charts is `Comparison.view`; the rest is what it was
made of, for forms and for links that keep it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.conf import settings

from benchdash.errors import Refused
from benchdash.results.comparison.automatic import Arrangement, arrange
from benchdash.results.comparison.cells import cells_of
from benchdash.results.comparison.choose import ChosenRuns, choose_runs
from benchdash.results.comparison.curves import RunTrace, read_behind
from benchdash.results.comparison.doubted import Doubted, doubted_samples, left_out
from benchdash.results.comparison.environments import without_other_tools
from benchdash.results.comparison.figures import FigureOptions, draw_figures, mostly_too_fast
from benchdash.results.comparison.groups import RUN, Group, Grouping, group_runs
from benchdash.results.comparison.judging import (
    Compared,
    JudgedParts,
    Part,
    judge,
    primary_of,
    shares_of,
)
from benchdash.results.comparison.likeness import (
    Likeness,
    LikeRuns,
    by_axes_of_their_tools,
    find_likeness,
    in_own_colours,
    mixed_factors,
)
from benchdash.results.comparison.matrices import matrices_of
from benchdash.results.comparison.measures import Numbers, Offered, read_numbers
from benchdash.results.comparison.names import Named
from benchdash.results.comparison.order import order_of
from benchdash.results.comparison.overview import overview_of
from benchdash.results.comparison.pools import Pools
from benchdash.results.comparison.records import (
    Records,
    read_records,
    with_files,
    with_job_names,
)
from benchdash.results.comparison.selected_runs import SelectedRun, distinguished_by_files
from benchdash.results.comparison.view import (
    ComparisonView,
    GroupView,
    OfferedMeasure,
    Section,
)
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.factors import Factor
from benchdash.results.models import Study
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownComparison:
    """The answer to `criteria`: `view`, grouped by `factors`; `binary` shows MiB/s."""

    criteria: Criteria
    factors: tuple[Factor, ...]
    binary: bool
    view: ComparisonView


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(ShownComparison):
    """With what it was made of.

    `varying` is what is worth grouping by; `numbers` are the values of figures, curves and second
    plots, `traces` what ran over time.
    """

    varying: tuple[Factor, ...]
    runs: tuple[SelectedRun, ...]
    numbers: Numbers
    traces: tuple[RunTrace, ...]


def compare(criteria: Criteria, *, binary: bool = False, with_overview: bool = True) -> Comparison:
    """Lay side by side what `criteria` chooses; an empty comparison where it chooses nothing.

    `binary` prefers MiB/s where `criteria` does not say. Refused where a study does not exist, or
    the runs are too many.
    """
    laid = _read(criteria, binary=binary, with_overview=with_overview)
    return _shown(laid, judge([laid.compared])[0])


def compare_together(queries: Sequence[str], *, binary: bool) -> list[Comparison | Refused]:
    """The comparisons of one page, the first one with an overview: each word allows for all of them.

    Refused stands in the place of one that cannot be read.
    """
    laid: list[_Laid | Refused] = []
    for query in queries:
        is_first = not any(isinstance(one, _Laid) for one in laid)
        try:
            laid.append(_read(read_query(query), binary=binary, with_overview=is_first))
        except Refused as refused:
            laid.append(refused)
    judged = iter(judge([one.compared for one in laid if isinstance(one, _Laid)]))
    return [_shown(one, next(judged)) if isinstance(one, _Laid) else one for one in laid]


def _read(criteria: Criteria, *, binary: bool, with_overview: bool) -> _Laid:
    chosen = choose_runs(criteria)
    numbers = read_numbers(chosen.runs, criteria, with_overview=with_overview)
    return _lay(criteria, chosen, numbers, binary=binary)


def lay_out(  # noqa: PLR0913 - links of the first form have their own names
    criteria: Criteria,
    chosen: ChosenRuns,
    numbers: Numbers,
    *,
    traces: Sequence[RunTrace] | None = None,
    binary: bool = False,
    named: Named | None = None,
) -> Comparison:
    """The comparison of runs and numbers that are at hand; `traces` are read where they are not.

    `named` gives groups their names, if not `short_names`: then parts say what a tool never does, too.
    """
    laid = _lay(criteria, chosen, numbers, binary=binary, named=named)
    return _shown(laid, judge([laid.compared])[0], traces)


class _Laid(NamedTuple):
    """A comparison before it is judged; `counted` are the numbers that are not left out."""

    criteria: Criteria
    chosen: ChosenRuns
    numbers: Numbers
    binary: bool
    grouped: _Grouped
    doubted: Doubted
    counted: Numbers
    starts: Mapping[int, float]
    parts: Sequence[Part]
    deltas: Mapping[str, float]

    @property
    def compared(self) -> Compared:
        return Compared(self.parts, self.counted, self.grouped.grouping, self.deltas)


def _lay(
    criteria: Criteria,
    chosen: ChosenRuns,
    numbers: Numbers,
    *,
    binary: bool,
    named: Named | None = None,
) -> _Laid:
    grouped = _group(criteria, chosen, named)
    grouping, records = grouped.grouping, grouped.records
    binary = criteria.units == "binary" if criteria.units else binary

    doubted = doubted_samples(grouped.runs, numbers)
    counted = left_out(numbers, doubted) if criteria.doubts == "exclude" else numbers
    counted = left_out(counted, mostly_too_fast(grouping.groups, counted))

    starts = {run.id: began for run in grouped.runs if (began := run.began) is not None}
    parts = [
        Part(
            like.groups,
            Pools(like.groups, grouped.likeness.varying, grouped.about, records),
            starts,
            primary_of(like.groups, counted, records.workloads),
        )
        for like in grouped.parts
    ]
    deltas = deltas_of(criteria, chosen.studies)
    return _Laid(
        criteria, chosen, numbers, binary, grouped, doubted, counted, starts, parts, deltas
    )


def _shown(
    laid: _Laid, judged: JudgedParts, traces: Sequence[RunTrace] | None = None
) -> Comparison:
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
    intended = tuple(dict.fromkeys(one for study in chosen.studies for one in study.factors))
    matrices = matrices_of(
        grouped.parts,
        parts,
        judged,
        grouping=grouping,
        across=criteria.across,
        records=records,
        numbers=counted,
        intended=intended,
        delta=deltas[""],
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
        intended=intended,
        matrices=matrices,
        unrecorded=tuple(group.label for group in grouped.groups if _is_unrecorded(group)),
    )
    return Comparison(
        criteria=criteria,
        factors=grouping.factors,
        varying=grouped.likeness.varying,
        runs=tuple(grouped.runs),
        numbers=numbers,
        traces=known_traces,
        binary=binary,
        view=view,
    )


class _Grouped(NamedTuple):
    """Runs by what they are grouped by, and the parts that may be held against each other.

    `groups` and `parts` have a colour for each group; within `likeness.parts`, from which figures are
    drawn, groups of one line share its colour. `about` is what groups and facets tell apart.
    """

    runs: Sequence[SelectedRun]
    records: Records
    arranged: Arrangement
    grouping: Grouping
    likeness: Likeness
    groups: Sequence[Group]
    parts: Sequence[LikeRuns]
    about: tuple[Factor, ...]


def _group(criteria: Criteria, chosen: ChosenRuns, named: Named | None) -> _Grouped:
    """The chosen runs in groups; links of the first form, whose groups are `named`, keep theirs."""
    is_new = named is None
    runs: Sequence[SelectedRun] = chosen.runs
    records = read_records(runs, chosen.studies)
    if is_new:
        runs = distinguished_by_files(with_job_names(runs, records.workloads))
        runs, records = without_other_tools(runs, criteria, records)
    arranged = arrange(runs, criteria, records)
    if is_new and RUN in arranged.factors:
        records = with_files(records, runs)
    grouping = group_runs(runs, arranged.factors, criteria, records, named)
    likeness = find_likeness(runs, grouping, criteria.changed(across=arranged.across), records)
    groups, parts = grouping.groups, likeness.parts
    if is_new:
        likeness = replace(likeness, parts=by_axes_of_their_tools(parts))
        groups, parts = in_own_colours(groups, likeness.parts)
    about = (*grouping.factors, *([criteria.facet] if criteria.facet else []))
    return _Grouped(runs, records, arranged, grouping, likeness, groups, parts, about)


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


def deltas_of(criteria: Criteria, studies: Sequence[Study]) -> dict[str, float]:
    """The smallest differences that matter, as shares, by metric; "" for all that is not named.

    As the address says, else the study where it is one, else the installation.
    """
    study = studies[0].delta if len(studies) == 1 else None
    percents = {"": study or settings.DELTA_PERCENT, **dict(criteria.deltas)}
    return {metric: percent / 100 for metric, percent in percents.items()}


def study_queries(study: Study) -> list[str]:
    """What a study's page compares: the charts that somebody chose for it, else all its runs."""
    return study.charts or [Criteria(studies=(study.slug,)).query()]


def study_charts(study: Study) -> list[Criteria]:
    """The same, read; Refused where a stored address no longer makes sense."""
    return [read_query(query) for query in study_queries(study)]
