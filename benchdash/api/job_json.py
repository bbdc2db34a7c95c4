"""How jobs stand in JSON."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from benchdash.accounts.models import User
from benchdash.api.addresses import address_of
from benchdash.api.fields import SentenceField
from benchdash.jobs.models import Job, JobEvent, JobNode, JobStep, KnobChange
from benchdash.jobs.queries import runs_of

_TOUCHES = {"type": "array", "items": {"type": "object"}}
_KNOB = {"type": "object", "nullable": True}


class NodeSerializer(serializers.ModelSerializer[JobNode]):
    """The part that a host plays in a job."""

    host = serializers.CharField(source="target.host.name")

    class Meta:
        model = JobNode
        fields = ("role", "host", "target", "left_at")


class ChangeSerializer(serializers.ModelSerializer[KnobChange]):
    """A setting that was changed on a host, and whether it is put back."""

    trouble = SentenceField()

    class Meta:
        model = KnobChange
        fields = ("old", "new", "changed_at", "restored_at", "read_back", "trouble")


class StepSerializer(serializers.ModelSerializer[JobStep]):
    """One command, character for character as it is run."""

    reason = SentenceField()
    touches = serializers.SerializerMethodField()
    knob = serializers.SerializerMethodField()
    change = serializers.SerializerMethodField()

    class Meta:
        model = JobStep
        fields = (
            *("position", "phase", "node", "name", "command", "files", "root", "tool", "touches"),
            *("knob", "expected_s", "estimated", "timeout_s", "state", "reason", "started_at"),
            *("ended_at", "exit_code", "change"),
        )

    @extend_schema_field(_TOUCHES)
    def get_touches(self, step: JobStep) -> Any:
        return step.touches

    @extend_schema_field(_KNOB)
    def get_knob(self, step: JobStep) -> Any:
        return step.knob

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
    """How a host was, `when` before or after the job; `blocking` stops it unless somebody insists."""

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
    reason = SentenceField()
    nodes = NodeSerializer(many=True)
    values = serializers.DictField()

    class Meta:
        model = Job
        fields: tuple[str, ...] = (
            *("id", "url", "plan", "position", "title", "values", "repetition", "attempt"),
            *("retry_of", "state", "state_at", "reason", "priority", "expected_s", "queued_at"),
            *("started_at", "ended_at", "cancel_asked_at", "nodes"),
        )


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
