"""Storage stacks, layer on layer, and the names under which they were set up."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class Stack(models.Model):
    """A tree of layers from the filesystem down to the disks; one row per content."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    tree = models.JSONField(
        _("layers"), help_text=_("Canonical form of benchdash/vocabulary/storage/normal_form.py.")
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("stack")
        verbose_name_plural = _("stacks")

    def __str__(self) -> str:
        return self.digest[:12]


class Layer(models.Model):
    """One layer; `position` counts from the top of the stack, a leg on a peer names its node."""

    stack = models.ForeignKey(Stack, on_delete=models.CASCADE, related_name="layers")
    position = models.PositiveSmallIntegerField(_("position"))
    above = models.PositiveSmallIntegerField(
        _("position of the layer above"), null=True, blank=True
    )
    node = models.SlugField(_("node"), max_length=50, blank=True)
    kind = models.SlugField(_("kind"), max_length=30)
    options = models.JSONField(_("options"), default=dict, blank=True)

    class Meta:
        verbose_name = _("layer")
        verbose_name_plural = _("layers")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["stack", "position"], name="one_layer_per_position")
        ]

    def __str__(self) -> str:
        return self.kind


class Facet(models.Model):
    """One layer option of a stack as a row, so that it can be filtered and counted.

    `key` is `drbd.protocol`; `text` always holds the value, `number` where it is one.
    """

    stack = models.ForeignKey(Stack, on_delete=models.CASCADE, related_name="facets")
    key = models.CharField(_("option"), max_length=80)
    text = models.CharField(_("value"), max_length=200)
    number = models.FloatField(_("number"), null=True, blank=True)

    class Meta:
        verbose_name = _("facet")
        verbose_name_plural = _("facets")
        constraints = [
            models.UniqueConstraint(fields=["stack", "key", "text"], name="one_facet_per_value")
        ]
        indexes = [
            # "every configuration on DRBD protocol C"
            models.Index(fields=["key", "text"], name="facet_by_value"),
        ]

    def __str__(self) -> str:
        return f"{self.key}={self.text}"


class Configuration(models.Model):
    """A stack as it was set up on purpose. The name may move; layers with runs never change."""

    name = models.CharField(_("name"), max_length=200, unique=True)
    stack = models.ForeignKey(Stack, on_delete=models.PROTECT, related_name="configurations")
    notes = models.TextField(_("notes"), blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)

    class Meta:
        verbose_name = _("configuration")
        verbose_name_plural = _("configurations")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
