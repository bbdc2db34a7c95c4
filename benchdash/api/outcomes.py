"""What became of a file, as JSON: docs/api.md explains each member."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

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


class OutcomeSerializer(serializers.Serializer[Outcome]):
    """One file, or one member of an archive."""

    id = serializers.IntegerField(source="upload.pk")
    url: serializers.HyperlinkedRelatedField[Upload] = serializers.HyperlinkedRelatedField(
        source="upload", view_name="api:upload", read_only=True
    )
    name = serializers.CharField(source="upload.name")
    archive = serializers.CharField(source="upload.archive.name", default="")
    sha256 = serializers.CharField()
    outcome = serializers.ChoiceField(source="upload.outcome", choices=Upload.Outcome.choices)
    sentence = serializers.CharField()
    recognised = RecognisedSerializer(many=True)
    runs = BriefRunSerializer(many=True)
    differs = serializers.ListField(child=serializers.CharField())


class UploadSerializer(OutcomeSerializer):
    """One upload as it stands now; an archive has the outcomes of its members."""

    members = OutcomeSerializer(many=True)


class OutcomesSerializer(serializers.Serializer[Any]):
    """Several files, or an archive."""

    outcomes = OutcomeSerializer(many=True)


class UnreadableSerializer(ProblemSerializer, OutcomeSerializer):
    """A problem document that is an outcome too: the bytes are kept."""
