"""`/api/v1/environments/`: machines as they were, and the network between them."""

from __future__ import annotations

from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from benchdash.accounts.roles import Role
from benchdash.api.access import person_of
from benchdash.api.filters import KnownFilters
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import NewestFirst, validated
from benchdash.api.run_json import DoubtSerializer
from benchdash.inventory.models import Capture, Environment, EnvironmentName
from benchdash.inventory.queries import environments, machines_of
from benchdash.inventory.records import CaptureInfo, record_environment
from benchdash.results.doubts import DOUBTED_ENVIRONMENT

_FACTS = {"type": "object", "additionalProperties": True}
_MACHINES = {
    "type": "object",
    "description": "Facts by role: node-a (where the tool ran), node-b, client, guest-3 …",
    "additionalProperties": _FACTS,
}


class EnvironmentSerializer(serializers.ModelSerializer[Environment]):
    """An environment with the facts of its machines; `name` is the newest one it was given."""

    url = serializers.HyperlinkedIdentityField(view_name="api:environment")
    name = serializers.CharField(source="newest_name", allow_null=True)
    machines = serializers.SerializerMethodField()
    network = serializers.DictField()
    doubts = DoubtSerializer(many=True)

    class Meta:
        model = Environment
        fields: tuple[str, ...] = (
            *("id", "url", "name", "digest", "machines", "network", "doubts", "created_at"),
        )
        read_only_fields = fields

    @extend_schema_field(_MACHINES)
    def get_machines(self, environment: Environment) -> dict[str, Any]:
        return machines_of(environment)


class CaptureSerializer(serializers.ModelSerializer[Capture]):
    """One look at an environment: when, how, and what was good to know."""

    info = serializers.DictField()

    class Meta:
        model = Capture
        fields = ("source", "captured_at", "created_at", "info")


class WholeEnvironmentSerializer(EnvironmentSerializer):
    """One environment with every name it was given, newest first, and every capture."""

    names = serializers.SlugRelatedField[EnvironmentName](
        many=True, read_only=True, slug_field="name"
    )
    captures = CaptureSerializer(many=True)

    class Meta(EnvironmentSerializer.Meta):
        fields = (*EnvironmentSerializer.Meta.fields, "names", "captures")
        read_only_fields = fields


class EnvironmentFormSerializer(serializers.Serializer[Any]):
    """What is sent: the words are those of an environment that was read."""

    name = serializers.CharField(required=False, allow_blank=True, max_length=200)
    machines = serializers.DictField(child=serializers.DictField(), allow_empty=False)
    network = serializers.DictField(required=False)
    captured_at = serializers.DateTimeField(required=False, allow_null=True)


class EnvironmentFilter(KnownFilters):
    """By a name that it has or had, by a host that takes part, and by doubts that stand."""

    name = filters.CharFilter(method="named")
    host = filters.CharFilter(method="with_host")
    doubts = filters.ChoiceFilter(
        method="with_doubts",
        choices=[(name, name) for name in ("include", "exclude", "only")],
        label="exclude leaves out environments of which a doubt stands, only leaves out the others",
    )

    class Meta:
        model = Environment
        fields: tuple[str, ...] = ()

    def named(self, found: QuerySet[Environment], _name: str, name: str) -> QuerySet[Environment]:
        names = EnvironmentName.objects.filter(environment=OuterRef("pk"), name=name)
        return found.filter(Exists(names))

    def with_host(
        self, found: QuerySet[Environment], _name: str, host: str
    ) -> QuerySet[Environment]:
        return found.filter(machines__host__name=host).distinct()

    def with_doubts(
        self, found: QuerySet[Environment], _name: str, doubts: str
    ) -> QuerySet[Environment]:
        if doubts == "only":
            return found.filter(DOUBTED_ENVIRONMENT)
        return found.exclude(DOUBTED_ENVIRONMENT) if doubts == "exclude" else found


WHOLE = environments().prefetch_related(
    *("parts__snapshot", "names", "captures", "doubts__past_dismissals")
)


class Environments(ListAPIView[Environment]):
    """Environments, newest first, a page at a time."""

    reads = Role.VISITOR
    serializer_class = EnvironmentSerializer
    pagination_class = NewestFirst
    filterset_class = EnvironmentFilter
    queryset = Environment.objects.none()  # names the model for the description

    def get_queryset(self) -> QuerySet[Environment]:
        return environments().prefetch_related("parts__snapshot", "doubts__past_dismissals")

    @extend_schema(
        operation_id="environments_create",
        request=EnvironmentFormSerializer,
        responses={
            201: WholeEnvironmentSerializer,
            422: OpenApiResponse(ProblemSerializer, "A fact or a value is refused."),
        },
    )
    def post(self, request: Request) -> Response:
        """Record a capture. The same facts are the same environment; `name` points at it now."""
        data = validated(EnvironmentFormSerializer, request.data)
        capture = CaptureInfo(Capture.Source.UPLOADED, data.get("captured_at"), person_of(request))
        made = record_environment(
            data["machines"], data.get("network"), name=data.get("name", ""), capture=capture
        )
        whole = WholeEnvironmentSerializer(WHOLE.get(pk=made.pk), context={"request": request})
        return Response(whole.data, status=201)


class OneEnvironment(RetrieveAPIView[Environment]):
    """An environment with its names and captures."""

    reads = Role.VISITOR
    serializer_class = WholeEnvironmentSerializer
    queryset = WHOLE
