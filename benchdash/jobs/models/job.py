"""One execution of a plan's cell: its steps, its states, its log, what it changed on the hosts."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from benchdash.inventory.models import Configuration, Environment, Host
from benchdash.jobs.models.plan import Plan, random_token
from benchdash.jobs.models.target import Target
from benchdash.results.language import JSONWithSentences, SentenceField
from benchdash.results.models import Artifact


class Job(models.Model):
    """What a worker carries on, a bounded turn at a time.

    `fence` counts the turns: a worker that lost its lease writes nothing more. `attempt` counts
    from 1, a retry stands beside the attempt before it. `token` is the name of its folders on hosts,
    `block` that of what it has in common with other jobs of its round, "" where that is nothing;
    `made_by` is the job that had made it, where it was found made.
    """

    class State(models.TextChoices):
        PLANNED = "planned", _("planned")
        QUEUED = "queued", _("queued")
        WAITING = "waiting", _("waiting for host")
        PREPARING = "preparing", _("preparing")
        RUNNING = "running", _("running")
        UNREACHABLE = "unreachable", _("unreachable")
        COLLECTING = "collecting", _("collecting")
        CANCELLING = "cancelling", _("cancelling")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")
        LOST = "lost", _("lost")

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="jobs")
    position = models.PositiveIntegerField(_("position"))
    token = models.CharField(max_length=32, unique=True, default=random_token, editable=False)
    block = models.CharField(_("block"), max_length=32, blank=True, editable=False)
    made_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="found_made"
    )
    title = models.CharField(_("title"), max_length=300, blank=True)
    values = models.JSONField(_("values"), default=dict, blank=True)
    cell = models.PositiveIntegerField(
        _("cell"), default=1, help_text=_("Of the plan; the same in every round.")
    )
    round = models.PositiveSmallIntegerField(_("round"), default=1)
    attempt = models.PositiveSmallIntegerField(_("attempt"), default=1)
    retry_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="retries"
    )
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.PLANNED)
    state_at = models.DateTimeField(_("since"), auto_now_add=True)
    reason = SentenceField(_("reason"), blank=True)
    outcome = models.CharField(
        _("state at the end"),
        max_length=12,
        choices=State,
        blank=True,
        help_text=_("Settled before everything is restored."),
    )
    outcome_reason = SentenceField(_("reason for the outcome"), blank=True)
    whatever_conditions = models.BooleanField(
        _("measure whatever the conditions"),
        default=False,
        help_text=_("This job, whatever its plan says."),
    )
    quiet_by = models.DateTimeField(
        _("waits for quiet hosts until"),
        null=True,
        blank=True,
        help_text=_("Since it found a host that was not quiet."),
    )
    priority = models.SmallIntegerField(_("priority"), default=0)
    expected_s = models.FloatField(_("expected seconds"), null=True, blank=True)
    queued_at = models.DateTimeField(_("queued"), null=True, blank=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    cancel_asked_at = models.DateTimeField(_("cancel asked"), null=True, blank=True)
    cancel_asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    look_at = models.DateTimeField(_("next look"), null=True, blank=True)
    lease_until = models.DateTimeField(_("lease until"), null=True, blank=True)
    fence = models.PositiveIntegerField(_("fence"), default=0)
    environment = models.ForeignKey(
        Environment, null=True, blank=True, on_delete=models.PROTECT, related_name="jobs"
    )
    configuration = models.ForeignKey(
        Configuration, null=True, blank=True, on_delete=models.PROTECT, related_name="jobs"
    )
    conditions = JSONWithSentences(_("conditions"), default=list, blank=True)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("job")
        verbose_name_plural = _("jobs")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["plan", "position", "attempt"], name="one_job_per_attempt"
            )
        ]
        indexes = [
            # the queue, and what a sweeper looks for
            models.Index(fields=["state", "-priority", "queued_at"], name="job_by_state"),
            # whether a plan is over, asked for every run of a comparison
            models.Index(fields=["plan"], condition=models.Q(ended_at=None), name="job_to_come"),
            # how far each cell of a plan is, and what of it changed since
            models.Index(fields=["plan", "cell", "state"], name="job_by_cell"),
            models.Index(fields=["plan", "state_at"], name="job_by_change"),
        ]

    def __str__(self) -> str:
        return f"{self.plan_id}-{self.position}"

    @property
    def waits_for_quiet(self) -> bool:
        """Whether it is on its hosts and has not begun, because they are not quiet."""
        return self.state == self.State.PREPARING and self.quiet_by is not None

    def work_folder(self, folder: str) -> str:
        """The job's own folder for data on a host, in the working folder."""
        return f"{folder.rstrip('/')}/{self.token}"


