"""`/api/v1/targets/`: ways to log in to hosts; each lies inside its host."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.api.problems import ProblemSerializer
from benchdash.api.target_json import TargetFormSerializer, TargetSerializer, written_target
from benchdash.inventory.models import Host
from benchdash.jobs.models import Target
from benchdash.jobs.targets import approve_key, ask_check, remove_target


class FingerprintSerializer(serializers.Serializer[Any]):
    """The fingerprint that was compared: `SHA256:…`."""

    fingerprint = serializers.CharField(max_length=100)


def by_whom(request: Request) -> User:
    """Who asks; for views that visitors cannot reach."""
    assert isinstance(request.user, User)
    return request.user


class HostTargets(APIView):
    """The targets of one host."""

    reads = Role.VIEWER
    writes = Role.ADMIN

    @extend_schema(
        operation_id="targets_create",
        request=TargetFormSerializer,
        responses={
            201: TargetSerializer,
            422: OpenApiResponse(ProblemSerializer, "A field is refused; `field` names it."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """One more way to log in; a check is asked for."""
        form = TargetFormSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        host = get_object_or_404(Host, pk=pk)
        made = written_target(Target(host=host), form.validated_data, by_whom(request))
        ask_check(made, by_whom(request))
        return Response(TargetSerializer(found_target(made.pk)).data, status=201)


class OneTarget(APIView):
    """One target."""

    reads = Role.VIEWER
    writes = Role.ADMIN

    @extend_schema(operation_id="targets_retrieve", responses=TargetSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A target and what its last check found."""
        return Response(TargetSerializer(found_target(pk)).data)

    @extend_schema(
        operation_id="targets_change",
        request=TargetFormSerializer(partial=True),
        responses={
            200: TargetSerializer,
            422: OpenApiResponse(ProblemSerializer, "A field is refused; `field` names it."),
        },
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Other values; another address forgets the pinned host key."""
        form = TargetFormSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        written_target(found_target(pk), form.validated_data, by_whom(request))
        return Response(TargetSerializer(found_target(pk)).data)

    @extend_schema(
        operation_id="targets_remove",
        responses={
            204: None,
            422: OpenApiResponse(ProblemSerializer, "Jobs ran on it, or others go through it."),
        },
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a target that nothing hangs on."""
        remove_target(found_target(pk), by_whom(request))
        return Response(status=204)


class CheckTarget(APIView):
    """The check of one target."""

    writes = Role.OPERATOR

    @extend_schema(operation_id="targets_check", request=None, responses={202: TargetSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Ask a worker to log in and look: the answer is there when `standing` is not `checking`."""
        ask_check(found_target(pk), by_whom(request))
        return Response(TargetSerializer(found_target(pk)).data, status=202)


class ApproveKey(APIView):
    """The host key of one target."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="targets_approve",
        request=FingerprintSerializer,
        responses={
            200: TargetSerializer,
            422: OpenApiResponse(
                ProblemSerializer, "The host shows another key, or an admin has to approve it."
            ),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Trust the key that the host offers; one that changed is approved by admins only."""
        form = FingerprintSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        approve_key(found_target(pk), form.validated_data["fingerprint"], by_whom(request))
        return Response(TargetSerializer(found_target(pk)).data)


def found_target(pk: int) -> Target:
    """The target of that number."""
    return get_object_or_404(Target.objects.select_related("host", "jump", "pinned_by"), pk=pk)
