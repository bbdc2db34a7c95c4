"""Tags and notes as they stand in the JSON of runs, configurations and studies."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from rest_framework import serializers

from benchdash.accounts.roles import Role, role_of
from benchdash.results.models import Note

ANNOTATIONS = ("tags", "remarks")


class RemarkSerializer(serializers.ModelSerializer[Note]):
    """A note: Markdown, with who and when; visitors are not told who."""

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
        told = role_of(self.context["request"].user) >= Role.VIEWER
        return str(person) if person and told else None


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
