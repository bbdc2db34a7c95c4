"""The tables of 0027 in one step, for new databases; those that are older go through 0001 to 0027."""

import benchdash.jobs.models.plan
import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import DatabaseError, migrations, models, transaction


PARTS_OF_WORDS = {
    "job_by_part_of_title": ("jobs_job", "title"),
    "plan_by_part_of_title": ("jobs_plan", "title"),
    "plan_by_part_of_recipe_name": ("jobs_plan", "recipe_name"),
}


def create_indexes(apps, schema_editor):
    """Where the migration of runs could create pg_trgm; the search is right without it, and slower."""
    if schema_editor.connection.vendor != "postgresql":
        return
    try:
        with transaction.atomic():
            for name, (table, column) in PARTS_OF_WORDS.items():
                # as Django writes icontains
                schema_editor.execute(
                    f"CREATE INDEX {name} ON {table} "
                    f'USING gin (UPPER("{column}"::text) gin_trgm_ops)'
                )
    except DatabaseError:
        return


class Migration(migrations.Migration):
    replaces = [
        ("jobs", "0001_initial"),
        ("jobs", "0002_host_events_and_logs_in_order"),
        ("jobs", "0003_left_behind"),
        ("jobs", "0004_own_recipes"),
        ("jobs", "0005_cpu_of_hosts"),
        ("jobs", "0006_folders_of_nodes"),
        ("jobs", "0007_trust_of_hosts"),
        ("jobs", "0008_outcomes_and_tunables"),
        ("jobs", "0009_tunables_by_name"),
        ("jobs", "0010_rounds"),
        ("jobs", "0011_cells_of_jobs"),
        ("jobs", "0012_doubts_of_conditions"),
        ("jobs", "0013_kernel_log"),
        ("jobs", "0014_looks_at_plans"),
        ("jobs", "0015_public_keys_of_targets"),
        ("jobs", "0016_waiting_for_quiet_hosts"),
        ("jobs", "0017_pauses_of_plans"),
        ("jobs", "0018_search_by_parts_of_words"),
        ("jobs", "0019_start_skew"),
        ("jobs", "0020_jobs_as_they_come_up"),
        ("jobs", "0021_plans_of_before"),
        ("jobs", "0022_plans_by_parts_of_words"),
        ("jobs", "0023_jobs_by_cell"),
        ("jobs", "0024_batches"),
        ("jobs", "0025_remarks_of_plans"),
        ("jobs", "0026_rounds_until_intervals_are_narrow"),
        ("jobs", "0027_levels_that_come_later"),
    ]

    initial = True

    dependencies = [
        ("inventory", "0002_deleted_configurations"),
        ("results", "0001_squashed_0028_series_of_studies"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="OwnRecipe",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=61, unique=True, verbose_name="name")),
                ("text", models.TextField(verbose_name="text of the recipe")),
                ("changed_at", models.DateTimeField(auto_now=True, verbose_name="changed")),
                (
                    "changed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "own recipe",
                "verbose_name_plural": "own recipes",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Plan",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("title", models.CharField(max_length=200, verbose_name="title")),
                ("recipe_name", models.CharField(max_length=100, verbose_name="recipe")),
                ("recipe", models.TextField(verbose_name="text of the recipe")),
                (
                    "parameters",
                    models.JSONField(blank=True, default=dict, verbose_name="parameters"),
                ),
                ("factors", models.JSONField(blank=True, default=dict, verbose_name="factors")),
                (
                    "axes",
                    models.JSONField(blank=True, default=list, editable=False, verbose_name="axes"),
                ),
                (
                    "stretches",
                    models.JSONField(
                        blank=True, default=list, editable=False, verbose_name="stretches"
                    ),
                ),
                (
                    "nodes",
                    models.JSONField(
                        blank=True, default=list, editable=False, verbose_name="hosts"
                    ),
                ),
                (
                    "reaches",
                    models.JSONField(
                        blank=True,
                        default=list,
                        editable=False,
                        help_text="Outside its own folders, by node and kind.",
                        verbose_name="what it reaches",
                    ),
                ),
                (
                    "key",
                    models.CharField(
                        default=benchdash.jobs.models.plan.random_token,
                        editable=False,
                        max_length=32,
                    ),
                ),
                (
                    "remarks",
                    models.JSONField(
                        blank=True,
                        default=list,
                        editable=False,
                        help_text="What is measured in place of what its hosts no longer have.",
                        verbose_name="remarks",
                    ),
                ),
                (
                    "batch",
                    models.CharField(
                        blank=True,
                        db_index=True,
                        editable=False,
                        help_text="The same for plans that are alike, one per host.",
                        max_length=32,
                    ),
                ),
                ("cell_count", models.PositiveIntegerField(default=0, verbose_name="cells")),
                (
                    "round_s",
                    models.FloatField(
                        blank=True, null=True, verbose_name="expected seconds of a round"
                    ),
                ),
                (
                    "to_make",
                    models.PositiveIntegerField(
                        default=0, verbose_name="jobs that are not made yet"
                    ),
                ),
                (
                    "rounds_planned",
                    models.PositiveSmallIntegerField(default=1, verbose_name="rounds"),
                ),
                (
                    "until_percent",
                    models.FloatField(
                        blank=True,
                        help_text="Its rounds end once the interval of each cell is so narrow; empty: all of them are made.",
                        null=True,
                        verbose_name="until intervals are within ± %",
                    ),
                ),
                (
                    "rounds_at_most",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Where intervals may end them earlier.",
                        null=True,
                        verbose_name="rounds at most",
                    ),
                ),
                (
                    "looks",
                    models.PositiveSmallIntegerField(
                        default=1,
                        help_text="Rounds that are added to a plan that was over, or that it adds to itself because intervals are wide, are a further look at its runs.",
                        verbose_name="looks",
                    ),
                ),
                (
                    "seed",
                    models.PositiveIntegerField(
                        blank=True, null=True, verbose_name="seed of the order"
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="plans",
                        to="results.study",
                        verbose_name="study",
                    ),
                ),
                (
                    "configuration",
                    models.ForeignKey(
                        blank=True,
                        help_text="Empty: the stack that is found under the path that is measured.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="plans",
                        to="inventory.configuration",
                        verbose_name="configuration",
                    ),
                ),
                (
                    "confirmed",
                    models.JSONField(blank=True, default=list, verbose_name="confirmed by typing"),
                ),
                (
                    "whatever_conditions",
                    models.BooleanField(
                        default=False,
                        help_text="No job waits for a resyncing array, a degraded mirror or a busy host; its runs record them.",
                        verbose_name="measure whatever the conditions",
                    ),
                ),
                (
                    "wait_minutes",
                    models.PositiveSmallIntegerField(
                        default=60,
                        help_text="A job whose hosts are not quiet by then fails; 0: at once.",
                        verbose_name="minutes to wait for quiet hosts",
                    ),
                ),
                ("priority", models.SmallIntegerField(default=0, verbose_name="priority")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="planned")),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("paused_at", models.DateTimeField(blank=True, null=True, verbose_name="paused")),
                (
                    "paused_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "stopped_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="No further job of it is made.",
                        null=True,
                        verbose_name="stopped",
                    ),
                ),
                (
                    "stopped_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("stopped_reason", models.TextField(blank=True, verbose_name="stopped because")),
                (
                    "launched_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="launched"),
                ),
                (
                    "launched_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "plan",
                "verbose_name_plural": "plans",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="AddedRounds",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="added",
                        to="jobs.plan",
                    ),
                ),
                ("rounds", models.PositiveSmallIntegerField(verbose_name="rounds")),
                ("look", models.PositiveSmallIntegerField(verbose_name="look")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "added rounds",
                "verbose_name_plural": "added rounds",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="StoppingLook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="stopping_looks",
                        to="jobs.plan",
                    ),
                ),
                ("rounds", models.PositiveSmallIntegerField(verbose_name="rounds")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                ("measure", models.CharField(blank=True, max_length=100, verbose_name="measure")),
                (
                    "widest_percent",
                    models.FloatField(blank=True, null=True, verbose_name="widest interval, ± %"),
                ),
                ("wider", models.PositiveIntegerField(verbose_name="cells that are wider")),
                ("without", models.PositiveIntegerField(verbose_name="cells without a number")),
                ("cells", models.JSONField(blank=True, default=dict, verbose_name="cells")),
                (
                    "decision",
                    models.CharField(
                        choices=[
                            ("further", "a further round"),
                            ("narrow", "each interval is narrow enough"),
                            ("most", "no more rounds were planned"),
                            ("unmeasured", "what is wider was not measured any more"),
                        ],
                        max_length=10,
                        verbose_name="decision",
                    ),
                ),
            ],
            options={
                "verbose_name": "look at intervals",
                "verbose_name_plural": "looks at intervals",
                "ordering": ["rounds"],
                "constraints": [
                    models.UniqueConstraint(fields=("plan", "rounds"), name="one_look_a_round")
                ],
            },
        ),
        migrations.CreateModel(
            name="Target",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="targets",
                        to="inventory.host",
                        verbose_name="host",
                    ),
                ),
                ("address", models.CharField(max_length=253, verbose_name="address")),
                (
                    "port",
                    models.PositiveIntegerField(
                        default=22,
                        validators=[
                            django.core.validators.MinValueValidator(1),
                            django.core.validators.MaxValueValidator(65535),
                        ],
                        verbose_name="port",
                    ),
                ),
                ("user", models.CharField(max_length=64, verbose_name="user")),
                (
                    "method",
                    models.CharField(
                        choices=[
                            ("key", "private key"),
                            ("password", "password"),
                            ("agent", "SSH agent of the worker"),
                        ],
                        default="key",
                        max_length=10,
                        verbose_name="sign in by",
                    ),
                ),
                (
                    "secret",
                    models.TextField(
                        blank=True, editable=False, verbose_name="credentials, encrypted"
                    ),
                ),
                (
                    "public_key",
                    models.TextField(
                        blank=True,
                        help_text="Of the private key that is stored.",
                        verbose_name="public key",
                    ),
                ),
                (
                    "jump",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="behind",
                        to="jobs.target",
                        verbose_name="jump host",
                    ),
                ),
                ("sudo", models.BooleanField(default=False, verbose_name="may use sudo")),
                ("tags", models.JSONField(blank=True, default=list, verbose_name="tags")),
                (
                    "folder",
                    models.CharField(
                        default="/var/tmp/benchdash", max_length=500, verbose_name="working folder"
                    ),
                ),
                (
                    "allowed",
                    models.JSONField(
                        blank=True,
                        default=list,
                        verbose_name="devices and paths that may be written",
                    ),
                ),
                (
                    "readable",
                    models.JSONField(
                        blank=True, default=list, verbose_name="files that may be read"
                    ),
                ),
                (
                    "servers",
                    models.JSONField(
                        blank=True, default=list, verbose_name="servers that may be connected to"
                    ),
                ),
                (
                    "old_algorithms",
                    models.BooleanField(
                        default=False,
                        help_text="SHA-1 signatures and CBC ciphers, which CentOS 5 needs.",
                        verbose_name="allow old algorithms",
                    ),
                ),
                ("host_key", models.TextField(blank=True, verbose_name="host key")),
                (
                    "pinned_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="host key approved"),
                ),
                (
                    "pinned_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "offered_key",
                    models.TextField(
                        blank=True,
                        help_text="Not approved: empty where it is the approved one.",
                        verbose_name="key that the host shows now",
                    ),
                ),
                ("checked_at", models.DateTimeField(blank=True, null=True, verbose_name="checked")),
                (
                    "check_asked_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="check asked"),
                ),
                ("findings", models.JSONField(blank=True, default=dict, verbose_name="last check")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "target",
                "verbose_name_plural": "targets",
                "ordering": ["host__name", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("host", "address", "port", "user"), name="one_target_per_address"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("port__gte", 1), ("port__lte", 65535)), name="a_port"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="HostEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "host",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="inventory.host",
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "what",
                    models.CharField(
                        choices=[
                            ("made", "target made"),
                            ("changed", "target changed"),
                            ("removed", "target removed"),
                            ("credentials", "credentials entered"),
                            ("check", "check asked"),
                            ("pinned", "host key pinned"),
                            ("approved", "changed host key approved"),
                        ],
                        max_length=12,
                        verbose_name="what",
                    ),
                ),
                ("detail", models.TextField(blank=True, verbose_name="detail")),
            ],
            options={
                "verbose_name": "event of a host",
                "verbose_name_plural": "events of hosts",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "plan",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="jobs",
                        to="jobs.plan",
                    ),
                ),
                ("position", models.PositiveIntegerField(verbose_name="position")),
                (
                    "token",
                    models.CharField(
                        default=benchdash.jobs.models.plan.random_token,
                        editable=False,
                        max_length=32,
                        unique=True,
                    ),
                ),
                ("title", models.CharField(blank=True, max_length=300, verbose_name="title")),
                ("values", models.JSONField(blank=True, default=dict, verbose_name="values")),
                (
                    "cell",
                    models.PositiveIntegerField(
                        default=1,
                        help_text="Of the plan; the same in every round.",
                        verbose_name="cell",
                    ),
                ),
                ("round", models.PositiveSmallIntegerField(default=1, verbose_name="round")),
                ("attempt", models.PositiveSmallIntegerField(default=1, verbose_name="attempt")),
                (
                    "retry_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="retries",
                        to="jobs.job",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("planned", "planned"),
                            ("queued", "queued"),
                            ("waiting", "waiting for host"),
                            ("preparing", "preparing"),
                            ("running", "running"),
                            ("unreachable", "unreachable"),
                            ("collecting", "collecting"),
                            ("cancelling", "cancelling"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                            ("lost", "lost"),
                        ],
                        default="planned",
                        max_length=12,
                        verbose_name="state",
                    ),
                ),
                ("state_at", models.DateTimeField(auto_now_add=True, verbose_name="since")),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("planned", "planned"),
                            ("queued", "queued"),
                            ("waiting", "waiting for host"),
                            ("preparing", "preparing"),
                            ("running", "running"),
                            ("unreachable", "unreachable"),
                            ("collecting", "collecting"),
                            ("cancelling", "cancelling"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                            ("lost", "lost"),
                        ],
                        help_text="Settled before everything is put back.",
                        max_length=12,
                        verbose_name="state at the end",
                    ),
                ),
                (
                    "outcome_reason",
                    models.TextField(blank=True, verbose_name="reason of the outcome"),
                ),
                (
                    "whatever_conditions",
                    models.BooleanField(
                        default=False,
                        help_text="This job, whatever its plan says.",
                        verbose_name="measure whatever the conditions",
                    ),
                ),
                (
                    "quiet_by",
                    models.DateTimeField(
                        blank=True,
                        help_text="Since it found a host that was not quiet.",
                        null=True,
                        verbose_name="waits for quiet hosts until",
                    ),
                ),
                ("priority", models.SmallIntegerField(default=0, verbose_name="priority")),
                (
                    "expected_s",
                    models.FloatField(blank=True, null=True, verbose_name="expected seconds"),
                ),
                ("queued_at", models.DateTimeField(blank=True, null=True, verbose_name="queued")),
                ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "cancel_asked_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="cancel asked"),
                ),
                (
                    "cancel_asked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("look_at", models.DateTimeField(blank=True, null=True, verbose_name="next look")),
                (
                    "lease_until",
                    models.DateTimeField(blank=True, null=True, verbose_name="lease until"),
                ),
                ("fence", models.PositiveIntegerField(default=0, verbose_name="fence")),
                (
                    "environment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="inventory.environment",
                    ),
                ),
                (
                    "configuration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="jobs",
                        to="inventory.configuration",
                    ),
                ),
                (
                    "conditions",
                    models.JSONField(blank=True, default=list, verbose_name="conditions"),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
            ],
            options={
                "verbose_name": "job",
                "verbose_name_plural": "jobs",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["state", "-priority", "queued_at"], name="job_by_state"),
                    models.Index(
                        condition=models.Q(("ended_at", None)), fields=["plan"], name="job_to_come"
                    ),
                    models.Index(fields=["plan", "cell", "state"], name="job_by_cell"),
                    models.Index(fields=["plan", "state_at"], name="job_by_change"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("plan", "position", "attempt"), name="one_job_per_attempt"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JobNode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="nodes",
                        to="jobs.job",
                    ),
                ),
                ("role", models.SlugField(verbose_name="role")),
                (
                    "target",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="parts",
                        to="jobs.target",
                    ),
                ),
                ("folder", models.CharField(max_length=500, verbose_name="working folder")),
                (
                    "kernel_s",
                    models.FloatField(
                        blank=True,
                        help_text="Seconds after boot; what is newer came while the job ran.",
                        null=True,
                        verbose_name="newest kernel message before it",
                    ),
                ),
                (
                    "left_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="What the job left there is to be ended and put back at the next contact.",
                        null=True,
                        verbose_name="left behind",
                    ),
                ),
            ],
            options={
                "verbose_name": "node of a job",
                "verbose_name_plural": "nodes of a job",
                "ordering": ["role"],
                "constraints": [
                    models.UniqueConstraint(fields=("job", "role"), name="one_target_per_role")
                ],
            },
        ),
        migrations.CreateModel(
            name="HostLock",
            fields=[
                (
                    "host",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="lock",
                        serialize=False,
                        to="inventory.host",
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="locks",
                        to="jobs.job",
                    ),
                ),
                ("since", models.DateTimeField(auto_now_add=True, verbose_name="since")),
            ],
            options={
                "verbose_name": "busy host",
                "verbose_name_plural": "busy hosts",
            },
        ),
        migrations.CreateModel(
            name="JobStep",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="steps",
                        to="jobs.job",
                    ),
                ),
                ("position", models.PositiveSmallIntegerField(verbose_name="position")),
                (
                    "phase",
                    models.CharField(
                        choices=[
                            ("prepare", "prepare"),
                            ("before", "before"),
                            ("measure", "measure"),
                            ("after", "after"),
                            ("cleanup", "clean up"),
                        ],
                        max_length=10,
                        verbose_name="phase",
                    ),
                ),
                ("node", models.SlugField(verbose_name="node")),
                ("name", models.CharField(max_length=100, verbose_name="name")),
                ("folder", models.CharField(max_length=150, verbose_name="folder")),
                ("argv", models.JSONField(blank=True, default=list, verbose_name="arguments")),
                ("command", models.TextField(verbose_name="command")),
                ("files", models.JSONField(blank=True, default=dict, verbose_name="files")),
                ("root", models.BooleanField(default=False, verbose_name="as root")),
                ("timeout_s", models.PositiveIntegerField(verbose_name="time limit in seconds")),
                (
                    "expected_s",
                    models.FloatField(blank=True, null=True, verbose_name="expected seconds"),
                ),
                (
                    "estimated",
                    models.BooleanField(default=False, verbose_name="expected seconds are a guess"),
                ),
                (
                    "together",
                    models.BooleanField(
                        default=False,
                        help_text="Starts at the same time as its neighbours of the same name on other nodes.",
                        verbose_name="together",
                    ),
                ),
                ("tool", models.CharField(blank=True, max_length=30, verbose_name="tool")),
                (
                    "result",
                    models.CharField(
                        blank=True,
                        help_text="Empty: the output.",
                        max_length=200,
                        verbose_name="file of the result",
                    ),
                ),
                (
                    "touches",
                    models.JSONField(blank=True, default=list, verbose_name="what it writes to"),
                ),
                ("tunable", models.JSONField(blank=True, null=True, verbose_name="what it sets")),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("starting", "starting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("skipped", "skipped"),
                            ("cancelled", "cancelled"),
                            ("lost", "lost"),
                        ],
                        default="waiting",
                        max_length=10,
                        verbose_name="state",
                    ),
                ),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                (
                    "identity",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Process id, start, boot.",
                        verbose_name="process",
                    ),
                ),
                (
                    "beside_data",
                    models.BooleanField(
                        default=False,
                        help_text="Its log lies beside its data, not below the home folder.",
                        verbose_name="begun by an older version",
                    ),
                ),
                ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started")),
                ("ended_at", models.DateTimeField(blank=True, null=True, verbose_name="ended")),
                (
                    "began_after_s",
                    models.FloatField(
                        blank=True,
                        help_text="Of the steps that started together with it on other hosts.",
                        null=True,
                        verbose_name="seconds after the first",
                    ),
                ),
                (
                    "began_error_s",
                    models.FloatField(
                        blank=True,
                        help_text="By the clocks of the hosts.",
                        null=True,
                        verbose_name="known to seconds",
                    ),
                ),
                ("exit_code", models.IntegerField(blank=True, null=True, verbose_name="exit code")),
                (
                    "received",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="By stream: out, err.",
                        verbose_name="bytes received",
                    ),
                ),
                (
                    "artifact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="steps",
                        to="results.artifact",
                    ),
                ),
            ],
            options={
                "verbose_name": "step",
                "verbose_name_plural": "steps",
                "ordering": ["position"],
                "constraints": [
                    models.UniqueConstraint(fields=("job", "position"), name="one_step_per_place")
                ],
            },
        ),
        migrations.CreateModel(
            name="LogChunk",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "step",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="chunks",
                        to="jobs.jobstep",
                    ),
                ),
                (
                    "stream",
                    models.CharField(
                        choices=[
                            ("out", "output"),
                            ("err", "error output"),
                            ("cpu", "CPU of the host"),
                        ],
                        max_length=3,
                        verbose_name="stream",
                    ),
                ),
                ("offset", models.PositiveBigIntegerField(verbose_name="offset")),
                ("data", models.BinaryField(verbose_name="data")),
                ("received_at", models.DateTimeField(auto_now_add=True, verbose_name="received")),
            ],
            options={
                "verbose_name": "piece of a log",
                "verbose_name_plural": "pieces of logs",
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["step", "id"], name="log_in_order")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("step", "stream", "offset"), name="each_byte_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="JobEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="jobs.job",
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="at")),
                (
                    "by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "before",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("planned", "planned"),
                            ("queued", "queued"),
                            ("waiting", "waiting for host"),
                            ("preparing", "preparing"),
                            ("running", "running"),
                            ("unreachable", "unreachable"),
                            ("collecting", "collecting"),
                            ("cancelling", "cancelling"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                            ("lost", "lost"),
                        ],
                        max_length=12,
                        verbose_name="before",
                    ),
                ),
                (
                    "after",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("planned", "planned"),
                            ("queued", "queued"),
                            ("waiting", "waiting for host"),
                            ("preparing", "preparing"),
                            ("running", "running"),
                            ("unreachable", "unreachable"),
                            ("collecting", "collecting"),
                            ("cancelling", "cancelling"),
                            ("done", "done"),
                            ("failed", "failed"),
                            ("cancelled", "cancelled"),
                            ("lost", "lost"),
                        ],
                        max_length=12,
                        verbose_name="after",
                    ),
                ),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
            ],
            options={
                "verbose_name": "event",
                "verbose_name_plural": "events",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="TunableChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "step",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="change",
                        to="jobs.jobstep",
                    ),
                ),
                ("old", models.TextField(verbose_name="old value")),
                ("new", models.TextField(verbose_name="new value")),
                ("journaled_at", models.DateTimeField(auto_now_add=True, verbose_name="noted")),
                ("changed_at", models.DateTimeField(blank=True, null=True, verbose_name="changed")),
                (
                    "restored_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="put back"),
                ),
                ("read_back", models.TextField(blank=True, verbose_name="read back")),
                ("trouble", models.TextField(blank=True, verbose_name="what stands in the way")),
            ],
            options={
                "verbose_name": "changed setting",
                "verbose_name_plural": "changed settings",
                "ordering": ["pk"],
            },
        ),
        migrations.RunPython(create_indexes, migrations.RunPython.noop),
    ]
