"""Who has signed in, by their session."""

from __future__ import annotations

from django.contrib.auth.backends import ModelBackend
from django.db import DEFAULT_DB_ALIAS
from django.db.models import F

from benchdash.accounts.models import User
from benchdash.prepared import OneOf, Prepared


class PasswordBackend(ModelBackend):
    """Django's own; who comes back with a session is read together with their groups."""

    def get_user(self, user_id: int) -> User | None:
        """The person with the role that the groups give; one query, which each page asks."""
        rows = _PERSON([user_id])
        if not rows:
            return None
        user = User.from_db(DEFAULT_DB_ALIAS, _COLUMNS, rows[0][:-1])
        user.role = user.role_in(group for *_own, group in rows if group)
        return user if self.user_can_authenticate(user) else None


_COLUMNS = [field.attname for field in User._meta.concrete_fields]
_PERSON = Prepared(
    lambda people: User.objects.filter(OneOf(F("id"), people)).values_list(
        *_COLUMNS, "groups__name"
    )
)
