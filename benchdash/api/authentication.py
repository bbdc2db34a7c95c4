"""API tokens in `Authorization: Token …`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from benchdash.accounts.models import Token, User

_NOTED_EVERY = timedelta(minutes=1)
# asked by each request: Django takes longer to build it than the database to answer it
_WHO = """
SELECT token.*, person.username, person.is_active, person.is_superuser, groups.name AS in_group
FROM accounts_token token
JOIN accounts_user person ON person.id = token.user_id
LEFT JOIN accounts_user_groups member ON member.user_id = person.id
LEFT JOIN auth_group groups ON groups.id = member.group_id
WHERE token.digest = %s
"""


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]  # knox has no types
    """knox's tokens, found by their digest, noting when one was used last (to the minute)."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        digest = hash_token(token.decode("ascii", "replace"))
        found_by_group: list[Any] = list(Token.objects.raw(_WHO, [digest]))
        if not found_by_group:
            raise AuthenticationFailed("This token is not known: it was mistyped or revoked.")
        found = found_by_group[0]
        found.user = _person(found)
        found.user.role = found.user.role_in(
            each.in_group for each in found_by_group if each.in_group
        )
        now = timezone.now()
        if found.expiry is not None and found.expiry < now:
            raise AuthenticationFailed(f"This token expired on {found.expiry:%Y-%m-%d}.")
        if found.last_used_at is None or now - found.last_used_at > _NOTED_EVERY:
            Token.objects.filter(pk=found.pk).update(last_used_at=now)
        user: User
        user, _ = self.validate_user(found)
        return user, found


def _person(found: Any) -> User:
    """Whose token it is; what was not asked for is asked when it is needed."""
    values = {  # in the order of the model
        "id": found.user_id,
        "is_superuser": bool(found.is_superuser),
        "username": found.username,
        "is_active": bool(found.is_active),
    }
    return User.from_db(found._state.db, list(values), list(values.values()))  # noqa: SLF001 - as Django's querysets do


def person_of(request: Request) -> User | None:
    """Who asks; None for a visitor."""
    return request.user if isinstance(request.user, User) else None


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
