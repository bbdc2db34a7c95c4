"""How to log in to a host, and whose key it showed."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Host
from benchdash.jobs.credentials import authorizing_command, fingerprint
from benchdash.results.language import JSONWithSentences

WORKING_FOLDER = "/var/tmp/benchdash"  # noqa: S108 - on the host, where it survives a reboot
PATIENCE = timedelta(seconds=20)


class Target(models.Model):
    """One way to log in to a host. `secret` is ciphertext and leaves this row for a worker only."""

    class Method(models.TextChoices):
        KEY = "key", _("private key")
        PASSWORD = "password", _("password")
        AGENT = "agent", _("SSH agent of the worker")

    host = models.ForeignKey(
        Host, verbose_name=_("host"), on_delete=models.CASCADE, related_name="targets"
    )
    address = models.CharField(_("address"), max_length=253)
    port = models.PositiveIntegerField(
        _("port"), default=22, validators=[MinValueValidator(1), MaxValueValidator(65535)]
    )
    user = models.CharField(_("user"), max_length=64)
    method = models.CharField(_("sign in by"), max_length=10, choices=Method, default=Method.KEY)
    secret = models.TextField(_("credentials, encrypted"), blank=True, editable=False)
    public_key = models.TextField(
        _("public key"), blank=True, help_text=_("Of the stored private key.")
    )
    jump = models.ForeignKey(
        "self",
        verbose_name=_("jump host"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="behind",
    )
    sudo = models.BooleanField(_("may use sudo"), default=False)
    tags = models.JSONField(_("tags"), default=list, blank=True)
    folder = models.CharField(_("working folder"), max_length=500, default=WORKING_FOLDER)
    allowed = models.JSONField(_("devices and paths that may be written"), default=list, blank=True)
    readable = models.JSONField(_("files that may be read"), default=list, blank=True)
    servers = models.JSONField(_("servers that may be connected to"), default=list, blank=True)
    old_algorithms = models.BooleanField(
        _("allow old algorithms"),
        default=False,
        help_text=_("SHA-1 signatures and CBC ciphers, which CentOS 5 needs."),
    )
    host_key = models.TextField(_("host key"), blank=True)
    pinned_at = models.DateTimeField(_("host key approved"), null=True, blank=True)
    pinned_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    offered_key = models.TextField(
        _("key the host shows now"),
        blank=True,
        help_text=_("Not approved: empty if it is the approved one."),
    )
    checked_at = models.DateTimeField(_("checked"), null=True, blank=True)
    check_asked_at = models.DateTimeField(_("check asked"), null=True, blank=True)
    findings = JSONWithSentences(_("last check"), default=dict, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("target")
        verbose_name_plural = _("targets")
        ordering = ["host__name", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["host", "address", "port", "user"], name="one_target_per_address"
            ),
            models.CheckConstraint(condition=models.Q(port__gte=1, port__lte=65535), name="a_port"),
        ]

    def __str__(self) -> str:
        return f"{self.user}@{self.address}:{self.port}"

    @property
    def is_checking(self) -> bool:
        """Whether a check was requested that no worker has answered."""
        requested, answered = self.check_asked_at, self.checked_at
        return requested is not None and (answered is None or answered < requested)

    @property
    def is_late(self) -> bool:
        """Whether a check takes longer than a worker that runs would need."""
        requested = self.check_asked_at
        return self.is_checking and requested is not None and timezone.now() - requested > PATIENCE

    @property
    def standing(self) -> str:
        """`changed_key`, `new_key`, `checking`, `unchecked`, or the `state` of the last findings."""
        if self.offered_key:
            return "changed_key" if self.host_key else "new_key"
        if self.is_checking:
            return "checking"
        return str(self.findings.get("state", "unchecked"))

    @property
    def lacks_folder(self) -> bool:
        """Whether the last check did not find the working folder: the next job makes it."""
        return "folder_made_on" in self.findings

    @property
    def authorizing_command(self) -> str:
        """What lets the stored key in, run by the target's user on the host."""
        return authorizing_command(self.public_key)

    @property
    def fingerprint(self) -> str:
        """Of the key that is trusted."""
        return fingerprint(self.host_key)

    @property
    def offered_fingerprint(self) -> str:
        """Of the key that waits for approval."""
        return fingerprint(self.offered_key)


class HostEvent(models.Model):
    """An audit line about a way to log in: who, when, what."""

    class What(models.TextChoices):
        MADE = "made", _("target made")
        CHANGED = "changed", _("target changed")
        REMOVED = "removed", _("target removed")
        CREDENTIALS = "credentials", _("credentials entered")
        CHECK = "check", _("check asked")
        PINNED = "pinned", _("host key pinned")
        APPROVED = "approved", _("changed host key approved")

    host = models.ForeignKey(Host, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField(_("at"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    what = models.CharField(_("what"), max_length=12, choices=What)
    detail = models.TextField(_("detail"), blank=True)

    class Meta:
        verbose_name = _("host event")
        verbose_name_plural = _("events of hosts")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.what} {self.detail}"
