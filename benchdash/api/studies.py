"""`/api/v1/studies/`: questions, and the conditions that they compare."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count, Prefetch
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.annotated import remarks
from benchdash.api.paging import NewestFirst
from benchdash.api.problems import ProblemSerializer
from benchdash.api.study_json import StudyFormSerializer, StudySerializer, WholeStudySerializer
from benchdash.inventory.queries import configuration_named, environment_named, environments
from benchdash.results.models import Condition, Study
from benchdash.results.records import add_condition, choose_baseline, write_study


class Studies(ListAPIView[Study]):
    """Studies, newest first, a page at a time."""

    reads = Role.VISITOR
    serializer_class = StudySerializer
    pagination_class = NewestFirst
    queryset = Study.objects.annotate(condition_count=Count("conditions")).prefetch_related("tags")

    @extend_schema(
        operation_id="studies_create",
        request=StudyFormSerializer,
        responses={
            201: WholeStudySerializer,
            422: OpenApiResponse(ProblemSerializer, "A name is not known, or the title is taken."),
        },
    )
    def post(self, request: Request) -> Response:
        """Ask a question, with the conditions that are to answer it."""
        form = StudyFormSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        made = _write(Study(), form.validated_data)
        return Response(_as_json(made.slug, request), status=201)


class OneStudy(APIView):
    """One study."""

    reads = Role.VISITOR

    @extend_schema(operation_id="studies_retrieve", responses=WholeStudySerializer)
    def get(self, request: Request, slug: str) -> Response:
        """A study with its words and its conditions."""
        return Response(_as_json(slug, request))

    @extend_schema(
        operation_id="studies_change",
        request=StudyFormSerializer(partial=True),
        responses={
            200: WholeStudySerializer,
            422: OpenApiResponse(ProblemSerializer, "A name is not known, or the title is taken."),
        },
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Other words, more conditions."""
        study = get_object_or_404(Study, slug=slug)
        form = StudyFormSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        _write(study, form.validated_data)
        return Response(_as_json(slug, request))


@transaction.atomic
def _write(study: Study, said: dict[str, Any]) -> Study:
    conditions = said.pop("conditions", [])
    study = write_study(study, **said)
    for condition in conditions:
        environment = condition.get("environment")
        added = add_condition(
            study,
            configuration_named(condition["configuration"]),
            environment_named(environment) if environment else None,
            condition.get("label", ""),
        )
        if condition.get("is_baseline"):
            choose_baseline(added)
    return study


def _as_json(slug: str, request: Request) -> dict[str, Any]:
    conditions = Condition.objects.select_related("configuration").prefetch_related(
        Prefetch("environment", environments())
    )
    studies = Study.objects.annotate(condition_count=Count("conditions"))
    study = get_object_or_404(
        studies.prefetch_related(Prefetch("conditions", conditions), "tags", remarks()), slug=slug
    )
    body: dict[str, Any] = WholeStudySerializer(study, context={"request": request}).data
    return body
