"""How lists are narrowed: filters that refuse what they cannot read, and those of runs."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django_filters import rest_framework as filters
from rest_framework.exceptions import ValidationError
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request
from rest_framework.views import APIView

from benchdash.errors import N_, Refused
from benchdash.results.ids import LARGEST_ID
from benchdash.results.language import in_language
from benchdash.results.run_filters import FILTERS, STATES, read_filters
from benchdash.vocabulary.near import near

_OF_EVERY_LIST = ("cursor", "page_size", "format")


class IdFilter(filters.NumberFilter):  # type: ignore[misc]
    """The number of a record."""

    field_class = forms.IntegerField

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, min_value=1, max_value=LARGEST_ID, **options)

    def get_max_validator(self) -> None:
        """None: the field has its own."""


class KnownFilters(filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Filters of a list; an unknown name is refused with the nearest one, and never ignored."""

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        known = [*self.filters, *_OF_EVERY_LIST]
        for name in self.data:
            if name not in known:
                sentence = N_("This list has no filter “{name}”.", name=name)
                raise ValidationError({name: in_language(near(sentence, name, known, known))})
        found: QuerySet[Any] = super().filter_queryset(queryset)
        return found


class RunFilters(BaseFilterBackend):
    """The filters of the runs page and of comparisons, by the same names.

    Deleted runs are shown where `deleted=true` or `state` asks for them.
    """

    def filter_queryset(
        self, request: Request, queryset: QuerySet[Any], view: APIView
    ) -> QuerySet[Any]:
        """The runs that match; a name or a value that makes no sense is a ValidationError."""
        lists = request.GET.lists()
        query = {name: values for name, values in lists if name not in _OF_EVERY_LIST}
        try:
            asked = read_filters(query)
            runs = queryset.filter(asked.condition)
        except Refused as refused:
            raise ValidationError({refused.field: in_language(refused.sentence)}) from refused
        return runs if asked.shows_hidden else runs.filter(deleted_at=None)

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        """For the description: drf-spectacular asks for it."""
        return [
            {
                "name": name,
                "in": "query",
                "required": False,
                "description": OF_RUNS.get(name, ""),
                "schema": {"type": "array", "items": {"type": "string"}},
            }
            for name in FILTERS
        ]


OF_RUNS = {
    "text": "A part of the label or of the configuration's name.",
    "host": "The name of a machine that took part.",
    "plan": "The number of a plan.",
    "tag": "A tag of the run, its configuration or study.",
    "since": "A day, a time, or how long ago (`30d`): measured since, stored where undated.",
    "until": "As `since`; a day is in it, a time is not.",
    "doubt": "A kind of doubt that stands, `~`: without doubts.",
    "doubts": "`exclude` leaves out runs of which a doubt about the whole run stands.",
    "state": f"One of {', '.join(STATES)}.",
    "run": "Numbers of runs, which bring the others of their samples.",
    "execution": "All runs of one pass; several, separated by commas.",
    "upload": "The runs that these uploads brought, stored by them or before: 7, or 4-13,17.",
    "artifact": "The file: its SHA-256, or its number.",
    "label": "A part of the label.",
}
