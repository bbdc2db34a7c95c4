"""`/api/v1/plans/`: first the exact commands, then the launch."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.api.access import user_of
from benchdash.api.fields import IdField, address_of
from benchdash.api.jobs import JobSerializer, StepSerializer
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import NewestFirst, validated
from benchdash.errors import Refused
from benchdash.inventory.queries import configuration_named
from benchdash.jobs import launching
from benchdash.jobs.models import AddedRounds, Plan, Target
from benchdash.jobs.more_rounds import add_rounds
from benchdash.jobs.own_recipes import recipe_named
from benchdash.jobs.planning import MOST_SEED, Wanted, touched
from benchdash.jobs.planning import plan as make_plan
from benchdash.jobs.queries import plans, runs_of_plan, whole_jobs
from benchdash.recipes.cells import MOST_REPEATS
from benchdash.results.models import Study


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
        help_text="1, and one more for each time that rounds were added to the plan once it was over.",
    )
    is_over = serializers.SerializerMethodField(
        help_text="Launched, and every job of every round has ended."
    )

    class Meta:
        model = Plan
        fields: tuple[str, ...] = (
            *("id", "url", "title", "recipe_name", "study", "configuration", "rounds_planned"),
            *("repeats", "seed", "looks", "is_over", "priority", "job_count", "done_count"),
            *("created_at", "created_by", "launched_at"),
        )

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


class WholePlanSerializer(PlanSerializer):
    """A plan with every command, in order."""

    rounds_added = serializers.SerializerMethodField()
    jobs = serializers.SerializerMethodField()
    runs = serializers.SerializerMethodField(help_text="That its jobs made so far.")
    writes_to = serializers.SerializerMethodField()
    parameters = serializers.DictField()
    factors = serializers.DictField()

    class Meta(PlanSerializer.Meta):
        fields = (
            *PlanSerializer.Meta.fields,
            *("parameters", "factors", "whatever_conditions", "writes_to", "rounds_added"),
            *("jobs", "runs"),
        )

    @extend_schema_field(AddedRoundsSerializer(many=True))
    def get_rounds_added(self, plan: Plan) -> Any:
        return AddedRoundsSerializer(plan.added.select_related("by"), many=True).data

    @extend_schema_field(PlannedJobSerializer(many=True))
    def get_jobs(self, plan: Plan) -> Any:
        jobs = whole_jobs().filter(plan=plan).order_by("position", "attempt")
        return PlannedJobSerializer(jobs, many=True, context=self.context).data

    @extend_schema_field({"type": "array", "items": {"type": "string"}})
    def get_runs(self, plan: Plan) -> list[str]:
        runs = runs_of_plan(plan).values_list("pk", flat=True)
        return [address_of("api:run", pk) for pk in runs]

    def get_writes_to(self, plan: Plan) -> list[dict[str, str]]:
        return [{"host": each.host, "name": each.name} for each in touched(plan)]


class PlanFormSerializer(serializers.Serializer[Any]):
    """What is asked for. `targets` by the parts they play: the first one is measured."""

    recipe = serializers.CharField(max_length=100)
    targets = serializers.DictField(child=IdField(), allow_empty=False)
    parameters = serializers.DictField(default=dict)
    factors = serializers.DictField(
        child=serializers.ListField(),
        default=None,
        allow_null=True,
        help_text="Left out: the recipe's own.",
    )
    repeats = serializers.IntegerField(
        min_value=1,
        max_value=100,
        default=None,
        allow_null=True,
        help_text="Rounds: each measures every cell once, in random order. Left out: the recipe's.",
    )
    seed = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SEED,
        default=None,
        allow_null=True,
        help_text="Of the order within rounds; that of another plan repeats its order.",
    )
    title = serializers.CharField(max_length=200, allow_blank=True, default="")
    study = serializers.SlugField(default=None, allow_null=True)
    configuration = serializers.CharField(max_length=200, default=None, allow_null=True)
    priority = serializers.IntegerField(min_value=-100, max_value=100, default=0)


class LaunchSerializer(serializers.Serializer[Any]):
    """`confirmed`: the names of all that the plan writes to, typed."""

    whatever_conditions = serializers.BooleanField(default=False)
    confirmed = serializers.ListField(child=serializers.CharField(), default=list)


class MoreRoundsSerializer(serializers.Serializer[Any]):
    """`rounds`: how many more times every cell is measured."""

    rounds = serializers.IntegerField(min_value=1, max_value=MOST_REPEATS)


class Plans(ListAPIView[Plan]):
    """Plans, newest first, a page at a time."""

    reads = Role.VIEWER
    writes = Role.OPERATOR
    serializer_class = PlanSerializer
    pagination_class = NewestFirst
    queryset = plans()

    @extend_schema(
        operation_id="plans_create",
        request=PlanFormSerializer,
        responses={
            201: WholePlanSerializer,
            422: OpenApiResponse(ProblemSerializer, "A value is refused; `field` names it."),
        },
    )
    def post(self, request: Request) -> Response:
        """Lay a recipe over hosts and factors: nothing runs, the answer shows every command."""
        data = validated(PlanFormSerializer, request.data)
        made = make_plan(_wanted(data), user_of(request))
        return Response(_as_json(made.pk, request), status=201)


class OnePlan(RetrieveAPIView[Plan]):
    """Every command, and how far its jobs are."""

    reads = Role.VIEWER
    writes = Role.OPERATOR
    serializer_class = WholePlanSerializer
    queryset = plans()

    @extend_schema(
        operation_id="plans_discard",
        responses={204: None, 422: OpenApiResponse(ProblemSerializer, "It was launched.")},
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Discard a plan that was not launched."""
        launching.discard(get_object_or_404(Plan, pk=pk))
        return Response(status=204)


