"""The list of runs: how it is narrowed, which filters people keep, and what is done to several."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.errors import Refused, side_by_side
from benchdash.inventory.models import Configuration, Environment
from benchdash.pages.access import needs, needs_a_person, person
from benchdash.pages.run_changes import MOST_AT_ONCE, ChangeForm, record_names
from benchdash.pages.run_rows import LISTED, one_per_sample, run_rows
from benchdash.pages.study_choice import study_choices
from benchdash.results.annotations import tagged, used_tags
from benchdash.results.brought import brought_by
from benchdash.results.doubts import DOUBTED
from benchdash.results.ids import read_ids
from benchdash.results.language import in_language
from benchdash.results.models import Artifact, Run, SavedFilter
from benchdash.results.models.run import LIVING
from benchdash.results.paging import page_of
from benchdash.results.parameters import read_uploads
from benchdash.results.run_settings import by_setting
from benchdash.vocabulary.settings import MOST_SETTINGS
from benchdash.vocabulary.tools import TOOLS


@needs(Role.VISITOR, to_write=Role.CONTRIBUTOR)
def runs(request: HttpRequest) -> HttpResponse:
    """Runs, newest first, narrowed by the address; a POST acts on those that were ticked."""
    change = ChangeForm(request.POST if "act" in request.POST else None)
    chosen = _chosen(request)
    if change.is_bound and not chosen:
        change.add_error(None, gettext("Tick the runs first."))
    elif change.is_bound and (done := change.apply(chosen, person(request))):
        messages.success(request, done)
        return HttpResponseRedirect(request.get_full_path())
    for sentences in change.errors.values():  # a field may be out of sight
        messages.error(request, " ".join(map(in_language, sentences)))
    form = RunFilter(request.GET)
    page = page_of(one_per_sample(form.narrow(LISTED)), request.GET)
    context = {
        "filter": form,
        "left_out": form.left_out(),
        "page": page,
        "rows": run_rows(request, page.rows, chosen),
    }
    if request.method == "POST":  # without scripts, a button asks for the fields
        context |= _fields(request, change)
    return render(request, "runs/list.html", context | chips(request))


@needs(Role.CONTRIBUTOR)
def change_runs(request: HttpRequest) -> HttpResponse:
    """The fields for acts on ticked runs, which scripts add to the list with the first tick."""
    return render(request, "runs/change.html", _fields(request, ChangeForm()))


def _fields(request: HttpRequest, change: ChangeForm) -> dict[str, Any]:
    return record_names(request) | {"change": change, "known_tags": _TAGS.all()}


def _chosen(request: HttpRequest) -> set[int]:
    return set(read_ids(request.POST.getlist("runs")[:MOST_AT_ONCE]))


STATES = {
    "counted": (_("counted"), Q(counted=True)),
    "unassigned": (_("without configuration"), LIVING & Q(configuration=None)),
    "set-aside": (_("set aside"), LIVING & ~Q(set_aside_reason="")),
    "same": (_("same result as another"), LIVING & ~Q(same_as=None)),
    "doubted": (_("with doubts"), LIVING & Q(DOUBTED)),
    "withdrawn": (_("withdrawn"), Q(withdrawn_at__isnull=False, deleted_at=None)),
    "deleted": (_("deleted"), Q(deleted_at__isnull=False)),
}
MOST_TEXT = 200
_SETTING = "setting."
MOST_NAMED = 10_000
# fields that only links to the list fill in
_LINKED = {"configuration", "environment", "artifact", "upload", "runs"}
_TAGS = used_tags().values_list("name", flat=True)


class SettingField(forms.CharField):
    """`setting.NAME` of an address: a value, or `~` for none; links lead there."""

    def __init__(self, name: str) -> None:
        super().__init__(label=name, required=False, widget=forms.HiddenInput)
        self.name = name

    def clean(self, value: Any) -> Q:
        """The condition; a value or a name that cannot be is refused."""
        text = super().clean(value)
        try:
            return by_setting(self.name, [text]) if text else Q()
        except Refused as refused:
            raise forms.ValidationError(in_language(refused.sentence)) from None


class RunFilter(forms.Form):
    """A GET form; a value that makes no sense is refused beside its field and narrows nothing."""

    template_name_div = "parts/filter_fields.html"
    text = forms.CharField(label=_("Text"), required=False, max_length=MOST_TEXT)
    tool = forms.ChoiceField(
        label=_("Tool"), required=False, choices=[("", _("all")), *((t, t) for t in TOOLS)]
    )
    version = forms.CharField(label=_("Version"), required=False, max_length=40)
    study = forms.ChoiceField(label=_("Study"), required=False)
    tag = forms.ChoiceField(label=_("Tag"), required=False)
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[("", _("all")), *((name, title) for name, (title, _q) in STATES.items())],
    )
    doubts = forms.ChoiceField(
        label=_("Doubts"),
        required=False,
        choices=[("", _("include")), ("exclude", _("leave out"))],
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
    upload = forms.CharField(required=False, max_length=MOST_NAMED, widget=forms.HiddenInput)
    runs = forms.CharField(required=False, max_length=MOST_NAMED, widget=forms.HiddenInput)

    def __init__(self, query: QueryDict) -> None:
        super().__init__(query)
        for name in _LINKED - query.keys():
            del self.fields[name]
        for name in _settings_in(query):
            self.fields[name] = SettingField(name.removeprefix(_SETTING))
        tags = [(name, name) for name in _TAGS.all()]
        for name, choices in (("study", study_choices()), ("tag", tags)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("all")), *choices]

    def clean_runs(self) -> list[int]:
        """Numbers with commas between them, as the tables of a comparison name their runs."""
        return read_ids(self.cleaned_data["runs"].split(","))

    def clean_upload(self) -> Q:
        """The condition; what names no uploads is refused."""
        text = self.cleaned_data["upload"]
        try:
            return brought_by(read_uploads([text])) if text else Q()
        except Refused as refused:
            raise forms.ValidationError(in_language(refused.sentence)) from None

    def narrow(self, runs: QuerySet[Run]) -> QuerySet[Run]:
        """The runs that were requested."""
        runs = self._like(runs)
        return runs.exclude(DOUBTED) if self.cleaned_data.get("doubts") else runs

    def left_out(self) -> int:
        """How many runs only their doubts leave out; one query where they do."""
        if not self.is_valid() or not self.cleaned_data["doubts"]:
            return 0
        return self._like(Run.objects.filter(DOUBTED)).count()

    def _like(self, runs: QuerySet[Run]) -> QuerySet[Run]:
        """The runs that were requested, whether doubted or not."""
        self.is_valid()
        values: dict[str, Any] = {name: v for name, v in self.cleaned_data.items() if v}
        values.pop("doubts", None)
        runs = runs.filter(STATES[values.pop("state")][1] if "state" in values else LIVING)
        for name in [name for name in values if name.startswith(_SETTING)]:
            runs = runs.filter(values.pop(name))
        if text := values.pop("text", ""):
            runs = runs.filter(Q(label__icontains=text) | Q(configuration__name__icontains=text))
        if version := values.pop("version", ""):
            runs = runs.filter(tool_version__startswith=version)
        if study := values.pop("study", ""):
            runs = runs.filter(study__slug=study)
        if tag := values.pop("tag", ""):
            runs = runs.filter(tagged([tag]))
        if brought := values.pop("upload", None):
            runs = runs.filter(brought)
        if numbers := values.pop("runs", []):
            runs = runs.filter(pk__in=numbers)
        return runs.filter(**values)


def _settings_in(query: QueryDict) -> list[str]:
    return sorted(name for name in query if name.startswith(_SETTING))[:MOST_SETTINGS]


MOST_FILTERS = 30
LONGEST_QUERY = 1000
_QUICK = (
    *(("state", name, STATES[name][0]) for name in ("unassigned", "set-aside", "same", "doubted")),
    *(("tool", tool, tool) for tool in TOOLS),
)


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter to press: the address it leads to, and whether the page is there."""

    text: str
    query: str
    current: bool
    saved: bool = False


