"""How plans stand in JSON: in lists, and whole with what they cost."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request

from benchdash.accounts.models import User
from benchdash.api.fields import SentenceField, address_of
from benchdash.api.jobs import JobSerializer, StepSerializer
from benchdash.jobs.confirming import touched
from benchdash.jobs.costs import cost_of
from benchdash.jobs.models import AddedRounds, Plan, StoppingLook
from benchdash.jobs.more_levels import added_levels
from benchdash.jobs.over_hosts import batch_of
from benchdash.jobs.queries import plans, runs_of_plan, whole_jobs
from benchdash.results.language import in_language
from benchdash.results.models import Study

LISTED, MOST_RUNS = 1000, 10_000


class PlanSerializer(serializers.ModelSerializer[Plan]):
    """A plan in a list."""

    url = serializers.HyperlinkedIdentityField(view_name="api:plan")
    job_count = serializers.IntegerField()
    done_count = serializers.IntegerField()
    study = serializers.SlugRelatedField[Study](slug_field="slug", read_only=True)
    created_by = serializers.StringRelatedField[User]()
    repeats = serializers.IntegerField(
        source="rounds_planned", read_only=True, help_text="Deprecated: see `rounds_planned`."
    )
    looks = serializers.IntegerField(
        read_only=True,
        help_text="1, and one more for each time that rounds were added to the plan once it was over, "
        "or that it went on because intervals were wide.",
    )
    to_make = serializers.IntegerField(
        read_only=True, help_text="Jobs that are made once they come up; `job_count` has them."
    )
    stopped_at = serializers.DateTimeField(
        read_only=True, help_text="When it was cancelled, or could not go on, with jobs to make."
    )
    paused_reason = serializers.SerializerMethodField(
        help_text="Why it paused itself; empty where a person paused it, or nobody did."
    )
    is_over = serializers.SerializerMethodField(
        help_text="Launched, and every job of every round has ended."
    )

    class Meta:
        model = Plan
        fields: tuple[str, ...] = (
            *("id", "url", "title", "recipe_name", "study", "configuration", "rounds_planned"),
            *("repeats", "seed", "looks", "is_over", "priority", "cell_count", "job_count"),
            *("done_count", "to_make", "created_at", "created_by", "launched_at", "paused_at"),
            *("paused_reason", "stopped_at"),
        )

    def get_paused_reason(self, plan: Plan) -> str:
        return in_language(plan.paused_reason) if plan.has_paused_itself else ""

    def get_is_over(self, plan: Any) -> bool:
        return bool(plan.launched_at) and plan.ended_count == plan.job_count


class PlannedJobSerializer(JobSerializer):
    """A job with its commands."""

    steps = StepSerializer(many=True)

    class Meta(JobSerializer.Meta):
        fields = (*JobSerializer.Meta.fields, "steps")


class AddedRoundsSerializer(serializers.ModelSerializer[AddedRounds]):
    """Rounds that were added to a plan, and the look that they belong to."""

    by = serializers.StringRelatedField[User]()

    class Meta:
        model = AddedRounds
        fields = ("rounds", "look", "at", "by")


class StoppingLookSerializer(serializers.ModelSerializer[StoppingLook]):
    """A look at the intervals of all cells once `rounds` were over; `wider` and `without` are counts.

    `cells` has the numbers of some of both.
    """

    decision = serializers.ChoiceField(choices=StoppingLook.Decision.values)
    cells = serializers.DictField(child=serializers.ListField(child=serializers.IntegerField()))

    class Meta:
        model = StoppingLook
        fields = (
            *("rounds", "at", "measure", "widest_percent", "wider", "without", "cells", "decision"),
        )


class DiskSerializer(serializers.Serializer[Any]):
    """What a disk will take; `share` of its size, null where no capture has that.

    `name` is empty for the far end of a mirror that the plan does not make.
    """

    host = serializers.CharField()
    name = serializers.CharField()
    written_bytes = serializers.FloatField()
    share = serializers.FloatField(allow_null=True)


class SharingSerializer(serializers.Serializer[Any]):
    """The `steps` that make what jobs of a block share: so many times, for so many jobs."""

    steps = serializers.ListField(child=serializers.CharField())
    times = serializers.IntegerField()
    jobs = serializers.IntegerField()


class RoomSerializer(serializers.Serializer[Any]):
    """A working folder that had less free at the last check of its host than a job writes there."""

    host = serializers.CharField()
    folder = serializers.CharField()
    free_bytes = serializers.FloatField()
    needed_bytes = serializers.FloatField()


class NewFolderSerializer(serializers.Serializer[Any]):
    """A working folder that was not there at the last check of its host, and where a job makes it."""

    host = serializers.CharField()
    folder = serializers.CharField()
    filesystem = serializers.CharField()


class CostSerializer(serializers.Serializer[Any]):
    """By `earlier` jobs of the recipe on these hosts, bytes by `traced` ones; 0: by the recipe.

    Bytes by the recipe are a lower bound: its files, written once. Of all rounds, also where
    intervals may end them earlier.
    """

    cells = serializers.IntegerField()
    jobs = serializers.IntegerField()
    expected_s = serializers.FloatField(allow_null=True)
    earlier = serializers.IntegerField()
    written_bytes = serializers.FloatField(allow_null=True)
    traced = serializers.IntegerField()
    disks = DiskSerializer(many=True)
    shared = SharingSerializer(allow_null=True)
    too_small = RoomSerializer(many=True)
    new_folders = NewFolderSerializer(many=True)


class AddedLevelsSerializer(serializers.Serializer[Any]):
    """Levels that were added to a factor: their cells alone are those of these rounds."""

    factor = serializers.CharField()
    levels = serializers.ListField()
    cells = serializers.IntegerField()
    first_round = serializers.IntegerField()
    last_round = serializers.IntegerField()
    at = serializers.DateTimeField()
    by = serializers.CharField()


class WholePlanSerializer(PlanSerializer):
    """A plan with its commands, in order."""

    rounds_added = serializers.SerializerMethodField()
    levels_added = serializers.SerializerMethodField()
    rounds_at_most = serializers.IntegerField(
        allow_null=True, help_text="Where `until_percent` may end them earlier, or has."
    )
    stopping_looks = StoppingLookSerializer(
        many=True,
        help_text="What `until_percent` looked at after each round; the last says why it ended.",
    )
    jobs = serializers.SerializerMethodField(
        help_text=f"The first {LISTED:,} that are made; all of them: `jobs/?plan=`, `commands/`."
    )
    runs = serializers.SerializerMethodField(
        help_text=f"That its jobs made so far, the first {MOST_RUNS:,}; all of them: `runs/?plan=`."
    )
    writes_to = serializers.SerializerMethodField()
    batch = serializers.SerializerMethodField(
        help_text="Plans that are alike, one a host, this one among them."
    )
    zones = serializers.SerializerMethodField(
        help_text="Targets by the parts they play, for each level of the factor `zone`."
    )
    remarks = serializers.ListField(
        child=SentenceField(),
        help_text="What is measured in place of what the hosts no longer have, or left out.",
    )
    block_factors = serializers.ListField(
        child=serializers.CharField(),
        allow_null=True,
        help_text="Cells that are alike in these are a block of each round; null: nothing is shared.",
    )
    cost = serializers.SerializerMethodField(help_text="Before the launch; null after it.")
    parameters = serializers.DictField()
    factors = serializers.DictField()

    class Meta(PlanSerializer.Meta):
        fields = (
            *PlanSerializer.Meta.fields,
            *(
                "parameters",
                "factors",
                "whatever_conditions",
                "wait_minutes",
                "writes_to",
                "cost",
                "block_factors",
                "batch",
                "zones",
                "remarks",
                "rounds_added",
                "levels_added",
                "until_percent",
                "rounds_at_most",
                "stopping_looks",
            ),
            *("jobs", "runs"),
        )

    @extend_schema_field(AddedRoundsSerializer(many=True))
    def get_rounds_added(self, plan: Plan) -> Any:
        return AddedRoundsSerializer(plan.added.select_related("by"), many=True).data

    @extend_schema_field(PlannedJobSerializer(many=True))
    def get_jobs(self, plan: Plan) -> Any:
        jobs = whole_jobs().filter(plan=plan).order_by("position", "attempt")[:LISTED]
        return PlannedJobSerializer(jobs, many=True, context=self.context).data

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_runs(self, plan: Plan) -> list[str]:
        runs = runs_of_plan(plan).values_list("pk", flat=True)[:MOST_RUNS]
        return [address_of("api:run", pk) for pk in runs]

    @extend_schema_field(AddedLevelsSerializer(many=True))
    def get_levels_added(self, plan: Plan) -> Any:
        return AddedLevelsSerializer(added_levels(plan), many=True).data

    def get_writes_to(self, plan: Plan) -> list[dict[str, Any]]:
        return [
            {"host": each.host, "name": each.name, "destroyed": each.destroyed}
            for each in touched(plan)
        ]

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_batch(self, plan: Plan) -> list[str]:
        return [address_of("api:plan", each.pk) for each in batch_of(plan)]

    @extend_schema_field(
        {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "additionalProperties": {"type": "integer"},
            },
        }
    )
    def get_zones(self, plan: Plan) -> dict[str, dict[str, int]]:
        return {
            zone: {node["role"]: node["target"] for node in nodes}
            for zone, nodes in plan.zones.items()
        }

    @extend_schema_field(CostSerializer(allow_null=True))
    def get_cost(self, plan: Plan) -> Any:
        if plan.launched_at:
            return None
        return CostSerializer(cost_of(plan)).data


def whole_plan(pk: int, request: Request) -> dict[str, Any]:
    """A plan with its commands, as it is stored now."""
    body: dict[str, Any] = WholePlanSerializer(
        get_object_or_404(plans(), pk=pk), context={"request": request}
    ).data
    return body
