"""`/api/v1/plans/{id}/rounds/`, `…/levels/` and `…/hosts/`: what a plan is given later."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.access import user_of
from benchdash.api.fields import IdField
from benchdash.api.plan_json import CostSerializer, WholePlanSerializer, whole_plan
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated
from benchdash.jobs.confirming import touched
from benchdash.jobs.costs import cost_of
from benchdash.jobs.models import Plan
from benchdash.jobs.more_levels import add_levels, cells_to_add
from benchdash.jobs.more_rounds import add_rounds
from benchdash.jobs.over_hosts import add_hosts, hosts_to_add
from benchdash.jobs.queries import targets_by_id
from benchdash.recipes.cells import MOST_REPEATS


class MoreRoundsSerializer(serializers.Serializer[Any]):
    """`rounds`: how many more times every cell is measured."""

    rounds = serializers.IntegerField(min_value=1, max_value=MOST_REPEATS)


class MoreLevelsSerializer(serializers.Serializer[Any]):
    """Levels that a factor of the plan does not have. `confirmed` as for a launch."""

    factor = serializers.CharField(max_length=100)
    levels = serializers.ListField(allow_empty=False)
    confirmed = serializers.ListField(child=serializers.CharField(), default=list)
    only_cost = serializers.BooleanField(
        default=False, help_text="Nothing is added, the answer says what it would cost."
    )


class MoreHostsSerializer(serializers.Serializer[Any]):
    """Targets on hosts that the plan does not measure yet."""

    hosts = serializers.ListField(child=IdField(), allow_empty=False)
    only_cost = serializers.BooleanField(
        default=False, help_text="Nothing is added, the answer says what each would cost."
    )


class WrittenSerializer(serializers.Serializer[Any]):
    """A device or path that is written; whether what is there is destroyed."""

    host = serializers.CharField()
    name = serializers.CharField()
    destroyed = serializers.BooleanField()


class CostOfMoreSerializer(CostSerializer):
    """And what is written, which has to be confirmed."""

    writes_to = WrittenSerializer(many=True)


def cost_of_more(plan: Plan) -> dict[str, Any]:
    """Of a plan that is outlined and not stored."""
    cost = CostSerializer(cost_of(plan)).data
    return {**cost, "writes_to": WrittenSerializer(touched(plan), many=True).data}


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
        return Response(whole_plan(pk, request), status=201)


class AddLevels(APIView):
    """Further levels of a factor of one plan."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_add_levels",
        request=MoreLevelsSerializer,
        responses={
            200: OpenApiResponse(CostOfMoreSerializer, "With `only_cost`."),
            201: WholePlanSerializer,
            422: OpenApiResponse(
                ProblemSerializer,
                "A level is there already or cannot be, a name is not typed, or a host no longer "
                "allows it.",
            ),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Queue the new cells alone, in rounds numbered after those of the plan."""
        data = validated(MoreLevelsSerializer, request.data)
        plan, by = get_object_or_404(Plan, pk=pk), user_of(request)
        added = plan, data["factor"], data["levels"], by
        if data["only_cost"]:
            return Response(cost_of_more(cells_to_add(*added)))
        add_levels(*added, data["confirmed"])
        return Response(whole_plan(pk, request), status=201)


class AddHosts(APIView):
    """Further hosts beside that of one plan."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="plans_add_hosts",
        request=MoreHostsSerializer,
        responses={
            200: OpenApiResponse(CostOfMoreSerializer(many=True), "With `only_cost`."),
            201: WholePlanSerializer,
            422: OpenApiResponse(
                ProblemSerializer, "A host is measured already, or would be part of a cluster."
            ),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Make a plan for each host, alike down to its seed and to be launched; the first is shown.

        They are in the `batch` of this plan.
        """
        data = validated(MoreHostsSerializer, request.data)
        plan, by = get_object_or_404(Plan, pk=pk), user_of(request)
        found = targets_by_id(data["hosts"], "hosts")
        targets = [found[pk] for pk in dict.fromkeys(data["hosts"])]
        if data["only_cost"]:
            return Response([cost_of_more(each) for each in hosts_to_add(plan, targets, by)])
        first, *_others = add_hosts(plan, targets, by)
        return Response(whole_plan(first.pk, request), status=201)
