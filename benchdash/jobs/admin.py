"""Targets, plans and jobs, in Django's admin: to look at. Hosts and jobs are changed on their own pages."""

from __future__ import annotations

from django.contrib import admin

from benchdash.administration import ReadOnly, ReadOnlyInline
from benchdash.jobs.models import (
    AddedRounds,
    HostEvent,
    HostLock,
    Job,
    JobEvent,
    JobNode,
    JobStep,
    OwnRecipe,
    Plan,
    StoppingLook,
    Target,
    TunableChange,
)


@admin.register(Target)
class TargetAdmin(ReadOnly):
    """How to log in; never with what."""

    list_display = ("host", "address", "port", "user", "method", "checked_at")
    list_select_related = ("host",)
    search_fields = ("host__name", "address")
    exclude = ("secret",)


@admin.register(HostEvent)
class HostEventAdmin(ReadOnly):
    """Who changed how to log in to which host, and when."""

    list_display = ("at", "host", "what", "by", "detail")
    list_select_related = ("host", "by")
    list_filter = ("what",)


@admin.register(OwnRecipe)
class OwnRecipeAdmin(ReadOnly):
    """Recipes that people wrote; they are changed where plans are made."""

    list_display = ("name", "changed_by", "changed_at")
    list_select_related = ("changed_by",)
    search_fields = ("name",)


class AddedInline(ReadOnlyInline):
    model = AddedRounds
    fields = ("at", "by", "rounds", "look")
    readonly_fields = ("at",)


class StoppingLookInline(ReadOnlyInline):
    model = StoppingLook
    fields = ("at", "rounds", "measure", "widest_percent", "wider", "without", "decision")
    readonly_fields = ("at",)


@admin.register(Plan)
class PlanAdmin(ReadOnly):
    """Recipes laid over hosts and factors."""

    list_display = ("title", "recipe_name", "created_by", "created_at", "launched_at")
    list_select_related = ("created_by",)
    search_fields = ("title", "recipe_name")
    inlines = (AddedInline, StoppingLookInline)


class NodeInline(ReadOnlyInline):
    model = JobNode
    fields = ("role", "target")


class StepInline(ReadOnlyInline):
    model = JobStep
    fields = ("position", "phase", "node", "command", "state", "exit_code")


class EventInline(ReadOnlyInline):
    model = JobEvent
    fields = ("at", "by", "before", "after", "reason")
    readonly_fields = ("at",)


@admin.register(Job)
class JobAdmin(ReadOnly):
    """Jobs with their commands and every change of state."""

    list_display = ("__str__", "plan", "title", "state", "attempt", "started_at", "ended_at")
    list_select_related = ("plan",)
    list_filter = ("state",)
    search_fields = ("title", "plan__title")
    inlines = (NodeInline, StepInline, EventInline)


@admin.register(TunableChange)
class TunableChangeAdmin(ReadOnly):
    """Settings of hosts that were changed, and whether they are put back."""

    list_display = ("step", "old", "new", "changed_at", "restored_at", "trouble")
    list_select_related = ("step",)


@admin.register(HostLock)
class HostLockAdmin(ReadOnly):
    """Which job a host belongs to now."""

    list_display = ("host", "job", "since")
    list_select_related = ("host", "job__plan")
