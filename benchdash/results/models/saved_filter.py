"""Questions that a person asks the list of runs again and again."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class SavedFilter(models.Model):
    """A query string of the runs list under a name of the person's own."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_filters"
    )
    name = models.CharField(_("name"), max_length=60)
    query = models.CharField(_("query string"), max_length=1000)

    class Meta:
        verbose_name = _("saved filter")
        verbose_name_plural = _("saved filters")
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["person", "name"], name="one_saved_filter_per_name")
        ]

    def __str__(self) -> str:
        return self.name
