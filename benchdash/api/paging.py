"""Pages by key: as quick at the end of a long list as at its beginning, and nothing is counted."""

from __future__ import annotations

from rest_framework.pagination import CursorPagination


class NewestFirst(CursorPagination):
    """`?cursor=` of the answer's `next`; `?page_size=` up to 500."""

    ordering = "-pk"
    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 500
