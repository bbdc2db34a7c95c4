"""`/api/v1/doubts/`: what people say about them, doubt by doubt or for several runs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from benchdash.api.access import user_of
from benchdash.api.fields import IdField
from benchdash.api.requests import validated
from benchdash.api.runs import ChangedSerializer, ChosenSerializer
from benchdash.results.dismissals import LONGEST_REASON, dismiss, doubts_of_samples, take_back
from benchdash.results.models import Doubt
from benchdash.vocabulary.doubts import OF_RUNS


class DoubtsSerializer(ChosenSerializer):
    """Doubts by their ids, or those of runs: of one `kind`, or all."""

    doubts = serializers.ListField(
        child=IdField(), allow_empty=False, max_length=1000, required=False
    )
    kind = serializers.ChoiceField(choices=OF_RUNS, required=False)

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        of_runs = "runs" in data or "filters" in data
        if ("doubts" in data) == of_runs:
            raise serializers.ValidationError(_("Give either “doubts”, or “runs” or “filters”."))
        if "kind" in data and "doubts" in data:
            raise serializers.ValidationError(
                {"kind": _("“kind” can be given only with “runs” or “filters”.")}
            )
        return super().validate(data) if of_runs else data


class DismissSerializer(DoubtsSerializer):
    """Which doubts, and why they are none."""

    reason = serializers.CharField(max_length=LONGEST_REASON)


@extend_schema(
    operation_id="doubts_dismiss", request=DismissSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def dismiss_doubts(request: Request) -> Response:
    """Dismiss doubts; they stay with their runs, with who dismissed them and why."""
    data = validated(DismissSerializer, request.data)
    return Response({"changed": dismiss(_chosen(data), data["reason"], user_of(request))})


@extend_schema(
    operation_id="doubts_take_back", request=DoubtsSerializer, responses=ChangedSerializer
)
@api_view(["POST"])
def take_back_doubts(request: Request) -> Response:
    """Let dismissed doubts stand again; each keeps its past dismissals."""
    data = validated(DoubtsSerializer, request.data)
    return Response({"changed": take_back(_chosen(data), user_of(request))})


def _chosen(data: dict[str, Any]) -> QuerySet[Doubt]:
    if "runs" in data:
        return doubts_of_samples(data["runs"], data.get("kind", ""))
    return Doubt.objects.filter(pk__in=data["doubts"])
