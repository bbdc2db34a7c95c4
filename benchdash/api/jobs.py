"""`/api/v1/jobs/`: remote runs, what they print, and how to end or repeat them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django_filters import rest_framework as filters
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import (
    OpenApiParameter,
    OpenApiResponse,
    extend_schema,
    extend_schema_field,
)
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.api.access import user_of
from benchdash.api.fields import SentenceField, address_of
from benchdash.api.filters import IdFilter, KnownFilters
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import NewestFirst, validated, validated_query
from benchdash.jobs import giving_up, launching
from benchdash.jobs.job_states import ENDED
from benchdash.jobs.logs import read_log
from benchdash.jobs.models import Job, JobEvent, JobNode, JobStep, TunableChange
from benchdash.jobs.queries import runs_of, whole_jobs, with_hosts

_TOUCHES = {"type": "array", "items": {"type": "object"}}
_SETTING = {"type": "object", "nullable": True}


class NodeSerializer(serializers.ModelSerializer[JobNode]):
    """The part that a host plays in a job."""

    host = serializers.CharField(source="target.host.name")
    host_url = serializers.SerializerMethodField()

    class Meta:
        model = JobNode
        fields = ("role", "host", "host_url", "target", "left_at")

    @extend_schema_field(serializers.URLField())
    def get_host_url(self, node: JobNode) -> str:
        return address_of("api:host", node.target.host_id)


class ChangeSerializer(serializers.ModelSerializer[TunableChange]):
    """A setting that was changed on a host, and whether it is put back."""

    trouble = SentenceField()

    class Meta:
        model = TunableChange
        fields = ("old", "new", "changed_at", "restored_at", "read_back", "trouble")


class StepSerializer(serializers.ModelSerializer[JobStep]):
    """One command, character for character as it is run."""

    reason = SentenceField()
    touches = serializers.SerializerMethodField()
    tunable = serializers.SerializerMethodField()
    knob = serializers.SerializerMethodField(help_text="Deprecated: `tunable`.")
    change = serializers.SerializerMethodField()

    class Meta:
        model = JobStep
        fields = (
            *("position", "phase", "node", "name", "command", "files", "root", "tool", "touches"),
            *(
                "shared",
                "tunable",
                "knob",
                "expected_s",
                "estimated",
                "timeout_s",
                "state",
                "reason",
            ),
            *("started_at", "ended_at", "began_after_s", "began_error_s", "exit_code", "change"),
        )

    @extend_schema_field(_TOUCHES)
    def get_touches(self, step: JobStep) -> Any:
        return step.touches

    @extend_schema_field(_SETTING)
    def get_tunable(self, step: JobStep) -> Any:
        return step.tunable

    @extend_schema_field(_SETTING)
    def get_knob(self, step: JobStep) -> Any:
        """As scripts know it from before: `name` is called `knob`."""
        if step.tunable is None:
            return None
        return {"knob" if key == "name" else key: value for key, value in step.tunable.items()}

    @extend_schema_field(ChangeSerializer(allow_null=True))
    def get_change(self, step: JobStep) -> Any:
        return ChangeSerializer(step.change).data if hasattr(step, "change") else None


class EventSerializer(serializers.ModelSerializer[JobEvent]):
    """An audit line."""

    by = serializers.StringRelatedField[User]()
    reason = SentenceField()

    class Meta:
        model = JobEvent
        fields = ("at", "by", "before", "after", "reason")


class JobConditionSerializer(serializers.Serializer[Any]):
    """How a host was, `when` before, during or after the job; `blocking` has it wait unless somebody insists."""

    when = serializers.CharField()
    at = serializers.DateTimeField()
    node = serializers.CharField()
    host = serializers.CharField()
    name = serializers.CharField()
    sentence = SentenceField()
    blocking = serializers.BooleanField()


class JobSerializer(serializers.ModelSerializer[Job]):
    """A job in a list."""

    url = serializers.HyperlinkedIdentityField(view_name="api:job")
    plan_url = serializers.SerializerMethodField()
    reason = SentenceField()
    nodes = NodeSerializer(many=True)
    values = serializers.DictField()
    repetition = serializers.IntegerField(
        source="round", read_only=True, help_text="Deprecated: see `round`."
    )

    block = serializers.CharField(
        read_only=True,
        help_text="The same for jobs that share what is made once; empty: it shares nothing.",
    )
    made_by = serializers.PrimaryKeyRelatedField[Job](
        read_only=True, help_text="The job that had made what this one shares and found made."
    )

    class Meta:
        model = Job
        fields: tuple[str, ...] = (
            *("id", "url", "plan", "plan_url", "position", "title", "values", "cell", "round"),
            *("repetition", "attempt"),
            *("retry_of", "state", "state_at", "reason", "priority", "expected_s", "queued_at"),
            *("started_at", "ended_at", "cancel_asked_at", "whatever_conditions", "quiet_by"),
            *("block", "made_by", "nodes"),
        )

    @extend_schema_field(serializers.URLField())
    def get_plan_url(self, job: Job) -> str:
        return address_of("api:plan", job.plan_id)


class WholeJobSerializer(JobSerializer):
    """One job with its commands, its history, and the runs it made."""

    steps = StepSerializer(many=True)
    events = EventSerializer(many=True)
    conditions = JobConditionSerializer(many=True)
    runs = serializers.SerializerMethodField()
    log = serializers.SerializerMethodField()

    class Meta(JobSerializer.Meta):
        fields = (
            *JobSerializer.Meta.fields,
            *("configuration", "environment", "conditions", "steps", "events", "runs", "log"),
        )

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_runs(self, job: Job) -> list[str]:
        runs = runs_of(job).distinct().values_list("pk", flat=True)
        return [address_of("api:run", pk) for pk in runs]

    @extend_schema_field(serializers.CharField())
    def get_log(self, job: Job) -> str:
        return reverse("api:job-log", args=[job.pk])


class JobFilter(KnownFilters):
    """Which jobs a list shows."""

    state = filters.MultipleChoiceFilter(choices=Job.State.choices)
    plan = IdFilter(field_name="plan_id")
    host = filters.CharFilter(field_name="nodes__target__host__name", distinct=True)

    class Meta:
        model = Job
        fields: tuple[str, ...] = ()


class Jobs(ListAPIView[Job]):
    """Jobs, newest first, a page at a time."""

    reads = Role.VIEWER
    serializer_class = JobSerializer
    pagination_class = NewestFirst
    filterset_class = JobFilter
    queryset = with_hosts(Job.objects.all())


class OneJob(RetrieveAPIView[Job]):
    """State, commands, history, and the runs it made."""

    reads = Role.VIEWER
    serializer_class = WholeJobSerializer
    queryset = whole_jobs()


class CancelJob(APIView):
    """The end of one job."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="jobs_cancel",
        request=None,
        responses={
            202: WholeJobSerializer,
            422: OpenApiResponse(ProblemSerializer, "The job has ended."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Ask for its end; it is `cancelling` until nothing of it runs on a host."""
        launching.cancel(get_object_or_404(Job, pk=pk), user_of(request))
        return Response(_as_json(pk, request), status=202)


class InsistOnJob(APIView):
    """A job that shall not wait for quiet hosts."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="jobs_insist",
        request=None,
        responses={
            202: WholeJobSerializer,
            422: OpenApiResponse(ProblemSerializer, "It measures, or has ended."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Measure whatever the conditions; its runs record them."""
        launching.insist(get_object_or_404(Job, pk=pk), user_of(request))
        return Response(_as_json(pk, request), status=202)


class RetryJob(APIView):
    """A new attempt of one job."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="jobs_retry",
        request=None,
        responses={
            201: WholeJobSerializer,
            422: OpenApiResponse(ProblemSerializer, "The job goes on."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """The same commands again, beside the old attempt."""
        again = launching.retry(get_object_or_404(Job, pk=pk), user_of(request))
        return Response(_as_json(again.pk, request), status=201)


class GivingUpSerializer(serializers.Serializer[Any]):
    """Why: it stays with the job."""

    reason = serializers.CharField(max_length=giving_up.LONGEST_REASON, allow_blank=True)


class GiveUpJob(APIView):
    """A job whose host never returns."""

    writes = Role.ADMIN

    @extend_schema(
        operation_id="jobs_give_up",
        request=GivingUpSerializer,
        responses={
            200: WholeJobSerializer,
            422: OpenApiResponse(ProblemSerializer, "It is not stuck, or no reason is given."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """It is `lost` and its hosts are free; of one that is lost, forget what it left there."""
        data = validated(GivingUpSerializer, request.data)
        giving_up.give_up(get_object_or_404(Job, pk=pk), by=user_of(request), **data)
        return Response(_as_json(pk, request))


class OffsetSerializer(serializers.Serializer[Any]):
    """From which byte on."""

    offset = serializers.IntegerField(min_value=0, max_value=2**62, default=0)


class JobLog(APIView):
    """What a job's steps print, in the order in which it came."""

    reads = Role.VIEWER

    @extend_schema(
        operation_id="jobs_log",
        parameters=[
            OffsetSerializer,
            OpenApiParameter(
                "X-Next-Offset",
                int,
                OpenApiParameter.HEADER,
                response=True,
                description="The offset to ask for next.",
            ),
            OpenApiParameter(
                "X-Complete",
                bool,
                OpenApiParameter.HEADER,
                response=True,
                description="`true`: the job has ended and nothing more will come.",
            ),
        ],
        responses={(200, "text/plain"): OpenApiResponse(OpenApiTypes.BINARY)},
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Bytes from `offset` on, about a MiB at once."""
        offset = validated_query(OffsetSerializer, request)["offset"]
        job = get_object_or_404(Job.objects.only("state"), pk=pk)
        data, after = read_log(pk, offset)
        complete = job.state in ENDED and not data
        return HttpResponse(
            data,
            content_type="text/plain; charset=utf-8",
            headers={
                "X-Next-Offset": str(after),
                "X-Complete": str(complete).lower(),
                "X-Content-Type-Options": "nosniff",
                "Content-Security-Policy": "sandbox",
            },
        )


def _as_json(pk: int, request: Request) -> dict[str, Any]:
    job = get_object_or_404(whole_jobs(), pk=pk)
    body: dict[str, Any] = WholeJobSerializer(job, context={"request": request}).data
    return body
