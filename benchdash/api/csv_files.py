"""`…/percentiles.csv` and `…/traces.csv`: curves and courses, which no table of groups holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.compare import QUERY, criteria_of
from benchdash.api.problems import ProblemSerializer
from benchdash.api.runs import runs_for
from benchdash.results.comparison import Comparison, compare
from benchdash.results.comparison.export import percentiles_as_csv, traces_as_csv
from benchdash.results.comparison.frozen import frozen
from benchdash.results.models import Permalink, Run
from benchdash.results.run_csv import run_percentiles_csv, run_traces_csv

PERCENTILES, TRACES = "percentiles", "traces"
_OF_A_RUN: dict[str, Callable[[Run], Iterator[str]]] = {
    PERCENTILES: run_percentiles_csv,
    TRACES: run_traces_csv,
}
_COMPARED: dict[str, Callable[[Comparison], str]] = {
    PERCENTILES: percentiles_as_csv,
    TRACES: traces_as_csv,
}
_FILE = OpenApiResponse(OpenApiTypes.STR, "Base units, every digit.")
_ANSWERS = {(200, "text/csv"): _FILE, 422: ProblemSerializer}


class _Csv(APIView):
    """Each route says which part of the numbers it is about."""

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
        """The curves that the compare page draws, one line a point, or its courses over time.

        A point of a curve is the median over n runs; a course is drawn in at most 200 stretches.
        """
        return self.file(_COMPARED[self.part](compare(criteria_of(request))), "comparison")


class KeptCsv(_Csv):
    """Of a comparison that stands still."""

    @extend_schema(responses=_ANSWERS)
    def get(self, _request: Request, slug: str) -> HttpResponseBase:
        """The same as they were shown."""
        permalink = get_object_or_404(Permalink, slug=slug)
        return self.file(_COMPARED[self.part](frozen(permalink)), "comparison")
