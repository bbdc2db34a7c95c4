"""`/api/v1/search/`: everything from one question."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role, role_of
from benchdash.api.filters import RUN_FILTERS, run_query_in
from benchdash.api.requests import URL_FORMAT_OVERRIDE
from benchdash.jobs.models import Job
from benchdash.jobs.queries import search
from benchdash.results.models import Run
from benchdash.results.run_names import run_name
from benchdash.results.search import Group, SearchQuery

_ONE = {
    "studies": ("api:study", "slug"),
    "configurations": ("api:configuration", "pk"),
    "environments": ("api:environment", "pk"),
    "runs": ("api:run", "pk"),
    "uploads": ("api:upload", "pk"),
    "hosts": ("api:host", "pk"),
    "plans": ("api:plan", "pk"),
    "jobs": ("api:job", "pk"),
}


class QuestionSerializer(serializers.Serializer[Any]):
    """The words to find; a record has to say each of them. Filters of runs may stand beside it."""

    q = serializers.CharField(max_length=200, required=False)


class FoundRecordSerializer(serializers.Serializer[Any]):
    """One record: what it is called, and where it is."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    url = serializers.CharField()


class FoundGroupSerializer(serializers.Serializer[Any]):
    """Records of one kind, the newest first; `more` says that there are others."""

    kind = serializers.ChoiceField(choices=list(_ONE))
    found = FoundRecordSerializer(many=True)
    more = serializers.BooleanField()


class Search(APIView):
    """One question over studies, configurations, environments, runs, uploads, hosts, plans and jobs."""

    reads = Role.VISITOR

    @extend_schema(
        operation_id="search",
        parameters=[QuestionSerializer, *RUN_FILTERS],
        responses=FoundGroupSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """What was found, by kind; kinds without a match are left out."""
        search_query = _search_query(request)
        if search_query.is_empty:
            raise serializers.ValidationError(
                {"q": _("Give words to search for, or a run filter.")}
            )
        groups = search(search_query, role_of(request.user))
        return Response([_as_json(group) for group in groups])


def _search_query(request: Request) -> SearchQuery:
    form = QuestionSerializer(data=request.query_params)
    form.is_valid(raise_exception=True)
    run_query = run_query_in(request.query_params, (*form.fields, URL_FORMAT_OVERRIDE))
    return SearchQuery(form.validated_data.get("q", ""), run_query)


def _name(row: Any) -> str:
    if isinstance(row, Run):
        return run_name(row)
    return f"{row} {row.title or row.plan.title}" if isinstance(row, Job) else str(row)


def _as_json(group: Group) -> dict[str, Any]:
    place, key = _ONE[group.kind]
    found = [
        {
            "id": row.pk,
            "name": _name(row),
            "url": reverse(place, args=[getattr(row, key)]),
        }
        for row in group.rows
    ]
    return {"kind": group.kind, "found": found, "more": group.more}
