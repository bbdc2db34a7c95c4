"""A comparison as it stood when somebody pointed at it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Configuration, Environment
from benchdash.results.models.run import Workload
from benchdash.results.models.study import Study

# read aloud and copied by hand: nothing that looks like something else
_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"


def random_slug() -> str:
    """Ten letters, 8e14 of them: neither guessed nor met twice."""
    return get_random_string(10, _LETTERS)


class Permalink(models.Model):
    """The runs and values that a comparison showed; never changed.

    `shown` is what `results/permalinks.py` writes.
    """

    slug = models.SlugField(_("address"), max_length=20, unique=True, default=random_slug)
    query = models.TextField(_("query string"))
    shown = models.JSONField(_("shown"))
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("permalink")
        verbose_name_plural = _("permalinks")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.slug


class PermalinkSubject(models.Model):
    """What a permalink needs for its words: it stays, even where its runs are gone."""

    permalink = models.ForeignKey(Permalink, on_delete=models.CASCADE, related_name="subjects")
    workload = models.ForeignKey(Workload, on_delete=models.PROTECT, related_name="+")
    configuration = models.ForeignKey(
        Configuration, null=True, on_delete=models.PROTECT, related_name="+"
    )
    environment = models.ForeignKey(
        Environment, null=True, on_delete=models.PROTECT, related_name="+"
    )
    study = models.ForeignKey(Study, null=True, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name = _("subject of a permalink")
        verbose_name_plural = _("subjects of permalinks")

    def __str__(self) -> str:
        return f"{self.permalink_id}: {self.configuration_id}"
