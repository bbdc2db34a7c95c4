"""One press: a new study of the ticked runs, of all that filters match, or of a comparison."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.pages.access import needs
from benchdash.pages.preferences import way_back
from benchdash.pages.run_changes import ticked_runs
from benchdash.pages.tray import use_up
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.language import in_language
from benchdash.results.study_of_runs import study_of_runs


@needs(Role.CONTRIBUTOR)
@require_POST
def new_study_of_runs(request: HttpRequest) -> HttpResponse:
    """The study, and on to its form; back to where one was where it cannot be."""
    try:
        criteria, used = _chosen(request.POST)
        made = study_of_runs(criteria)
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
        return redirect(way_back(request))
    messages.success(request, _("The study was created: add its question and description."))
    if use_up(request, used):
        messages.info(request, _("Its runs and configurations were taken out of the tray."))
    if made.elsewhere:
        sentence = ngettext(
            "{n} sample belongs to another study, and stays there; the chart still shows it.",
            "{n} samples belong to other studies, and stay there; the chart still shows them.",
            made.elsewhere,
        )
        messages.info(request, sentence.format(n=made.elsewhere))
    return redirect("edit_study", made.study.slug)


def _chosen(sent: QueryDict) -> tuple[Criteria, dict[str, Collection[int]]]:
    """A comparison as it stands, else the ticked runs, else all that match; Refused for none.

    And what that is of the records that a tray may have.
    """
    if "comparison" in sent:
        criteria = read_query(str(sent["comparison"]))
        return criteria, {"runs": criteria.runs, "configurations": criteria.configurations}
    runs = ticked_runs(sent)
    used: dict[str, Collection[int]] = {"runs": runs, "configurations": ()}
    if (
        "matching" in sent
    ):  # the filters say it shorter, and were found to match as many as expected
        return read_query(str(sent["query"])), used
    return Criteria(runs=tuple(sorted(runs))), used
