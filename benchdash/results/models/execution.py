"""One pass of a tool, and what comparisons count of it."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from benchdash.results.models.artifact import Artifact


class Execution(models.Model):
    """One pass of a tool over its workload: one invocation, or one row of `bonnie++ -x`."""

    artifact = models.ForeignKey(
        Artifact, on_delete=models.PROTECT, related_name="executions", db_index=False
    )
    number = models.PositiveIntegerField(_("number in the file"))
    round = models.PositiveIntegerField(
        _("round"),
        null=True,
        blank=True,
        help_text=_("Of a plan: every cell runs once in each."),
    )

    class Meta:
        verbose_name = _("execution")
        verbose_name_plural = _("executions")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["artifact", "number"], name="one_execution_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.artifact_id}: {self.number}"


class Sample(models.Model):
    """The runs at the same time with the same parameters: what comparisons count as one.

    They are of one execution, or of those that a plan's cell started together on several hosts.
    """

    beside = models.CharField(
        _("beside"),
        max_length=300,
        blank=True,
        help_text=_("What else ran at the same time; empty if nothing."),
    )

    size = models.PositiveIntegerField(_("runs"), default=1, editable=False)

    class Meta:
        verbose_name = _("sample")
        verbose_name_plural = _("samples")

    def __str__(self) -> str:
        return f"{self.pk}"
