"""`/api/v1/hosts/`: machines by name. How to log in is told to nobody here."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.paging import NewestFirst
from benchdash.api.problems import ProblemSerializer
from benchdash.inventory.models import Host, MachineSnapshot
from benchdash.inventory.records import change_host, record_host


class HostSerializer(serializers.ModelSerializer[Host]):
    """A host in a list."""

    url = serializers.HyperlinkedIdentityField(view_name="api:host")

    class Meta:
        model = Host
        fields: tuple[str, ...] = ("id", "url", "name", "notes", "created_at")
        read_only_fields = fields


class SnapshotSerializer(serializers.ModelSerializer[MachineSnapshot]):
    """The host as it was."""

    facts = serializers.DictField()

    class Meta:
        model = MachineSnapshot
        fields = ("id", "facts", "created_at")


class WholeHostSerializer(HostSerializer):
    """One host with everything it was found to be."""

    snapshots = SnapshotSerializer(many=True)

    class Meta(HostSerializer.Meta):
        fields = (*HostSerializer.Meta.fields, "snapshots")
        read_only_fields = fields


class HostFormSerializer(serializers.Serializer[Any]):
    """What is sent for a new host, or for a change."""

    name = serializers.CharField(max_length=253)
    notes = serializers.CharField(required=False, allow_blank=True)


class Hosts(ListAPIView[Host]):
    """Hosts, newest first, a page at a time."""

    reads = Role.VIEWER
    writes = Role.ADMIN
    serializer_class = HostSerializer
    pagination_class = NewestFirst
    queryset = Host.objects.all()

    @extend_schema(
        operation_id="hosts_create",
        request=HostFormSerializer,
        responses={
            201: HostSerializer,
            200: OpenApiResponse(HostSerializer, "It was there already."),
            422: OpenApiResponse(ProblemSerializer, "The name is refused."),
        },
    )
    def post(self, request: Request) -> Response:
        """Name a host."""
        form = HostFormSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        known = Host.objects.filter(name=form.validated_data["name"]).exists()
        made = record_host(**form.validated_data)
        return Response(self.get_serializer(made).data, status=200 if known else 201)


class OneHost(APIView):
    """One host."""

    reads = Role.VIEWER
    writes = Role.ADMIN

    @extend_schema(operation_id="hosts_retrieve", responses=WholeHostSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """A host with what it was found to be."""
        return Response(_as_json(_found(pk), request))

    @extend_schema(
        operation_id="hosts_change",
        request=HostFormSerializer(partial=True),
        responses={
            200: WholeHostSerializer,
            422: OpenApiResponse(ProblemSerializer, "The name is taken."),
        },
    )
    def patch(self, request: Request, pk: int) -> Response:
        """Another name or other notes."""
        found = _found(pk)
        form = HostFormSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        now = {"name": found.name, "notes": found.notes}
        return Response(_as_json(change_host(found, **now | form.validated_data), request))


def _found(pk: int) -> Host:
    return get_object_or_404(Host.objects.prefetch_related("snapshots"), pk=pk)


def _as_json(host: Host, request: Request) -> dict[str, Any]:
    body: dict[str, Any] = WholeHostSerializer(host, context={"request": request}).data
    return body
