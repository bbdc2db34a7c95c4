"""Recipes that people wrote, and plans: recipes laid over hosts and factors, before anything runs."""

from __future__ import annotations

import hmac
from secrets import token_hex
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Configuration
from benchdash.results.language import JSONWithSentences, SentenceField
from benchdash.results.models import Study


def random_token() -> str:
    """A name of folders on a host, 128 bits: never met twice, and not to be guessed."""
    return token_hex(16)


class OwnRecipe(models.Model):
    """`name` is the one that stands in the text. Plans keep the text that they were made from."""

    name = models.CharField(_("name"), max_length=61, unique=True)
    text = models.TextField(_("recipe text"))
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
    written. Jobs are made as they come up (`jobs/making.py`): of `axes` (`[[name, levels], …]`, the
    first one changes slowest), of `nodes` as the hosts were found (`{role, target, folder, user,
    tools, known_as}`, the measured one first; where the factor `zone` has hosts for each level, each has its
    `zone`, and the name of its `host`), and `key`. `to_make` of them have no row yet. `stretches`
    has what came later in lines, none where nothing did (`jobs/stretches.py`): `{cells, rounds}`,
    the number of the `first` cell, when (`at`), and where these cells are new their `axes`, who
    added them (`by`), which `levels` of which `factor`, and whether all was `over` then.
    """

    title = models.CharField(_("title"), max_length=200)
    recipe_name = models.CharField(_("recipe"), max_length=100)
    recipe = models.TextField(_("recipe text"))
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    factors = models.JSONField(_("factors"), default=dict, blank=True)
    axes = models.JSONField(_("axes"), default=list, blank=True, editable=False)
    stretches = models.JSONField(_("stretches"), default=list, blank=True, editable=False)
    block_factors = models.JSONField(
        _("factors of blocks"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Cells that share these form a block in each round; none: no blocks."),
    )
    nodes = models.JSONField(_("hosts"), default=list, blank=True, editable=False)
    reaches = models.JSONField(
        _("what it reaches"),
        default=list,
        blank=True,
        editable=False,
        help_text=_("Outside its own folders, by node and kind."),
    )
    key = models.CharField(max_length=32, default=random_token, editable=False)
    remarks = JSONWithSentences(
        _("remarks"),
        default=list,
        blank=True,
        editable=False,
        help_text=_("What is measured in place of what its hosts no longer have."),
    )
    batch = models.CharField(
        max_length=32,
        blank=True,
        db_index=True,
        editable=False,
        help_text=_("The same for plans that are alike, one per host."),
    )
    cell_count = models.PositiveIntegerField(_("cells"), default=0)
    round_s = models.FloatField(_("expected seconds per round"), null=True, blank=True)
    to_make = models.PositiveIntegerField(_("jobs not created yet"), default=0)
    rounds_planned = models.PositiveSmallIntegerField(_("rounds"), default=1)
    until_percent = models.FloatField(
        _("until intervals are within ± %"),
        null=True,
        blank=True,
        help_text=_(
            "Its rounds end once the interval of each cell is this narrow; empty: all are measured."
        ),
    )
    rounds_at_most = models.PositiveSmallIntegerField(
        _("rounds at most"),
        null=True,
        blank=True,
        help_text=_("Where intervals may end them earlier."),
    )
    looks = models.PositiveSmallIntegerField(
        _("looks"),
        default=1,
        help_text=_(
            "Rounds added after a plan was over, or added by the plan because intervals "
            "are wide, are a further look at its runs."
        ),
    )
    seed = models.PositiveIntegerField(_("order seed"), null=True, blank=True)
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
        help_text=_("Empty: the stack found under the measured path."),
    )
    confirmed = models.JSONField(_("confirmed by typing"), default=list, blank=True)
    whatever_conditions = models.BooleanField(
        _("measure whatever the conditions"),
        default=False,
        help_text=_(
            "Jobs do not wait for resyncing arrays, degraded mirrors or busy hosts; runs "
            "record these."
        ),
    )
    wait_minutes = models.PositiveSmallIntegerField(
        _("minutes to wait for quiet hosts"),
        default=60,
        help_text=_("A job whose hosts are not quiet by then fails; 0: at once."),
    )
    priority = models.SmallIntegerField(_("priority"), default=0)
    created_at = models.DateTimeField(_("planned"), auto_now_add=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    paused_at = models.DateTimeField(_("paused"), null=True, blank=True)
    paused_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    paused_reason = SentenceField(
        _("paused because"),
        blank=True,
        help_text=_("Set where it paused itself; it stays, as it does so only once."),
    )
    stopped_at = models.DateTimeField(
        _("stopped"), null=True, blank=True, help_text=_("No further jobs are created.")
    )
    stopped_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    stopped_reason = SentenceField(_("stopped because"), blank=True)
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
        if not self.launched_at or (self.to_make and not self.stopped_at):
            return False
        return not self.jobs.filter(ended_at=None).exists()

    @property
    def has_paused_itself(self) -> bool:
        """Whether it is paused, and no person did that."""
        return bool(self.paused_at and self.paused_reason and self.paused_by_id is None)

    @property
    def is_deciding(self) -> bool:
        """Whether the intervals of its cells may still end its rounds; asks once where they may."""
        ended = StoppingLook.ENDED
        return self.until_percent is not None and not self.stopping_looks.filter(ended).exists()

    @property
    def has_zones(self) -> bool:
        """Whether each level of the factor `zone` has hosts of its own."""
        return any("zone" in node for node in self.nodes)

    @property
    def zones(self) -> dict[str, list[dict[str, Any]]]:
        """The hosts of each zone, the measured one first; none where a plan has one set of hosts."""
        zones: dict[str, list[dict[str, Any]]] = {}
        for node in self.nodes:
            if "zone" in node:
                zones.setdefault(node["zone"], []).append(node)
        return zones

    def nodes_of(self, zone: str) -> list[dict[str, Any]]:
        """The hosts of a zone; all of them where it has none."""
        return [node for node in self.nodes if node.get("zone", "") == zone]

    @property
    def last_round(self) -> int:
        """The number of its last one: cells that came later have rounds of their own."""
        later: int = sum(stretch["rounds"] for stretch in self.stretches)
        return later or self.rounds_planned

    @property
    def levels(self) -> dict[str, list[Any]]:
        """The levels of each axis, in their order."""
        return dict(self.axes)

    @property
    def varied(self) -> dict[str, list[Any]]:
        """The axes that have several levels."""
        return {name: levels for name, levels in self.axes if len(levels) > 1}

    def token_of(self, position: int) -> str:
        """That of the first attempt at a position, before and after it is made."""
        return self._token(str(position))

    def token_of_block(self, number: int, block: int) -> str:
        """That of what the jobs of a block have in common, by the numbers of its round and of it in that."""
        return self._token(f"block {number} {block}")

    def _token(self, name: str) -> str:
        return hmac.new(self.key.encode(), name.encode(), "sha256").hexdigest()[:32]


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


class StoppingLook(models.Model):
    """A look at the intervals of a plan once a round of it was over: whether it gets a further one.

    `widest_percent` is half the width of the widest interval, in percent of its median, None where no
    cell has one. `cells` has the numbers of some that are `wider` than the plan asks for, or
    `without` a number.
    """

    class Decision(models.TextChoices):
        FURTHER = "further", _("a further round")
        NARROW = "narrow", _("each interval is narrow enough")
        MOST = "most", _("no more rounds were planned")
        UNMEASURED = "unmeasured", _("wider ones were not measured any further")

    ENDED = ~models.Q(decision=Decision.FURTHER)

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="stopping_looks")
    rounds = models.PositiveSmallIntegerField(_("rounds"))
    at = models.DateTimeField(_("at"), auto_now_add=True)
    measure = models.CharField(_("measure"), max_length=100, blank=True)
    widest_percent = models.FloatField(_("widest interval, ± %"), null=True, blank=True)
    wider = models.PositiveIntegerField(_("cells that are wider"))
    without = models.PositiveIntegerField(_("cells without a number"))
    cells = models.JSONField(_("cells"), default=dict, blank=True)
    decision = models.CharField(_("decision"), max_length=10, choices=Decision)

    class Meta:
        verbose_name = _("look at intervals")
        verbose_name_plural = _("looks at intervals")
        ordering = ["rounds"]
        constraints = [
            # of two workers that decide at once, one does
            models.UniqueConstraint(fields=["plan", "rounds"], name="one_look_a_round")
        ]

    def __str__(self) -> str:
        return f"{self.plan_id}, {self.rounds}: {self.decision}"
