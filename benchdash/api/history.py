"""`/api/v1/history/`: results over time, of whatever runs the filters choose."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.fields import SentenceField
from benchdash.api.filters import RUN_FILTERS, run_query_in
from benchdash.api.problems import ProblemSerializer
from benchdash.errors import Refused
from benchdash.results.history import MOST_SAMPLES, History, SeriesHistory, history_of
from benchdash.results.language import in_language
from benchdash.results.parameters import read_measure
from benchdash.vocabulary.measures import METRICS

_OWN = ("series", "measure", "format")


class StandingDoubtSerializer(serializers.Serializer[Any]):
    """What speaks against a sample: its kind, and a sentence for people."""

    kind = serializers.CharField()
    sentence = SentenceField()


class HistoryPointSerializer(serializers.Serializer[Any]):
    """One sample, by its first run and all of its `runs`."""

    run = serializers.IntegerField()
    runs = serializers.ListField(child=serializers.IntegerField())
    at = serializers.DateTimeField()
    stored = serializers.BooleanField(help_text="The output has no date: `at` is that of storing.")
    value = serializers.FloatField(help_text="In the unit of the figure.")
    version = serializers.CharField()
    environment = serializers.IntegerField(allow_null=True)
    doubts = StandingDoubtSerializer(many=True)


class HistoryLineSerializer(serializers.Serializer[Any]):
    """Samples that were set up alike, the oldest first; the label says what lines differ in."""

    label = serializers.CharField()  # type: ignore[assignment]  # DRF keeps its own apart
    points = HistoryPointSerializer(many=True)


class ChangedFactSerializer(serializers.Serializer[Any]):
    """One fact, or the version of the tool."""

    title = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class ChangeOnHostSerializer(serializers.Serializer[Any]):
    """What changed on a host between the sample at `since` and that of `run`, at `at`."""

    run = serializers.IntegerField()
    since = serializers.DateTimeField()
    at = serializers.DateTimeField()
    host = serializers.CharField(help_text="Empty: unknown.")
    environments = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="Before and after."
    )
    what = ChangedFactSerializer(many=True)


class SeriesSerializer(serializers.Serializer[Any]):
    """One workload by one tool, and how many samples match."""

    key = serializers.CharField()
    tool = serializers.CharField()
    name = serializers.CharField()
    samples = serializers.IntegerField()


class HistoryFigureSerializer(serializers.Serializer[Any]):
    """A series in one measure; `left_out` counts the lines beyond the tenth."""

    series = serializers.CharField(source="series.key", help_text="Key of the series.")
    measure = serializers.CharField()
    unit = serializers.SerializerMethodField()
    lines = HistoryLineSerializer(many=True)
    changes = ChangeOnHostSerializer(many=True)
    left_out = serializers.IntegerField()

    def get_unit(self, figure: SeriesHistory) -> str:
        return METRICS[figure.measure.metric].unit


class HistorySerializer(serializers.Serializer[Any]):
    """All series, the figures of those that were requested, and what else they have been measured in."""

    series = SeriesSerializer(many=True)
    figures = HistoryFigureSerializer(many=True, source="drawn")
    measures = serializers.SerializerMethodField()
    not_counted = serializers.DictField(
        child=serializers.IntegerField(), help_text="Samples, by reason."
    )
    older = serializers.BooleanField(help_text="There are samples before those that were read.")

    def get_measures(self, history: History) -> list[str]:
        return [str(one) for one in (*history.headlines, *history.measures)]


class HistoryOfRuns(APIView):
    """Results over time."""

    reads = Role.VISITOR

    @extend_schema(
        operation_id="history",
        description=(
            f"The newest {MOST_SAMPLES} samples of the runs that the filters choose, like with "
            "like, and what changed meanwhile: of one series, else of the four with most samples."
        ),
        parameters=[
            OpenApiParameter("series", OpenApiTypes.STR, description="Key of a series."),
            OpenApiParameter(
                "measure",
                OpenApiTypes.STR,
                description="Where a series has it; else the first headline of its tool.",
            ),
            *RUN_FILTERS,
        ],
        responses={200: HistorySerializer, 400: ProblemSerializer},
    )
    def get(self, request: Request) -> Response:
        """The history of a configuration, a host, a recipe, or of any runs."""
        own = {name: request.GET.get(name, "").strip() for name in _OWN}
        run_query = run_query_in(request.GET, _OWN)
        try:
            measure = read_measure(own["measure"]) if own["measure"] else None
            found = history_of(run_query, own["series"], measure)
        except Refused as refused:
            raise ValidationError({refused.field: in_language(refused.sentence)}) from refused
        return Response(HistorySerializer(found).data)
