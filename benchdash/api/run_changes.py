"""What a person changes about runs: where they belong, whether they count, whether they show."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from benchdash.api.fields import IdField
from benchdash.results import assignment
from benchdash.results.naming import asked_by_name


class ChosenSerializer(serializers.Serializer[Any]):
    """The runs that are meant, by id."""

    runs = serializers.ListField(child=IdField(), allow_empty=False, max_length=1000)


class AssignSerializer(ChosenSerializer):
    """Where they belong, by name; what is not said stays."""

    configuration = serializers.CharField(required=False, allow_blank=True)
    environment = serializers.CharField(required=False, allow_blank=True)
    study = serializers.CharField(required=False, allow_blank=True)


class SetAsideSerializer(ChosenSerializer):
    """Why they stay out of statistics; empty: they count again."""

    reason = serializers.CharField(max_length=300, allow_blank=True)


class RepeatsSerializer(ChosenSerializer):
    """Whether equal numbers were measured again."""

    repeats = serializers.BooleanField()


class ChangedSerializer(serializers.Serializer[Any]):
    """How many runs changed."""

    changed = serializers.IntegerField()


@extend_schema(operation_id="runs_assign", request=AssignSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def assign(request: Request) -> Response:
    """Give runs another configuration, environment or study."""
    said = _said(AssignSerializer, request)
    return _changed(assignment.assign(said.pop("runs"), asked_by_name(**said)))


@extend_schema(
    operation_id="runs_set_aside", request=SetAsideSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def set_aside(request: Request) -> Response:
    """Keep runs visible and out of statistics, or count them again."""
    return _changed(assignment.set_aside(**_said(SetAsideSerializer, request)))


@extend_schema(operation_id="runs_repeats", request=RepeatsSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def count_as_repeats(request: Request) -> Response:
    """Say that runs with the numbers of another were measured again, or that they were not."""
    return _changed(assignment.count_as_repeats(**_said(RepeatsSerializer, request)))


@extend_schema(operation_id="runs_delete", request=ChosenSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def delete(request: Request) -> Response:
    """Hide runs; for 30 days they can be restored, their files stay for ever."""
    return _changed(assignment.delete(**_said(ChosenSerializer, request)))


@extend_schema(operation_id="runs_restore", request=ChosenSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def restore(request: Request) -> Response:
    """Show deleted runs again."""
    return _changed(assignment.restore(**_said(ChosenSerializer, request)))


def _said(form_class: type[ChosenSerializer], request: Request) -> dict[str, Any]:
    form = form_class(data=request.data)
    form.is_valid(raise_exception=True)
    return dict(form.validated_data)


def _changed(count: int) -> Response:
    return Response({"changed": count})
