"""How lists are narrowed: filters that refuse what they cannot read, and those of runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import QueryDict
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.filters import BaseFilterBackend
from rest_framework.request import Request
from rest_framework.views import APIView

from benchdash.accounts.roles import role_of
from benchdash.errors import N_, Refused
from benchdash.results.ids import LARGEST_ID
from benchdash.results.language import in_language
from benchdash.results.run_filters import (
    FILTERS,
    OLDER,
    STATES,
    RunQuery,
    is_filter,
    matching,
    read_filters,
    unknown_filter,
)
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


class KnownNames(filters.DjangoFilterBackend):  # type: ignore[misc]  # django-filter has no types
    """The filters of a view; one without any refuses all names but those that every list has."""

    def get_filterset_class(self, view: APIView, queryset: Any = None) -> type[filters.FilterSet]:
        """Those that the view names."""
        return super().get_filterset_class(view, queryset) or KnownFilters


class DeletedFilters(KnownFilters):
    """A list of what is there; `deleted=true`: of what was deleted, and can be restored."""

    deleted = filters.BooleanFilter(method="as_it_is", label="true: those that were deleted")

    def as_it_is(self, rows: QuerySet[Any], _name: str, _deleted: bool) -> QuerySet[Any]:
        """All of them: what is filtered for is narrowed below, where nothing is filtered for too."""
        return rows

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        found = super().filter_queryset(queryset)
        return found.filter(deleted_at__isnull=not self.form.cleaned_data.get("deleted"))


class RunFilters(BaseFilterBackend):
    """The filters of the runs page and of comparisons, by the same names.

    Deleted and withdrawn runs are shown where `deleted=true` or `state` asks for them.
    """

    def filter_queryset(
        self, request: Request, queryset: QuerySet[Any], view: APIView
    ) -> QuerySet[Any]:
        """The runs that match; a name or a value that makes no sense is a ValidationError."""
        run_query = run_query_in(request.GET, _OF_EVERY_LIST)
        return matching(run_query.seen_by(role_of(request.user)), queryset)

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


def run_query_in(query: QueryDict, others: Collection[str]) -> RunQuery:
    """The filters in an address that has `others` too; ValidationError for a name or value that is none."""
    try:
        for name in query:
            if name not in others and not is_filter(OLDER.get(name, name)):
                raise unknown_filter(name, others)
        run_query = read_filters({name: v for name, v in query.lists() if name not in others})
        _condition = run_query.condition  # it refuses values too
    except Refused as refused:
        raise ValidationError({refused.field: in_language(refused.sentence)}) from refused
    return run_query


def filters_of(sent: Mapping[str, Any]) -> RunQuery:
    """Filters as a body has them: a text, a number, true or false by name, or a list of these.

    Refused for an unknown name, and where one says nothing: less of a filter would be more runs.
    """
    texts = {
        name: [_text(name, one) for one in (given if isinstance(given, list) else [given])]
        for name, given in sent.items()
    }
    if empty := next((name for name, given in texts.items() if not given or not all(given)), ""):
        raise Refused("“{name}” has no value: leave it out.", f"filters.{empty}", name=empty)
    try:
        return read_filters(texts)
    except Refused as refused:
        raise Refused(refused.sentence, f"filters.{refused.field}") from refused


def _text(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value).strip()
    raise Refused(
        "“{name}” takes text, a number, or a list of these.", f"filters.{name}", name=name
    )


OF_RUNS = {
    "text": "A part of the label or of the configuration's name.",
    "host": "The name of a machine that took part.",
    "output_format": "The `format` of runs, such as `fio/json-3`.",
    "plan": "The number of a plan.",
    "recipe": "The name of a recipe: what the jobs of its plans made.",
    "tag": "A tag of the run, its configuration or study.",
    "since": "A day, a time, or how long ago (`30d`): measured since, stored where undated.",
    "until": "As `since`; a day is in it, a time is not.",
    "doubt": "A kind of doubt that stands, `~`: without doubts.",
    "doubts": "`exclude` leaves out runs of which a doubt about the whole run stands.",
    "state": f"One of {', '.join(STATES)}.",
    "run": "Numbers of runs, which bring the others of their samples.",
    "execution": "All runs of one pass; several, separated by commas.",
    "upload": "The runs of these uploads, stored by them or before: 7, or 4-13,17.",
    "artifact": "The file: its SHA-256, or its number.",
    "label": "A part of the label.",
}
RUN_FILTERS = [
    OpenApiParameter(name, str, many=True, description=OF_RUNS.get(name, "")) for name in FILTERS
]
