"""A comparison to take along: the same address as JSON, as CSV, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.response import Response

from benchdash.results.comparison import Comparison
from benchdash.results.comparison.export import as_csv, as_markdown


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


def as_file(comparison: Comparison, kind: str, *, binary: bool, page: str) -> Response:
    """The comparison as a file of `kind` (csv, md) to save; `page` is where it is looked at."""
    if kind == "csv":
        text = as_csv(comparison)
    else:
        text = as_markdown(comparison, binary=binary, address=page)
    name = f'attachment; filename="comparison.{kind}"'
    return Response(text, headers={"Content-Disposition": name})
