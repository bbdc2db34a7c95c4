"""Recipes that people wrote, and plans: recipes laid over hosts and factors, before anything runs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Configuration
from benchdash.results.models import Study


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


class Plan(models.Model):
    """What was requested as one; its jobs are the cells of the matrix, round after round.

    `seed` shuffled each round; plans without one run their cells in order. `recipe` is the text as
    it was then. `confirmed` are the names of devices and paths that a person typed to have them
    written.
    """

    title = models.CharField(_("title"), max_length=200)
    recipe_name = models.CharField(_("recipe"), max_length=100)
    recipe = models.TextField(_("text of the recipe"))
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    factors = models.JSONField(_("factors"), default=dict, blank=True)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), default=1)
    looks = models.PositiveSmallIntegerField(
        _("looks"),
        default=1,
        help_text=_(
            "Rounds that are added to a plan that was over are a further look at its runs."
        ),
    )
    seed = models.PositiveIntegerField(_("seed of the order"), null=True, blank=True)
    study = models.ForeignKey(
        Study,
        verbose_name=_("study"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="plans",
    )
    configuration = models.ForeignKey(
        Configuration,
        verbose_name=_("configuration"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="plans",
        help_text=_("Empty: the stack that is found under the path that is measured."),
    )
    confirmed = models.JSONField(_("confirmed by typing"), default=list, blank=True)
    whatever_conditions = models.BooleanField(
        _("measure whatever the conditions"),
        default=False,
        help_text=_(
            "A resyncing array, a degraded mirror or a busy host does not stop the launch."
        ),
    )
    priority = models.SmallIntegerField(_("priority"), default=0)
    created_at = models.DateTimeField(_("planned"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    launched_at = models.DateTimeField(_("launched"), null=True, blank=True)
    launched_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("plan")
        verbose_name_plural = _("plans")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title

    @property
    def is_over(self) -> bool:
        """Whether it was launched and nothing of any round is to come; asks once."""
        return bool(self.launched_at) and not self.jobs.filter(ended_at=None).exists()


class AddedRounds(models.Model):
    """Rounds that a plan was given after it was made, and with which of its looks they count."""

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="added")
    rounds = models.PositiveSmallIntegerField(_("rounds"))
    look = models.PositiveSmallIntegerField(_("look"))
    at = models.DateTimeField(_("at"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("added rounds")
        verbose_name_plural = _("added rounds")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.plan_id} + {self.rounds}"
