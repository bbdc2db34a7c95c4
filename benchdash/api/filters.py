"""How lists are narrowed: filters that refuse what they cannot read, and those of runs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django.db.models import QuerySet
from django_filters import rest_framework as filters
from django_filters.fields import IsoDateTimeField

from benchdash.errors import N_
from benchdash.results.annotations import tagged
from benchdash.results.ids import LARGEST_ID
from benchdash.results.models import Run

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
    """An ISO 8601 time; UTC where no zone is said."""

    field_class = _MomentField


class RunFilter(filters.FilterSet):  # type: ignore[misc]
    """Deleted runs are shown where `deleted=true` asks for them."""

    tool = filters.CharFilter()
    tool_version = filters.CharFilter()
    configuration = IdFilter(field_name="configuration_id")
    environment = IdFilter(field_name="environment_id")
    study = filters.CharFilter(field_name="study__slug")
    artifact = filters.CharFilter(field_name="artifact__sha256", label="SHA-256 of the file")
    tag = filters.CharFilter(
        method="with_tag", label="A tag of the run, its configuration or study"
    )
    label = filters.CharFilter(lookup_expr="icontains")
    counted = TruthFilter()
    unassigned = TruthFilter(field_name="configuration", lookup_expr="isnull")
    since = MomentFilter(field_name="created_at", lookup_expr="gte")
    until = MomentFilter(field_name="created_at", lookup_expr="lt")
    deleted = TruthFilter(method="only_deleted")

    class Meta:
        model = Run
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[Run]) -> QuerySet[Run]:
        runs: QuerySet[Run] = super().filter_queryset(queryset)
        return runs if self.form.cleaned_data.get("deleted") else runs.filter(deleted_at=None)

    def with_tag(self, runs: QuerySet[Run], _name: str, tag: str) -> QuerySet[Run]:
        return runs.filter(tagged([tag]))

    def only_deleted(self, runs: QuerySet[Run], _name: str, deleted: bool) -> QuerySet[Run]:
        return runs.exclude(deleted_at=None) if deleted else runs
