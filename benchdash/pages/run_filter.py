"""What the list of runs can be narrowed by, as its address says it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Configuration, Environment
from benchdash.pages.study_choice import StudyChoice
from benchdash.results.ids import read_ids
from benchdash.results.models import Artifact, Run
from benchdash.results.models.run import LIVING
from benchdash.results.tagging import tagged, used_tags

TOOLS = ("bonnie++", "fio", "dbench", "pgbench")
STATES = {
    "counted": (_("counted"), Q(counted=True)),
    "unassigned": (_("without configuration"), LIVING & Q(configuration=None)),
    "set-aside": (_("set aside"), LIVING & ~Q(set_aside_reason="")),
    "same": (_("same result as another"), LIVING & ~Q(same_as=None)),
    "withdrawn": (_("withdrawn"), Q(withdrawn_at__isnull=False, deleted_at=None)),
    "deleted": (_("deleted"), Q(deleted_at__isnull=False)),
}
MOST_TEXT = 200
MOST_NAMED = 10_000


class RunFilter(forms.Form):
    """A GET form; a value that makes no sense is said beside its field and narrows nothing."""

    text = forms.CharField(label=_("Text"), required=False, max_length=MOST_TEXT)
    tool = forms.ChoiceField(
        label=_("Tool"), required=False, choices=[("", _("all")), *((t, t) for t in TOOLS)]
    )
    version = forms.CharField(label=_("Version"), required=False, max_length=40)
    study = StudyChoice(
        label=_("Study"),
        required=False,
        to_field_name="slug",
        empty_label=_("all"),
    )
    tag = forms.ModelChoiceField(
        used_tags(),
        label=_("Tag"),
        required=False,
        to_field_name="name",
        empty_label=_("all"),
    )
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("all")), *((name, words) for name, (words, _q) in STATES.items())],
    )
    # reached by links from their own pages: a list of thousands is nothing to choose from
    configuration = forms.ModelChoiceField(
        Configuration.objects.all(), required=False, widget=forms.HiddenInput
    )
    environment = forms.ModelChoiceField(
        Environment.objects.all(), required=False, widget=forms.HiddenInput
    )

    artifact = forms.ModelChoiceField(
        Artifact.objects.only("pk"), required=False, widget=forms.HiddenInput
    )
    runs = forms.CharField(required=False, max_length=MOST_NAMED, widget=forms.HiddenInput)

    def clean_runs(self) -> list[int]:
        """Numbers with commas between them, as the tables of a comparison name their runs."""
        return read_ids(self.cleaned_data["runs"].split(","))

    def narrow(self, runs: QuerySet[Run]) -> QuerySet[Run]:
        """The runs that were asked for."""
        self.is_valid()
        asked: dict[str, Any] = {name: v for name, v in self.cleaned_data.items() if v}
        runs = runs.filter(STATES[asked.pop("state")][1] if "state" in asked else LIVING)
        if text := asked.pop("text", ""):
            runs = runs.filter(Q(label__icontains=text) | Q(configuration__name__icontains=text))
        if version := asked.pop("version", ""):
            runs = runs.filter(tool_version__startswith=version)
        if tag := asked.pop("tag", None):
            runs = runs.filter(tagged([tag.name]))
        if named := asked.pop("runs", []):
            runs = runs.filter(pk__in=named)
        return runs.filter(**asked)
