"""`/api/v1/targets/`: ways to log in to hosts; each lies inside its host."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role
from benchdash.api.access import user_of
from benchdash.api.fields import SentenceField
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated
from benchdash.inventory.models import Host
from benchdash.jobs.credentials import new_private_key
from benchdash.jobs.models import Target
from benchdash.jobs.models.target import WORKING_FOLDER
from benchdash.jobs.queries import targets_by_id
from benchdash.jobs.targets import (
    Login,
    approve_key,
    login_values,
    remove_target,
    request_check,
    save_target,
)

_SECRETS = ("key", "passphrase", "certificate", "password")


class LineSerializer(serializers.Serializer[Any]):
    """One finding; `ok` is null where it is neither good nor bad, `warns` where somebody has to look."""

    name = SentenceField()
    ok = serializers.BooleanField(allow_null=True)
    text = SentenceField()
    mend = SentenceField()
    warns = serializers.BooleanField(required=False)


class CapturedSerializer(serializers.Serializer[Any]):
    """What was recorded where the check was to look at the storage under a path."""

    path = serializers.CharField()
    environment = serializers.IntegerField(allow_null=True)
    configuration = serializers.IntegerField(allow_null=True)
    configuration_name = serializers.CharField()
    unread = serializers.ListField(child=SentenceField())


class FindingsSerializer(serializers.Serializer[Any]):
    """What the last check found; nothing before the first."""

    state = serializers.CharField(required=False)
    sentence = SentenceField(required=False)
    lines = LineSerializer(many=True, required=False)
    capture = CapturedSerializer(required=False)


class TargetSerializer(serializers.ModelSerializer[Target]):
    """How to log in to a host, less what is secret."""

    has_secret = serializers.SerializerMethodField(help_text="Whether credentials are stored.")
    tags = serializers.ListField(child=serializers.CharField())
    allowed = serializers.ListField(child=serializers.CharField())
    readable = serializers.ListField(child=serializers.CharField())
    servers = serializers.ListField(child=serializers.CharField())
    standing = serializers.CharField(
        help_text="unchecked, checking, ok, trouble, new_key, changed_key, unreachable or refused"
    )
    fingerprint = serializers.CharField(help_text="Of the host key that is trusted.")
    offered_fingerprint = serializers.CharField(help_text="Of a key that waits for approval.")
    findings = FindingsSerializer()
    pinned_by = serializers.StringRelatedField[User]()

    class Meta:
        model = Target
        fields = (
            *("id", "host", "address", "port", "user", "method", "has_secret", "jump", "sudo"),
            *("tags", "folder", "allowed", "readable", "servers", "old_algorithms"),
            *("public_key", "standing", "fingerprint"),
            *("offered_fingerprint", "pinned_at", "pinned_by", "check_asked_at", "checked_at"),
            "findings",
        )
        read_only_fields = fields

    @extend_schema_field(serializers.BooleanField())
    def get_has_secret(self, target: Target) -> bool:
        return bool(target.secret)


class TargetFormSerializer(serializers.Serializer[Any]):
    """What is sent for a target. Secrets that are left out or empty stay as they are."""

    address = serializers.CharField(max_length=253)
    port = serializers.IntegerField(min_value=1, max_value=65535, default=22)
    user = serializers.CharField(max_length=64)
    method = serializers.ChoiceField(choices=Target.Method.choices, default=Target.Method.KEY)
    key = serializers.CharField(
        required=False, allow_blank=True, write_only=True, trim_whitespace=False
    )
    make_key = serializers.BooleanField(
        default=False,
        write_only=True,
        help_text="Instead of `key`: a new pair, of which `public_key` is shown.",
    )
    passphrase = serializers.CharField(
        required=False, allow_blank=True, write_only=True, trim_whitespace=False
    )
    certificate = serializers.CharField(required=False, allow_blank=True, write_only=True)
    password = serializers.CharField(
        required=False, allow_blank=True, write_only=True, trim_whitespace=False
    )
    jump = serializers.IntegerField(required=False, allow_null=True, default=None)
    sudo = serializers.BooleanField(default=False)
    tags = serializers.ListField(child=serializers.CharField(max_length=50), default=list)
    folder = serializers.CharField(max_length=500, default=WORKING_FOLDER)
    allowed = serializers.ListField(child=serializers.CharField(max_length=500), default=list)
    readable = serializers.ListField(child=serializers.CharField(max_length=500), default=list)
    servers = serializers.ListField(child=serializers.CharField(max_length=253), default=list)
    old_algorithms = serializers.BooleanField(default=False)


def written_target(target: Target, data: dict[str, Any], by: User) -> Target:
    """Save the data over what is there; Refused names the field."""
    secret = {name: data.get(name, "") for name in _SECRETS}
    known = login_values(target)
    values = known | {name: data[name] for name in data if name in known}
    if data.get("make_key"):
        secret, values["method"] = {"key": new_private_key()}, Target.Method.KEY
    if data.get("jump") is not None:
        values["jump"] = targets_by_id([data["jump"]], "jump")[data["jump"]]
    return save_target(target, Login(secret=secret, **values), by)


class FingerprintSerializer(serializers.Serializer[Any]):
    """The fingerprint that was compared: `SHA256:…`."""

    fingerprint = serializers.CharField(max_length=100)


WHOLE = Target.objects.select_related("host", "jump", "pinned_by")


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
        """Another login; a check is requested."""
        data = validated(TargetFormSerializer, request.data)
        host = get_object_or_404(Host, pk=pk)
        made = written_target(Target(host=host), data, user_of(request))
        request_check(made, user_of(request))
        return Response(TargetSerializer(found_target(made.pk)).data, status=201)


class OneTarget(RetrieveAPIView[Target]):
    """A target and what its last check found."""

    reads = Role.VIEWER
    writes = Role.ADMIN
    serializer_class = TargetSerializer
    queryset = WHOLE

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
        data = validated(TargetFormSerializer, request.data, partial=True)
        written_target(self.get_object(), data, user_of(request))
        return self.retrieve(request)

    @extend_schema(
        operation_id="targets_remove",
        responses={
            204: None,
            422: OpenApiResponse(ProblemSerializer, "Jobs ran on it, or others go through it."),
        },
    )
    def delete(self, request: Request, pk: int) -> Response:
        """Remove a target that nothing hangs on."""
        remove_target(self.get_object(), user_of(request))
        return Response(status=204)


class CheckSerializer(serializers.Serializer[Any]):
    """A path below which the storage is looked at and recorded, with the machine; may be empty."""

    path = serializers.CharField(max_length=500, allow_blank=True, default="")


class CheckTarget(APIView):
    """The check of one target."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="targets_check",
        request=CheckSerializer,
        responses={
            202: TargetSerializer,
            422: OpenApiResponse(ProblemSerializer, "The path is none."),
        },
    )
    def post(self, request: Request, pk: int) -> Response:
        """Ask a worker to log in and look: the answer is there when `standing` is not `checking`."""
        path = validated(CheckSerializer, request.data)["path"]
        request_check(found_target(pk), user_of(request), path)
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
        fingerprint = validated(FingerprintSerializer, request.data)["fingerprint"]
        approve_key(found_target(pk), fingerprint, user_of(request))
        return Response(TargetSerializer(found_target(pk)).data)


def found_target(pk: int) -> Target:
    """The target of that number."""
    return get_object_or_404(WHOLE, pk=pk)
