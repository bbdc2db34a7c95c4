"""What was measured, in Django's admin: where runs belong is edited here, numbers never."""

from __future__ import annotations

import re
from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from benchdash.administration import Inline, LongList, ReadOnly, ReadOnlyInline
from benchdash.inventory.models import Configuration
from benchdash.parsers import PARSERS
from benchdash.results.doubts import judge_places
from benchdash.results.models import (
    Artifact,
    Condition,
    Doubt,
    Measure,
    Note,
    PastDismissal,
    Permalink,
    PermalinkSubject,
    Purge,
    Run,
    Study,
    Tag,
    Trace,
    Upload,
    Workload,
)
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.units import human


class ToolFilter(admin.SimpleListFilter):
    """The tools that are read, without asking all runs for theirs."""

    title = _("tool")
    parameter_name = "tool"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, str]]:
        return [(parser.TOOL, parser.TOOL) for parser in PARSERS]

    def queryset(self, _request: HttpRequest, runs: QuerySet[Run]) -> QuerySet[Run]:
        return runs.filter(tool=self.value()) if self.value() else runs


class CountedFilter(admin.SimpleListFilter):
    """Runs that are in statistics, and those that are not."""

    title = _("counted")
    parameter_name = "counted"

    def lookups(self, _request: HttpRequest, _admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("yes")), ("no", _("no"))]

    def queryset(self, _request: HttpRequest, runs: QuerySet[Run]) -> QuerySet[Run]:
        return runs.filter(counted=self.value() == "yes") if self.value() else runs


@admin.register(Run)
class RunAdmin(LongList):
    """Where a run belongs and whether it counts; what was measured stays as it was read."""

    list_display = (
        *("pk", "tool", "tool_version", "label", "configuration", "study", "counts"),
        "created_at",
    )
    list_select_related = ("configuration", "study")
    list_filter = (ToolFilter, CountedFilter)
    search_fields = ("pk",)  # shows the box; see get_search_results
    search_help_text = _("Number, SHA-256 of the file, or start of the configuration's name.")
    autocomplete_fields = ("configuration", "environment", "study")
    fields = (
        *("configuration", "environment", "study", "set_aside_reason", "is_repeat"),
        *("tool", "tool_version", "format", "parser_version", "label", "started_at"),
        *("settings", "execution", "sample"),
        *("raw", "axes", "numbers", "details", "notes", "error", "conditions", "same"),
        *("withdrawn_at", "deleted_at", "created_at", "created_by"),
    )
    readonly_fields = fields[5:]

    def save_model(self, request: HttpRequest, run: Run, form: Any, change: bool) -> None:
        super().save_model(request, run, form, change)
        together = Run.objects.filter(sample=run.sample_id)
        together.update(**{name: getattr(run, name) for name in self.fields[:5]})
        judge_places(list(together.values_list("pk", flat=True)))

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _run: Run | None = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        runs = super().get_queryset(request)
        if request.resolver_match and request.resolver_match.url_name == "results_run_changelist":
            return runs.defer("details", "notes", "conditions", "error")
        return runs.select_related("workload", "created_by")

    def get_search_results(
        self, _request: HttpRequest, runs: QuerySet[Run], term: str
    ) -> tuple[QuerySet[Run], bool]:
        """One index a question: asked for all at once, the database would read every run."""
        if re.fullmatch(r"[0-9]{1,18}", term):
            return runs.filter(pk=int(term)), False
        if re.fullmatch(r"[0-9a-f]{6,64}", term):
            found = Artifact.objects.filter(sha256__startswith=term).values("pk")
            return runs.filter(artifact__in=found), False
        if term:
            named = Configuration.objects.filter(name__startswith=term).values("pk")
            return runs.filter(configuration__in=named), False
        return runs, False

    @admin.display(description=_("counted"), boolean=True)
    def counts(self, run: Run) -> bool:
        return bool(run.counted)

    @admin.display(description=_("raw output"))
    def raw(self, run: Run) -> SafeString:
        place = reverse("api:artifact", args=[run.pk, run.artifact_id])
        return format_html('<a href="{}">{}</a>', place, run.artifact.sha256)

    @admin.display(description=_("workload"))
    def axes(self, run: Run) -> str:
        values = {field.name: getattr(run.workload, field.name) for field in _AXES}
        return ", ".join(
            f"{name}={value}" for name, value in values.items() if value not in ("", None)
        )

    @admin.display(description=_("measurements"))
    def numbers(self, run: Run) -> SafeString:
        rows = run.measurements.select_related("measure").order_by("measure")
        return format_html_join(
            SafeString("<br>"),
            "{}: {} ({})",
            (
                (row.measure, human(row.value, METRICS[row.measure.metric].unit), row.value)
                for row in rows
            ),
        )

    @admin.display(description=_("same result as"))
    def same(self, run: Run) -> SafeString | str:
        if run.same_as_id is None:
            return "-"
        place = reverse("admin:results_run_change", args=[run.same_as_id])
        return format_html('<a href="{}">{}</a>', place, run.same_as_id)


