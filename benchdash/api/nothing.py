"""Any address under /api/ that means nothing: JSON, as everywhere else."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView


class Nothing(APIView):
    """404, whatever the method and whoever asks."""

    authentication_classes = ()
    permission_classes = ()
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound(f"There is nothing at {request.path}.")
