"""Pages by key: as quick at the end of a long list as at its beginning, and nothing is counted."""

from __future__ import annotations

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

from benchdash.results.ids import read_id


class NewestFirst(CursorPagination):
    """`?cursor=` of the answer's `next`; `?page_size=` up to 500."""

    ordering = "-pk"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500

    def get_page_size(self, request: Request) -> int:
        """The rows of a page; 400 where they are no number, and at most 500."""
        told = request.query_params.get(self.page_size_query_param)
        if told is not None and (read_id(told) is None):
            raise ValidationError({self.page_size_query_param: "Say how many rows, from 1 on."})
        return super().get_page_size(request) or self.page_size
