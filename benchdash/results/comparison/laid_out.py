"""Chosen runs in groups, with the numbers that count: a comparison before it is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from django.conf import settings

from benchdash.results.comparison.automatic import Arrangement, arrange
from benchdash.results.comparison.choose import ChosenRuns
from benchdash.results.comparison.doubted import Doubted, doubted_samples, left_out
from benchdash.results.comparison.environments import without_other_tools
from benchdash.results.comparison.figures import mostly_too_fast
from benchdash.results.comparison.groups import RUN, Group, Grouping, group_runs
from benchdash.results.comparison.judging import Compared, Part, primary_of
from benchdash.results.comparison.likeness import (
    Likeness,
    LikeRuns,
    by_axes_of_their_tools,
    find_likeness,
    in_own_colours,
)
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.names import Named
from benchdash.results.comparison.pools import Pools
from benchdash.results.comparison.records import (
    Records,
    read_records,
    with_files,
    with_job_names,
)
from benchdash.results.comparison.selected_runs import SelectedRun, distinguished_by_files
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.models import Study


class GroupedRuns(NamedTuple):
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


class LaidOut(NamedTuple):
    """What is judged, and then shown; `counted` are the numbers that are not left out."""

    criteria: Criteria
    chosen: ChosenRuns
    numbers: Numbers
    binary: bool
    grouped: GroupedRuns
    doubted: Doubted
    counted: Numbers
    starts: Mapping[int, float]
    parts: Sequence[Part]
    deltas: Mapping[str, float]

    @property
    def compared(self) -> Compared:
        """What there is to judge."""
        return Compared(self.parts, self.counted, self.grouped.grouping, self.deltas)

    @property
    def intended(self) -> tuple[str, ...]:
        """The factors that the studies say they vary."""
        return tuple(dict.fromkeys(one for study in self.chosen.studies for one in study.factors))


def lay_out(
    criteria: Criteria,
    chosen: ChosenRuns,
    numbers: Numbers,
    *,
    binary: bool,
    named: Named | None = None,
) -> LaidOut:
    """The runs in groups that may be held against each other; a fixed number of queries.

    `binary` prefers MiB/s where `criteria` does not say.
    """
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
    return LaidOut(
        criteria, chosen, numbers, binary, grouped, doubted, counted, starts, parts, deltas
    )


def _group(criteria: Criteria, chosen: ChosenRuns, named: Named | None) -> GroupedRuns:
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
    return GroupedRuns(runs, records, arranged, grouping, likeness, groups, parts, about)


def deltas_of(criteria: Criteria, studies: Sequence[Study]) -> dict[str, float]:
    """The smallest differences that matter, as shares, by metric; "" for all that is not named.

    As the address says, else the study where it is one, else the installation.
    """
    study = studies[0].delta if len(studies) == 1 else None
    percents = {"": study or settings.DELTA_PERCENT, **dict(criteria.deltas)}
    return {metric: percent / 100 for metric, percent in percents.items()}