@admin.register(Artifact)
class ArtifactAdmin(ReadOnly):
    """Raw bytes by content; a run links to them, a purge alone removes them."""

    list_display = ("sha256", "size_bytes", "created_at")
    search_fields = ("sha256__startswith",)
    exclude = ("compressed",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Artifact]:
        return super().get_queryset(request).defer("compressed")


@admin.register(Upload)
class UploadAdmin(ReadOnly):
    list_display = ("pk", "name", "outcome", "sentence", "created_by", "created_at")
    list_select_related = ("created_by",)
    list_filter = ("outcome",)
    search_fields = ("=pk", "artifact__sha256__startswith")
    search_help_text = _("Number, or SHA-256 of the file.")
    fields = (
        *("name", "outcome", "sentence", "assignment", "content", "created_by", "created_at"),
        *("put_aside_at", "put_aside_by", "put_aside_reason"),
    )
    readonly_fields = ("content",)

    @admin.display(description=_("artifact"))
    def content(self, upload: Upload) -> SafeString:
        place = reverse("admin:results_artifact_change", args=[upload.artifact_id])
        return format_html('<a href="{}">{}</a>', place, upload.artifact_id)


class ConditionInline(Inline):
    model = Condition
    autocomplete_fields = ("configuration", "environment")
    fields = ("position", "label", "configuration", "environment", "is_baseline")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Condition]:
        rows = super().get_queryset(request).select_related("configuration", "environment")
        return rows.prefetch_related("environment__names")


@admin.register(Study)
class StudyAdmin(LongList):
    list_display = ("title", "slug", "created_at")
    search_fields = ("title", "slug__startswith")
    prepopulated_fields = {"slug": ("title",)}
    formfield_overrides = {models.URLField: {"assume_scheme": "https"}}
    inlines = (ConditionInline,)


@admin.register(Tag)
class TagAdmin(LongList):
    """A tag is renamed or removed here, and given on the pages of records."""

    list_display = ("name",)
    search_fields = ("name",)
    fields = ("name",)


@admin.register(Note)
class NoteAdmin(LongList):
    list_display = ("pk", "text", "created_by", "created_at")
    list_select_related = ("created_by",)
    search_fields = ("text",)
    fields = ("text", "study", "configuration", "run", "created_by", "created_at")
    readonly_fields = fields[1:]


@admin.register(Workload)
class WorkloadAdmin(ReadOnly):
    list_display = ("pk", "pattern", "block_bytes", "queue_depth", "jobs", "clients", "file_bytes")
    search_fields = ("=pk", "digest__startswith")


class PermalinkSubjectInline(ReadOnlyInline):
    model = PermalinkSubject
    fields = ("configuration", "environment", "study")


@admin.register(Permalink)
class PermalinkAdmin(ReadOnly):
    """What was pointed at stays as it was shown."""

    list_display = ("slug", "query", "created_by", "created_at")
    list_select_related = ("created_by",)
    search_fields = ("slug__startswith",)
    inlines = (PermalinkSubjectInline,)


@admin.register(Purge)
class PurgeAdmin(ReadOnly):
    """The lines of what admins removed; they stay."""

    list_display = ("name", "reason", "purged_by_name", "purged_at")
    search_fields = ("name", "artifact__sha256__startswith")
    fields = ("artifact", "name", "reason", "purged_by", "purged_by_name", "purged_at")


class PastDismissalInline(ReadOnlyInline):
    model = PastDismissal
    fields = (
        *("dismissed_at", "dismissed_by_name", "dismissed_reason"),
        *("taken_back_at", "taken_back_by_name"),
    )


@admin.register(Doubt)
class DoubtAdmin(ReadOnly):
    """What speaks against runs and environments; dismissed on their pages, with a reason."""

    inlines = (PastDismissalInline,)

    list_display = (
        *("run_id", "environment_id", "kind", "sentence", "dismissed_at", "dismissed_by_name"),
    )
    search_fields = ("=run__pk", "=environment__pk")
    fields = (
        *("run_id", "environment_id", "kind", "sentence", "operations", "found_at"),
        *("dismissed_at", "dismissed_by_name", "dismissed_reason"),
    )


@admin.register(Measure)
class MeasureAdmin(ReadOnly):
    list_display = ("operation", "metric", "statistic")
    search_fields = ("operation",)


@admin.register(Trace)
class TraceAdmin(ReadOnly):
    list_display = ("pk", "run_id", "measure", "points")
    list_select_related = ("measure",)
    search_fields = ("=run__pk",)
    fields = ("run_id", "measure", "points")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Trace]:
        return super().get_queryset(request).defer("seconds", "values")


_AXES = [field for field in Workload._meta.concrete_fields if field.name not in ("id", "digest")]
