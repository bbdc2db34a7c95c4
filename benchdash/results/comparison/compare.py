"""The comparison: what was asked for, laid side by side. A fixed number of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdash.errors import Refused
from benchdash.results.comparison.differences import Difference, differences, in_common
from benchdash.results.comparison.figures import Figure, figure
from benchdash.results.comparison.grouping import Group, baseline_key, factors_of, grouped
from benchdash.results.comparison.likeness import Crossing, Held, Likes, alike, shared
from benchdash.results.comparison.measured import Offered, Values, offered, values_of, wanted
from benchdash.results.comparison.percentiles import Curves, curves_of, percentiles_behind
from benchdash.results.comparison.records import Records, read_records
from benchdash.results.comparison.selection import SelectedRun, selected_runs
from benchdash.results.comparison.varying import varying
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.factors import Factor
from benchdash.results.models import Study
from benchdash.results.parameters import MeasureName


@dataclass(frozen=True, slots=True)
class Section:
    """Figures over runs that are alike; `apart` is what sets them off from other sections."""

    apart: tuple[Held, ...]
    crossings: tuple[Crossing, ...]
    groups: tuple[Group, ...]
    figures: tuple[Figure, ...]
    curves: tuple[Curves, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer to `criteria`.

    `aside` counts the runs that match and stay out, by reason; `unmeasured` are conditions of
    the study without a run; `baseline` is the key of a group, in whatever section it stands;
    `varying` are the factors that are worth grouping by; `differences` says in what the groups
    differ, `in_common` in what no run does.
    """

    criteria: Criteria
    factors: tuple[Factor, ...]
    groups: tuple[Group, ...]
    baseline: str | None
    sections: tuple[Section, ...]
    shared: tuple[Held, ...]
    offers: tuple[Offered, ...]
    measures: tuple[MeasureName, ...]
    aside: dict[str, int]
    unmeasured: tuple[str, ...]
    varying: tuple[Factor, ...]
    differences: tuple[Difference, ...]
    in_common: tuple[tuple[str, str], ...]

    @property
    def runs(self) -> int:
        """How many runs are counted."""
        return sum(len(group.runs) for group in self.groups)


def compare(criteria: Criteria) -> Comparison:
    """Lay side by side what `criteria` asks for; nothing asked for gives an empty comparison.

    Refused where a study or a baseline does not exist, or the runs are too many.
    """
    check_studies(criteria)
    runs, aside = selected_runs(criteria) if criteria.chooses_runs else ([], {})
    offers = offered(runs)
    values = values_of(wanted(offers, criteria), offers, runs)
    return lay_out(criteria, runs, values, aside=aside, offers=offers)


def lay_out(
    criteria: Criteria,
    runs: Sequence[SelectedRun],
    values: Values,
    *,
    aside: dict[str, int],
    offers: Sequence[Offered] = (),
) -> Comparison:
    """The comparison of runs and values that are at hand; the values' measures are those shown.

    The percentiles behind latencies are read for those that are offered: one query.
    """
    records = read_records(runs, criteria.studies[0] if len(criteria.studies) == 1 else None)
    factors = factors_of(criteria.group, runs)
    groups = grouped(runs, factors, records)
    factors_that_vary = varying(runs, records)
    baseline = _baseline(criteria, groups, factors, records)
    percentiles = values_of(percentiles_behind(list(values), offers), offers, runs)
    likes = alike(groups, factors, criteria, records)
    return Comparison(
        criteria=criteria,
        factors=factors,
        groups=tuple(groups),
        baseline=baseline,
        sections=_sections(likes, values, percentiles, baseline, criteria),
        shared=shared(runs, records) if runs else (),
        offers=tuple(offers),
        measures=tuple(values),
        aside=aside,
        unmeasured=_unmeasured(runs, records),
        varying=factors_that_vary,
        differences=differences(groups, factors_that_vary, records),
        in_common=in_common(runs, factors_that_vary, records),
    )


def check_studies(criteria: Criteria) -> None:
    """Refused for a study that does not exist: an empty answer would look like one without runs."""
    known = set(Study.objects.filter(slug__in=criteria.studies).values_list("slug", flat=True))
    missing = [slug for slug in criteria.studies if slug not in known]
    if missing:
        raise Refused(f"There is no study “{missing[0]}”.", "study")


def study_queries(study: Study) -> list[str]:
    """What a study's page compares: the charts that somebody chose for it, else all its runs."""
    return study.charts or [Criteria(studies=(study.slug,)).query()]


def study_charts(study: Study) -> list[Criteria]:
    """The same, read; Refused where a stored address no longer makes sense."""
    return [read_query(query) for query in study_queries(study)]


def _baseline(
    criteria: Criteria, groups: Sequence[Group], factors: Sequence[Factor], records: Records
) -> str | None:
    """The group asked for, else the study's; where one is needed, the first.

    One that is no group (any more, after grouping by something else) is none.
    """
    keys = [group.key for group in groups]
    if criteria.baseline is not None:
        return criteria.baseline if criteria.baseline in keys else None
    needed = criteria.percent or criteria.chart == "change"
    first = keys[0] if keys and needed else None
    return baseline_key(groups, factors, records) or first


def _sections(
    likes: Sequence[Likes],
    values: Values,
    percentiles: Values,
    baseline: str | None,
    criteria: Criteria,
) -> tuple[Section, ...]:
    sections = []
    for like in likes:
        drawn = [
            figure(measure, own, like.groups, baseline, criteria) for measure, own in values.items()
        ]
        figures = tuple(one for one in drawn if one)
        if figures:
            curves = curves_of(percentiles, like.groups)
            sections.append(Section(like.apart, like.crossings, like.groups, figures, curves))
    return tuple(sections)


def _unmeasured(runs: Sequence[SelectedRun], records: Records) -> tuple[str, ...]:
    measured = {(run.configuration_id, run.environment_id) for run in runs}
    measured |= {(configuration, None) for configuration, _environment in measured}
    return tuple(
        one.label
        for one in records.conditions
        if (one.configuration_id, one.environment_id) not in measured
    )
