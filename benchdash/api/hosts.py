"""`/api/v1/hosts/`: machines by name, with the ways to log in to each."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.api.access import user_of
from benchdash.api.fields import address_of
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import NewestFirst, validated
from benchdash.api.targets import TargetFormSerializer, TargetSerializer, written_target
from benchdash.inventory.models import Host, MachineSnapshot
from benchdash.inventory.records import change_host, record_host
from benchdash.jobs.models import Job, Target
from benchdash.jobs.queries import runs_on, with_targets
from benchdash.jobs.targets import refuse_name_of_results, remove_host, request_check

NEWEST = 50
_ADDRESSES = {"type": "array", "items": {"type": "string"}}


class HostSerializer(serializers.ModelSerializer[Host]):
    """A host in a list."""

    url = serializers.HyperlinkedIdentityField(view_name="api:host")
    targets = TargetSerializer(many=True)

    class Meta:
        model = Host
        fields: tuple[str, ...] = ("id", "url", "name", "notes", "created_at", "targets")
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
    jobs = serializers.SerializerMethodField(help_text=f"The newest {NEWEST}.")
    runs = serializers.SerializerMethodField(help_text=f"The newest {NEWEST}.")

    class Meta(HostSerializer.Meta):
        fields = (*HostSerializer.Meta.fields, "snapshots", "jobs", "runs")
        read_only_fields = fields

    @extend_schema_field(_ADDRESSES)
    def get_jobs(self, host: Host) -> list[str]:
        jobs = Job.objects.filter(nodes__target__host=host).order_by("-pk").distinct()
        return [address_of("api:job", pk) for pk in jobs.values_list("pk", flat=True)[:NEWEST]]

    @extend_schema_field(_ADDRESSES)
    def get_runs(self, host: Host) -> list[str]:
        runs = runs_on(host).order_by("-pk").values_list("pk", flat=True)[:NEWEST]
        return [address_of("api:run", pk) for pk in runs]


class HostFormSerializer(serializers.Serializer[Any]):
    """What is sent for a new host, or for a change."""

    name = serializers.CharField(max_length=253)
    notes = serializers.CharField(required=False, allow_blank=True)


class NewHostSerializer(HostFormSerializer):
    """A host, and the ways to log in to it."""

    targets = TargetFormSerializer(many=True, required=False)


class Hosts(ListAPIView[Host]):
    """Hosts, newest first, a page at a time."""

    reads = Role.VIEWER
    writes = Role.ADMIN
    serializer_class = HostSerializer
    pagination_class = NewestFirst
    queryset = with_targets()

    @extend_schema(
        operation_id="hosts_create",
        request=NewHostSerializer,
        responses={
            201: HostSerializer,
            200: OpenApiResponse(HostSerializer, "It was there already."),
            422: OpenApiResponse(ProblemSerializer, "The name or a target is refused."),
        },
    )
    def post(self, request: Request) -> Response:
        """Name a host; its targets are checked at once."""
        data = validated(NewHostSerializer, request.data)
        known = Host.objects.filter(name=data["name"]).exists()
        made = _made(data, user_of(request))
        body = self.get_serializer(with_targets().get(pk=made.pk)).data
        return Response(body, status=200 if known else 201)


class OneHost(RetrieveAPIView[Host]):
    """A host with what it was found to be."""

    reads = Role.VIEWER
    writes = Role.ADMIN
    serializer_class = WholeHostSerializer
    queryset = with_targets().prefetch_related("snapshots")

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
        found = self.get_object()
        now = {"name": found.name, "notes": found.notes}
        data = validated(HostFormSerializer, request.data, partial=True)
        return Response(self.get_serializer(change_host(found, **now | data)).data)

    @extend_schema(
        operation_id="hosts_remove",
        responses={
            204: None,
            422: OpenApiResponse(ProblemSerializer, "Something was recorded of it or ran on it."),
        },
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a host that nothing hangs on, with its targets."""
        remove_host(self.get_object())
        return Response(status=204)


@transaction.atomic
def _made(data: dict[str, Any], by: User) -> Host:
    """The host with each target that it has not yet."""
    targets = data.pop("targets", [])
    if targets:
        refuse_name_of_results(data["name"])
    host = record_host(**data)
    for words in targets:
        request_check(written_target(Target(host=host), words, by), by)
    return host
