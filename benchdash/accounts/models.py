"""A person with preferences, and the API tokens that scripts use on a person's behalf."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import F
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from benchdash.accounts.roles import Role, role_by_groups
from benchdash.prepared import OneOf, Prepared


class User(AbstractUser):
    """A person. The four groups of `roles.py` say what a person may do."""

    binary_units = models.BooleanField(
        _("MiB/s instead of MB/s"), default=False, help_text=_("How throughput is shown to you.")
    )

    @cached_property
    def role(self) -> Role:
        """The highest role among the person's groups; one query per request."""
        return self.role_in(name for (name,) in _GROUPS([self.pk]))

    def has_perm(self, perm: str, obj: Any = None) -> bool:
        """Membership of the group admin grants every permission of Django's admin."""
        return self.role >= Role.ADMIN or super().has_perm(perm, obj)

    def has_module_perms(self, app_label: str) -> bool:
        """Admins see every part of Django's admin."""
        return self.role >= Role.ADMIN or super().has_module_perms(app_label)

    def role_in(self, groups: Iterable[str]) -> Role:
        """The person's role where these are all of the person's groups."""
        if not self.is_active:
            return Role.NOBODY
        return Role.ADMIN if self.is_superuser else role_by_groups(groups)


_GROUPS = Prepared(
    lambda people: User.groups.through.objects.filter(OneOf(F("user_id"), people)).values_list(
        "group__name"
    )
)


class Token(AbstractAuthToken):
    """An API token: only its digest is stored, so it is shown once."""

    name = models.CharField(_("name"), max_length=100)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        constraints = [
            models.UniqueConstraint(
                fields=["user", "name"],
                name="one_token_per_name",
                violation_error_message=_("You already have a token with this name."),
            )
        ]

    def __str__(self) -> str:
        return self.name


class Attempts(models.Model):
    """Failed sign-ins of one account, address or browser; `key` is a keyed digest of which."""

    key = models.CharField(max_length=64, primary_key=True)
    failures = models.PositiveIntegerField(default=0)
    waits_until = models.DateTimeField()
    forgotten_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name = _("wrong passwords")
        verbose_name_plural = _("wrong passwords")

    def __str__(self) -> str:
        return self.key
