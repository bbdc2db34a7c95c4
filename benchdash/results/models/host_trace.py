"""What a host did while a run was measured."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from benchdash.results.models.run import Run


class HostTrace(models.Model):
    """A part of a host over time: all quantities of its CPUs, of one device, of one interface.

    It hangs on the first run of each sample that the host measured, and is that sample's.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="host_traces")
    role = models.SlugField(_("role"), max_length=50)
    position = models.PositiveSmallIntegerField(
        _("position"), help_text=_("Devices are listed in tree order.")
    )
    part = models.CharField(_("part"), max_length=10)
    name = models.CharField(_("name"), max_length=100, blank=True)
    title = models.CharField(_("own name"), max_length=100, blank=True)
    depth = models.PositiveSmallIntegerField(_("depth"), default=0)
    points = models.PositiveIntegerField(_("points"))
    quantities = models.JSONField(
        _("quantities"), help_text=_("For each, by name: lowest, mean and highest over the run.")
    )
    series = models.BinaryField(_("series"), help_text=_("JSON, compressed with zstd."))

    class Meta:
        verbose_name = _("host trace")
        verbose_name_plural = _("traces of hosts")
        ordering = ["role", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["run", "role", "position"], name="one_host_trace_per_place"
            )
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.part} {self.name}"
