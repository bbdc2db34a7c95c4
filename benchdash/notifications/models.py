"""What a person wants to be notified of and where, and what was sent."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchdash.jobs.credentials import opened
from benchdash.jobs.models import Plan
from benchdash.results.language import SentenceField


class Event(models.TextChoices):
    ENDED = "ended", _("a plan has ended")
    STALLED = "stalled", _("a plan is stalled")
    TROUBLE = "trouble", _("a plan needs a person")
    TEST = "test", _("test")


class Preference(models.Model):
    """Of one person. `webhook` is ciphertext: an address may be as secret as what signs."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="notification_preference",
    )
    on_ended = models.BooleanField(_("a plan has ended"), default=True)
    on_trouble = models.BooleanField(
        _("a plan needs a person"),
        default=True,
        help_text=_("A job failed, or its host has not answered for ten minutes."),
    )
    on_stalled = models.BooleanField(
        _("a plan is stalled"),
        default=True,
        help_text=_("None of its jobs makes progress, or no worker is handling them."),
    )
    by_mail = models.BooleanField(_("email me"), default=False)
    webhook = models.TextField(_("webhook, encrypted"), blank=True, editable=False)
    language = models.CharField(_("language"), max_length=10, default="en")
    site = models.CharField(
        _("where the links lead"),
        max_length=300,
        help_text=_("The address at which this was chosen."),
    )
    since = models.DateTimeField(
        _("since"), default=timezone.now, help_text=_("What happened before is not reported.")
    )

    class Meta:
        verbose_name = _("notification preference")
        verbose_name_plural = _("notification preferences")

    def __str__(self) -> str:
        return str(self.user)

    def wants(self, event: str) -> bool:
        """Whether the person chose to be notified of this."""
        return bool(getattr(self, f"on_{event}", True))

    def opened_webhook(self) -> dict[str, str]:
        """`url`, and `secret` where requests are signed; Refused where no key opens them."""
        return opened(self.webhook)


class Notification(models.Model):
    """One message by one channel; `key` is what happened, so that each is sent once."""

    class Channel(models.TextChoices):
        MAIL = "mail", _("mail")
        WEBHOOK = "webhook", _("webhook")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        SENDING = "sending", _("being sent")
        SENT = "sent", _("sent")
        FAILED = "failed", _("failed")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications"
    )
    plan = models.ForeignKey(
        Plan, null=True, blank=True, on_delete=models.CASCADE, related_name="notifications"
    )
    event = models.CharField(_("event"), max_length=10, choices=Event)
    key = models.CharField(_("what happened"), max_length=100)
    channel = models.CharField(_("by"), max_length=10, choices=Channel)
    subject = models.CharField(_("subject"), max_length=400)
    text = models.TextField(_("text"))
    payload = models.JSONField(_("webhook JSON"), default=dict, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    next_at = models.DateTimeField(_("next attempt"), null=True, blank=True, default=timezone.now)
    answer = SentenceField(_("server response"), blank=True)
    created_at = models.DateTimeField(_("at"), auto_now_add=True)
    tried_at = models.DateTimeField(_("last attempt"), null=True, blank=True)

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user", "plan", "key", "channel"], name="each_event_told_once"
            )
        ]
        indexes = [
            models.Index(
                fields=["next_at"],
                condition=models.Q(state__in=["waiting", "sending"]),
                name="notification_due",
            )
        ]

    def __str__(self) -> str:
        return self.subject
