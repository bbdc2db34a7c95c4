"""What the admin pages of all apps share: who enters, lists not counted, content that stays."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from benchdash.accounts.roles import Role, role_of

if TYPE_CHECKING:  # Django's own classes take no types while they run
    AnyPaginator = Paginator[Any]
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyPaginator, AnyAdmin, AnyInline = Paginator, admin.ModelAdmin, admin.TabularInline

COUNTED = 10_000


class Site(admin.AdminSite):
    """Open to the group admin and to superusers, by the sign-in page of everyone."""

    def has_permission(self, request: HttpRequest) -> bool:
        return role_of(request.user) >= Role.ADMIN

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        index = reverse("admin:index", current_app=self.name)
        if self.has_permission(request):
            return HttpResponseRedirect(index)
        if request.user.is_authenticated:
            raise PermissionDenied(Role.ADMIN.name.lower())
        return redirect_to_login(request.GET.get("next", index))


class BoundedPaginator(AnyPaginator):
    """Pages over the first `COUNTED` rows: counting more would cost more than it tells."""

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[:COUNTED].count()


class LongList(AnyAdmin):
    """A list that is as quick with a hundred thousand rows: search narrows it down."""

    paginator = BoundedPaginator
    show_full_result_count = False
    list_per_page = 50
    ordering = ("-pk",)


class Kept(LongList):
    """Records that nobody edits or removes here: content is immutable, other doors write it."""

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False


class Inline(AnyInline):
    """Rows that belong to a record and are edited with it."""

    extra = 0


class KeptInline(Inline):
    """Rows that belong to a record and are shown with it, never edited."""

    can_delete = False
    show_change_link = False

    def has_add_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _record: Model | None = None) -> bool:
        return False
