"""A question, and the conditions it compares."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Configuration, Environment


class Study(models.Model):
    """A question: the factors it varies, its conditions and runs, its words."""

    slug = models.SlugField(_("address"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=200, unique=True)
    question = models.TextField(_("question"), blank=True)
    words = models.TextField(_("words"), blank=True, help_text=_("Markdown."))
    translations = models.JSONField(
        _("translations"),
        default=dict,
        blank=True,
        help_text=_('{"ja": {"title": …, "question": …, "words": …}}'),
    )
    source_url = models.URLField(_("published at"), blank=True)
    published_as = models.CharField(
        _("name of the published results"),
        max_length=100,
        blank=True,
        help_text=_("What they are called beside your own, such as “author, 2008”."),
    )
    series = models.JSONField(
        _("series"),
        default=dict,
        blank=True,
        help_text=_(
            'Titles and descriptions by the “series” setting of the runs: {"2026-11": '
            '{"title": …, "words": …}}'
        ),
    )
    measured_by = models.JSONField(
        _("measured by"),
        default=dict,
        blank=True,
        help_text=_(
            '{"recipe": name, "parameters": {…}, "factors": {…}, "roles": ["client", "guest[1..10]"]}'
        ),
    )
    factors = models.JSONField(
        _("factors"),
        default=list,
        blank=True,
        help_text=_(
            "Keys as on the compare page: drbd.protocol, workload.block_bytes, environment.kernel"
        ),
    )
    charts = models.JSONField(
        _("charts"), default=list, blank=True, help_text=_("Query strings of the compare page.")
    )
    delta = models.FloatField(
        _("smallest difference that matters, %"),
        null=True,
        blank=True,
        validators=[MinValueValidator(0.01), MaxValueValidator(100)],
        help_text=_("If empty, this server’s default."),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)

    class Meta:
        verbose_name = _("study")
        verbose_name_plural = _("studies")
        ordering = ["-created_at", "-pk"]

    def __str__(self) -> str:
        return self.title


class Condition(models.Model):
    """A configuration (in an environment) that a study compares, measured already or not."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="conditions")
    position = models.PositiveIntegerField(_("position"))
    label = models.CharField(_("label"), max_length=200, blank=True)
    configuration = models.ForeignKey(
        Configuration, on_delete=models.PROTECT, related_name="conditions"
    )
    environment = models.ForeignKey(
        Environment, null=True, blank=True, on_delete=models.PROTECT, related_name="conditions"
    )
    is_baseline = models.BooleanField(_("baseline"), default=False)

    class Meta:
        verbose_name = _("condition")
        verbose_name_plural = _("conditions")
        ordering = ["position", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study", "configuration", "environment"],
                name="one_condition_per_environment",
            ),
            models.UniqueConstraint(
                fields=["study", "configuration"],
                condition=Q(environment=None),
                name="one_condition_without_environment",
            ),
            models.UniqueConstraint(
                fields=["study"], condition=Q(is_baseline=True), name="one_baseline_per_study"
            ),
        ]

    def __str__(self) -> str:
        return self.label or str(self.configuration)
