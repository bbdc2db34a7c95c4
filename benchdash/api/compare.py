"""`/api/v1/compare/`: the compare page's own data. Same query string, same answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.comparisons import ComparisonSerializer
from benchdash.api.problems import ProblemSerializer
from benchdash.results.comparison import compare
from benchdash.results.comparison.answer import answer
from benchdash.results.comparison.export import as_csv, as_markdown
from benchdash.results.criteria import read_criteria
from benchdash.results.parameters import PARAMETERS

_FREE = (
    "Also `layer.…`, `workload.…` and `environment.…` as names, e.g. `layer.drbd.protocol=C`, "
    "`workload.block_bytes=4096`, `environment.kernel=…`; `~` is the value of runs without one."
)


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


class Compare(APIView):
    """Runs side by side."""

    reads = Role.VISITOR
    renderer_classes = (JSONRenderer, CsvRenderer, MarkdownRenderer)

    @extend_schema(
        operation_id="compare",
        description=f"The data of the compare page at the same query string. {_FREE}",
        parameters=[
            *(
                OpenApiParameter(name, OpenApiTypes.STR, many=parameter.many)
                for name, parameter in PARAMETERS.items()
            ),
            OpenApiParameter("format", OpenApiTypes.STR, enum=["json", "csv", "md"]),
        ],
        responses={
            (200, "application/json"): ComparisonSerializer,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "text/markdown"): OpenApiTypes.STR,
            422: ProblemSerializer,
        },
    )
    def get(self, request: Request) -> Response:
        """A comparison; as JSON, CSV or Markdown."""
        asked = {name: values for name, values in request.GET.lists() if name != "format"}
        criteria = read_criteria(asked)
        comparison = compare(criteria)
        binary = criteria.shows_binary(getattr(request.user, "binary_units", False))
        wanted = request.accepted_renderer.format
        if wanted == "json":
            return Response(answer(comparison, binary=binary))
        if wanted == "csv":
            text = as_csv(comparison)
        else:
            page = request.build_absolute_uri(f"{reverse('compare')}?{criteria.query()}")
            text = as_markdown(comparison, binary=binary, address=page)
        name = f'attachment; filename="comparison.{wanted}"'
        return Response(text, headers={"Content-Disposition": name})
