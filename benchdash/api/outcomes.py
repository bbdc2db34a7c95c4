"""What became of a file, as JSON: docs/api.md explains each member."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from benchdash.api.addresses import address_of
from benchdash.api.problems import ProblemSerializer
from benchdash.api.records import BriefRunSerializer, brief_run_as_json
from benchdash.results.language import in_language
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


class OutcomeSerializer(serializers.Serializer[Any]):
    """One file, or one member of an archive: what `outcome_as_json` gives."""

    id = serializers.IntegerField()
    url = serializers.URLField()
    name = serializers.CharField()
    archive = serializers.CharField()
    sha256 = serializers.CharField()
    outcome = serializers.ChoiceField(choices=Upload.Outcome.choices)
    sentence = serializers.CharField()
    recognised = RecognisedSerializer(many=True)
    runs = BriefRunSerializer(many=True)
    differs = serializers.ListField(child=serializers.CharField())
    put_aside = AsideSerializer(allow_null=True)


_ASIDE = AsideSerializer()


def outcome_as_json(outcome: Outcome) -> dict[str, Any]:
    """By hand: serializers walk through their fields for a twentieth of the time of an upload."""
    upload = outcome.upload
    return {
        "id": upload.pk,
        "url": address_of("api:upload", upload.pk),
        "name": upload.name,
        "archive": upload.archive.name if upload.archive else "",
        "sha256": outcome.sha256,
        "outcome": upload.outcome,
        "sentence": in_language(outcome.sentence),
        "recognised": [each._asdict() for each in outcome.recognised],
        "runs": [brief_run_as_json(run) for run in outcome.runs],
        "differs": outcome.differs,
        "put_aside": _ASIDE.to_representation(upload) if upload.put_aside_at else None,
    }


class UploadSerializer(OutcomeSerializer):
    """One upload as it stands now; an archive has the outcomes of its members."""

    members = OutcomeSerializer(many=True)


class OutcomesSerializer(serializers.Serializer[Any]):
    """Several files, or an archive."""

    outcomes = OutcomeSerializer(many=True)


class UnreadableSerializer(ProblemSerializer, OutcomeSerializer):
    """A problem document that is an outcome too: the bytes are kept."""
