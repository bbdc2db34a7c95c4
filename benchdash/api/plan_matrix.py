"""`/api/v1/plans/{id}/matrix/` and `…/commands/`: what was measured in each cell, and what each runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.jobs import StepSerializer
from benchdash.api.requests import validated_query
from benchdash.errors import N_, Refused
from benchdash.jobs import matrix
from benchdash.jobs.making import commands
from benchdash.jobs.models import Plan
from benchdash.jobs.stretches import levels_of_cell
from benchdash.recipes.cells import MOST_JOBS
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.near import near

COMMANDS_A_PAGE = 100


class MatrixCellSerializer(serializers.Serializer[Any]):
    """How many rounds of a cell are measured, on a host now, and over without a result; its median."""

    cell = serializers.IntegerField()
    levels = serializers.DictField(help_text="By factor.")
    done = serializers.IntegerField()
    running = serializers.IntegerField()
    failed = serializers.IntegerField()
    n = serializers.IntegerField(help_text="Samples with this measure.")
    median = serializers.FloatField(allow_null=True, help_text="In the unit of the measure.")


class PlanMatrixSerializer(serializers.Serializer[Any]):
    """The cells of a plan by number, and which measures and parts of their output there are."""

    measure = serializers.CharField(allow_null=True)
    unit = serializers.CharField(allow_null=True)
    part = serializers.CharField(allow_null=True)
    measures = serializers.ListField(child=serializers.CharField())
    parts = serializers.ListField(child=serializers.CharField())
    cells = MatrixCellSerializer(many=True)


class MatrixQuerySerializer(serializers.Serializer[Any]):
    """What is shown of a matrix."""

    measure = serializers.CharField(
        default="",
        help_text="One of `measures`, the first without it; `*` as its operation is that of each "
        "cell, where cells do different things.",
    )
    part = serializers.CharField(default="", help_text="One of `parts`: a step, or a result of it.")


class CommandsQuerySerializer(serializers.Serializer[Any]):
    """Which jobs."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """`from`, which no field of a class can be called."""
        first = serializers.IntegerField(
            min_value=1, max_value=MOST_JOBS, default=1, help_text="The position of the first job."
        )
        return {"from": first}


class CommandsSerializer(serializers.Serializer[Any]):
    """A job with its commands, made (`id`) or not yet."""

    id = serializers.IntegerField(source="job.pk", allow_null=True)
    position = serializers.IntegerField(source="job.position")
    cell = serializers.IntegerField(source="job.cell")
    round = serializers.IntegerField(source="job.round")
    title = serializers.CharField(source="job.title")
    values = serializers.DictField(source="job.values")
    expected_s = serializers.FloatField(source="job.expected_s", allow_null=True)
    steps = StepSerializer(many=True)


class PlanMatrix(APIView):
    """The matrix of one plan."""

    reads = Role.VIEWER

    @extend_schema(
        operation_id="plans_matrix",
        parameters=[MatrixQuerySerializer],
        responses=PlanMatrixSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """The median of every cell in one measure, and how far it is."""
        plan = get_object_or_404(Plan, pk=pk)
        query = validated_query(MatrixQuerySerializer, request)
        offer = matrix.offer_of(plan, query["part"], query["measure"])
        _refuse_other(query, "part", [part.key for part in offer.parts])
        _refuse_other(query, "measure", [str(measure) for measure in offer.measures])
        values = (
            matrix.values_of(plan, offer.part, offer.measure)
            if offer.part and offer.measure
            else {}
        )
        found = matrix.cell_counts(plan)
        middle = matrix.medians(values)
        cells = [
            {
                "cell": number,
                "levels": levels_of_cell(plan, number),
                **_counts(found.get(number, matrix.CellCounts())),
                "n": len(values.get(number, ())),
                "median": middle.get(number),
            }
            for number in range(1, plan.cell_count + 1)
        ]
        return Response(
            {
                "measure": str(offer.measure) if offer.measure else None,
                "unit": METRICS[offer.measure.metric].unit if offer.measure else None,
                "part": offer.part.key if offer.part else None,
                "measures": [str(measure) for measure in offer.measures],
                "parts": [part.key for part in offer.parts],
                "cells": cells,
            }
        )


def _refuse_other(query: Mapping[str, str], name: str, known: Collection[str]) -> None:
    value = query[name]
    if value and value not in known:
        sentence = N_("This plan has no {name} “{value}”.", name=name, value=value)
        raise Refused(near(sentence, value, known, known), name)


def _counts(counts: matrix.CellCounts) -> dict[str, int]:
    return {"done": counts.done, "running": counts.running, "failed": counts.failed}


class PlanCommands(APIView):
    """The commands of one plan."""

    reads = Role.VIEWER

    @extend_schema(
        operation_id="plans_commands",
        parameters=[CommandsQuerySerializer],
        responses=CommandsSerializer(many=True),
    )
    def get(self, request: Request, pk: int) -> Response:
        """100 jobs in their order, those that are not made yet with the commands that they will have."""
        plan = get_object_or_404(Plan, pk=pk)
        first = validated_query(CommandsQuerySerializer, request)["from"]
        shown = commands(plan, first, COMMANDS_A_PAGE)
        return Response(CommandsSerializer(shown, many=True).data)
