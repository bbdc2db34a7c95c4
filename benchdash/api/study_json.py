"""How studies stand in JSON, and what is sent for one."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from benchdash.api.annotated import AnnotatedSerializer, TaggedSerializer
from benchdash.results.criteria import read_query
from benchdash.results.factors import read_factor
from benchdash.results.models import Condition, Study


class ConfigurationNameSerializer(serializers.Serializer[Any]):
    """A configuration by id and name."""

    id = serializers.IntegerField()
    name = serializers.CharField()


class EnvironmentNameSerializer(serializers.Serializer[Any]):
    """An environment by id and its newest name."""

    id = serializers.IntegerField()
    name = serializers.CharField(source="newest_name", allow_null=True)


class ConditionSerializer(serializers.ModelSerializer[Condition]):
    """A configuration (in an environment) that the study compares, measured already or not."""

    configuration = ConfigurationNameSerializer()
    environment = EnvironmentNameSerializer(allow_null=True)

    class Meta:
        model = Condition
        fields = ("label", "configuration", "environment", "is_baseline")


class StudySerializer(TaggedSerializer, serializers.ModelSerializer[Study]):
    """A study in a list."""

    url = serializers.HyperlinkedIdentityField(view_name="api:study", lookup_field="slug")
    factors = serializers.ListField(child=serializers.CharField())
    condition_count = serializers.IntegerField()

    class Meta:
        model = Study
        fields: tuple[str, ...] = (
            *("id", "url", "slug", "title", "question", "factors", "source_url"),
            *("condition_count", "created_at", "tags"),
        )
        read_only_fields = fields


class TranslationSerializer(serializers.Serializer[Any]):
    """The words of a study in another language."""

    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    question = serializers.CharField(required=False, allow_blank=True)
    words = serializers.CharField(required=False, allow_blank=True)
    labels = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="By a condition's label."
    )


class TranslationsSerializer(serializers.Serializer[Any]):
    """By language."""

    ja = TranslationSerializer(required=False)


class WholeStudySerializer(StudySerializer, AnnotatedSerializer):
    """One study with its words and its conditions; `charts` are addresses of the compare page."""

    translations = TranslationsSerializer()
    charts = serializers.ListField(child=serializers.CharField())
    conditions = ConditionSerializer(many=True)

    class Meta(StudySerializer.Meta):
        fields = (
            *StudySerializer.Meta.fields,
            *("words", "translations", "charts", "conditions", "remarks"),
        )
        read_only_fields = fields


class ConditionFormSerializer(serializers.Serializer[Any]):
    """A condition by the names of its records."""

    configuration = serializers.CharField()
    environment = serializers.CharField(required=False, allow_blank=True)
    label = serializers.CharField(  # type: ignore[assignment]  # DRF takes fields off the class
        required=False, allow_blank=True, max_length=200
    )
    is_baseline = serializers.BooleanField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        # DRF asks no field of a row within a change for its presence
        if "configuration" not in attrs:
            sentence = self.fields["configuration"].error_messages["required"]
            raise serializers.ValidationError({"configuration": sentence})
        return attrs


class StudyFormSerializer(serializers.Serializer[Any]):
    """What is sent for a new study, or for a change; the conditions are added to those there."""

    title = serializers.CharField(max_length=200)
    question = serializers.CharField(required=False, allow_blank=True)
    words = serializers.CharField(required=False, allow_blank=True, help_text="Markdown.")
    translations = TranslationsSerializer(required=False)
    source_url = serializers.URLField(required=False, allow_blank=True)
    factors = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="layer.drbd.protocol …"
    )
    charts = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Query strings of /compare/."
    )
    conditions = ConditionFormSerializer(many=True, required=False)

    def validate_factors(self, factors: list[str]) -> list[str]:
        return [str(read_factor(factor, "factors")) for factor in factors]

    def validate_charts(self, charts: list[str]) -> list[str]:
        for chart in charts:
            read_query(chart)
        return charts
