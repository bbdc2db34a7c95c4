"""Which runs a list shows."""

from __future__ import annotations

from django.db.models import QuerySet
from django_filters import rest_framework as filters

from benchdash.api.narrowing import IdFilter, MomentFilter, TruthFilter
from benchdash.results.models import Run
from benchdash.results.tagging import tagged


class RunFilter(filters.FilterSet):  # type: ignore[misc]  # django-filter has no types
    """Deleted runs are shown where `deleted=true` asks for them."""

    tool = filters.CharFilter()
    tool_version = filters.CharFilter()
    configuration = IdFilter(field_name="configuration_id")
    environment = IdFilter(field_name="environment_id")
    study = filters.CharFilter(field_name="study__slug")
    artifact = filters.CharFilter(field_name="artifact__sha256", label="SHA-256 of the file")
    tag = filters.CharFilter(
        method="with_tag", label="A tag of the run, its configuration or study"
    )
    label = filters.CharFilter(lookup_expr="icontains")
    counted = TruthFilter()
    unassigned = TruthFilter(field_name="configuration", lookup_expr="isnull")
    since = MomentFilter(field_name="created_at", lookup_expr="gte")
    until = MomentFilter(field_name="created_at", lookup_expr="lt")
    deleted = TruthFilter(method="only_deleted")

    class Meta:
        model = Run
        fields: tuple[str, ...] = ()

    def filter_queryset(self, queryset: QuerySet[Run]) -> QuerySet[Run]:
        runs: QuerySet[Run] = super().filter_queryset(queryset)
        return runs if self.form.cleaned_data.get("deleted") else runs.filter(deleted_at=None)

    def with_tag(self, runs: QuerySet[Run], _name: str, tag: str) -> QuerySet[Run]:
        return runs.filter(tagged([tag]))

    def only_deleted(self, runs: QuerySet[Run], _name: str, deleted: bool) -> QuerySet[Run]:
        return runs.exclude(deleted_at=None) if deleted else runs
