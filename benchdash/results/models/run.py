"""Runs and their numbers: few wide rows, many narrow ones."""

from __future__ import annotations

from django.conf import settings as django_settings
from django.db import models
from django.db.models import Case, Q, Value, When
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _

from benchdash.inventory.models import Configuration, Environment
from benchdash.results.language import JSONWithSentences, SentenceField
from benchdash.results.models.artifact import Artifact
from benchdash.results.models.execution import Execution, Sample
from benchdash.results.models.study import Study

COUNTED = Q(set_aside_reason="", withdrawn_at=None, deleted_at=None) & (
    Q(same_as=None) | Q(is_repeat=True)
)
LIVING = Q(withdrawn_at=None, deleted_at=None)
UNUSUAL = (
    Q(deleted_at__isnull=False)
    | Q(withdrawn_at__isnull=False)
    | ~Q(set_aside_reason="")
    | Q(error__isnull=False)
)
BEFORE_MACHINE = " @ "  # of fio's clients, behind the name of the job
# no record says what such a run was measured on; one kind of label names a machine and nothing else
MAY_NAME_ITS_MACHINE = (
    Q(environment=None) & ~Q(label="") & (Q(tool="bonnie++") | Q(label__contains=BEFORE_MACHINE))
)
# why a run does not count, in one word; "" where it does
NOT_COUNTED = Case(
    When(counted=True, then=Value("")),
    When(deleted_at__isnull=False, then=Value("deleted")),
    When(withdrawn_at__isnull=False, then=Value("withdrawn")),
    When(~Q(set_aside_reason=""), then=Value("set_aside")),
    default=Value("same_result"),
)


# what lists are narrowed and counted by, so that an index answers without the rows: these have kilobytes
_NARROWED = ("environment", "configuration", "study", "workload", "tool", "tool_version")
_COUNTED = ("id", "sample", "artifact", "measured_at", "withdrawn_at", "deleted_at")


def _with_all_but(*fields: str) -> tuple[str, ...]:
    return tuple(name for name in (*_NARROWED, *_COUNTED) if name not in fields)


class Workload(models.Model):
    """What a tool was set to do, one row per content; the columns are the axes of comparison.

    An axis that was not printed is NULL (text: empty).
    """

    digest = models.CharField(max_length=64, unique=True, editable=False)
    pattern = models.CharField(_("pattern"), max_length=40, blank=True)
    block_bytes = models.BigIntegerField(_("block size"), null=True, blank=True)
    queue_depth = models.BigIntegerField(_("queue depth"), null=True, blank=True)
    jobs = models.BigIntegerField(_("jobs"), null=True, blank=True)
    clients = models.BigIntegerField(_("clients"), null=True, blank=True)
    read_fraction = models.FloatField(_("read share"), null=True, blank=True)
    file_bytes = models.BigIntegerField(_("file size"), null=True, blank=True)
    files = models.BigIntegerField(_("files"), null=True, blank=True)
    duration_s = models.FloatField(_("duration"), null=True, blank=True)
    ramp_s = models.FloatField(_("ramp time"), null=True, blank=True)
    engine = models.CharField(_("I/O engine"), max_length=80, blank=True)
    direct = models.BooleanField(_("direct I/O"), null=True, blank=True)
    sync = models.BooleanField(_("synchronous"), null=True, blank=True)
    fsync_every = models.BigIntegerField(_("fsync every"), null=True, blank=True)
    concurrency = models.BigIntegerField(_("concurrency"), null=True, blank=True)
    scale = models.BigIntegerField(_("scale"), null=True, blank=True)
    script = models.CharField(_("script"), max_length=300, blank=True)
    options = models.JSONField(
        _("other options"),
        null=True,
        blank=True,
        help_text=_("Options beyond the workload, by name; empty if unknown."),
    )

    class Meta:
        verbose_name = _("workload")
        verbose_name_plural = _("workloads")

    def __str__(self) -> str:
        return self.digest[:12]


