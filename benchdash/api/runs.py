"""`/api/v1/runs/`: the list, one run with its numbers, its raw bytes, its points over time."""

from __future__ import annotations

from typing import Any

from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role, role_of
from benchdash.api.fields import IdField, SettingsField, remarks
from benchdash.api.filters import RunFilters, filters_of
from benchdash.api.problems import Gone, ProblemSerializer
from benchdash.api.requests import NewestFirst, validated
from benchdash.api.run_json import RunSerializer, RunWithNumbersSerializer
from benchdash.api.trace_json import HostTraceSerializer, TraceSerializer
from benchdash.errors import Refused
from benchdash.inventory.models import EnvironmentName
from benchdash.jobs.models import JobStep
from benchdash.jobs.queries import steps_that_printed
from benchdash.results import run_actions
from benchdash.results.artifacts import content_of
from benchdash.results.assignment import assignment_by_name
from benchdash.results.language import in_language
from benchdash.results.models import Artifact, HostTrace, Run, Trace
from benchdash.results.run_actions import all_that_match
from benchdash.results.run_names import host_of, with_names


def runs_for(request: Request) -> QuerySet[Run]:
    """Runs with what their JSON needs, in one query; deleted ones for those who may restore."""
    names = EnvironmentName.objects.filter(environment=OuterRef("environment"))
    newest = Subquery(names.order_by("-given_at", "-pk").values("name")[:1])
    shown = role_of(request.user) >= Role.VIEWER
    steps = steps_that_printed(OuterRef("artifact")) if shown else JobStep.objects.none()
    runs = (
        with_names(Run.objects.select_related("study", "execution", "sample"))
        .defer("details", "notes", "conditions")
        .prefetch_related("tags", "doubts__past_dismissals")
        .annotate(
            environment_name=newest,  # type: ignore[no-redef]  # the model declares it
            host_id=host_of("environment", "snapshot__host", label="label"),
            job_id=Subquery(steps.values("job")[:1]),
            plan_id=Subquery(steps.values("job__plan")[:1]),
        )
    )
    return runs if role_of(request.user) >= Role.CONTRIBUTOR else runs.filter(deleted_at=None)


class Runs(ListAPIView[Run]):
    """Runs, newest first, a page at a time."""

    reads = Role.VISITOR
    serializer_class = RunSerializer
    pagination_class = NewestFirst
    filter_backends = (RunFilters,)
    queryset = Run.objects.none()  # names the model for the description

    def get_queryset(self) -> QuerySet[Run]:
        return runs_for(self.request)


class OneRun(RetrieveAPIView[Run]):
    """A run with every number, its traces, and the files it was read from."""

    reads = Role.VISITOR
    serializer_class = RunWithNumbersSerializer
    queryset = Run.objects.none()  # names the model for the description

    def get_queryset(self) -> QuerySet[Run]:
        runs = runs_for(self.request).defer(None).select_related("artifact")
        return runs.prefetch_related("measurements__measure", remarks())


class RawArtifact(APIView):
    """The bytes as they came: they may name paths of hosts."""

    reads = Role.VIEWER

    @extend_schema(
        operation_id="runs_artifact",
        responses={
            (200, "application/octet-stream"): OpenApiResponse(OpenApiTypes.BINARY),
            410: OpenApiResponse(ProblemSerializer, "An admin purged the bytes."),
        },
    )
    def get(self, request: Request, pk: int, artifact: int) -> HttpResponse:
        """A file that the run, or one of its traces, was read from; always as a download."""
        run = get_object_or_404(runs_for(request), pk=pk)
        own = Q(pk=run.artifact_id) | Q(traces__run=run)
        found = get_object_or_404(Artifact.objects.filter(own).distinct(), pk=artifact)
        upload = found.uploads.order_by("pk").first()
        name = upload.name.rpartition("/")[2] if upload else found.sha256
        try:
            content = content_of(found)
        except Refused as refused:
            raise Gone(in_language(refused.sentence)) from refused
        return HttpResponse(
            content,
            content_type="application/octet-stream",
            headers={
                "Content-Disposition": content_disposition_header(True, name) or "attachment",
                "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "sandbox",
            },
        )


