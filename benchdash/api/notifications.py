"""`/api/v1/notifications/`: what the person of the token is notified of in their plans, and a test of it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchdash.accounts.roles import Role
from benchdash.api.access import user_of
from benchdash.api.fields import SentenceField
from benchdash.api.problems import ProblemSerializer
from benchdash.api.requests import validated
from benchdash.notifications import delivery, preferences
from benchdash.notifications.models import Notification

NEWEST = 20


class SentSerializer(serializers.ModelSerializer[Notification]):
    """One message by one channel; `answer` is the last answer of the mail or web server."""

    answer = SentenceField()

    class Meta:
        model = Notification
        fields = (
            *("id", "plan", "event", "channel", "subject", "state", "attempts", "answer"),
            *("created_at", "tried_at", "next_at"),
        )
        read_only_fields = fields


class PreferencesSerializer(serializers.Serializer[Any]):
    """The secret of the webhook is never shown: `webhook_signed` says whether there is one."""

    on_ended = serializers.BooleanField()
    on_trouble = serializers.BooleanField()
    on_stalled = serializers.BooleanField()
    by_mail = serializers.BooleanField()
    webhook_url = serializers.CharField(allow_blank=True)
    webhook_signed = serializers.BooleanField()
    channels = serializers.ListField(child=serializers.CharField())
    sent = SentSerializer(many=True)


class ChangedPreferencesSerializer(serializers.Serializer[Any]):
    """What is left out stays. An empty `webhook_url` ends the webhook, an empty secret the signing."""

    on_ended = serializers.BooleanField()
    on_trouble = serializers.BooleanField()
    on_stalled = serializers.BooleanField()
    by_mail = serializers.BooleanField()
    webhook_url = serializers.CharField(allow_blank=True, max_length=2000)
    webhook_secret = serializers.CharField(
        allow_blank=True, max_length=500, trim_whitespace=False, write_only=True
    )


class ChannelSerializer(serializers.Serializer[Any]):
    """`mail` or `webhook`."""

    channel = serializers.ChoiceField(choices=Notification.Channel.choices)


class Notifications(APIView):
    """What is chosen, and what was sent last."""

    reads = Role.OPERATOR
    writes = Role.OPERATOR

    @extend_schema(operation_id="notifications_read", responses={200: PreferencesSerializer})
    def get(self, request: Request) -> Response:
        """What is proposed, where nothing was chosen yet."""
        return Response(self._chosen(request))

    @extend_schema(
        operation_id="notifications_change",
        request=ChangedPreferencesSerializer(partial=True),
        responses={
            200: PreferencesSerializer,
            422: OpenApiResponse(ProblemSerializer, "No such field, or no such address."),
        },
    )
    def patch(self, request: Request) -> Response:
        """Choose; messages are in the language and lead to the address of this request."""
        values = validated(ChangedPreferencesSerializer, request.data, partial=True)
        preference = preferences.preference_of(user_of(request))
        preferences.change(preference, values, request.build_absolute_uri("/"))
        return Response(self._chosen(request))

    def _chosen(self, request: Request) -> dict[str, Any]:
        person = user_of(request)
        preference = preferences.preference_of(person)
        webhook = preferences.stored_webhook(preference)
        own = {name: getattr(preference, name) for name in (*preferences.EVENTS, "by_mail")}
        return own | {
            "webhook_url": webhook.get("url", ""),
            "webhook_signed": bool(webhook.get("secret")),
            "channels": preferences.channels_chosen(preference),
            "sent": SentSerializer([*delivery.newest(person, NEWEST)], many=True).data,
        }


class TestNotification(APIView):
    """A test by one channel."""

    writes = Role.OPERATOR

    @extend_schema(
        operation_id="notifications_test",
        request=ChannelSerializer,
        responses={
            202: SentSerializer,
            422: OpenApiResponse(ProblemSerializer, "This channel is not chosen."),
        },
    )
    def post(self, request: Request) -> Response:
        """A worker sends it; what the server answered is in `sent` then."""
        channel = validated(ChannelSerializer, request.data)["channel"]
        row = preferences.send_test(user_of(request), channel)
        return Response(SentSerializer(row).data, status=202)
