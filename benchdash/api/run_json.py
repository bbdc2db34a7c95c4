"""How runs, their numbers and traces, and the records they belong to stand in JSON."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from benchdash.accounts.roles import Role, role_of
from benchdash.api.fields import (
    SETTINGS,
    AnnotatedSerializer,
    SentenceField,
    TaggedSerializer,
    address_of,
)
from benchdash.api.trace_json import HostTraceInListSerializer, TraceInListSerializer
from benchdash.results.hidden_paths import details_without_paths
from benchdash.results.host_traces import host_traces
from benchdash.results.language import in_language
from benchdash.results.models import (
    Artifact,
    Doubt,
    Measurement,
    PastDismissal,
    Run,
    Workload,
)
from benchdash.results.run_names import run_name
from benchdash.vocabulary.doubts import mend
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.workloads import AXES

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean"}
_WORKLOAD = {
    "type": "object",
    "properties": {name: {"type": _TYPES[axis.type]} for name, axis in AXES.items()},
    "additionalProperties": False,
}
_OPTIONS = {
    "type": "object",
    "nullable": True,
    "additionalProperties": {"type": "string"},
    "description": "Options beyond the workload that can change a number; null where unknown.",
}
_NAMED = {
    "type": "object",
    "nullable": True,
    "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
    "required": ["id", "name"],
}


_ADDRESS = {"id": {"type": "integer"}, "url": {"type": "string"}}
_LINKED = {
    "type": "object",
    "nullable": True,
    "properties": _ADDRESS,
    "required": ["id", "url"],
}
_HOST = {
    "type": "object",
    "nullable": True,
    "properties": _ADDRESS | {"name": {"type": "string"}},
    "required": ["id", "url", "name"],
}


class BriefRunSerializer(serializers.ModelSerializer[Run]):
    """A run in the outcome of an upload: what it is, where it belongs, why it may not count."""

    url = serializers.SerializerMethodField()
    name = serializers.SerializerMethodField(
        help_text="What it did, on which machine, and when: what pages call it."
    )
    configuration = serializers.SerializerMethodField()
    environment = serializers.SerializerMethodField()
    study = serializers.SerializerMethodField()
    same_as = serializers.IntegerField(source="same_as_id", allow_null=True)

    class Meta:
        model = Run
        fields: tuple[str, ...] = (
            *("id", "url", "name", "tool", "label", "configuration", "environment", "study"),
            *("same_as", "set_aside_reason", "deleted_at"),
        )
        read_only_fields = fields

    @extend_schema_field(serializers.URLField())
    def get_url(self, run: Run) -> str:
        return address_of("api:run", run.pk)

    def get_name(self, run: Run) -> str:
        return run_name(run)

    @extend_schema_field(_NAMED)
    def get_configuration(self, run: Run) -> dict[str, Any] | None:
        return _named(run.configuration_id, run.configuration.name if run.configuration else None)

    @extend_schema_field(_NAMED)
    def get_environment(self, run: Run) -> dict[str, Any] | None:
        return _named(run.environment_id, run.environment_name)

    @extend_schema_field(_NAMED)
    def get_study(self, run: Run) -> dict[str, Any] | None:
        return _named(run.study_id, run.study.title if run.study else None)


class PastDismissalSerializer(serializers.ModelSerializer[PastDismissal]):
    """A dismissal that was taken back; visitors do not see who did either."""

    dismissed_by = serializers.SerializerMethodField()
    taken_back_by = serializers.SerializerMethodField()

    class Meta:
        model = PastDismissal
        fields = (
            *("dismissed_at", "dismissed_by", "dismissed_reason"),
            *("taken_back_at", "taken_back_by"),
        )
        read_only_fields = fields

    def get_dismissed_by(self, past: PastDismissal) -> str | None:
        return _name_for(self.context["request"], past.dismissed_by_name)

    def get_taken_back_by(self, past: PastDismissal) -> str | None:
        return _name_for(self.context["request"], past.taken_back_by_name)


class DoubtSerializer(serializers.ModelSerializer[Doubt]):
    """What speaks against a run, or some of its operations; visitors do not see who dismissed it."""

    sentence = SentenceField()
    mend = serializers.SerializerMethodField()
    operations = serializers.ListField(child=serializers.CharField())
    dismissed_by = serializers.SerializerMethodField()
    past_dismissals = PastDismissalSerializer(many=True)

    class Meta:
        model = Doubt
        fields = (
            *("id", "kind", "sentence", "mend", "operations", "found_at"),
            *("dismissed_at", "dismissed_by", "dismissed_reason", "past_dismissals"),
        )
        read_only_fields = fields

    def get_mend(self, doubt: Doubt) -> str:
        return in_language(mend(doubt.kind))

    def get_dismissed_by(self, doubt: Doubt) -> str | None:
        return _name_for(self.context["request"], doubt.dismissed_by_name)


def _name_for(request: Request, name: str) -> str | None:
    return name or None if role_of(request.user) >= Role.VIEWER else None


class RunSerializer(BriefRunSerializer, TaggedSerializer):
    """A run in a list."""

    execution = serializers.IntegerField(source="execution_id")
    sample = serializers.IntegerField(
        source="sample_id",
        help_text="Runs of one sample ran at the same time with the same parameters.",
    )
    beside = serializers.CharField(
        source="sample.beside", help_text="What else ran at the same time; empty if nothing."
    )
    round = serializers.IntegerField(source="execution.round", allow_null=True)
    settings = serializers.SerializerMethodField()
    workload = serializers.SerializerMethodField()
    options = serializers.SerializerMethodField()
    doubts = DoubtSerializer(many=True)
    host = serializers.SerializerMethodField(help_text="The machine that ran the tool.")
    job = serializers.SerializerMethodField(help_text="That made it; null for visitors.")
    plan = serializers.SerializerMethodField(help_text="Of that job; null for visitors.")

    class Meta(BriefRunSerializer.Meta):
        fields = (
            *BriefRunSerializer.Meta.fields,
            *("tool_version", "format", "started_at", "created_at", "workload", "options"),
            *("settings", "execution", "sample", "beside", "round"),
            *("host", "job", "plan"),
            *("counted", "is_repeat", "error", "withdrawn_at", "doubts", "tags"),
        )
        read_only_fields = fields

    @extend_schema_field(_HOST)
    def get_host(self, run: Any) -> dict[str, Any] | None:
        host = _linked("api:host", run.host_id)
        return host and host | {"name": run.host_name}

    @extend_schema_field(_LINKED)
    def get_job(self, run: Any) -> dict[str, Any] | None:
        return _linked("api:job", run.job_id)

    @extend_schema_field(_LINKED)
    def get_plan(self, run: Any) -> dict[str, Any] | None:
        return _linked("api:plan", run.plan_id)

    @extend_schema_field(_WORKLOAD)
    def get_workload(self, run: Run) -> dict[str, Any]:
        return workload_as_json(run.workload)

    @extend_schema_field(SETTINGS)
    def get_settings(self, run: Run) -> dict[str, Any]:
        settings: dict[str, Any] = run.settings
        return settings

    @extend_schema_field(_OPTIONS)
    def get_options(self, run: Run) -> dict[str, str] | None:
        options: dict[str, str] | None = run.workload.options
        return options


_MOMENT = serializers.DateTimeField()


def brief_run_as_json(run: Run) -> dict[str, Any]:
    """What `BriefRunSerializer` gives, in less time."""
    return {
        "id": run.pk,
        "url": address_of("api:run", run.pk),
        "name": run_name(run),
        "tool": run.tool,
        "label": run.label,
        "configuration": run.configuration and _named(run.configuration.pk, run.configuration.name),
        "environment": _named(run.environment_id, run.environment_name),
        "study": run.study and _named(run.study.pk, run.study.title),
        "same_as": run.same_as_id,
        "set_aside_reason": run.set_aside_reason,
        "deleted_at": run.deleted_at and _MOMENT.to_representation(run.deleted_at),
    }


def _linked(name: str, pk: int | None) -> dict[str, Any] | None:
    return None if pk is None else {"id": pk, "url": address_of(name, pk)}


def _named(pk: int | None, name: str | None) -> dict[str, Any] | None:
    return None if pk is None else {"id": pk, "name": name or ""}


def workload_as_json(workload: Workload) -> dict[str, Any]:
    """The axes that were printed; what was not is absent."""
    values = {name: getattr(workload, name) for name in AXES}
    return {name: value for name, value in values.items() if value not in (None, "")}


class MeasurementSerializer(serializers.Serializer[Measurement]):
    """One number, in the unit that its metric fixes."""

    operation = serializers.CharField(source="measure.operation")
    metric = serializers.CharField(source="measure.metric")
    statistic = serializers.CharField(source="measure.statistic")
    unit = serializers.SerializerMethodField()
    value = serializers.FloatField()

    def get_unit(self, measurement: Measurement) -> str:
        return METRICS[measurement.measure.metric].unit


class ArtifactSerializer(serializers.Serializer[Any]):
    """A file that a run was read from."""

    id = serializers.IntegerField()
    url = serializers.URLField()
    sha256 = serializers.CharField()
    size_bytes = serializers.IntegerField()


class RunWithNumbersSerializer(RunSerializer, AnnotatedSerializer):
    """A run, whole."""

    conditions = serializers.SerializerMethodField(help_text="Of its hosts; empty for visitors.")
    details = serializers.SerializerMethodField(help_text="Without paths for visitors.")
    measurements = MeasurementSerializer(many=True)
    traces = serializers.SerializerMethodField()
    host_traces = serializers.SerializerMethodField()
    artifacts = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = (
            *RunSerializer.Meta.fields,
            *("parser_version", "position", "lines", "conditions", "details", "notes"),
            *("measurements", "traces", "host_traces", "artifacts", "remarks"),
        )
        read_only_fields = fields

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_conditions(self, run: Run) -> list[str]:
        """They name paths and devices."""
        return [in_language(each) for each in run.conditions] if self._is_viewer() else []

    @extend_schema_field(serializers.DictField())
    def get_details(self, run: Run) -> dict[str, Any]:
        details: dict[str, Any] = (
            run.details if self._is_viewer() else details_without_paths(run.details)
        )
        return details

    def _is_viewer(self) -> bool:
        return role_of(self.context["request"].user) >= Role.VIEWER

    @extend_schema_field(TraceInListSerializer(many=True))
    def get_traces(self, run: Run) -> list[dict[str, Any]]:
        traces = run.traces.select_related("measure").defer("seconds", "values").order_by("pk")
        return [TraceInListSerializer(trace).data for trace in traces]

    @extend_schema_field(HostTraceInListSerializer(many=True))
    def get_host_traces(self, run: Run) -> list[dict[str, Any]]:
        traces = host_traces(run).defer("series")
        return [HostTraceInListSerializer(trace).data for trace in traces]

    @extend_schema_field(ArtifactSerializer(many=True))
    def get_artifacts(self, run: Run) -> list[dict[str, Any]]:
        rows = Artifact.objects.filter(Q(pk=run.artifact_id) | Q(traces__run=run)).distinct()
        return [
            {"id": pk, "url": self._address(run, pk), "sha256": sha256, "size_bytes": size}
            for pk, sha256, size in rows.order_by("pk").values_list("pk", "sha256", "size_bytes")
        ]

    def _address(self, run: Run, artifact: int) -> str:
        address = {"pk": run.pk, "artifact": artifact}
        return reverse("api:artifact", kwargs=address)