class OneTrace(APIView):
    """Points over time."""

    reads = Role.VISITOR

    @extend_schema(operation_id="runs_trace", responses=TraceSerializer)
    def get(self, request: Request, pk: int, trace: int) -> Response:
        """One measure of the run over time: `points` are [seconds since the start, value]."""
        run = get_object_or_404(runs_for(request), pk=pk)
        found = get_object_or_404(Trace.objects.select_related("measure"), pk=trace, run=run)
        return Response(TraceSerializer(found).data)


class OneHostTrace(APIView):
    """What a part of a host did."""

    reads = Role.VISITOR

    @extend_schema(operation_id="runs_host_trace", responses=HostTraceSerializer)
    def get(self, request: Request, pk: int, trace: int) -> Response:
        """A part of a host while the run was measured; `seconds` count from the begin of the run."""
        run = get_object_or_404(runs_for(request), pk=pk)
        return Response(HostTraceSerializer(get_object_or_404(HostTrace, pk=trace, run=run)).data)


class ChosenSerializer(serializers.Serializer[Any]):
    """The runs that are meant: by id, or all that filters match; then how many these are."""

    runs = serializers.ListField(
        child=IdField(), allow_empty=False, max_length=1000, required=False
    )
    filters = serializers.DictField(
        required=False,
        allow_empty=False,
        help_text=(
            'Those of the list of runs: `{"tool": "fio", "workload.block_bytes": ["4k", "8k"]}`. '
            "Withdrawn runs, and deleted ones, are left out unless `state` or `deleted` asks for them."
        ),
    )
    expected = serializers.IntegerField(
        required=False,
        min_value=0,
        help_text="How many runs the filters match: where they are others, nothing is changed.",
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        """The ids of all of them as `runs`."""
        if ("runs" in data) == ("filters" in data):
            raise serializers.ValidationError({"runs": _("Give either “runs” or “filters”.")})
        if "filters" not in data:
            if "expected" in data:
                raise serializers.ValidationError(
                    {"expected": _("“expected” can be given only with “filters”.")}
                )
            return data
        found = all_that_match(filters_of(data.pop("filters"))).runs
        if data.pop("expected", None) != len(found):
            raise Refused(
                "{n} runs match: give that number as “expected”. Nothing was changed.",
                "expected",
                n=len(found),
            )
        return data | {"runs": found}


class AssignSerializer(ChosenSerializer):
    """Where they belong, by name, and what else was set; what is left out stays."""

    configuration = serializers.CharField(required=False, allow_blank=True)
    environment = serializers.CharField(required=False, allow_blank=True)
    study = serializers.CharField(required=False, allow_blank=True)
    setting = SettingsField(required=False)


class SetAsideSerializer(ChosenSerializer):
    """Why they stay out of statistics; empty: they count again."""

    reason = serializers.CharField(max_length=300, allow_blank=True)


class RepeatsSerializer(ChosenSerializer):
    """Whether equal numbers were measured again."""

    repeats = serializers.BooleanField()


class ChangedSerializer(serializers.Serializer[Any]):
    """How many runs changed."""

    changed = serializers.IntegerField()


@extend_schema(operation_id="runs_assign", request=AssignSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def assign(request: Request) -> Response:
    """Give runs another configuration, environment or study."""
    data = validated(AssignSerializer, request.data)
    runs, given = data.pop("runs"), data.pop("setting", {})
    return _changed(run_actions.assign(runs, assignment_by_name(**data, settings=given)))


@extend_schema(
    operation_id="runs_set_aside", request=SetAsideSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def set_aside(request: Request) -> Response:
    """Keep runs visible and out of statistics, or count them again."""
    return _changed(run_actions.set_aside(**validated(SetAsideSerializer, request.data)))


@extend_schema(operation_id="runs_repeats", request=RepeatsSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def count_as_repeats(request: Request) -> Response:
    """Say that runs with the numbers of another were measured again, or that they were not."""
    return _changed(run_actions.count_as_repeats(**validated(RepeatsSerializer, request.data)))


@extend_schema(operation_id="runs_delete", request=ChosenSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def delete(request: Request) -> Response:
    """Hide runs; for 30 days they can be restored, their files stay for ever."""
    return _changed(run_actions.delete(**validated(ChosenSerializer, request.data)))


@extend_schema(operation_id="runs_restore", request=ChosenSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def restore(request: Request) -> Response:
    """Show deleted runs again."""
    return _changed(run_actions.restore(**validated(ChosenSerializer, request.data)))


def _changed(count: int) -> Response:
    return Response({"changed": count})
