"""What was tested, in Django's admin: names and notes are edited here, content never."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from benchdash.administration import Inline, LongList, ReadOnly, ReadOnlyInline
from benchdash.inventory.models import (
    Capture,
    Configuration,
    Environment,
    EnvironmentMachine,
    EnvironmentName,
    Facet,
    Host,
    Layer,
    MachineSnapshot,
    Stack,
)
from benchdash.inventory.records import name_host_in_environments
from benchdash.vocabulary.machines import machine_lines
from benchdash.vocabulary.storage.notation import print_stack
from benchdash.vocabulary.storage.stack import title


class LayerInline(ReadOnlyInline):
    model = Layer
    fields = ("position", "above", "node", "kind", "options")


class FacetInline(ReadOnlyInline):
    model = Facet
    fields = ("key", "text", "number")


class PartInline(ReadOnlyInline):
    model = EnvironmentMachine
    fields = ("role", "snapshot", "kernel")
    readonly_fields = ("kernel",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("snapshot")

    @admin.display(description=_("Kernel"))
    def kernel(self, part: EnvironmentMachine) -> str:
        return str(part.snapshot.facts.get("kernel", ""))


class CaptureInline(ReadOnlyInline):
    model = Capture
    fields = ("source", "captured_at", "captured_by", "info")


class NameInline(Inline):
    """A new name points at the content from now on; earlier names stay as they are."""

    model = EnvironmentName
    extra = 1
    max_num = 100
    fields = ("name", "given_at")
    readonly_fields = ("given_at",)
    can_delete = False

    def has_change_permission(
        self, _request: HttpRequest, _name: Environment | None = None
    ) -> bool:
        return False


@admin.register(Host)
class HostAdmin(LongList):
    list_display = ("name", "notes", "created_at")
    search_fields = ("name",)
    ordering = ("name",)

    @transaction.atomic
    def save_model(
        self, request: HttpRequest, host: Host, form: ModelForm[Host], change: bool
    ) -> None:
        super().save_model(request, host, form, change)
        name_host_in_environments(host)


@admin.register(MachineSnapshot)
class MachineSnapshotAdmin(ReadOnly):
    list_display = ("__str__", "host", "kernel", "created_at")
    list_select_related = ("host",)
    search_fields = ("digest__startswith", "host__name__startswith")
    fields = ("host", "facts_as_lines", "digest", "created_at")
    readonly_fields = ("facts_as_lines",)

    @admin.display(description=_("Kernel"))
    def kernel(self, snapshot: MachineSnapshot) -> str:
        return str(snapshot.facts.get("kernel", ""))

    @admin.display(description=_("facts"))
    def facts_as_lines(self, snapshot: MachineSnapshot) -> SafeString:
        return _preformatted(
            "\n".join(f"{key}: {text}" for key, text in machine_lines(snapshot.facts).items())
        )


@admin.register(Environment)
class EnvironmentAdmin(LongList):
    """Immutable content, which can be given another name."""

    list_display = ("title", "digest", "created_at")
    search_fields = ("names__name__startswith", "digest__startswith")
    fields = readonly_fields = ("digest", "network", "created_at")
    inlines = (NameInline, PartInline, CaptureInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Environment]:
        return super().get_queryset(request).prefetch_related("names")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_delete_permission(
        self, _request: HttpRequest, _environment: Environment | None = None
    ) -> bool:
        return False


@admin.register(Stack)
class StackAdmin(ReadOnly):
    list_display = ("title", "digest", "created_at")
    search_fields = ("digest__startswith", "configurations__name__startswith")
    fields = ("layers_as_text", "digest", "created_at")
    readonly_fields = ("layers_as_text",)
    inlines = (LayerInline, FacetInline)

    @admin.display(description=_("layers"))
    def title(self, stack: Stack) -> str:
        return title(stack.tree)

    @admin.display(description=_("layers"))
    def layers_as_text(self, stack: Stack) -> SafeString:
        return _preformatted(print_stack(stack.tree))


@admin.register(Configuration)
class ConfigurationAdmin(LongList):
    """Name and notes; new configurations are made on the pages, which check their layers."""

    list_display = ("name", "layers", "created_by", "created_at")
    list_select_related = ("stack", "created_by")
    search_fields = ("name",)
    fields = ("name", "notes", "layers", "stack", "created_by", "created_at")
    readonly_fields = ("layers", "stack", "created_by", "created_at")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    @admin.display(description=_("layers"))
    def layers(self, configuration: Configuration) -> str:
        return title(configuration.stack.tree)


@admin.register(Capture)
class CaptureAdmin(ReadOnly):
    list_display = ("pk", "source", "captured_at", "captured_by", "environment_id")
    list_select_related = ("captured_by",)
    list_filter = ("source",)


def _preformatted(text: str) -> SafeString:
    return format_html("<pre>{}</pre>", text)