class SaveForm(forms.Form):
    """A name for the filter at hand."""

    name = forms.CharField(label=_("Name"), max_length=60)
    query = forms.CharField(required=False, widget=forms.HiddenInput)


def chips(request: HttpRequest) -> dict[str, object]:
    """The context of `runs/chips.html`; one query for whoever has signed in."""
    here = narrowing(request.GET.urlencode())
    signed_in = request.user if isinstance(request.user, User) else None
    own = SavedFilter.objects.filter(person=signed_in) if signed_in else ()
    return {
        "quick": [_quick(QueryDict(here), name, value, str(text)) for name, value, text in _QUICK],
        "saved": [Chip(one.name, one.query, one.query == here, saved=True) for one in own],
        "save": SaveForm(initial={"query": here}) if here and signed_in else None,
    }


def narrowing(query: str) -> str:
    """The query string less what narrows nothing (pages, empty fields), in one order."""
    given = QueryDict(query)
    kept = QueryDict(mutable=True)
    for name in (*RunFilter.base_fields, *_settings_in(given)):
        if value := given.get(name, "").strip():
            kept[name] = value
    return kept.urlencode()


@needs_a_person
@require_POST
def save_filter(request: HttpRequest) -> HttpResponse:
    """Keep the filter under a name, or say why not; the list stays narrowed by it."""
    query = narrowing(request.POST.get("query", ""))
    try:
        _keep(person(request), SaveForm(request.POST), query)
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return HttpResponseRedirect(f"{reverse('runs')}?{query}")


@needs_a_person
@require_POST
def forget_filter(request: HttpRequest) -> HttpResponse:
    """Drop one of the person's own filters."""
    name = request.POST.get("name", "")
    SavedFilter.objects.filter(person=person(request), name=name).delete()
    return HttpResponseRedirect(reverse("runs"))


def _keep(owner: User, form: SaveForm, query: str) -> None:
    """The same name again means the new one."""
    if not query or not form.data.get("name", "").strip():
        raise Refused(gettext("A saved filter needs a name and something to filter by."))
    if not form.is_valid():
        sentences = [str(sentence) for sentence in form.errors["name"]]
        raise Refused(side_by_side(sentences, " "))
    if len(query) > LONGEST_QUERY:
        raise Refused(_too_long(query))
    name = form.cleaned_data["name"]
    own = SavedFilter.objects.filter(person=owner)
    if own.exclude(name=name).count() >= MOST_FILTERS:
        raise Refused("You have {n} saved filters; forget one of them first.", n=MOST_FILTERS)
    SavedFilter.objects.update_or_create(person=owner, name=name, defaults={"query": query})


def _too_long(query: str) -> str:
    """What to do about a filter that is not kept."""
    if "runs" in QueryDict(query):
        return gettext(
            "This filter is too long to be saved, because it names each of its runs. "
            "Give these runs a tag, and save the filter by that tag."
        )
    return gettext("This filter is too long to be saved. Shorten its text.")


def _quick(here: QueryDict, name: str, value: str, text: str) -> Chip:
    """Pressed once it narrows by the value, pressed again no more; all else stays."""
    current = here.get(name) == value
    there = here.copy()
    if current:
        del there[name]
    else:
        there[name] = value
    return Chip(text, there.urlencode(), current)
