"""People and their API tokens in Django's admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import ManyToManyField, QuerySet
from django.forms import ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.models import Token, User
from benchdash.accounts.roles import group_title
from benchdash.administration import LongList

admin.site.site_header = admin.site.site_title = "benchdash"


class GroupsField(ModelMultipleChoiceField):  # type: ignore[type-arg]  # it takes no types while it runs
    """Groups by their titles."""

    def label_from_instance(self, obj: Group) -> str:
        return group_title(obj.name)


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]  # it takes no types while it runs
    """A person; the four groups say what a person may do."""

    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Preferences"), {"fields": ("binary_units",)}))
    list_display = ("username", "email", "in_groups", "is_active", "is_superuser", "last_login")
    list_filter = ("groups", "is_active", "is_superuser")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups")

    @admin.display(description=_("groups"))
    def in_groups(self, person: User) -> str:
        return ", ".join(group_title(group.name) for group in person.groups.all())

    def formfield_for_manytomany(
        self, db_field: ManyToManyField[Any, Any], request: HttpRequest, **options: Any
    ) -> ModelMultipleChoiceField[Any] | None:
        if db_field.name == "groups":
            options["form_class"] = GroupsField
        return super().formfield_for_manytomany(db_field, request, **options)


@admin.register(Token)
class TokenAdmin(LongList):
    """Tokens are made on the profile page, where they are shown once; here they are revoked."""

    list_display = ("name", "user", "created", "last_used_at", "expiry")
    list_select_related = ("user",)
    search_fields = ("user__username", "name")
    fields = readonly_fields = ("name", "user", "created", "last_used_at", "expiry")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _token: Token | None = None) -> bool:
        return False
