"""How records stand in JSON: the parts that several endpoints share."""

from __future__ import annotations

from rest_framework import serializers

from benchdash.results.language import in_language


class SentenceField(serializers.CharField):
    """What was said in English, in the language that the request asks for."""

    def to_representation(self, value: object) -> str:
        return in_language(value)
