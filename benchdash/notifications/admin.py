"""Notifications in Django's admin: to look at; people choose on their own page."""

from __future__ import annotations

from django.contrib import admin

from benchdash.administration import ReadOnly
from benchdash.notifications.models import Notification, Preference


@admin.register(Preference)
class PreferenceAdmin(ReadOnly):
    """Who is notified of what; never where a webhook leads."""

    list_display = ("user", "by_mail", "on_ended", "on_trouble", "on_stalled", "since")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    exclude = ("webhook",)


@admin.register(Notification)
class NotificationAdmin(ReadOnly):
    """What was sent to whom, and what the server answered."""

    list_display = ("created_at", "user", "event", "channel", "state", "attempts", "subject")
    list_select_related = ("user",)
    list_filter = ("state", "channel", "event")
    search_fields = ("user__username", "subject")
