"""The four groups, each with the rights of those before it.

viewer reads; contributor uploads and edits records; operator also plans, launches and cancels
jobs; admin also hosts, credentials, recipes, people, purge. Superusers are admins.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Protocol

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy


class Role(IntEnum):
    """What a person may do; NOBODY is a visitor where PUBLIC_READ is off."""

    NOBODY = 0
    VISITOR = 1
    VIEWER = 2
    CONTRIBUTOR = 3
    OPERATOR = 4
    ADMIN = 5


class HasRole(Protocol):
    """A person of `models.py`, which imports this module."""

    @property
    def role(self) -> Role: ...


GROUPS = {role.name.lower(): role for role in Role if role >= Role.VIEWER}

_TITLES = {
    "viewer": gettext_lazy("Viewer"),
    "contributor": gettext_lazy("Contributor"),
    "operator": gettext_lazy("Operator"),
    "admin": gettext_lazy("Admin"),
}


def group_title(name: str) -> str:
    """What people call a group, in the reader's language; one that is none of the four has its name."""
    return str(_TITLES.get(name, name))


def role_of(user: HasRole | AnonymousUser) -> Role:
    """The highest role of a person; one query, cached on the user for the request."""
    visitor = Role.VISITOR if settings.PUBLIC_READ else Role.NOBODY
    return visitor if isinstance(user, AnonymousUser) else max(user.role, visitor)


def role_by_groups(names: Iterable[str]) -> Role:
    """The highest role among group names; NOBODY where none is one of the four."""
    return max((GROUPS[name] for name in names if name in GROUPS), default=Role.NOBODY)
