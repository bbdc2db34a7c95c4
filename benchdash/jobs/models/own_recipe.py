"""A recipe that people wrote: its YAML, checked before it is stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class OwnRecipe(models.Model):
    """`name` is the one that stands in the text. Plans keep the text that they were made from."""

    name = models.CharField(_("name"), max_length=61, unique=True)
    text = models.TextField(_("text of the recipe"))
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("own recipe")
        verbose_name_plural = _("own recipes")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name
