"""What a person says about refused files: that they need no attention, or do again."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from benchdash.api.authentication import person_of
from benchdash.api.run_changes import ChangedSerializer
from benchdash.results import refused_files
from benchdash.results.ids import LARGEST_ID


class ChosenUploadsSerializer(serializers.Serializer[Any]):
    """The uploads that are meant, by id; those that were not refused are passed over."""

    uploads = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_ID),
        allow_empty=False,
        max_length=1000,
    )


class PutAsideSerializer(ChosenUploadsSerializer):
    """Why they may be passed over; it may be left out."""

    reason = serializers.CharField(
        max_length=refused_files.LONGEST_REASON, allow_blank=True, default=""
    )


@extend_schema(
    operation_id="uploads_put_aside", request=PutAsideSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def put_aside(request: Request) -> Response:
    """Ask for no attention to refused files any more; their bytes stay."""
    form = PutAsideSerializer(data=request.data)
    form.is_valid(raise_exception=True)
    return Response(
        {"changed": refused_files.put_aside(**form.validated_data, by=person_of(request))}
    )


@extend_schema(
    operation_id="uploads_take_back", request=ChosenUploadsSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def take_back(request: Request) -> Response:
    """Ask for attention to them again."""
    form = ChosenUploadsSerializer(data=request.data)
    form.is_valid(raise_exception=True)
    return Response({"changed": refused_files.take_back(form.validated_data["uploads"])})
