"""The bytes as they came, kept for ever, and every upload of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from benchdash.results.language import SentenceField


class Artifact(models.Model):
    """Raw bytes by content, compressed with zstd; never changed, emptied by an admin's purge only."""

    sha256 = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    size_bytes = models.PositiveBigIntegerField(_("size in bytes"))
    compressed = models.BinaryField(_("content"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("artifact")
        verbose_name_plural = _("artifacts")

    def __str__(self) -> str:
        return self.sha256[:12]


class Purge(models.Model):
    """The line that stays when an admin has removed the bytes of a file: what, why, who and when."""

    artifact = models.OneToOneField(Artifact, on_delete=models.PROTECT, related_name="purge")
    name = models.CharField(_("name"), max_length=500)
    reason = models.TextField(_("reason"))
    purged_at = models.DateTimeField(_("purged"), auto_now_add=True)
    purged_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    purged_by_name = models.CharField(
        _("purged by"), max_length=150, help_text=_("Stays when the account is deleted.")
    )

    class Meta:
        verbose_name = _("purge")
        verbose_name_plural = _("purges")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(reason=""), name="a_purge_has_a_reason")
        ]

    def __str__(self) -> str:
        return self.name


class Upload(models.Model):
    """One file as it was uploaded, and what became of it."""

    class Outcome(models.TextChoices):
        WAITING = "waiting", _("waiting")
        STORED = "stored", _("stored")
        KNOWN = "known", _("stored before")
        REFUSED = "refused", _("refused")

    artifact = models.ForeignKey(Artifact, on_delete=models.PROTECT, related_name="uploads")
    name = models.CharField(_("name"), max_length=500)
    outcome = models.CharField(_("outcome"), max_length=10, choices=Outcome)
    sentence = SentenceField(
        _("sentence"), blank=True, help_text=_("Why it was refused, or what is incomplete.")
    )
    assignment = models.JSONField(
        _("assignment"),
        default=dict,
        blank=True,
        help_text=_("Configuration, environment, study, label."),
    )
    archive = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="members",
        db_index=False,
    )
    uploaded_with = models.ForeignKey(
        "self",
        verbose_name=_("uploaded with"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
        help_text=_("The first file of the request, with which it waits to be read."),
    )
    begun_at = models.DateTimeField(
        _("reading began"), null=True, blank=True, help_text=_("Of a file waiting to be read.")
    )
    attempts = models.PositiveSmallIntegerField(
        _("attempts"), default=0, help_text=_("How often a worker began to read it.")
    )
    created_at = models.DateTimeField(_("uploaded"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    put_aside_at = models.DateTimeField(
        _("put aside"),
        null=True,
        blank=True,
        help_text=_("A refused file that no longer needs attention."),
    )
    put_aside_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("put aside by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    put_aside_reason = models.CharField(_("put aside because"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(put_aside_at__isnull=False)
                | models.Q(put_aside_by=None, put_aside_reason=""),
                name="who_put_aside_says_when",
            )
        ]
        indexes = [
            # "what needs attention": refused files, waiting ones
            models.Index(fields=["outcome", "-id"], name="upload_by_outcome"),
            models.Index(
                fields=["archive"],
                condition=models.Q(archive__isnull=False),
                name="upload_by_archive",
            ),
            models.Index(
                fields=["uploaded_with"],
                condition=models.Q(uploaded_with__isnull=False),
                name="upload_by_request",
            ),
        ]

    def __str__(self) -> str:
        return self.name
