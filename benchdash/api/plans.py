"""`/api/v1/plans/`: first the exact commands, then the launch."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.analysis.verdicts import ENOUGH
from benchdash.api.access import user_of
from benchdash.api.fields import FiniteField, IdField
from benchdash.api.plan_json import PlanSerializer, WholePlanSerializer, whole_plan
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import NewestFirst, validated
from benchdash.errors import Refused
from benchdash.inventory.queries import configuration_named
from benchdash.jobs import launching, plan_changes
from benchdash.jobs.models import Plan
from benchdash.jobs.over_hosts import launch_all, plan_each
from benchdash.jobs.own_recipes import recipe_named
from benchdash.jobs.plan_titles import LONGEST_TITLE
from benchdash.jobs.planning import MOST_SEED
from benchdash.jobs.planning import plan as make_plan
from benchdash.jobs.queries import plans, targets_by_id
from benchdash.jobs.wanted import Wanted
from benchdash.results.models import Study


class PlanFormSerializer(serializers.Serializer[Any]):
    """A plan to be made. `targets` by the parts they play: the first one is measured."""

    recipe = serializers.CharField(max_length=100)
    targets = serializers.DictField(child=IdField(), default=dict)
    each_of = serializers.ListField(
        child=IdField(),
        default=list,
        help_text="Instead of `targets`, for a recipe for one host: each of these has a plan of "
        "its own, with the same seed. The answer is the first of them; `batch` has all.",
    )
    zones = serializers.DictField(
        child=serializers.DictField(child=IdField()),
        default=dict,
        help_text="Instead of `targets`, for a recipe with zones: targets by the parts they play for "
        'each level of the factor `zone`, as in `{"near": {"node-a": 1, "node-b": 2}}`. A host '
        "may be in several.",
    )
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
    until_percent = FiniteField(
        default=None,
        allow_null=True,
        help_text="Ends the rounds once the interval of each cell's median is within ± so many "
        f"percent: `repeats` is the most then, and at least {ENOUGH}. Left out: exactly `repeats`.",
    )
    seed = serializers.IntegerField(
        min_value=0,
        max_value=MOST_SEED,
        default=None,
        allow_null=True,
        help_text="Of the order within rounds; that of another plan repeats its order.",
    )
    title = serializers.CharField(
        max_length=LONGEST_TITLE,
        allow_blank=True,
        default="",
        help_text="Left out: recipe, factors, hosts and time.",
    )
    study = serializers.SlugField(default=None, allow_null=True)
    configuration = serializers.CharField(max_length=200, default=None, allow_null=True)
    priority = serializers.IntegerField(min_value=-100, max_value=100, default=0)


class LaunchSerializer(serializers.Serializer[Any]):
    """`confirmed`: the names of all that the plan writes to, typed."""

    whatever_conditions = serializers.BooleanField(default=False)
    wait_minutes = serializers.IntegerField(
        min_value=0,
        max_value=launching.MOST_WAIT_MINUTES,
        default=None,
        allow_null=True,
        help_text="For how long a job waits for hosts that are not quiet. Left out: as planned.",
    )
    confirmed = serializers.ListField(child=serializers.CharField(), default=list)
    all = serializers.BooleanField(
        default=False, help_text="Every plan of the `batch` that is not launched, all or none."
    )


class AgainSerializer(serializers.Serializer[Any]):
    """Which jobs: `unmeasured` failed, were lost or cancelled; `doubted` have a doubted run."""

    which = serializers.ChoiceField(choices=["unmeasured", "doubted"])


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
        if sum(bool(data[name]) for name in ("targets", "each_of", "zones")) != 1:
            raise Refused("Give exactly one of `targets`, `each_of` and `zones`.", "targets")
        wanted, by = _wanted(data), user_of(request)
        if data["each_of"]:
            found = targets_by_id(data["each_of"], "each_of")
            each = [found[pk] for pk in dict.fromkeys(data["each_of"])]
            made = plan_each(wanted, each, by)[0]
        else:
            made = make_plan(wanted, by)
        return Response(whole_plan(made.pk, request), status=201)


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
        launch = launch_all if data.pop("all") else launching.launch
        launch(get_object_or_404(Plan, pk=pk), user_of(request), **data)
        return Response(whole_plan(pk, request), status=202)


class PausePlan(APIView):
    """The pause of one plan."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_pause",
        request=None,
        responses={
            200: WholePlanSerializer,
            422: OpenApiResponse(ProblemSerializer, "It was not launched."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Start no further job; what is on a host goes on to its end."""
        plan_changes.pause(get_object_or_404(Plan, pk=pk), user_of(request))
        return Response(whole_plan(pk, request))

    @extend_schema(operation_id="plans_resume", responses={200: WholePlanSerializer})
    def delete(self, request: Request, pk: int) -> Response:
        """Start jobs again."""
        plan_changes.resume(get_object_or_404(Plan, pk=pk))
        return Response(whole_plan(pk, request))


class InsistOnPlan(APIView):
    """Whether one plan measures whatever the conditions of its hosts."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_insist",
        request=None,
        responses={
            200: WholePlanSerializer,
            422: OpenApiResponse(ProblemSerializer, "It was not launched, or has ended."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Measure what is left whatever the conditions, what waits for them at once."""
        plan_changes.insist(get_object_or_404(Plan, pk=pk), user_of(request))
        return Response(whole_plan(pk, request))

    @extend_schema(operation_id="plans_wait_for_quiet", responses={200: WholePlanSerializer})
    def delete(self, request: Request, pk: int) -> Response:
        """Have its jobs wait for quiet hosts again."""
        plan_changes.wait_for_quiet_again(get_object_or_404(Plan, pk=pk))
        return Response(whole_plan(pk, request))


class CancelPlan(APIView):
    """The end of one plan."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_cancel",
        request=None,
        responses={
            202: WholePlanSerializer,
            422: OpenApiResponse(ProblemSerializer, "All its jobs have ended."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Cancel every job that has not ended."""
        plan_changes.cancel_jobs(get_object_or_404(Plan, pk=pk), user_of(request))
        return Response(whole_plan(pk, request), status=202)


class MeasureAgain(APIView):
    """What of one plan is to be measured again."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_measure_again",
        request=AgainSerializer,
        responses={
            201: WholePlanSerializer,
            422: OpenApiResponse(ProblemSerializer, "There is no such job."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue a new attempt of each such job, beside the old one."""
        which = validated(AgainSerializer, request.data)["which"]
        plan = get_object_or_404(Plan, pk=pk)
        jobs = plan_changes.doubted(plan) if which == "doubted" else plan_changes.unmeasured(plan)
        plan_changes.measure_again(plan, jobs, user_of(request))
        return Response(whole_plan(pk, request), status=201)


def _wanted(data: dict[str, Any]) -> Wanted:
    targets = targets_by_id(data["targets"].values(), "targets")
    in_zones = targets_by_id([pk for own in data["zones"].values() for pk in own.values()], "zones")
    return Wanted(
        recipe=recipe_named(data["recipe"]),
        targets={role: targets[pk] for role, pk in data["targets"].items()},
        zones={
            zone: {role: in_zones[pk] for role, pk in own.items()}
            for zone, own in data["zones"].items()
        },
        study=_study(data["study"]),
        configuration=configuration_named(data["configuration"]) if data["configuration"] else None,
        **{
            name: data[name]
            for name in (
                "parameters",
                "factors",
                "repeats",
                "until_percent",
                "seed",
                "title",
                "priority",
            )
        },
    )


def _study(slug: str | None) -> Study | None:
    found = Study.objects.filter(slug=slug, deleted_at=None).first() if slug else None
    if slug and found is None:
        raise Refused("There is no study “{slug}”.", "study", slug=slug)
    return found