# what `Job.waits_for_quiet` says of one
WAITS_FOR_QUIET = models.Q(state=Job.State.PREPARING, quiet_by__isnull=False)


class JobNode(models.Model):
    """The part a host plays in a job: `node-a` runs the tool, `node-b` mirrors."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="nodes")
    role = models.SlugField(_("role"), max_length=50)
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="parts")
    # its commands have it in them: what the target says later is for later plans
    folder = models.CharField(_("working folder"), max_length=500)
    kernel_s = models.FloatField(
        _("newest kernel message before it"),
        null=True,
        blank=True,
        help_text=_("Seconds after boot; anything later came while the job ran."),
    )
    boot_id = models.CharField(
        _("boot"),
        max_length=36,
        blank=True,
        help_text=_("The kernel’s name of the boot that the job found the host in."),
    )
    left_at = models.DateTimeField(
        _("left behind"),
        null=True,
        blank=True,
        help_text=_("What the job left there will be stopped and undone on the next contact."),
    )

    class Meta:
        verbose_name = _("job node")
        verbose_name_plural = _("job nodes")
        ordering = ["role"]
        constraints = [models.UniqueConstraint(fields=["job", "role"], name="one_target_per_role")]
        indexes = [
            # a few of very many, which a sweeper looks for
            models.Index(
                fields=["job"], condition=models.Q(left_at__isnull=False), name="node_left_behind"
            )
        ]

    def __str__(self) -> str:
        return self.role


class HostLock(models.Model):
    """One benchmark a host at a time: the host belongs to this job until the row goes."""

    host = models.OneToOneField(
        Host, primary_key=True, on_delete=models.CASCADE, related_name="lock"
    )
    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="locks")
    since = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        verbose_name = _("busy host")
        verbose_name_plural = _("busy hosts")

    def __str__(self) -> str:
        return f"{self.host_id}: {self.job_id}"


class JobStep(models.Model):
    """One command on one node, character for character as it is run."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        STARTING = "starting", _("starting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        SKIPPED = "skipped", _("skipped")
        CANCELLED = "cancelled", _("cancelled")
        LOST = "lost", _("lost")

    class Phase(models.TextChoices):
        PREPARE = "prepare", _("prepare")
        BEFORE = "before", _("before")
        MEASURE = "measure", pgettext_lazy("step", "measure")
        AFTER = "after", _("after")
        CLEANUP = "cleanup", _("clean up")

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="steps")
    position = models.PositiveSmallIntegerField(_("position"))
    phase = models.CharField(_("phase"), max_length=10, choices=Phase)
    node = models.SlugField(_("node"), max_length=50)
    name = models.CharField(_("name"), max_length=100)
    folder = models.CharField(_("folder"), max_length=150)
    argv = models.JSONField(_("arguments"), default=list, blank=True)
    command = models.TextField(_("command"))
    files = models.JSONField(_("files"), default=dict, blank=True)
    root = models.BooleanField(_("as root"), default=False)
    timeout_s = models.PositiveIntegerField(_("time limit in seconds"))
    expected_s = models.FloatField(_("expected seconds"), null=True, blank=True)
    estimated = models.BooleanField(_("expected seconds are a guess"), default=False)
    together = models.BooleanField(
        _("together"),
        default=False,
        help_text=_("Starts at the same time as neighbours with the same name on other nodes."),
    )
    shared = models.BooleanField(
        _("shared"), default=False, help_text=_("Done once for all jobs of a block.")
    )
    tool = models.CharField(_("tool"), max_length=30, blank=True)
    result = models.CharField(
        _("result file"), max_length=200, blank=True, help_text=_("Empty: the output.")
    )
    touches = models.JSONField(_("what it writes to"), default=list, blank=True)
    tunable = models.JSONField(_("what it sets"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    reason = SentenceField(_("reason"), blank=True)
    identity = models.JSONField(
        _("process"), default=dict, blank=True, help_text=_("Process id, start, boot.")
    )
    beside_data = models.BooleanField(
        _("begun by an older version"),
        default=False,
        help_text=_("Its log is beside its data, not below the home folder."),
    )
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    began_after_s = models.FloatField(
        _("seconds after the first"),
        null=True,
        blank=True,
        help_text=_("Of the steps that started together with it on other hosts."),
    )
    began_error_s = models.FloatField(
        _("known to seconds"), null=True, blank=True, help_text=_("By the hosts’ clocks.")
    )
    exit_code = models.IntegerField(_("exit code"), null=True, blank=True)
    received = models.JSONField(
        _("bytes received"), default=dict, blank=True, help_text=_("By stream: out, err.")
    )
    artifact = models.ForeignKey(
        Artifact, null=True, blank=True, on_delete=models.PROTECT, related_name="steps"
    )

    class Meta:
        verbose_name = _("step")
        verbose_name_plural = _("steps")
        ordering = ["position"]
        constraints = [
            models.UniqueConstraint(fields=["job", "position"], name="one_step_per_place")
        ]

    def __str__(self) -> str:
        return self.name


class LogChunk(models.Model):
    """Output as it came, in the order of its offsets; stored in one transaction with `received`.

    `cpu` is no output of the step: it is how busy its host was meanwhile.
    """

    class Stream(models.TextChoices):
        OUT = "out", _("output")
        ERR = "err", _("error output")
        CPU = "cpu", _("CPU of the host")

    step = models.ForeignKey(
        JobStep,
        on_delete=models.CASCADE,
        related_name="chunks",
        db_index=False,  # the index in order serves
    )
    stream = models.CharField(_("stream"), max_length=3, choices=Stream)
    offset = models.PositiveBigIntegerField(_("offset"))
    data = models.BinaryField(_("data"))
    received_at = models.DateTimeField(_("received"), auto_now_add=True)

    class Meta:
        verbose_name = _("piece of a log")
        verbose_name_plural = _("pieces of logs")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["step", "stream", "offset"], name="each_byte_once")
        ]
        indexes = [
            # what came since, for those who watch
            models.Index(fields=["step", "id"], name="log_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.step_id} {self.stream} {self.offset}"


class JobEvent(models.Model):
    """An audit line: who, when, what."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField(_("at"), auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    before = models.CharField(_("before"), max_length=12, choices=Job.State, blank=True)
    after = models.CharField(_("after"), max_length=12, choices=Job.State, blank=True)
    reason = SentenceField(_("reason"), blank=True)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.before} → {self.after}"


class TunableChange(models.Model):
    """A setting with its old value: written before it is changed, until it was read back."""

    step = models.OneToOneField(JobStep, on_delete=models.CASCADE, related_name="change")
    old = models.TextField(_("old value"))
    new = models.TextField(_("new value"))
    journaled_at = models.DateTimeField(_("noted"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), null=True, blank=True)
    restored_at = models.DateTimeField(_("restored"), null=True, blank=True)
    read_back = models.TextField(_("read back"), blank=True)
    trouble = SentenceField(_("what stands in the way"), blank=True)

    class Meta:
        verbose_name = _("changed setting")
        verbose_name_plural = _("changed settings")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.old} → {self.new}"