class LaunchPlan(APIView):
    """The launch of one plan."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_launch",
        request=LaunchSerializer,
        responses={
            202: WholePlanSerializer,
            422: OpenApiResponse(ProblemSerializer, "It was launched, or a name is not typed."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue all jobs of the plan."""
        data = validated(LaunchSerializer, request.data)
        launching.launch(get_object_or_404(Plan, pk=pk), user_of(request), **data)
        return Response(_as_json(pk, request), status=202)


class AddRounds(APIView):
    """Further rounds of one plan."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_add_rounds",
        request=MoreRoundsSerializer,
        responses={
            201: WholePlanSerializer,
            422: OpenApiResponse(ProblemSerializer, "Too many, or a host no longer allows them."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Add jobs for every cell, queued at once where the plan was launched.

        A plan that was over then has one look more: firm words need more.
        """
        data = validated(MoreRoundsSerializer, request.data)
        add_rounds(get_object_or_404(Plan, pk=pk), data["rounds"], user_of(request))
        return Response(_as_json(pk, request), status=201)


def _wanted(data: dict[str, Any]) -> Wanted:
    targets = Target.objects.select_related("host").in_bulk(list(data["targets"].values()))
    missing = [str(pk) for pk in data["targets"].values() if pk not in targets]
    if missing:
        raise Refused("There is no target {names}.", "targets", names=", ".join(missing))
    return Wanted(
        recipe=recipe_named(data["recipe"]),
        targets={role: targets[pk] for role, pk in data["targets"].items()},
        study=_study(data["study"]),
        configuration=configuration_named(data["configuration"]) if data["configuration"] else None,
        **{
            name: data[name]
            for name in ("parameters", "factors", "repeats", "seed", "title", "priority")
        },
    )


def _study(slug: str | None) -> Study | None:
    found = Study.objects.filter(slug=slug).first() if slug else None
    if slug and found is None:
        raise Refused("There is no study “{slug}”.", "study", slug=slug)
    return found


def _as_json(pk: int, request: Request) -> dict[str, Any]:
    body: dict[str, Any] = WholePlanSerializer(
        get_object_or_404(plans(), pk=pk), context={"request": request}
    ).data
    return body
