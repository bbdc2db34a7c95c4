"""Studies out of a file or out of runs, and a study as a file."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated
from benchdash.api.runs import ChosenSerializer
from benchdash.api.studies import WHOLE, WholeStudySerializer
from benchdash.results.criteria import Criteria
from benchdash.results.models import Study
from benchdash.results.study_document import LONGEST
from benchdash.results.study_files import export_study, import_study
from benchdash.results.study_of_runs import study_of_runs


class StudyTextSerializer(serializers.Serializer[Any]):
    """The YAML of a study; `replace` lets it take the place of the one of its address."""

    text = serializers.CharField(trim_whitespace=False, max_length=LONGEST)
    replace = serializers.BooleanField(required=False, default=False)


class StudyFile(APIView):
    """A study as YAML."""

    reads = Role.VISITOR

    @extend_schema(
        operation_id="studies_file",
        responses={(200, "application/yaml"): OpenApiResponse(str, "The file.")},
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """All that a study says, with its conditions, their layers and machines; equal studies are equal bytes."""
        text = export_study(get_object_or_404(Study, slug=slug))
        return HttpResponse(text, content_type="application/yaml; charset=utf-8")


class StudyOfRuns(APIView):
    """A study out of any runs."""

    @extend_schema(
        operation_id="studies_of_runs",
        request=ChosenSerializer,
        responses={
            201: WholeStudySerializer,
            422: OpenApiResponse(ProblemSerializer, "None of the runs counts."),
        },
    )
    def post(self, request: Request) -> Response:
        """Make a study of runs, named, with their configurations and the chart that compares them.

        What belongs to another study stays there; the chart names all runs then.
        """
        runs = validated(ChosenSerializer, request.data)["runs"]
        made = study_of_runs(Criteria(runs=tuple(sorted(runs)))).study
        whole = WholeStudySerializer(WHOLE.get(pk=made.pk), context={"request": request})
        return Response(whole.data, status=201)


class ImportStudy(APIView):
    """A study out of its file."""

    @extend_schema(
        operation_id="studies_import",
        request=StudyTextSerializer,
        responses={
            201: WholeStudySerializer,
            422: OpenApiResponse(ProblemSerializer, "What is wrong, and on which line."),
        },
    )
    def post(self, request: Request) -> Response:
        """Store what a file says; equal machines and layers are the records that are there."""
        made = import_study(**validated(StudyTextSerializer, request.data))
        whole = WholeStudySerializer(WHOLE.get(pk=made.pk), context={"request": request})
        return Response(whole.data, status=201)
