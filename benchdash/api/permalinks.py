"""`/api/v1/permalinks/`: comparisons that stand still."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.access import person_of
from benchdash.api.comparisons import FILES, FORMAT, RENDERERS, ComparisonSerializer, as_file
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated
from benchdash.results.models import Permalink
from benchdash.results.permalinks import (
    ChangedRun,
    FrozenComparison,
    State,
    changed_since,
    frozen,
    make_permalink,
)

_STATES = State.__args__  # type: ignore[attr-defined]  # a Literal's values, unknown to its stub


class QuerySerializer(serializers.Serializer[Any]):
    """What is to be kept."""

    query = serializers.CharField(help_text="A query string of the compare page.")


class PinnedRunSerializer(serializers.Serializer[Any]):
    """A run as it was shown: by which version of its parser, and the digest of its numbers."""

    id = serializers.IntegerField()
    parser_version = serializers.IntegerField()
    digest = serializers.CharField()


class ChangedNumberSerializer(serializers.Serializer[Any]):
    """A value that is another now, in its metric's unit; null where there is no such number."""

    measure = serializers.CharField()
    shown = serializers.FloatField(allow_null=True)
    now = serializers.FloatField(allow_null=True)


class ChangedRunSerializer(serializers.Serializer[Any]):
    """A run that is not as it was shown; no version now where it is removed."""

    run = serializers.IntegerField()
    state = serializers.ChoiceField(list(_STATES))
    shown_version = serializers.IntegerField()
    now_version = serializers.IntegerField(allow_null=True)
    numbers = ChangedNumberSerializer(many=True)


class PermalinkSerializer(serializers.Serializer[Any]):
    """A comparison as it was shown, and what changed since."""

    slug = serializers.CharField()
    url = serializers.CharField(help_text="The page.")
    query = serializers.CharField()
    created_at = serializers.DateTimeField()
    rules_changed = serializers.BooleanField(
        help_text="Whether the same numbers might be put in other words today."
    )
    runs = PinnedRunSerializer(many=True)
    changed = ChangedRunSerializer(many=True)
    comparison = ComparisonSerializer()


class Permalinks(APIView):
    """Making them."""

    @extend_schema(
        operation_id="permalinks_create",
        request=QuerySerializer,
        responses={201: PermalinkSerializer, 422: ProblemSerializer},
    )
    def post(self, request: Request) -> Response:
        """Keep what a query string of the compare page shows now."""
        query = validated(QuerySerializer, request.data)["query"]
        made = make_permalink(query, person_of(request))
        place = {"Location": reverse("api:permalink", args=[made.slug])}
        return Response(_as_json(made, request), status=201, headers=place)


class OnePermalink(APIView):
    """One of them."""

    reads = Role.VISITOR

    renderer_classes = RENDERERS

    @extend_schema(
        operation_id="permalinks_retrieve",
        parameters=[FORMAT],
        responses={(200, "application/json"): PermalinkSerializer, **FILES, 422: ProblemSerializer},
    )
    def get(self, request: Request, slug: str) -> Response:
        """The comparison as it was shown; as JSON with what changed since, as CSV or Markdown."""
        permalink = get_object_or_404(Permalink, slug=slug)
        wanted = request.accepted_renderer.format
        if wanted == "json":
            return Response(_as_json(permalink, request))
        view = _frozen(permalink, request).view
        return as_file(view, wanted, page=_page(permalink, request))


def _as_json(permalink: Permalink, request: Request) -> dict[str, Any]:
    comparison = _frozen(permalink, request)
    pinned = PinnedRunSerializer(permalink.shown["runs"], many=True).data
    return {
        "slug": permalink.slug,
        "url": _page(permalink, request),
        "query": permalink.query,
        "created_at": permalink.created_at,
        "rules_changed": comparison.rules_changed,
        "runs": pinned,
        "changed": [_changed(run) for run in changed_since(permalink)],
        "comparison": ComparisonSerializer(comparison.view).data,
    }


def _page(permalink: Permalink, request: Request) -> str:
    return request.build_absolute_uri(reverse("permalink", args=[permalink.slug]))


def _frozen(permalink: Permalink, request: Request) -> FrozenComparison:
    return frozen(permalink, binary=getattr(request.user, "binary_units", False))


def _changed(run: ChangedRun) -> dict[str, Any]:
    numbers = [
        {"measure": str(number.measure), "shown": number.shown, "now": number.now}
        for number in run.numbers
    ]
    return {
        "run": run.run,
        "state": run.state,
        "shown_version": run.shown_version,
        "now_version": run.now_version,
        "numbers": numbers,
    }
