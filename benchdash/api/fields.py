"""How records stand in JSON: the parts that several endpoints share."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from benchdash.results.ids import LARGEST_ID
from benchdash.results.language import in_language


class IdField(serializers.IntegerField):
    """The number of a record, as it is sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **options)


class SentenceField(serializers.CharField):
    """What was said in English, in the language that the request asks for."""

    def to_representation(self, value: object) -> str:
        return in_language(value)