class Run(models.Model):
    """One printed result, read from an artifact at a position."""

    # set by those who show runs: `outcomes.name_environments`, `run_names.with_names`
    environment_name: str
    host_name: str | None

    artifact = models.ForeignKey(
        Artifact, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    position = models.PositiveIntegerField(_("position in the file"))
    execution = models.ForeignKey(
        Execution, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    sample = models.ForeignKey(
        Sample, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    lines = models.JSONField(_("lines"), default=list, blank=True)
    tool = models.CharField(_("tool"), max_length=20)
    tool_version = models.CharField(_("version"), max_length=40, blank=True)
    format = models.CharField(_("format"), max_length=40)
    parser_version = models.PositiveIntegerField(_("parser version"))
    label = models.CharField(_("label"), max_length=300, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    workload = models.ForeignKey(
        Workload, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    configuration = models.ForeignKey(
        Configuration,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="runs",
        db_index=False,
    )
    environment = models.ForeignKey(
        Environment,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="runs",
        db_index=False,
    )
    study = models.ForeignKey(
        Study, null=True, blank=True, on_delete=models.PROTECT, related_name="runs", db_index=False
    )
    settings = models.JSONField(
        _("settings"),
        default=dict,
        blank=True,
        help_text=_("What else was set, by name: a number, yes or no, or text."),
    )
    digest = models.CharField(
        max_length=64, editable=False, help_text=_("Of tool, workload and numbers.")
    )
    same_as = models.ForeignKey(
        "self",
        verbose_name=_("same result as"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="copies",
        db_index=False,
    )
    is_repeat = models.BooleanField(
        _("a repeat nevertheless"),
        default=False,
        help_text=_("A person says that the same numbers were measured again."),
    )
    details = models.JSONField(_("details"), default=dict, blank=True)
    notes = models.JSONField(_("notes"), default=list, blank=True)
    error = models.JSONField(_("error"), null=True, blank=True)
    conditions = JSONWithSentences(_("conditions"), default=list, blank=True)
    set_aside_reason = SentenceField(_("set aside because"), max_length=300, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)
    counted = models.GeneratedField(
        expression=Case(When(COUNTED, then=Value(True)), default=Value(False)),
        output_field=models.BooleanField(_("counted")),
        db_persist=True,
    )
    created_at = models.DateTimeField(_("stored"), auto_now_add=True)
    measured_at = models.GeneratedField(
        expression=Coalesce("started_at", "created_at"),
        output_field=models.DateTimeField(_("measured, else stored")),
        db_persist=True,
    )
    created_by = models.ForeignKey(
        django_settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )

    class Meta:
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["artifact", "position"], name="one_run_per_position"),
            # the same numbers count once: any further living run of a digest names the first
            models.UniqueConstraint(
                fields=["digest"], condition=LIVING & Q(same_as=None), name="one_first_per_result"
            ),
        ]
        # all that are needed and no more: each costs an upload a page. Nobody asks who stored a run.
        indexes = [
            # the runs of a comparison: by configuration or study, counted ones, newest first
            models.Index(
                fields=["configuration", "counted", "-id"],
                include=_with_all_but("configuration", "id"),
                name="run_by_configuration",
            ),
            models.Index(
                fields=["study", "counted", "-id"],
                include=_with_all_but("study", "id"),
                condition=Q(study__isnull=False),
                name="run_by_study",
            ),
            # the runs list by host, by workload, and by time
            models.Index(
                fields=["environment", "measured_at"],
                include=_with_all_but("environment", "measured_at"),
                condition=Q(environment__isnull=False),
                name="run_by_environment",
            ),
            models.Index(
                fields=["same_as"], condition=Q(same_as__isnull=False), name="run_by_first"
            ),
            models.Index(fields=["execution"], name="run_by_execution"),
            models.Index(
                fields=["workload", "measured_at"],
                include=_with_all_but("workload", "measured_at"),
                name="run_by_workload",
            ),
            models.Index(
                fields=["measured_at"], include=_with_all_but("measured_at"), name="run_by_moment"
            ),
            models.Index(
                fields=["sample", "id"],
                include=("withdrawn_at", "deleted_at"),
                name="run_by_sample",
            ),
            # the few that nobody expects, for the search
            models.Index(fields=["-id"], condition=UNUSUAL, name="run_unusual"),
            # the machines that outputs name, where no record does
            models.Index(
                fields=["label"],
                include=("id", "tool", "sample"),
                condition=MAY_NAME_ITS_MACHINE,
                name="run_by_machine",
            ),
            # the runs list by tool
            models.Index(fields=["tool", "-id"], name="run_by_tool"),
        ]

    def __str__(self) -> str:
        return f"{self.tool} {self.pk}"


class Measure(models.Model):
    """operation x metric x statistic, interned: what a number is."""

    operation = models.CharField(_("operation"), max_length=50)
    metric = models.CharField(_("metric"), max_length=30)
    statistic = models.CharField(_("statistic"), max_length=12)

    class Meta:
        verbose_name = _("measure")
        verbose_name_plural = _("measures")
        constraints = [
            models.UniqueConstraint(
                fields=["operation", "metric", "statistic"], name="one_row_per_measure"
            )
        ]

    def __str__(self) -> str:
        return f"{self.operation} {self.metric} {self.statistic}"


class Measurement(models.Model):
    """One number of a run, in the unit that its metric fixes."""

    pk = models.CompositePrimaryKey("run_id", "measure_id")
    run = models.ForeignKey(
        Run, on_delete=models.CASCADE, related_name="measurements", db_index=False
    )
    measure = models.ForeignKey(
        Measure, on_delete=models.PROTECT, related_name="measurements", db_index=False
    )
    value = models.FloatField(_("value"))

    class Meta:
        verbose_name = _("measurement")
        verbose_name_plural = _("measurements")
        constraints = [
            # PostgreSQL sorts NaN above infinity, SQLite stores it as NULL: neither passes.
            models.CheckConstraint(
                condition=Q(value__gte=0, value__lte=1.7976931348623157e308), name="a_finite_number"
            )
        ]
        # the order of the runs list; all else names its runs
        indexes = [models.Index(fields=["measure", "value", "run"], name="measurement_by_value")]

    def __str__(self) -> str:
        return f"{self.measure_id}: {self.value}"


class JoinedMeasurement(models.Model):
    """One number of a sample of several runs: what theirs amount to, NULL where nothing follows.

    `joined.py` keeps it so.
    """

    pk = models.CompositePrimaryKey("sample_id", "measure_id")
    sample = models.ForeignKey(
        Sample, on_delete=models.CASCADE, related_name="joined", db_index=False
    )
    measure = models.ForeignKey(
        Measure, on_delete=models.PROTECT, related_name="joined", db_index=False
    )
    value = models.FloatField(_("value"), null=True, blank=True)

    class Meta:
        verbose_name = _("measurement of a sample")
        verbose_name_plural = _("measurements of samples")
        indexes = [models.Index(fields=["measure", "value", "sample"], name="joined_by_value")]

    def __str__(self) -> str:
        return f"{self.measure_id}: {self.value}"


class Trace(models.Model):
    """One measure over time: two zstd-compressed arrays of little-endian doubles.

    Without an artifact, it is what the tool printed while it ran, beside its result.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="traces")
    artifact = models.ForeignKey(
        Artifact, null=True, blank=True, on_delete=models.PROTECT, related_name="traces"
    )
    measure = models.ForeignKey(Measure, on_delete=models.PROTECT, related_name="traces")
    points = models.PositiveIntegerField(_("points"))
    seconds = models.BinaryField(_("seconds"))
    values = models.BinaryField(_("values"))

    class Meta:
        verbose_name = _("trace")
        verbose_name_plural = _("traces")
        constraints = [
            models.UniqueConstraint(
                fields=["run", "artifact", "measure"], name="one_trace_per_measure"
            )
        ]

    def __str__(self) -> str:
        return f"{self.measure_id}: {self.points}"
