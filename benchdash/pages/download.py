"""Raw bytes as a download, never shown as a page of ours."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header

from benchdash.errors import Refused
from benchdash.results.artifacts import content_of
from benchdash.results.models import Artifact


def download(request: HttpRequest, artifact: Artifact, name: str) -> HttpResponse:
    """The bytes as they were brought; 410 with the sentence where an admin purged them."""
    try:
        content = content_of(artifact)
    except Refused as refused:
        return render(request, "errors/410.html", {"refused": refused}, status=HTTPStatus.GONE)
    response = HttpResponse(content, content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return response
