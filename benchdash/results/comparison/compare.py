"""The comparison: what was asked for, laid side by side. A fixed number of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.results.comparison.companions import companion, companions
from benchdash.results.comparison.differences import Difference, differences, in_common
from benchdash.results.comparison.figures import Figure, figure
from benchdash.results.comparison.grouping import Group, baseline_key, factors_of, grouped
from benchdash.results.comparison.likeness import Crossing, Held, Likes, alike, shared
from benchdash.results.comparison.measured import (
    Numbers,
    Offered,
    Values,
    offered,
    values_of,
    wanted,
)
from benchdash.results.comparison.percentiles import Curves, curves_of, percentiles_behind
from benchdash.results.comparison.records import Records, read_records
from benchdash.results.comparison.selection import SelectedRun, selected_runs
from benchdash.results.comparison.traces import Course, OverTime, overlays, read_courses
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
    over_time: tuple[OverTime, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer to `criteria`.

    `aside` counts the runs that match and stay out, by reason; `unmeasured` are conditions of
    the study without a run; `baseline` is the key of a group, in whatever section it stands;
    `varying` are the factors that are worth grouping by; `differences` says in what the groups
    differ, `in_common` in what no run does. `beside` are the values behind curves and
    second plots, `courses` what ran over time.
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
    beside: Values
    courses: tuple[Course, ...] = ()

    @property
    def runs(self) -> int:
        """How many runs are counted."""
        return sum(len(group.runs) for group in self.groups)

    @property
    def is_single(self) -> bool:
        """Whether no group has more than one run: then nothing tells noise from a difference."""
        return all(len(group.runs) == 1 for group in self.groups)


def compare(criteria: Criteria) -> Comparison:
    """Lay side by side what `criteria` asks for; nothing asked for gives an empty comparison.

    Refused where a study or a baseline does not exist, or the runs are too many.
    """
    check_studies(criteria)
    runs, aside = selected_runs(criteria) if criteria.chooses_runs else ([], {})
    offers = offered(runs)
    values = values_of(wanted(offers, criteria), offers, runs)
    beside = values_of(_beside(values, offers, criteria), offers, runs)
    laid = lay_out(criteria, runs, Numbers(values, beside), aside=aside, offers=offers)
    return over_time(laid, read_courses(values, [section.groups for section in laid.sections]))


def lay_out(
    criteria: Criteria,
    runs: Sequence[SelectedRun],
    numbers: Numbers,
    *,
    aside: dict[str, int],
    offers: Sequence[Offered] = (),
) -> Comparison:
    """The comparison of runs and numbers that are at hand."""
    records = read_records(runs, criteria.studies[0] if len(criteria.studies) == 1 else None)
    factors = factors_of(criteria.group, runs)
    groups = grouped(runs, factors, records)
    factors_that_vary = varying(runs, records)
    baseline = _baseline(criteria, groups, factors, records)
    likes = alike(groups, factors, criteria, records)
    return Comparison(
        criteria=criteria,
        factors=factors,
        groups=tuple(groups),
        baseline=baseline,
        sections=_sections(likes, numbers, baseline, criteria),
        shared=shared(runs, records) if runs else (),
        offers=tuple(offers),
        measures=tuple(numbers.shown),
        aside=aside,
        unmeasured=_unmeasured(runs, records),
        varying=factors_that_vary,
        differences=differences(groups, factors_that_vary, records),
        in_common=in_common(runs, factors_that_vary, records),
        beside=numbers.beside,
    )


def over_time(comparison: Comparison, courses: Sequence[Course]) -> Comparison:
    """The comparison with the courses of its runs."""
    sections = (
        replace(section, over_time=overlays(courses, section.groups))
        for section in comparison.sections
    )
    return replace(comparison, sections=tuple(sections), courses=tuple(courses))


def check_studies(criteria: Criteria) -> None:
    """Refused for a study that does not exist: an empty answer would look like one without runs."""
    known = set(Study.objects.filter(slug__in=criteria.studies).values_list("slug", flat=True))
    missing = [slug for slug in criteria.studies if slug not in known]
    if missing:
        raise Refused(_("There is no study “{name}”.").format(name=missing[0]), "study")


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


def _beside(values: Values, offers: Sequence[Offered], criteria: Criteria) -> list[MeasureName]:
    """What is read although no figure of its own shows it."""
    there = {offer.measure for offer in offers}
    found = companions(values, there) if criteria.latency else []
    return list(dict.fromkeys([*found, *percentiles_behind(list(values), offers)]))


def _sections(
    likes: Sequence[Likes], numbers: Numbers, baseline: str | None, criteria: Criteria
) -> tuple[Section, ...]:
    sections = []
    for like in likes:
        groups = like.groups
        drawn = (
            figure(measure, values, groups, baseline, criteria)
            for measure, values in numbers.shown.items()
        )
        figures = tuple(
            _with_latency(one, numbers.beside, groups, baseline, criteria) for one in drawn if one
        )
        if figures:
            curves = curves_of(numbers.beside, groups)
            sections.append(Section(like.apart, like.crossings, groups, figures, curves))
    return tuple(sections)


def _with_latency(
    found: Figure, beside: Values, groups: Sequence[Group], baseline: str | None, criteria: Criteria
) -> Figure:
    """A figure along a number with the latency that was asked for, where it was measured."""
    name = companion(found.measure, beside) if criteria.latency else None
    if name is None or found.chart != "lines":
        return found
    return replace(found, latency=figure(name, beside[name], groups, baseline, criteria))


def _unmeasured(runs: Sequence[SelectedRun], records: Records) -> tuple[str, ...]:
    measured = {(run.configuration_id, run.environment_id) for run in runs}
    measured |= {(configuration, None) for configuration, _environment in measured}
    return tuple(
        one.label
        for one in records.conditions
        if (one.configuration_id, one.environment_id) not in measured
    )
