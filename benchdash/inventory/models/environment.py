"""Machines as they were at a time: immutable snapshots, one row per content."""

from __future__ import annotations

from collections.abc import Collection

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

_MOST_HOSTS = 3  # in a title


class Host(models.Model):
    """A machine's identity. How to log in is a target of the jobs app."""

    name = models.CharField(_("name"), max_length=253, unique=True)
    notes = models.TextField(_("notes"), blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("host")
        verbose_name_plural = _("hosts")
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class MachineSnapshot(models.Model):
    """Those facts of a machine that could change a number, without what a recipe can set."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    host = models.ForeignKey(
        Host,
        verbose_name=_("host"),
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="snapshots",
    )
    facts = models.JSONField(
        _("facts"),
        help_text=_("Words of benchdash/vocabulary/machines.py: model, CPU, memory, kernel …"),
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("machine snapshot")
        verbose_name_plural = _("machine snapshots")

    def __str__(self) -> str:
        return str(self.facts.get("hostname") or self.digest[:12])


class Environment(models.Model):
    """One or more machine snapshots by role, and the network between them; never changed."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    network = models.JSONField(_("network"), default=dict, blank=True)
    # the names of the machines' hosts as they are now, by role, each once
    hosts = models.JSONField(_("hosts"), default=list, editable=False)
    machines = models.ManyToManyField(
        MachineSnapshot, through="EnvironmentMachine", related_name="environments"
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("environment")
        verbose_name_plural = _("environments")

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """The newest name of this content, else its hosts and number; lists prefetch `names`."""
        label = next(iter(self.names.all()), None)
        return label.name if label else title_without_name(self.pk, self.hosts)


def title_without_name(pk: int, hosts: Collection[str]) -> str:
    """`store-1 + store-2 #17`: the number, as the same hosts have another environment in time."""
    if not hosts:
        return gettext("Environment {number}").format(number=pk)
    return f"{hosts_text(hosts)} #{pk}"


def hosts_text(hosts: Collection[str]) -> str:
    """`store-1 + store-2`; of more than three the first ones."""
    each = list(dict.fromkeys(hosts))
    if len(each) > _MOST_HOSTS:
        more = gettext("{n} more hosts").format(n=len(each) - _MOST_HOSTS + 1)
        each = [*each[: _MOST_HOSTS - 1], more]
    return " + ".join(each)


class EnvironmentMachine(models.Model):
    """The part a machine plays: `node-a` (where the tool ran), `node-b`, `client`, `guest-3`."""

    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="parts")
    role = models.SlugField(_("role"), max_length=50)
    snapshot = models.ForeignKey(MachineSnapshot, on_delete=models.PROTECT, related_name="parts")

    class Meta:
        verbose_name = _("machine in an environment")
        verbose_name_plural = _("machines in environments")
        ordering = ["role"]
        constraints = [
            models.UniqueConstraint(fields=["environment", "role"], name="one_machine_per_role")
        ]

    def __str__(self) -> str:
        return self.role


class EnvironmentName(models.Model):
    """A name that points at content; the newest row of a name is what it means now."""

    name = models.CharField(_("name"), max_length=200)
    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="names")
    given_at = models.DateTimeField(_("given"), auto_now_add=True)

    class Meta:
        verbose_name = _("environment name")
        verbose_name_plural = _("environment names")
        ordering = ["-given_at", "-pk"]
        indexes = [
            # "the newest content under that name"
            models.Index(fields=["name", "-given_at"], name="environment_by_name"),
        ]

    def __str__(self) -> str:
        return self.name


class Capture(models.Model):
    """One capture of an environment: when, how, and what is outside its content (uptime, load)."""

    class Source(models.TextChoices):
        SSH = "ssh", _("captured over SSH")
        UPLOADED = "uploaded", _("uploaded")
        TYPED = "typed", _("typed in")

    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="captures")
    source = models.CharField(_("source"), max_length=10, choices=Source)
    captured_at = models.DateTimeField(_("captured"), null=True, blank=True)
    captured_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    info = models.JSONField(_("good to know"), default=dict, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("capture")
        verbose_name_plural = _("captures")
        ordering = ["-captured_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.get_source_display()} {self.captured_at or ''}".strip()
