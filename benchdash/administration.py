"""What the admin pages of all apps share: long lists, counted to a limit, and read-only records."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest

if TYPE_CHECKING:  # Django's own classes take no types while they run
    AnyPaginator = Paginator[Any]
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyPaginator, AnyAdmin, AnyInline = Paginator, admin.ModelAdmin, admin.TabularInline

COUNTED = 10_000


class BoundedPaginator(AnyPaginator):
    """Pages over the first `COUNTED` rows: an exact count of more is not worth its cost."""

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[:COUNTED].count()


class LongList(AnyAdmin):
    """A list that stays fast with a hundred thousand rows; search narrows it down."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50
    ordering = ("-pk",)


class ReadOnly(LongList):
    """Records that nobody edits or removes here: they are immutable, or written elsewhere."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False


class Inline(AnyInline):
    """Rows that belong to a record and are edited with it."""

    extra = 0


class ReadOnlyInline(Inline):
    """Rows that belong to a record and are shown with it, never edited."""

    can_delete = False
    show_change_link = False

    def has_add_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False
