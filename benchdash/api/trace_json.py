"""How traces stand in JSON: measures of a run over time, and what its hosts did meanwhile."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from benchdash.results.host_traces import points_of as points_of_host
from benchdash.results.models import HostTrace, Trace
from benchdash.results.traces import points_of
from benchdash.vocabulary.host_quantities import PARTS, QUANTITIES
from benchdash.vocabulary.measures import METRICS

_POINTS = {
    "type": "array",
    "items": {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2},
}


class TraceInListSerializer(serializers.Serializer[Trace]):
    """A trace without its points."""

    id = serializers.IntegerField()
    url = serializers.SerializerMethodField()
    operation = serializers.CharField(source="measure.operation")
    metric = serializers.CharField(source="measure.metric")
    unit = serializers.SerializerMethodField()
    point_count = serializers.IntegerField(source="points")
    artifact = serializers.IntegerField(
        source="artifact_id",
        allow_null=True,
        help_text="None of what the tool printed while it ran, beside its result.",
    )

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


_SPREAD = {
    "type": "array",
    "items": {"type": "number"},
    "minItems": 3,
    "maxItems": 3,
    "description": "Lowest, mean and highest.",
}
_QUANTITIES = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "properties": {"unit": {"type": "string"}, "spread": _SPREAD},
        "required": ["unit", "spread"],
    },
}
_SERIES = {
    "type": "object",
    "additionalProperties": {"type": "array", "items": {**_SPREAD, "nullable": True}},
    "description": "Of each quantity for each of `seconds`; null where nothing was measured.",
}


class HostTraceInListSerializer(serializers.Serializer[HostTrace]):
    """A part of a host while the run was measured, without its points."""

    id = serializers.IntegerField()
    url = serializers.SerializerMethodField()
    role = serializers.CharField(help_text="Of the host in the environment.")
    part = serializers.ChoiceField(choices=[*PARTS])
    name = serializers.CharField(help_text="Of a device or an interface, by the kernel.")
    title = serializers.CharField(help_text="Of a device, by its mapper.")
    depth = serializers.IntegerField(help_text="Of a device in the tree below what is measured.")
    quantities = serializers.SerializerMethodField()
    point_count = serializers.IntegerField(source="points")

    @extend_schema_field(serializers.URLField())
    def get_url(self, trace: HostTrace) -> str:
        address = {"pk": trace.run_id, "trace": trace.pk}
        return reverse("api:host-trace", kwargs=address)

    @extend_schema_field(_QUANTITIES)
    def get_quantities(self, trace: HostTrace) -> dict[str, Any]:
        return {
            name: {"unit": QUANTITIES[name].unit, "spread": spread}
            for name, spread in trace.quantities.items()
        }


class HostTraceSerializer(HostTraceInListSerializer):
    """A part of a host with its points."""

    seconds = serializers.SerializerMethodField()
    series = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.FloatField()))
    def get_seconds(self, trace: HostTrace) -> list[float]:
        return points_of_host(trace).seconds

    @extend_schema_field(_SERIES)
    def get_series(self, trace: HostTrace) -> dict[str, Any]:
        return points_of_host(trace).by_quantity
