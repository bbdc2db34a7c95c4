"""Who may call what: each view names the role that reads and the role that writes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from benchdash.accounts.roles import Role, role_of

if TYPE_CHECKING:  # DRF's views ask for their permissions while they are imported
    from rest_framework.views import APIView


class ByRole(BasePermission):
    """`reads` and `writes` of the view; a visitor is someone who has not signed in (PUBLIC_READ).

    A view without them is read by viewers and written by contributors.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        needed: Role
        if request.method in SAFE_METHODS:
            needed = getattr(view, "reads", Role.VIEWER)
        else:
            needed = getattr(view, "writes", Role.CONTRIBUTOR)
        self.message = f"This is for the group {needed.name.lower()} and those above it."
        return role_of(request.user) >= needed
