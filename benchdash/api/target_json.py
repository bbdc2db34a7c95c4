"""How targets stand in JSON: what is secret is taken, and given to nobody."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from benchdash.accounts.models import User
from benchdash.api.fields import SentenceField
from benchdash.jobs.models import Target
from benchdash.jobs.models.target import WORKING_FOLDER
from benchdash.jobs.targets import Login, save_target

_SECRETS = ("key", "passphrase", "certificate", "password")


class LineSerializer(serializers.Serializer[Any]):
    """One finding; `ok` is null where it is neither good nor bad."""

    name = SentenceField()
    ok = serializers.BooleanField(allow_null=True)
    text = SentenceField()
    mend = SentenceField()


class CapturedSerializer(serializers.Serializer[Any]):
    """What was recorded where the check was asked to look at the storage under a path."""

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
            *("tags", "folder", "allowed", "old_algorithms", "standing", "fingerprint"),
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
    old_algorithms = serializers.BooleanField(default=False)


def written_target(target: Target, said: dict[str, Any], by: User) -> Target:
    """Save what was said over what is there; Refused names the field."""
    plain = ("address", "port", "user", "method", "sudo", "folder", "old_algorithms")
    now = {name: getattr(target, name) for name in (*plain, "tags", "allowed")}
    now["jump"] = target.jump_id
    words = now | said
    jump = words["jump"]
    login = Login(
        **{name: words[name] for name in plain},
        jump=None if jump is None else get_object_or_404(Target, pk=jump),
        secret={name: words.get(name, "") for name in _SECRETS},
        tags=tuple(words["tags"]),
        allowed=tuple(words["allowed"]),
    )
    return save_target(target, login, by)
