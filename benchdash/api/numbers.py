"""A run's measurements and traces, as JSON: the words of `parse --json`."""

from __future__ import annotations

from typing import Any

from django.db.models import Q
from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from benchdash.api.annotated import AnnotatedSerializer
from benchdash.api.fields import SentenceField
from benchdash.api.records import RunSerializer
from benchdash.results.models import Artifact, Measurement, Run, Trace
from benchdash.results.trace_arrays import points_of
from benchdash.vocabulary.measures import METRICS

_POINTS = {
    "type": "array",
    "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
}


class MeasurementSerializer(serializers.Serializer[Measurement]):
    """One number, in the unit that its metric fixes."""

    operation = serializers.CharField(source="measure.operation")
    metric = serializers.CharField(source="measure.metric")
    statistic = serializers.CharField(source="measure.statistic")
    unit = serializers.SerializerMethodField()
    value = serializers.FloatField()

    def get_unit(self, measurement: Measurement) -> str:
        return METRICS[measurement.measure.metric].unit


class TraceInListSerializer(serializers.Serializer[Trace]):
    """A trace without its points."""

    id = serializers.IntegerField()
    url = serializers.SerializerMethodField()
    operation = serializers.CharField(source="measure.operation")
    metric = serializers.CharField(source="measure.metric")
    unit = serializers.SerializerMethodField()
    point_count = serializers.IntegerField(source="points")
    artifact = serializers.IntegerField(source="artifact_id")

    @extend_schema_field(serializers.URLField())
    def get_url(self, trace: Trace) -> str:
        address = {"pk": trace.run_id, "trace": trace.pk}
        return reverse("api:trace", kwargs=address)

    def get_unit(self, trace: Trace) -> str:
        return METRICS[trace.measure.metric].unit


class TraceSerializer(TraceInListSerializer):
    """A trace with its points."""

    points = serializers.SerializerMethodField()

    @extend_schema_field(_POINTS)
    def get_points(self, trace: Trace) -> list[tuple[float, float]]:
        return list(zip(*points_of(trace), strict=True))


class ArtifactSerializer(serializers.Serializer[Any]):
    """A file that a run was read from."""

    id = serializers.IntegerField()
    url = serializers.URLField()
    sha256 = serializers.CharField()
    size_bytes = serializers.IntegerField()


class RunWithNumbersSerializer(RunSerializer, AnnotatedSerializer):
    """A run, whole."""

    conditions = serializers.ListField(child=SentenceField())
    measurements = MeasurementSerializer(many=True)
    traces = serializers.SerializerMethodField()
    artifacts = serializers.SerializerMethodField()

    class Meta(RunSerializer.Meta):
        fields = (
            *RunSerializer.Meta.fields,
            *("parser_version", "position", "lines", "conditions", "details", "notes"),
            *("measurements", "traces", "artifacts", "remarks"),
        )
        read_only_fields = fields

    @extend_schema_field(TraceInListSerializer(many=True))
    def get_traces(self, run: Run) -> list[dict[str, Any]]:
        traces = run.traces.select_related("measure").defer("seconds", "values").order_by("pk")
        return [TraceInListSerializer(trace).data for trace in traces]

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
