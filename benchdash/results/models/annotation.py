"""What people add to records: tags to find them by, and notes with who and when."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Configuration
from benchdash.results.models.run import Run
from benchdash.results.models.study import Study

ANNOTATED = ("study", "configuration", "run")


class Tag(models.Model):
    """A word for records that belong together; on a study or configuration it holds for its runs."""

    name = models.CharField(_("name"), max_length=50, unique=True)
    studies = models.ManyToManyField(Study, blank=True, related_name="tags")
    configurations = models.ManyToManyField(Configuration, blank=True, related_name="tags")
    runs = models.ManyToManyField(Run, blank=True, related_name="tags")

    class Meta:
        verbose_name = _("tag")
        verbose_name_plural = _("tags")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Note(models.Model):
    """Markdown about one study, configuration or run."""

    study = models.ForeignKey(
        Study, null=True, blank=True, on_delete=models.CASCADE, related_name="remarks"
    )
    configuration = models.ForeignKey(
        Configuration, null=True, blank=True, on_delete=models.CASCADE, related_name="remarks"
    )
    run = models.ForeignKey(
        Run, null=True, blank=True, on_delete=models.CASCADE, related_name="remarks"
    )
    text = models.TextField(_("text"), help_text=_("Markdown."))
    created_at = models.DateTimeField(_("written"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed_at = models.DateTimeField(_("changed"), null=True, blank=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(study__isnull=False, configuration=None, run=None)
                | Q(study=None, configuration__isnull=False, run=None)
                | Q(study=None, configuration=None, run__isnull=False),
                name="a_note_is_about_one_record",
            )
        ]

    def __str__(self) -> str:
        return self.text[:50]
