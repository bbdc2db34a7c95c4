"""How records stand in JSON: the parts that several endpoints share."""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import Any

from django.db.models import Prefetch
from django.urls import get_script_prefix, reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from benchdash.accounts.roles import Role, role_of
from benchdash.results.ids import LARGEST_ID
from benchdash.results.language import in_language
from benchdash.results.models import Note

SETTING = {"oneOf": [{"type": "number"}, {"type": "boolean"}, {"type": "string", "maxLength": 200}]}
SETTINGS = {"type": "object", "additionalProperties": SETTING}


class IdField(serializers.IntegerField):
    """The number of a record, as it is sent."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **options)


class FiniteField(serializers.FloatField):
    """A number; no “nan” and no “inf”, which no bounds keep out."""

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if not isfinite(value):
            self.fail("invalid")
        return value


class SentenceField(serializers.CharField):
    """A sentence, stored in English, in the language of the request."""

    def to_representation(self, value: object) -> str:
        return in_language(value)


class _SettingField(serializers.Field[Any, Any, Any, Any]):
    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | int | float):
            raise serializers.ValidationError(_("A setting is a number, text, or true or false."))
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class SettingsField(serializers.DictField):
    """What else was set, by name; in a form `setting.guests=4`."""

    child = extend_schema_field(SETTING)(_SettingField)()


_STAND_IN = "1234567890"


def address_of(name: str, pk: int) -> str:
    """The same as `reverse`, which searches all patterns once for each name and not for each record."""
    before, after = _around(name, get_script_prefix())
    return f"{before}{pk}{after}"


@cache
def _around(name: str, _prefix: str) -> tuple[str, str]:
    before, _, after = reverse(name, args=[_STAND_IN]).partition(_STAND_IN)
    return before, after


ANNOTATIONS = ("tags", "remarks")


class RemarkSerializer(serializers.ModelSerializer[Note]):
    """A note: Markdown, with who and when; visitors do not see who."""

    created_by = serializers.SerializerMethodField()
    changed_by = serializers.SerializerMethodField()

    class Meta:
        model = Note
        fields = ("id", "text", "created_at", "created_by", "changed_at", "changed_by")
        read_only_fields = fields

    def get_created_by(self, note: Note) -> str | None:
        return self._name(note.created_by)

    def get_changed_by(self, note: Note) -> str | None:
        return self._name(note.changed_by)

    def _name(self, person: Any) -> str | None:
        shown = role_of(self.context["request"].user) >= Role.VIEWER
        return str(person) if person and shown else None


class TaggedSerializer(serializers.Serializer[Any]):
    """A record in a list, with its own tags."""

    tags = serializers.SlugRelatedField(  # type: ignore[var-annotated]
        slug_field="name", many=True, read_only=True
    )


class AnnotatedSerializer(TaggedSerializer):
    """A whole record, with its notes too."""

    remarks = RemarkSerializer(many=True, read_only=True)


def remarks() -> Prefetch[Any]:
    """The notes of records with their writers: one query."""
    return Prefetch("remarks", Note.objects.select_related("created_by", "changed_by"))
