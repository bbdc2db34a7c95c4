"""What became of a file, as JSON: docs/api.md explains each member."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from benchdash.api.fields import SentenceField
from benchdash.api.problems import ProblemSerializer
from benchdash.api.records import BriefRunSerializer
from benchdash.results.models import Upload
from benchdash.results.outcomes import Outcome


class RecognisedSerializer(serializers.Serializer[Any]):
    """A tool that was found in the file, and how many results of it."""

    tool = serializers.CharField()
    tool_version = serializers.CharField()
    format = serializers.CharField()
    results = serializers.IntegerField()


class AsideSerializer(serializers.Serializer[Upload]):
    """Who said when, and perhaps why, that a refused file needs no attention any more."""

    at = serializers.DateTimeField(source="put_aside_at")
    by = serializers.CharField(source="put_aside_by.username", default=None, allow_null=True)
    reason = serializers.CharField(source="put_aside_reason")


class OutcomeSerializer(serializers.Serializer[Outcome]):
    """One file, or one member of an archive."""

    id = serializers.IntegerField(source="upload.pk")
    url = serializers.SerializerMethodField()
    name = serializers.CharField(source="upload.name")
    archive = serializers.CharField(source="upload.archive.name", default="")
    sha256 = serializers.CharField()
    outcome = serializers.ChoiceField(source="upload.outcome", choices=Upload.Outcome.choices)
    sentence = SentenceField()
    recognised = RecognisedSerializer(many=True)
    runs = BriefRunSerializer(many=True)
    differs = serializers.ListField(child=serializers.CharField())
    put_aside = serializers.SerializerMethodField()

    @extend_schema_field(serializers.URLField())
    def get_url(self, outcome: Outcome) -> str:
        return reverse("api:upload", args=[outcome.upload.pk])

    @extend_schema_field(AsideSerializer(allow_null=True))
    def get_put_aside(self, outcome: Outcome) -> dict[str, Any] | None:
        aside = outcome.upload.put_aside_at is not None
        return _ASIDE.to_representation(outcome.upload) if aside else None


_ONE = OutcomeSerializer()  # building their fields takes longer than what they are for
_ASIDE = AsideSerializer()


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """What `OutcomeSerializer` describes."""
    return _ONE.to_representation(outcome)


class UploadSerializer(OutcomeSerializer):
    """One upload as it stands now; an archive has the outcomes of its members."""

    members = OutcomeSerializer(many=True)


class OutcomesSerializer(serializers.Serializer[Any]):
    """Several files, or an archive."""

    outcomes = OutcomeSerializer(many=True)


class UnreadableSerializer(ProblemSerializer, OutcomeSerializer):
    """A problem document that is an outcome too: the bytes are kept."""
