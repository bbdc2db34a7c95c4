"""Configurations: the list, one with its stack and its runs, and two side by side."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration, Facet
from benchdash.pages.access import needs
from benchdash.pages.history_drawing import drawn
from benchdash.pages.runs import IN_A_LIST, NUMBERS_IN_A_LIST
from benchdash.pages.stack_drawing import boxes, differing
from benchdash.pages.tags_and_notes import annotations_of
from benchdash.results.headlines import headlines
from benchdash.results.history import history_of
from benchdash.results.models import Run, Study
from benchdash.results.models.run import LIVING
from benchdash.results.paging import page_of
from benchdash.vocabulary.differences import differences
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.storage.stack import lines, walk

NEWEST_RUNS = 10
MEASURED = Exists(Run.objects.filter(LIVING, configuration=OuterRef("pk")))


class ConfigurationFilter(forms.Form):
    """A GET form over the list."""

    text = forms.CharField(label=_("Text"), required=False, max_length=200)
    layer = forms.ChoiceField(
        label=_("Layer"),
        required=False,
        choices=[("", _("all")), *((kind.name, kind.title) for kind in KINDS.values())],
    )


class Pair(forms.Form):
    """Two configurations to lay side by side."""

    left = forms.ModelChoiceField(
        Configuration.objects.only("name"),
        label=_("Configuration"),
        empty_label=_("choose one"),
    )
    right = forms.ModelChoiceField(
        Configuration.objects.only("name"),
        label=_("Other configuration"),
        empty_label=_("choose one"),
    )


@needs(Role.VISITOR)
def configurations(request: HttpRequest) -> HttpResponse:
    """All configurations, the newest first."""
    form = ConfigurationFilter(request.GET)
    form.is_valid()
    rows = Configuration.objects.select_related("stack").annotate(measured=MEASURED)
    if text := form.cleaned_data.get("text"):
        rows = rows.filter(name__icontains=text)
    if layer := form.cleaned_data.get("layer"):
        rows = rows.filter(
            Exists(Facet.objects.filter(stack=OuterRef("stack"), key="layer", text=layer))
        )
    context = {"filter": form, "page": page_of(rows, request.GET)}
    return render(request, "configurations/list.html", context)


@needs(Role.VISITOR)
def configuration(request: HttpRequest, pk: int) -> HttpResponse:
    """One configuration."""
    found = get_object_or_404(Configuration.objects.select_related("stack", "created_by"), pk=pk)
    runs = list(IN_A_LIST.filter(LIVING, configuration=found).order_by("-pk")[:NEWEST_RUNS])
    context: dict[str, Any] = {
        "configuration": found,
        "layers": list(walk(found.stack.tree)),
        "box": boxes(found.stack.tree),
        "runs": runs,
        "headlines": headlines(runs, NUMBERS_IN_A_LIST),
        "history": [drawn(series) for series in history_of(found)],
        "studies": Study.objects.filter(conditions__configuration=found).distinct(),
        "namesakes": Configuration.objects.filter(stack=found.stack_id).exclude(pk=pk),
        "pair": Pair(initial={"left": found}),
    }
    context |= annotations_of(found, request)
    return render(request, "configurations/configuration.html", context)


@needs(Role.VISITOR)
def configuration_diff(request: HttpRequest) -> HttpResponse:
    """Two configurations side by side, equal lines folded."""
    form = Pair(request.GET or None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        pair = [form.cleaned_data["left"], form.cleaned_data["right"]]
        trees = [each.stack.tree for each in pair]
        context |= {
            "pair": pair,
            "differing": differing(trees),
            "lines": differences(*(lines(tree) for tree in trees)),
        }
    return render(request, "configurations/diff.html", context)
