"""`/api/v1/configurations/`: storage stacks as they were set up on purpose."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from benchdash.accounts.roles import Role
from benchdash.api.access import person_of
from benchdash.api.fields import AnnotatedSerializer, TaggedSerializer, remarks
from benchdash.api.filters import DeletedFilters
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import NewestFirst, validated
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Facet
from benchdash.inventory.records import (
    change_configuration,
    delete_configuration,
    record_configuration,
    restore_configuration,
)
from benchdash.results.language import in_language
from benchdash.vocabulary.storage.alignment import Alignment, misalignments
from benchdash.vocabulary.storage.notation import parse, print_stack
from benchdash.vocabulary.storage.stack import title

_LAYER = {
    "type": "object",
    "description": "One layer; `below` are the layers that it stands on, in the same form.",
    "properties": {
        "kind": {"type": "string"},
        "node": {"type": "string"},
        "options": {"type": "object", "additionalProperties": True},
        "below": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["kind"],
}


class MisalignmentSerializer(serializers.Serializer[Any]):
    """A layer that is not aligned to the stripes below it, and the command with the right options."""

    layer = serializers.IntegerField(source="number", help_text="Counted from the top, from 0.")
    kind = serializers.CharField(source="kind.name")
    sentence = serializers.SerializerMethodField()
    options = serializers.DictField(
        child=serializers.IntegerField(), help_text="Names and values as they are in layers."
    )
    mend = serializers.CharField()

    def get_sentence(self, misaligned: Alignment) -> str:
        return in_language(misaligned.sentence)


class ConfigurationSerializer(TaggedSerializer, serializers.ModelSerializer[Configuration]):
    """A configuration with its layers, as a tree and as text."""

    url = serializers.HyperlinkedIdentityField(view_name="api:configuration")
    title = serializers.SerializerMethodField(help_text="The stack in one line.")
    layers = serializers.SerializerMethodField()
    notation = serializers.SerializerMethodField(help_text="The layers as text, one a line.")
    misalignments = serializers.SerializerMethodField(
        help_text="Layers that are not aligned to the stripes of the RAID below them."
    )

    class Meta:
        model = Configuration
        fields: tuple[str, ...] = (
            *("id", "url", "name", "title", "layers", "notation", "misalignments"),
            *("notes", "created_at", "deleted_at", "tags"),
        )
        read_only_fields = fields

    def get_title(self, configuration: Configuration) -> str:
        return title(configuration.stack.tree)

    @extend_schema_field(_LAYER)
    def get_layers(self, configuration: Configuration) -> dict[str, Any]:
        tree: dict[str, Any] = configuration.stack.tree
        return tree

    def get_notation(self, configuration: Configuration) -> str:
        return print_stack(configuration.stack.tree)

    @extend_schema_field(MisalignmentSerializer(many=True))
    def get_misalignments(self, configuration: Configuration) -> Any:
        return MisalignmentSerializer(misalignments(configuration.stack.tree), many=True).data


class WholeConfigurationSerializer(ConfigurationSerializer, AnnotatedSerializer):
    """One configuration with what people wrote on it."""

    class Meta(ConfigurationSerializer.Meta):
        fields = (*ConfigurationSerializer.Meta.fields, "remarks")
        read_only_fields = fields


@extend_schema_field({"oneOf": [_LAYER, {"type": "string"}]})
class LayersField(serializers.JSONField):
    """A tree of layers, or the same as text in the notation."""

    def to_internal_value(self, data: Any) -> Any:
        return parse(data) if isinstance(data, str) else data


class ConfigurationFormSerializer(serializers.Serializer[Any]):
    """What is sent for a new configuration, or for a change (then all but `notes` may miss)."""

    name = serializers.CharField(max_length=200)
    layers = LayersField()
    notes = serializers.CharField(required=False, allow_blank=True)


class ConfigurationFilter(DeletedFilters):
    """By words of the name and by what stands in the stack."""

    text = filters.CharFilter(field_name="name", lookup_expr="icontains")
    facet = filters.CharFilter(
        method="with_facet", label="A layer's option: drbd.protocol=C, layer=drbd, filesystem=xfs"
    )

    class Meta:
        model = Configuration
        fields: tuple[str, ...] = ()

    def with_facet(
        self, configurations: QuerySet[Configuration], _name: str, facet: str
    ) -> QuerySet[Configuration]:
        key, equals, text = facet.partition("=")
        if not equals:
            raise Refused(
                "“{facet}” is not a layer option with a value, such as drbd.protocol=C.",
                "facet",
                facet=facet,
            )
        facets = Facet.objects.filter(stack=OuterRef("stack"), key=key, text=text)
        return configurations.filter(Exists(facets))


class Configurations(ListAPIView[Configuration]):
    """Configurations, newest first, a page at a time."""

    reads = Role.VISITOR
    serializer_class = ConfigurationSerializer
    pagination_class = NewestFirst
    filterset_class = ConfigurationFilter
    queryset = Configuration.objects.select_related("stack").prefetch_related("tags")

    @extend_schema(
        operation_id="configurations_create",
        request=ConfigurationFormSerializer,
        responses={
            201: WholeConfigurationSerializer,
            200: OpenApiResponse(WholeConfigurationSerializer, "It was there already."),
            422: OpenApiResponse(ProblemSerializer, "A layer, an option or the name is refused."),
        },
    )
    def post(self, request: Request) -> Response:
        """Name a stack. The same layers under the same name are the same configuration."""
        data = validated(ConfigurationFormSerializer, request.data)
        known = Configuration.objects.filter(name=data["name"]).exists()
        made = record_configuration(**data, by=person_of(request))
        whole = WholeConfigurationSerializer(made, context={"request": request})
        return Response(whole.data, status=200 if known else 201)


class OneConfiguration(RetrieveAPIView[Configuration]):
    """A configuration with its layers."""

    reads = Role.VISITOR
    serializer_class = WholeConfigurationSerializer
    queryset = Configuration.objects.select_related("stack").prefetch_related("tags", remarks())

    @extend_schema(
        operation_id="configurations_change",
        request=ConfigurationFormSerializer(partial=True),
        responses={
            200: WholeConfigurationSerializer,
            422: OpenApiResponse(ProblemSerializer, "It has runs, or the name is taken."),
        },
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Another name or other notes; other layers while nothing was measured on it."""
        found = self.get_object()
        data = validated(ConfigurationFormSerializer, request.data, partial=True)
        now = {"name": found.name, "layers": found.stack.tree, "notes": found.notes}
        changed = change_configuration(found, **now | data)
        return Response(self.get_serializer(changed).data)

    @extend_schema(operation_id="configurations_delete", responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Hide a configuration; its runs stay, and it can be restored for 30 days, longer with runs."""
        delete_configuration(self.get_object())
        return Response(status=204)


class RestoreConfiguration(GenericAPIView[Configuration]):
    """A deleted configuration, brought back."""

    serializer_class = WholeConfigurationSerializer
    queryset = OneConfiguration.queryset

    @extend_schema(
        operation_id="configurations_restore", request=None, responses=WholeConfigurationSerializer
    )
    def post(self, request: Request, pk: int) -> Response:
        """Bring a deleted configuration back."""
        restored = restore_configuration(self.get_object())
        return Response(self.get_serializer(restored).data)
