"""The comparison, in a straight line: choose runs, read, group, figures. A fixed number of queries.

What comes out of it for people, scripts and charts is `Comparison.view`; the rest is what it was
made of, for forms and for links that keep it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdash.results.comparison.choose import ChosenRuns, choose_runs
from benchdash.results.comparison.curves import RunTrace, read_behind
from benchdash.results.comparison.figures import FigureOptions, draw_figures
from benchdash.results.comparison.groups import group_runs
from benchdash.results.comparison.likeness import find_likeness
from benchdash.results.comparison.measures import Numbers, read_numbers
from benchdash.results.comparison.records import SelectedRun, read_records
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


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer to `criteria`: `view`, and what it was made of.

    `factors` are what it is grouped by, `varying` what is worth grouping by; `numbers` are the
    values of figures, curves and second plots, `traces` what ran over time; `binary` shows MiB/s.
    """

    criteria: Criteria
    factors: tuple[Factor, ...]
    varying: tuple[Factor, ...]
    runs: tuple[SelectedRun, ...]
    numbers: Numbers
    traces: tuple[RunTrace, ...]
    binary: bool
    view: ComparisonView


def compare(criteria: Criteria, *, binary: bool = False) -> Comparison:
    """Lay side by side what `criteria` chooses; an empty comparison where it chooses nothing.

    `binary` prefers MiB/s where `criteria` does not say. Refused where a study does not exist, or
    the runs are too many.
    """
    chosen = choose_runs(criteria)
    numbers = read_numbers(chosen.runs, criteria)
    return lay_out(criteria, chosen, numbers, binary=binary)


def lay_out(
    criteria: Criteria,
    chosen: ChosenRuns,
    numbers: Numbers,
    *,
    traces: Sequence[RunTrace] | None = None,
    binary: bool = False,
) -> Comparison:
    """The comparison of runs and numbers that are at hand; `traces` are read where they are not."""
    runs = chosen.runs
    records = read_records(runs, chosen.studies)
    grouping = group_runs(runs, criteria, records)
    likeness = find_likeness(runs, grouping, criteria, records)
    binary = criteria.units == "binary" if criteria.units else binary
    options = FigureOptions(criteria, grouping.baseline, binary)
    figures = [draw_figures(like.groups, numbers, options) for like in likeness.parts]
    drawn = [(like, own) for like, own in zip(likeness.parts, figures, strict=True) if own]
    behind, known_traces = read_behind([like.groups for like, _own in drawn], numbers, traces)
    view = ComparisonView(
        query=criteria.query(),
        runs=len(runs),
        not_counted=chosen.not_counted,
        group=tuple(map(str, grouping.factors)),
        groups=tuple(
            GroupView(
                key=group.key,
                label=group.label,
                slot=group.slot,
                is_baseline=group.key == grouping.baseline,
                runs=tuple(run.id for run in group.runs),
                pools=group.pools,
            )
            for group in grouping.groups
        ),
        baseline=grouping.baseline,
        percent=criteria.percent,
        shared=likeness.shared,
        unmeasured=records.unmeasured,
        varying=tuple(map(str, likeness.varying)),
        differences=likeness.differences,
        in_common=likeness.in_common,
        offered=tuple(
            OfferedMeasure(
                measure=str(offer.measure),
                title=measure_title(offer.measure),
                family=METRICS[offer.measure.metric].family,
                runs=offer.runs,
            )
            for offer in numbers.offers
        ),
        sections=tuple(
            Section(like.differs_by, like.mixed, own, *rest)
            for (like, own), rest in zip(drawn, behind, strict=True)
        ),
    )
    return Comparison(
        criteria=criteria,
        factors=grouping.factors,
        varying=likeness.varying,
        runs=tuple(runs),
        numbers=numbers,
        traces=known_traces,
        binary=binary,
        view=view,
    )


def study_queries(study: Study) -> list[str]:
    """What a study's page compares: the charts that somebody chose for it, else all its runs."""
    return study.charts or [Criteria(studies=(study.slug,)).query()]


def study_charts(study: Study) -> list[Criteria]:
    """The same, read; Refused where a stored address no longer makes sense."""
    return [read_query(query) for query in study_queries(study)]
