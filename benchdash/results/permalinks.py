"""Pointing at a comparison: what it shows now is kept for whoever opens the link."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.results.comparison import Comparison, compare
from benchdash.results.comparison.frozen import written_down
from benchdash.results.criteria import read_query
from benchdash.results.models import Permalink, PermalinkSubject


@transaction.atomic
def make_permalink(query: str, person: User | None) -> Permalink:
    """Keep what `query` shows now; Refused where it makes no sense or shows no run."""
    comparison = compare(read_query(query))
    if not comparison.groups:
        raise Refused(
            _("This comparison has no runs yet, so there is nothing to link to."), "query"
        )
    permalink = Permalink.objects.create(
        query=comparison.criteria.query(), shown=written_down(comparison), created_by=person
    )
    _keep_subjects(permalink, comparison)
    return permalink


def _keep_subjects(permalink: Permalink, comparison: Comparison) -> None:
    every = {
        (run.workload_id, run.configuration_id, run.environment_id, run.study_id)
        for group in comparison.groups
        for run in group.runs
    }
    PermalinkSubject.objects.bulk_create(
        PermalinkSubject(
            permalink=permalink,
            workload_id=workload,
            configuration_id=configuration,
            environment_id=environment,
            study_id=study,
        )
        for workload, configuration, environment, study in every
    )
