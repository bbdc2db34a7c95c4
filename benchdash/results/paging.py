"""Pages of long lists by keyset: no OFFSET, no count, the same speed on the last page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

from benchdash.results.ids import read_id

Row = TypeVar("Row", bound=Model)
Shown = TypeVar("Shown")

PAGE = 50


@dataclass(frozen=True, slots=True)
class Page(Generic[Shown]):
    """The rows of one page, newest first, and the ids to turn it with (None: nothing there)."""

    rows: list[Shown]
    newer: int | None
    older: int | None


def is_first(query: Mapping[str, Any]) -> bool:
    """Whether the address is that of the newest rows."""
    return not ("before" in query or "after" in query)


def first_page(rows: list[Shown], size: int = PAGE) -> Page[Shown]:
    """The newest rows, of which there may be one more than a page has."""
    kept = rows[:size]
    return Page(kept, None, _turn(kept[-1:], len(rows) > size))


def page_of(rows: QuerySet[Row], query: Mapping[str, Any], size: int = PAGE) -> Page[Row]:
    """The newest rows, those before the id in `before`, or those right after the one in `after`.

    One query. An id that is no number is as good as none.
    """
    before, after = read_id(query.get("before")), read_id(query.get("after"))
    if after is not None and before is None:
        found = list(rows.filter(pk__gt=after).order_by("pk")[: size + 1])
        kept = found[:size][::-1]
        return Page(kept, _turn(kept[:1], len(found) > size), _turn(kept[-1:], there=True))
    if before is not None:
        rows = rows.filter(pk__lt=before)
    found = list(rows.order_by("-pk")[: size + 1])
    kept = found[:size]
    return Page(kept, _turn(kept[:1], before is not None), _turn(kept[-1:], len(found) > size))


def _turn(edge: list[Any], there: bool) -> int | None:
    return edge[0].pk if edge and there else None
