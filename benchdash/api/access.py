"""Who asks, by API token, and who may call what: each view names the roles that read and write."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from benchdash.accounts.models import Token, User
from benchdash.accounts.roles import Role, role_of

_NOTED_EVERY = timedelta(minutes=1)
# one for each request: Django takes longer to build this query than the database to answer it
_WHO = """
SELECT token.expiry < %s, token.expiry, token.last_used_at IS NULL OR token.last_used_at < %s,
    person.id, person.is_superuser, person.username, person.is_active, groups.name
FROM accounts_token token
JOIN accounts_user person ON person.id = token.user_id
LEFT JOIN accounts_user_groups member ON member.user_id = person.id
LEFT JOIN auth_group groups ON groups.id = member.group_id
WHERE token.digest = %s
"""
_PERSON = ("id", "is_superuser", "username", "is_active")  # in the order of the model


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]  # knox has no types
    """knox's tokens, found by their digest, noting when one was used last (to the minute).

    The person comes with what is needed to know who it is and what it may do; other fields are deferred.
    """

    def authenticate_credentials(self, token: bytes) -> tuple[User, str]:
        digest = hash_token(token.decode("ascii", "replace"))
        now = timezone.now()
        moments = [connection.ops.adapt_datetimefield_value(at) for at in (now, now - _NOTED_EVERY)]
        with connection.cursor() as cursor:
            cursor.execute(_WHO, [*moments, digest])
            found = cursor.fetchall()
        if not found:
            raise AuthenticationFailed(_("This token is not known: it was mistyped or revoked."))
        expired, expiry, unnoted, pk, is_superuser, name, is_active, _group = found[0]
        if expired:
            day = str(expiry)[:10]  # a text on SQLite, a moment in UTC on PostgreSQL
            raise AuthenticationFailed(_("This token expired on {day}.").format(day=day))
        if not is_active:
            raise AuthenticationFailed(_("The owner of this token may no longer sign in."))
        if unnoted:
            Token.objects.filter(digest=digest).update(last_used_at=now)
        person = User.from_db(DEFAULT_DB_ALIAS, _PERSON, (pk, bool(is_superuser), name, True))
        person.role = person.role_in(group for *_, group in found if group)
        return person, digest


def person_of(request: Request) -> User | None:
    """Who asks; None for a visitor."""
    return request.user if isinstance(request.user, User) else None


def user_of(request: Request) -> User:
    """Who asks; for views that visitors cannot reach."""
    assert isinstance(request.user, User)
    return request.user


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]  # drf-spectacular's own
    """How the token stands in the OpenAPI description."""

    target_class = TokenAuthentication  # type: ignore[assignment]  # a class is as good as its name
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Authorization: Token …`, with a token of the profile page.",
        }


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
        sentence = _("This needs the group {group} or a higher one.")
        self.message = sentence.format(group=needed.name.lower())
        return role_of(request.user) >= needed
