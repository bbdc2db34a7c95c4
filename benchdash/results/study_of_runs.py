"""A new study out of any runs: named, with its conditions and its chart, as a comparison groups them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from django.db import transaction
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Environment
from benchdash.results.assignment import Assignment
from benchdash.results.comparison import compare
from benchdash.results.comparison.automatic import places
from benchdash.results.comparison.compare import Comparison
from benchdash.results.comparison.groups import CONFIGURATION, ENVIRONMENT
from benchdash.results.criteria import Criteria
from benchdash.results.models import Study
from benchdash.results.records import add_condition, write_study
from benchdash.results.run_actions import assign
from benchdash.results.titles import factor_title

MOST_FACTORS = 6
_NAMED_GROUPS = 3
_LONGEST_TITLE = 120
# what chooses runs, in place of which the study's chart names the study
_CHOOSING = {
    **dict.fromkeys(("configurations", "environments", "runs", "executions", "uploads"), ()),
    **dict.fromkeys(("tools", "versions", "hosts", "tags", "filters"), ()),
    "since": None,
    "until": None,
    "text": "",
}


@dataclass(frozen=True, slots=True)
class MadeStudy:
    """The study, and how many of its samples are another study's, where they stay."""

    study: Study
    elsewhere: int


@transaction.atomic
def study_of_runs(criteria: Criteria) -> MadeStudy:
    """A study of the counted samples that `criteria` chooses; Refused where there are none.

    What belongs to no study belongs to this one; where some belong to others, its chart names the
    runs as they were chosen.
    """
    comparison = compare(criteria, with_overview=False)
    if not comparison.runs:
        raise Refused(_("None of these runs counts in a comparison."))
    study = write_study(Study(), title=_free_title(comparison), factors=_factors(comparison))
    _compare(study, comparison)
    elsewhere = sum(run.study_id is not None for run in comparison.runs)
    own = [pk for run in comparison.runs if run.study_id is None for pk in run.members]
    if own:
        assign(own, Assignment(study=study))
    write_study(study, charts=[_chart(study, comparison, by_study=not elsewhere)])
    return MadeStudy(study, elsewhere)


def _free_title(comparison: Comparison) -> str:
    """The factors of the groups, and the first groups: `Queue depth: 1, 8 …`."""
    factors = " + ".join(factor_title(factor) for factor in comparison.factors)
    groups = [group.label.removeprefix(f"{factors} ") for group in comparison.view.groups]
    named = ", ".join(groups[:_NAMED_GROUPS]) + (" …" if len(groups) > _NAMED_GROUPS else "")
    title = f"{factors}: {named}"[:_LONGEST_TITLE]
    taken = set(Study.objects.filter(title__startswith=title).values_list("title", flat=True))
    numbered = (f"{title} ({number})" for number in count(2))
    return title if title not in taken else next(one for one in numbered if one not in taken)


def _factors(comparison: Comparison) -> list[str]:
    every = dict.fromkeys([*comparison.factors, *comparison.varying])
    return [str(factor) for factor in every if factor.name][:MOST_FACTORS]


def _compare(study: Study, comparison: Comparison) -> None:
    """The configurations of the runs, in the order of their groups; environments where one has several."""
    is_apart = ENVIRONMENT in places(comparison.runs)
    by_id = {pk: run for run in comparison.runs for pk in run.members}
    runs = [by_id[pk] for group in comparison.view.groups for pk in group.runs]
    wanted = dict.fromkeys(
        (run.configuration_id, run.environment_id if is_apart else None)
        for run in runs
        if run.configuration_id is not None
    )
    configurations = Configuration.objects.in_bulk([pk for pk, _environment in wanted])
    environments = Environment.objects.in_bulk([pk for _one, pk in wanted if pk is not None])
    for configuration, environment in wanted:
        add_condition(
            study,
            configurations[configuration],
            environments[environment] if environment is not None else None,
        )


def _chart(study: Study, comparison: Comparison, *, by_study: bool) -> str:
    """The comparison as it stands; what it was grouped by is kept where a study would not be by itself."""
    criteria = comparison.criteria
    if not set(comparison.factors) <= {CONFIGURATION, ENVIRONMENT}:
        criteria = criteria.changed(group=comparison.factors)
        if (
            not comparison.view.like
        ):  # a group that is requested would hold apart what differs besides
            criteria = criteria.changed(like="0")
    if by_study:
        criteria = criteria.changed(**_CHOOSING, studies=(study.slug,))
    return criteria.query()
