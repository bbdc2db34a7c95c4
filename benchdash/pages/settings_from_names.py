"""Settings of stored runs out of the names of their files: first a look, then the change."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.pages.access import needs
from benchdash.pages.run_changes import MOST_AT_ONCE, ticked_runs
from benchdash.results.language import in_language
from benchdash.results.run_settings import LONGEST_PATTERN, Match, apply_matches, matches
from benchdash.vocabulary.settings import settings_text


class PatternForm(forms.Form):
    """A name with holes where values stand."""

    pattern = forms.CharField(
        label=_("Pattern"),
        required=False,
        max_length=LONGEST_PATTERN,
        help_text=_(
            "A file name or a run’s label, with each setting’s name in braces in place of "
            "its value, and * for anything else."
        ),
        widget=forms.TextInput(
            {
                "class": "code",
                "spellcheck": "false",
                "autocomplete": "off",
                "placeholder": "*-{guests}vm-{cache}.json",
            }
        ),
    )


@needs(Role.CONTRIBUTOR)
@require_POST
def settings_from_names(request: HttpRequest) -> HttpResponse:
    """What a pattern finds for the ticked runs; `apply` gives it to them."""
    try:
        chosen = sorted(ticked_runs(request.POST, MOST_AT_ONCE))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
        return redirect("runs")
    form = PatternForm(request.POST)
    found: list[Match] = []
    if form.is_valid():
        found = _found(form, chosen)
    matching = [match for match in found if match.settings]
    if matching and "apply" in request.POST:
        count = apply_matches(matching)
        sentence = ngettext(
            "{n} run was given its settings.", "{n} runs were given their settings.", count
        )
        messages.success(request, sentence.format(n=count))
        return redirect("runs")
    context = {
        "form": form,
        "runs": chosen,
        "rows": [(match, settings_text(match.settings)) for match in found],
        "matching": len(matching),
    }
    return render(request, "runs/settings_from_names.html", context)


def _found(form: PatternForm, chosen: list[int]) -> list[Match]:
    """Every run as it is while there is no pattern yet; a refusal stands beside the field."""
    try:
        return matches(chosen, form.cleaned_data["pattern"])
    except Refused as refused:
        form.add_error("pattern", refused.sentence)
        return matches(chosen, "")
