"""Filters of lists that refuse what they cannot read, instead of narrowing nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import forms
from django_filters import rest_framework as filters
from django_filters.fields import IsoDateTimeField

from benchdash.results.ids import LARGEST_ID

_TRUTH = {"true": True, "1": True, "false": False, "0": False}


class _TruthField(forms.Field):
    def to_python(self, value: Any) -> bool | None:
        if value in self.empty_values:
            return None
        try:
            return _TRUTH[str(value).lower()]
        except KeyError:
            raise forms.ValidationError("Say true or false.") from None


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
