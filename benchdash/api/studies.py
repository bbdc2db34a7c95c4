"""`/api/v1/studies/`: questions, and the conditions that they compare."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Count, Prefetch
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.generics import GenericAPIView, ListAPIView, RetrieveAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from benchdash.accounts.roles import Role
from benchdash.api.fields import AnnotatedSerializer, FiniteField, TaggedSerializer, remarks
from benchdash.api.filters import DeletedFilters
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import NewestFirst, validated
from benchdash.inventory.queries import configuration_named, environment_named, environments
from benchdash.results.criteria import read_query
from benchdash.results.factors import read_factor
from benchdash.results.models import Condition, Study
from benchdash.results.parameters import LARGEST_DELTA, SMALLEST_DELTA
from benchdash.results.records import (
    add_condition,
    choose_baseline,
    delete_study,
    restore_study,
    write_study,
)


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


class SeriesWordsSerializer(serializers.Serializer[Any]):
    """The title of a series, and a text about it."""

    title = serializers.CharField(required=False, allow_blank=True)
    words = serializers.CharField(required=False, allow_blank=True)


class TranslationSerializer(serializers.Serializer[Any]):
    """The words of a study in another language."""

    title = serializers.CharField(required=False, allow_blank=True, max_length=200)
    question = serializers.CharField(required=False, allow_blank=True)
    words = serializers.CharField(required=False, allow_blank=True)
    published_as = serializers.CharField(required=False, allow_blank=True, max_length=100)
    labels = serializers.DictField(
        child=serializers.CharField(), required=False, help_text="By a condition's label."
    )
    series = serializers.DictField(
        child=SeriesWordsSerializer(), required=False, help_text="By the setting `series`."
    )


class TranslationsSerializer(serializers.Serializer[Any]):
    """By language."""

    ja = TranslationSerializer(required=False)


class WholeStudySerializer(StudySerializer, AnnotatedSerializer):
    """One study with its words and its conditions; `charts` are addresses of the compare page."""

    translations = TranslationsSerializer()
    charts = serializers.ListField(child=serializers.CharField())
    series = serializers.DictField(
        child=SeriesWordsSerializer(), help_text="By the setting `series` of their runs."
    )
    measured_by = serializers.DictField(
        help_text="`recipe`, and where it says so `parameters`, `factors` and `roles` of its plans."
    )
    conditions = ConditionSerializer(many=True)

    class Meta(StudySerializer.Meta):
        fields = (
            *StudySerializer.Meta.fields,
            *("words", "translations", "published_as", "series", "charts", "delta"),
            *("measured_by", "conditions", "remarks", "deleted_at"),
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
    published_as = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=100,
        help_text="What the published results are called beside one's own: author, 2008.",
    )
    factors = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="layer.drbd.protocol …"
    )
    charts = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="Query strings of /compare/."
    )
    delta = FiniteField(
        required=False,
        allow_null=True,
        min_value=SMALLEST_DELTA,
        max_value=LARGEST_DELTA,
        help_text="The smallest difference that matters, in percent; null: the installation's.",
    )
    conditions = ConditionFormSerializer(many=True, required=False)

    def validate_factors(self, factors: list[str]) -> list[str]:
        return [str(read_factor(factor, "factors")) for factor in factors]

    def validate_charts(self, charts: list[str]) -> list[str]:
        for chart in charts:
            read_query(chart)
        return charts


LISTED = Study.objects.annotate(condition_count=Count("conditions")).prefetch_related("tags")
CONDITIONS = Condition.objects.select_related("configuration").prefetch_related(
    Prefetch("environment", environments())
)
WHOLE = LISTED.prefetch_related(Prefetch("conditions", CONDITIONS), remarks())


class StudyFilter(DeletedFilters):
    """Those that are there, or those that were deleted."""

    class Meta:
        model = Study
        fields: tuple[str, ...] = ()


class Studies(ListAPIView[Study]):
    """Studies, newest first, a page at a time."""

    reads = Role.VISITOR
    serializer_class = StudySerializer
    pagination_class = NewestFirst
    filterset_class = StudyFilter
    queryset = LISTED

    @extend_schema(
        operation_id="studies_create",
        request=StudyFormSerializer,
        responses={
            201: WholeStudySerializer,
            422: OpenApiResponse(ProblemSerializer, "A name is not known, or the title is taken."),
        },
    )
    def post(self, request: Request) -> Response:
        """Ask a question, with the conditions that are to answer it."""
        made = _write(Study(), validated(StudyFormSerializer, request.data))
        whole = WholeStudySerializer(WHOLE.get(pk=made.pk), context={"request": request})
        return Response(whole.data, status=201)


class OneStudy(RetrieveAPIView[Study]):
    """A study with its words and its conditions."""

    reads = Role.VISITOR
    serializer_class = WholeStudySerializer
    queryset = WHOLE
    lookup_field = "slug"

    @extend_schema(
        operation_id="studies_change",
        request=StudyFormSerializer(partial=True),
        responses={
            200: WholeStudySerializer,
            422: OpenApiResponse(ProblemSerializer, "A name is not known, or the title is taken."),
        },
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Other words, more conditions."""
        study = get_object_or_404(Study, slug=slug)
        _write(study, validated(StudyFormSerializer, request.data, partial=True))
        return self.retrieve(request)

    @extend_schema(operation_id="studies_delete", responses={204: None})
    def delete(self, request: Request, slug: str) -> Response:
        """Hide a study; its runs stay, and it can be restored for 30 days, longer while it has runs."""
        delete_study(self.get_object())
        return Response(status=204)


class RestoreStudy(GenericAPIView[Study]):
    """A deleted study, brought back."""

    serializer_class = WholeStudySerializer
    queryset = WHOLE
    lookup_field = "slug"

    @extend_schema(operation_id="studies_restore", request=None, responses=WholeStudySerializer)
    def post(self, request: Request, slug: str) -> Response:
        """Bring a deleted study back."""
        restore_study(self.get_object())
        return Response(self.get_serializer(self.get_object()).data)


@transaction.atomic
def _write(study: Study, data: dict[str, Any]) -> Study:
    conditions = data.pop("conditions", [])
    study = write_study(study, **data)
    for condition in conditions:
        environment = condition.get("environment")
        added = add_condition(
            study,
            configuration_named(condition["configuration"]),
            environment_named(environment) if environment else None,
            condition.get("label", ""),
        )
        if condition.get("is_baseline"):
            choose_baseline(added)
    return study
