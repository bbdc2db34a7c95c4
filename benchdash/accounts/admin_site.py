"""Django's admin, open by the roles of benchdash."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from benchdash.accounts.roles import Role, role_of


class Site(admin.AdminSite):
    """Open to the group admin and to superusers, who use the same sign-in page as everyone."""

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
