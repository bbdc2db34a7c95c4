"""How lists are narrowed: filters that refuse what they cannot read, and those of runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django_filters import rest_framework as filters
from django_filters.fields import IsoDateTimeField
from rest_framework.exceptions import ValidationError

from benchdash.errors import N_, Refused
from benchdash.results.annotations import tagged
from benchdash.results.brought import brought_by
from benchdash.results.doubts import DOUBTED
from benchdash.results.ids import LARGEST_ID, read_ids
from benchdash.results.language import in_language
from benchdash.results.models import Run
from benchdash.results.parameters import read_uploads
from benchdash.results.run_settings import by_setting
from benchdash.vocabulary.near import near

_OF_EVERY_LIST = ("cursor", "page_size", "format")
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


class _TruthField(forms.Field):
    def to_python(self, value: Any) -> bool | None:
        if value in self.empty_values:
            return None
        try:
            return _TRUTH[str(value).lower()]
        except KeyError:
            raise forms.ValidationError(N_("Say true or false.")) from None


class _MomentField(IsoDateTimeField):  # type: ignore[misc]  # django-filter has no types
    def to_python(self, value: Any) -> datetime | None:
        moment: datetime | None = super().to_python(value)
        try:
            return moment and moment.astimezone(UTC)
        except OverflowError:  # in the first or the last hours of the calendar
            raise forms.ValidationError(self.error_messages["invalid"]) from None


class IdFilter(filters.NumberFilter):  # type: ignore[misc]
    """The number of a record."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, min_value=1, max_value=LARGEST_ID, **options)

    def get_max_validator(self) -> None:
        """None: the field has its own."""


class TruthFilter(filters.BooleanFilter):  # type: ignore[misc]
    """true or false."""

    field_class = _TruthField

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, widget=forms.TextInput, **options)


class MomentFilter(filters.IsoDateTimeFilter):  # type: ignore[misc]
    """An ISO 8601 time; UTC where no zone is given."""

    field_class = _MomentField


class KnownFilters(filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Filters of a list; an unknown name is refused with the nearest one, and never ignored."""

    prefixes: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        known = [*self.filters, *_OF_EVERY_LIST]
        for name in self.data:
            if name not in known and not name.startswith(self.prefixes):
                sentence = N_("This list has no filter “{name}”.", name=name)
                raise ValidationError({name: in_language(near(sentence, name, known, known))})
        found: QuerySet[Any] = super().filter_queryset(queryset)
        return found


class RunFilter(KnownFilters):
    """Deleted runs are shown where `deleted=true` asks for them."""

    tool = filters.CharFilter()
    tool_version = filters.CharFilter()
    configuration = IdFilter(field_name="configuration_id")
    environment = IdFilter(field_name="environment_id")
    study = filters.CharFilter(field_name="study__slug")
    execution = filters.BaseInFilter(
        method="of_executions", label="All runs of one pass; several, separated by commas"
    )
    sample = IdFilter(field_name="sample_id")
    artifact = filters.CharFilter(field_name="artifact__sha256", label="SHA-256 of the file")
    upload = filters.CharFilter(
        method="of_uploads",
        label="The runs that these uploads brought, stored by them or before: 7, or 4-13,17",
    )
    tag = filters.CharFilter(
        method="with_tag", label="A tag of the run, its configuration or study"
    )
    label = filters.CharFilter(lookup_expr="icontains")
    counted = TruthFilter()
    unassigned = TruthFilter(field_name="configuration", lookup_expr="isnull")
    since = MomentFilter(field_name="created_at", lookup_expr="gte")
    until = MomentFilter(field_name="created_at", lookup_expr="lt")
    deleted = TruthFilter(method="only_deleted")
    doubts = filters.ChoiceFilter(
        method="with_doubts",
        choices=(("include", "include"), ("exclude", "exclude")),
        label="exclude leaves out runs of which a doubt about the whole run stands",
    )

    prefixes = ("setting.",)

    class Meta:
        model = Run
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[Run]) -> QuerySet[Run]:
        runs: QuerySet[Run] = super().filter_queryset(queryset)
        for name in self.data:
            if name.startswith("setting."):
                runs = runs.filter(by_setting(name.partition(".")[2], self.data.getlist(name)))
        return runs if self.form.cleaned_data.get("deleted") else runs.filter(deleted_at=None)

    def of_executions(self, runs: QuerySet[Run], _name: str, ids: list[str]) -> QuerySet[Run]:
        return runs.filter(execution__in=read_ids(ids))

    def of_uploads(self, runs: QuerySet[Run], _name: str, text: str) -> QuerySet[Run]:
        try:
            return runs.filter(brought_by(read_uploads([text])))
        except Refused as refused:
            raise ValidationError({"upload": in_language(refused.sentence)}) from None

    def with_tag(self, runs: QuerySet[Run], _name: str, tag: str) -> QuerySet[Run]:
        return runs.filter(tagged([tag]))

    def with_doubts(self, runs: QuerySet[Run], _name: str, doubts: str) -> QuerySet[Run]:
        return runs.exclude(DOUBTED) if doubts == "exclude" else runs

    def only_deleted(self, runs: QuerySet[Run], _name: str, deleted: bool) -> QuerySet[Run]:
        return runs.exclude(deleted_at=None) if deleted else runs
