"""`/api/v1/compare/`, also as CSV and Markdown: same query string as the compare page, same answer.

Curves and traces, which no table of groups holds, are files of their own (`…/percentiles.csv`,
`…/traces.csv`), of runs and permalinks too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import content_disposition_header
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.problems import ProblemSerializer
from benchdash.api.runs import runs_for
from benchdash.results.comparison import compare
from benchdash.results.comparison.export import (
    as_csv,
    as_markdown,
    percentiles_as_csv,
    traces_as_csv,
)
from benchdash.results.comparison.view import ComparisonView, as_json
from benchdash.results.criteria import Criteria, read_criteria
from benchdash.results.models import Permalink, Run
from benchdash.results.parameters import PARAMETERS
from benchdash.results.permalinks import frozen
from benchdash.results.run_csv import run_percentiles_csv, run_traces_csv


class ComparisonSerializer(serializers.Serializer[ComparisonView]):
    """A `ComparisonView` whole: its classes are the schema, which is not repeated here."""

    def to_representation(self, instance: ComparisonView) -> dict[str, Any]:
        body: dict[str, Any] = as_json(instance)
        return body


class ComparisonDescription(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """A component for each class of the view model."""

    target_class = ComparisonSerializer

    def map_serializer(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        (root,), components = msgspec.json.schema_components(
            [ComparisonView], ref_template="#/components/schemas/{name}"
        )
        own = components.pop(root["$ref"].rpartition("/")[2])
        for name, schema in components.items():
            auto_schema.registry.register_on_missing(
                ResolvedComponent(  # type: ignore[no-untyped-call]
                    name=name,
                    type=ResolvedComponent.SCHEMA,
                    object=name,
                    schema=_as_openapi(schema),
                )
            )
        described: dict[str, Any] = _as_openapi(own)
        return described


def _as_openapi(schema: Any) -> Any:
    """JSON Schema 2020-12 as OpenAPI 3.0 has it: there, null is no type of its own."""
    if isinstance(schema, list):
        return [_as_openapi(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {key: _as_openapi(value) for key, value in schema.items()}
    if isinstance(found.get("title"), str):
        del found["title"]  # the name of a class, which is the component's; not a field `title`
    if {"type": "null"} not in schema.get("anyOf", ()):
        return found
    (kind,) = (one for one in found.pop("anyOf") if one != {"type": "null"})
    # beside a reference nothing else may stand
    return found | ({"allOf": [kind]} if "$ref" in kind else kind) | {"nullable": True}


class TextRenderer(BaseRenderer):
    """Text as it is; a problem document as the JSON that its content type says."""

    charset = "utf-8"

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return (data if isinstance(data, str) else json.dumps(data)).encode()


class CsvRenderer(TextRenderer):
    """For a spreadsheet."""

    media_type = "text/csv"
    format = "csv"


class MarkdownRenderer(TextRenderer):
    """For a page."""

    media_type = "text/markdown"
    format = "md"


RENDERERS = (JSONRenderer, CsvRenderer, MarkdownRenderer)
FORMAT = OpenApiParameter("format", OpenApiTypes.STR, enum=["json", "csv", "md"])
FILES = {(200, "text/csv"): OpenApiTypes.STR, (200, "text/markdown"): OpenApiTypes.STR}


def as_file(comparison: ComparisonView, kind: str, *, page: str) -> Response:
    """The comparison as a file of `kind` (csv, md) to save; `page` is where it is looked at."""
    text = as_csv(comparison) if kind == "csv" else as_markdown(comparison, address=page)
    name = f'attachment; filename="comparison.{kind}"'
    return Response(text, headers={"Content-Disposition": name})


_FREE = (
    "Also `layer.…`, `workload.…` and `environment.…` as names, e.g. `layer.drbd.protocol=C`, "
    "`workload.block_bytes=4096`, `environment.kernel=…`; `~` is the value of runs without one."
)
QUERY = [
    OpenApiParameter(name, OpenApiTypes.STR, many=parameter.many)
    for name, parameter in PARAMETERS.items()
]


class Compare(APIView):
    """Runs side by side."""

    reads = Role.VISITOR
    renderer_classes = RENDERERS

    @extend_schema(
        operation_id="compare",
        description=f"The data of the compare page at the same query string. {_FREE}",
        parameters=[*QUERY, FORMAT],
        responses={
            (200, "application/json"): ComparisonSerializer,
            **FILES,
            422: ProblemSerializer,
        },
    )
    def get(self, request: Request) -> Response:
        """A comparison; as JSON, CSV or Markdown."""
        criteria = criteria_of(request)
        view = compare(criteria, binary=getattr(request.user, "binary_units", False)).view
        wanted = request.accepted_renderer.format
        if wanted == "json":
            return Response(ComparisonSerializer(view).data)
        page = request.build_absolute_uri(f"{reverse('compare')}?{view.query}")
        return as_file(view, wanted, page=page)


def criteria_of(request: Request) -> Criteria:
    """What the query string asks for; Refused where it makes no sense."""
    return read_criteria({name: values for name, values in request.GET.lists() if name != "format"})


PERCENTILES, TRACES = "percentiles", "traces"
_OF_A_RUN: dict[str, Callable[[Run], Iterator[str]]] = {
    PERCENTILES: run_percentiles_csv,
    TRACES: run_traces_csv,
}
_COMPARED: dict[str, Callable[[ComparisonView], str]] = {
    PERCENTILES: percentiles_as_csv,
    TRACES: traces_as_csv,
}
_FILE = OpenApiResponse(OpenApiTypes.STR, "Base units, every digit.")
_ANSWERS = {(200, "text/csv"): _FILE, 422: ProblemSerializer}


class _Csv(APIView):
    """Each route sets which part of the numbers it serves."""

    reads = Role.VISITOR
    part: str = PERCENTILES

    def file(self, text: str | Iterator[str], name: str) -> HttpResponseBase:
        """The text, or its parts as they come, as a file to save."""
        kind = HttpResponse if isinstance(text, str) else StreamingHttpResponse
        answer = kind(text, content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = content_disposition_header(True, f"{name}-{self.part}.csv")
        return answer


class RunCsv(_Csv):
    """Of one run."""

    @extend_schema(responses={(200, "text/csv"): _FILE})
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """One line a percentile, or one a point over time (seconds since the start)."""
        run = get_object_or_404(runs_for(request), pk=pk)
        return self.file(_OF_A_RUN[self.part](run), f"run-{pk}")


class ComparedCsv(_Csv):
    """Of the comparison at a query string."""

    @extend_schema(parameters=QUERY, responses=_ANSWERS)
    def get(self, request: Request) -> HttpResponseBase:
        """The curves that the compare page draws, one line a point, or its traces over time.

        A point of a curve is the median over n runs; a trace is drawn in at most 200 stretches.
        """
        return self.file(_COMPARED[self.part](compare(criteria_of(request)).view), "comparison")


class PermalinkCsv(_Csv):
    """Of a comparison that stands still."""

    @extend_schema(responses=_ANSWERS)
    def get(self, _request: Request, slug: str) -> HttpResponseBase:
        """The same as they were shown."""
        permalink = get_object_or_404(Permalink, slug=slug)
        return self.file(_COMPARED[self.part](frozen(permalink).view), "comparison")
