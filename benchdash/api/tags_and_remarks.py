"""`…/tags/` and `…/remarks/` of runs, configurations and studies: what people add to records."""

from __future__ import annotations

from typing import Any, cast

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.access import person_of
from benchdash.api.fields import RemarkSerializer
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated
from benchdash.api.runs import ChangedSerializer, ChosenSerializer
from benchdash.inventory.models import Configuration
from benchdash.results.annotations import (
    add_note,
    change_note,
    set_tags,
    tag_names,
    tag_runs,
    tags_of,
    untag_runs,
)
from benchdash.results.models import Note, Run, Study

Record = Study | Configuration | Run


class TagsSerializer(serializers.Serializer[Any]):
    """All tags of one record."""

    tags = serializers.ListField(child=serializers.CharField(max_length=1000))


class TagRunsSerializer(ChosenSerializer):
    """Runs, and tags to give them or to take from them."""

    tags = serializers.ListField(child=serializers.CharField(max_length=1000), allow_empty=False)


class RemarkFormSerializer(serializers.Serializer[Any]):
    """What is sent for a note."""

    text = serializers.CharField(help_text="Markdown.")


class _OfARecord(APIView):
    """Each route sets the model and what a record is found by."""

    reads = Role.VISITOR
    model: type[Record] = Run

    def record(self, found_by: dict[str, Any]) -> Record:
        if self.model is Run:
            return get_object_or_404(Run.objects.filter(deleted_at=None), **found_by)
        return cast("Record", get_object_or_404(self.model, **found_by))


class Tags(_OfARecord):
    """The tags of one record."""

    @extend_schema(responses=TagsSerializer)
    def get(self, request: Request, **found_by: Any) -> Response:
        """Its own tags by name."""
        return _tags(self.record(found_by))

    @extend_schema(
        request=TagsSerializer,
        responses={
            200: TagsSerializer,
            422: OpenApiResponse(ProblemSerializer, "A tag is too long, or there are too many."),
        },
    )
    def put(self, request: Request, **found_by: Any) -> Response:
        """Exactly these tags; new ones are made."""
        record = self.record(found_by)
        set_tags(record, tag_names(",".join(validated(TagsSerializer, request.data)["tags"])))
        return _tags(record)


class Remarks(_OfARecord):
    """The notes on one record."""

    @extend_schema(responses=RemarkSerializer(many=True))
    def get(self, request: Request, **found_by: Any) -> Response:
        """Its notes, the oldest first."""
        notes = self.record(found_by).remarks.select_related("created_by", "changed_by")
        return Response(RemarkSerializer(notes, many=True, context={"request": request}).data)

    @extend_schema(
        request=RemarkFormSerializer, responses={201: RemarkSerializer, 422: ProblemSerializer}
    )
    def post(self, request: Request, **found_by: Any) -> Response:
        """One more note."""
        text = validated(RemarkFormSerializer, request.data)["text"]
        note = add_note(self.record(found_by), text, person_of(request))
        return Response(RemarkSerializer(note, context={"request": request}).data, status=201)


class OneRemark(APIView):
    """One note, whatever it is about."""

    @extend_schema(
        operation_id="remarks_change",
        request=RemarkFormSerializer,
        responses={200: RemarkSerializer, 422: ProblemSerializer},
    )
    def patch(self, request: Request, pk: int) -> Response:
        """The note in other words."""
        note = get_object_or_404(Note, pk=pk)
        change_note(note, validated(RemarkFormSerializer, request.data)["text"], person_of(request))
        return Response(RemarkSerializer(note, context={"request": request}).data)

    @extend_schema(operation_id="remarks_remove", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Take the note away."""
        get_object_or_404(Note, pk=pk).delete()
        return Response(status=204)


@extend_schema(operation_id="runs_tag", request=TagRunsSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def tag(request: Request) -> Response:
    """Give runs these tags too."""
    data = validated(TagRunsSerializer, request.data)
    return Response({"changed": tag_runs(data["runs"], tag_names(",".join(data["tags"])))})


@extend_schema(operation_id="runs_untag", request=TagRunsSerializer, responses=ChangedSerializer)
@api_view(["POST"])
def untag(request: Request) -> Response:
    """Take these tags from runs; those of their configuration or study stay."""
    data = validated(TagRunsSerializer, request.data)
    return Response({"changed": untag_runs(data["runs"], tag_names(",".join(data["tags"])))})


def _tags(record: Record) -> Response:
    return Response({"tags": list(tags_of(record).values_list("name", flat=True))})
