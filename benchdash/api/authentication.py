"""API tokens in `Authorization: Token …`."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone
from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from benchdash.accounts.models import Token, User

_NOTED_EVERY = timedelta(minutes=1)


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]  # knox has no types
    """knox's tokens, found by their digest, noting when one was used last (to the minute)."""

    def authenticate_credentials(self, token: bytes) -> tuple[User, Token]:
        digest = hash_token(token.decode("ascii", "replace"))
        tokens = Token.objects.select_related("user").annotate(group=F("user__groups__name"))
        found_by_group = list(tokens.filter(digest=digest))
        if not found_by_group:
            raise AuthenticationFailed("This token is not known: it was mistyped or revoked.")
        found = found_by_group[0]
        found.user.role = found.user.role_in(each.group for each in found_by_group if each.group)
        now = timezone.now()
        if found.expiry is not None and found.expiry < now:
            raise AuthenticationFailed(f"This token expired on {found.expiry:%Y-%m-%d}.")
        if found.last_used_at is None or now - found.last_used_at > _NOTED_EVERY:
            Token.objects.filter(pk=found.pk).update(last_used_at=now)
        user: User
        user, _ = self.validate_user(found)
        return user, found


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
