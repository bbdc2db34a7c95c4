"""`/api/v1/compare/`: the compare page's own data. Same query string, same answer."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.comparisons import ComparisonSerializer
from benchdash.api.exports import FILES, FORMAT, RENDERERS, as_file
from benchdash.api.problems import ProblemSerializer
from benchdash.results.comparison import compare
from benchdash.results.comparison.answer import answer
from benchdash.results.criteria import Criteria, read_criteria
from benchdash.results.parameters import PARAMETERS

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
        comparison = compare(criteria)
        binary = criteria.shows_binary(getattr(request.user, "binary_units", False))
        wanted = request.accepted_renderer.format
        if wanted == "json":
            return Response(answer(comparison, binary=binary))
        page = request.build_absolute_uri(f"{reverse('compare')}?{criteria.query()}")
        return as_file(comparison, wanted, binary=binary, page=page)


def criteria_of(request: Request) -> Criteria:
    """What the query string asks for; Refused where it makes no sense."""
    return read_criteria({name: said for name, said in request.GET.lists() if name != "format"})
