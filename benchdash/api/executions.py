"""`/api/v1/executions/`: the passes of tools, each with its runs and what counts as a sample."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView

from benchdash.accounts.roles import Role, role_of
from benchdash.api.fields import SETTINGS
from benchdash.api.filters import IdFilter, KnownFilters
from benchdash.api.requests import NewestFirst
from benchdash.results.models import Execution, Run


class SampleSerializer(serializers.Serializer[Any]):
    """The runs of an execution that ran at the same time with the same parameters."""

    id = serializers.IntegerField()
    beside = serializers.CharField(help_text="What else ran at the same time; empty if nothing.")
    runs = serializers.ListField(child=serializers.IntegerField())


class ExecutionSerializer(serializers.ModelSerializer[Execution]):
    """One pass of a tool; `samples` are what comparisons count of it."""

    artifact = serializers.CharField(source="artifact.sha256", help_text="SHA-256 of its file.")
    tool = serializers.SerializerMethodField()
    tool_version = serializers.SerializerMethodField()
    started_at = serializers.SerializerMethodField()
    settings = serializers.SerializerMethodField()
    samples = serializers.SerializerMethodField()

    class Meta:
        model = Execution
        fields = (
            *("id", "artifact", "number", "round", "tool", "tool_version", "started_at"),
            *("settings", "samples"),
        )
        read_only_fields = fields

    def get_tool(self, execution: Execution) -> str:
        return _runs(execution)[0].tool

    def get_tool_version(self, execution: Execution) -> str:
        return _runs(execution)[0].tool_version

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_started_at(self, execution: Execution) -> Any:
        return min((run.started_at for run in _runs(execution) if run.started_at), default=None)

    @extend_schema_field(SETTINGS)
    def get_settings(self, execution: Execution) -> dict[str, Any]:
        settings: dict[str, Any] = _runs(execution)[0].settings
        return settings

    @extend_schema_field(SampleSerializer(many=True))
    def get_samples(self, execution: Execution) -> list[dict[str, Any]]:
        members: dict[int, dict[str, Any]] = {}
        for run in _runs(execution):
            sample = {"id": run.sample_id, "beside": run.sample.beside, "runs": []}
            members.setdefault(run.sample_id, sample)["runs"].append(run.pk)
        return list(members.values())


def _runs(execution: Execution) -> list[Run]:
    return list(execution.runs.all())  # prefetched


class ExecutionFilter(KnownFilters):
    """By the file, the tool, or what their runs belong to."""

    artifact = filters.CharFilter(field_name="artifact__sha256", label="SHA-256 of the file")
    tool = filters.CharFilter(field_name="runs__tool", distinct=True)
    configuration = IdFilter(field_name="runs__configuration_id", distinct=True)
    study = filters.CharFilter(field_name="runs__study__slug", distinct=True)

    class Meta:
        model = Execution
        fields: tuple[str, ...] = ()


class Executions(ListAPIView[Execution]):
    """Executions, newest first, a page at a time."""

    reads = Role.VISITOR
    serializer_class = ExecutionSerializer
    pagination_class = NewestFirst
    filterset_class = ExecutionFilter
    queryset = Execution.objects.none()  # names the model for the description

    def get_queryset(self) -> QuerySet[Execution]:
        runs = Run.objects.only(
            *("execution_id", "tool", "tool_version", "started_at", "settings", "sample__beside"),
        )
        shown = runs.select_related("sample").order_by("position")
        if role_of(self.request.user) < Role.CONTRIBUTOR:
            shown = shown.filter(deleted_at=None)
        there = Execution.objects.filter(Exists(shown.filter(execution=OuterRef("pk"))))
        return (
            there.select_related("artifact")
            .defer("artifact__compressed")
            .prefetch_related(Prefetch("runs", shown))
        )
