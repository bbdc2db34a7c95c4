"""What speaks against a run or an environment, and who found that it does not."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Environment
from benchdash.results.language import SentenceField
from benchdash.results.models.run import Run


class Doubt(models.Model):
    """One reason to distrust a run or an environment; its kinds and how they are mended: vocabulary/doubts.py.

    It leaves nothing out by itself, and once dismissed it stays, with who did it and why. A
    dismissal that is taken back is one of its `past_dismissals`.
    """

    run = models.ForeignKey(
        Run, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts"
    )
    environment = models.ForeignKey(
        Environment, null=True, blank=True, on_delete=models.CASCADE, related_name="doubts"
    )
    kind = models.CharField(_("kind"), max_length=30)
    sentence = SentenceField(_("sentence"))
    operations = models.JSONField(
        _("operations"), default=list, blank=True, help_text=_("Empty: the whole run.")
    )
    noted = models.BooleanField(
        _("noted"),
        default=False,
        help_text=_(
            "By the host or a log of the run: reading its output again does not remove it."
        ),
    )
    found_at = models.DateTimeField(_("found"), auto_now_add=True)
    dismissed_at = models.DateTimeField(_("dismissed"), null=True, blank=True)
    dismissed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    dismissed_by_name = models.CharField(
        _("dismissed by"),
        max_length=150,
        blank=True,
        help_text=_("Stays when the account is deleted."),
    )
    dismissed_reason = models.CharField(_("why dismissed"), max_length=300, blank=True)

    class Meta:
        verbose_name = _("doubt")
        verbose_name_plural = _("doubts")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(dismissed_at=None) | ~Q(dismissed_reason=""),
                name="a_dismissal_has_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(run__isnull=True) ^ Q(environment__isnull=True),
                name="a_doubt_is_about_a_run_or_an_environment",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run_id or self.environment_id}: {self.sentence}"


class PastDismissal(models.Model):
    """A dismissal that was taken back: who dismissed the doubt, why, and who lets it stand again."""

    doubt = models.ForeignKey(Doubt, on_delete=models.CASCADE, related_name="past_dismissals")
    dismissed_at = models.DateTimeField(_("dismissed"))
    dismissed_by_name = models.CharField(_("dismissed by"), max_length=150, blank=True)
    dismissed_reason = models.CharField(_("why dismissed"), max_length=300)
    taken_back_at = models.DateTimeField(_("taken back"))
    taken_back_by_name = models.CharField(_("taken back by"), max_length=150)

    class Meta:
        verbose_name = _("past dismissal")
        verbose_name_plural = _("past dismissals")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.doubt_id}: {self.dismissed_reason}"
