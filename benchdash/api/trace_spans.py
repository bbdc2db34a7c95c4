"""`/api/v1/runs/over-time/`: a span of what runs did, for charts that are zoomed."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.fields import FiniteField
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated_query
from benchdash.errors import Refused
from benchdash.results.language import in_language
from benchdash.results.models import Run
from benchdash.results.parameters import CLOCKS, read_ids_of, read_measure
from benchdash.results.trace_spans import MOST_STRETCHES, MOST_TRACES, Span, SpanOfRun, span_of

_POINTS = {
    "type": "array",
    "items": {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
    "description": "Seconds since the run began; lowest, mean and highest of the points there.",
}


class SpanQuerySerializer(serializers.Serializer[Any]):
    """Which runs, which measure, from when to when."""

    run = serializers.CharField(help_text="Numbers of runs, with commas between them.")
    measure = serializers.CharField(help_text="rand_read.iops")
    from_s = FiniteField(help_text="Seconds, as `clock` counts them.")
    until_s = FiniteField()
    clock = serializers.ChoiceField(
        choices=CLOCKS, default="start", help_text="wall: seconds since 1970."
    )


class SpanLineSerializer(serializers.Serializer[Any]):
    """A trace of a run within the span."""

    run = serializers.IntegerField()
    measured = serializers.IntegerField(
        source="points",
        help_text="Points that stretches are made of; with one each, these are all.",
    )
    stretches = serializers.SerializerMethodField()

    @extend_schema_field(_POINTS)
    def get_stretches(self, line: SpanOfRun) -> list[tuple[float, ...]]:
        return [tuple(each) for each in line.stretches]


class SpanSerializer(serializers.Serializer[Any]):
    """The lines, in the order in which the traces were stored."""

    lines = SpanLineSerializer(many=True)


class RunsOverTime(APIView):
    """Runs over time, as fine as a chart can show a span of them."""

    reads = Role.VISITOR

    @extend_schema(
        operation_id="runs_over_time",
        description=(
            f"A span of at most {MOST_TRACES} traces, each in {MOST_STRETCHES} stretches or less: "
            "of a short span these are the points themselves."
        ),
        parameters=[SpanQuerySerializer],
        responses={200: SpanSerializer, 400: ProblemSerializer},
    )
    def get(self, request: Request) -> Response:
        """What comparisons draw when one zooms into their courses over time."""
        query = validated_query(SpanQuerySerializer, request)
        try:
            wanted = read_ids_of([query["run"]], "run")
            measure = read_measure(f"{query['measure']}.mean")
        except Refused as refused:
            raise ValidationError({refused.field: in_language(refused.sentence)}) from refused
        runs = list(Run.objects.filter(pk__in=wanted, deleted_at=None)[:MOST_TRACES])
        span = Span(query["from_s"], query["until_s"], query["clock"] == "wall")
        found = span_of(runs, measure.operation, measure.metric, span)
        return Response(SpanSerializer({"lines": found}).data)
