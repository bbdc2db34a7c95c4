"""The tables of 0028 in one step, for new databases; those that are older go through 0001 to 0028."""

import benchdash.results.models.permalink
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.comparison
from django.conf import settings
from django.db import DatabaseError, migrations, models, transaction


PARTS_OF_WORDS = {
    "run_by_part_of_label": ("results_run", "label"),
    "upload_by_part_of_name": ("results_upload", "name"),
    "upload_by_part_of_sentence": ("results_upload", "sentence"),
}


def create_indexes(apps, schema_editor):
    """Indexes that only PostgreSQL has, for what Django writes as istartswith and icontains."""
    if schema_editor.connection.vendor != "postgresql":
        return
    schema_editor.execute(
        'CREATE INDEX run_by_version ON results_run (UPPER("tool_version"::text) text_pattern_ops)'
    )
    try:
        with transaction.atomic():
            schema_editor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError:  # not installed, or not ours to use: the search is right, and slower
        return
    for name, (table, column) in PARTS_OF_WORDS.items():
        schema_editor.execute(
            f'CREATE INDEX {name} ON {table} USING gin (UPPER("{column}"::text) gin_trgm_ops)'
        )


class Migration(migrations.Migration):
    replaces = [
        ("results", "0001_initial"),
        ("results", "0002_annotations"),
        ("results", "0003_saved_filters"),
        ("results", "0004_permalinks"),
        ("results", "0005_purges"),
        ("results", "0006_uploads_put_aside"),
        ("results", "0007_numbers_by_run_alone"),
        ("results", "0008_no_index_twice"),
        ("results", "0009_uploads_brought_together"),
        ("results", "0010_words_of_uploads"),
        ("results", "0011_executions_samples_settings"),
        ("results", "0012_fill_executions_and_samples"),
        ("results", "0013_every_run_has_a_sample"),
        ("results", "0014_smallest_difference_of_studies"),
        ("results", "0015_doubts"),
        ("results", "0016_doubts_of_stored_runs"),
        ("results", "0017_options_of_stored_runs"),
        ("results", "0018_starts_of_reported_runs"),
        ("results", "0019_past_dismissals"),
        ("results", "0020_doubts_of_environments"),
        ("results", "0021_doubts_of_stored_captures"),
        ("results", "0022_runs_counted_by_index"),
        ("results", "0023_search_by_parts_of_words"),
        ("results", "0024_traces_of_hosts"),
        ("results", "0025_unusual_runs_and_versions"),
        ("results", "0026_deleted_studies"),
        ("results", "0027_how_studies_are_measured"),
        ("results", "0028_series_of_studies"),
    ]

    initial = True

    dependencies = [
        ("inventory", "0002_deleted_configurations"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Artifact",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "sha256",
                    models.CharField(
                        editable=False, max_length=64, unique=True, verbose_name="SHA-256"
                    ),
                ),
                ("size_bytes", models.PositiveBigIntegerField(verbose_name="size in bytes")),
                ("compressed", models.BinaryField(verbose_name="content")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
            ],
            options={
                "verbose_name": "artifact",
                "verbose_name_plural": "artifacts",
            },
        ),
        migrations.CreateModel(
            name="Purge",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "artifact",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="purge",
                        to="results.artifact",
                    ),
                ),
                ("name", models.CharField(max_length=500, verbose_name="name")),
                ("reason", models.TextField(verbose_name="reason")),
                ("purged_at", models.DateTimeField(auto_now_add=True, verbose_name="purged")),
                (
                    "purged_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "purged_by_name",
                    models.CharField(
                        help_text="Stays when the person's account goes.",
                        max_length=150,
                        verbose_name="purged by",
                    ),
                ),
            ],
            options={
                "verbose_name": "purge",
                "verbose_name_plural": "purges",
                "ordering": ["-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("reason", ""), _negated=True),
                        name="a_purge_has_a_reason",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Upload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "artifact",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="uploads",
                        to="results.artifact",
                    ),
                ),
                ("name", models.CharField(max_length=500, verbose_name="name")),
                (
                    "outcome",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("stored", "stored"),
                            ("known", "stored before"),
                            ("refused", "refused"),
                        ],
                        max_length=10,
                        verbose_name="outcome",
                    ),
                ),
                (
                    "sentence",
                    models.TextField(
                        blank=True,
                        help_text="Why it was refused, or what is incomplete.",
                        verbose_name="sentence",
                    ),
                ),
                (
                    "assignment",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="Configuration, environment, study, label.",
                        verbose_name="assignment",
                    ),
                ),
                (
                    "archive",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="members",
                        to="results.upload",
                    ),
                ),
                (
                    "uploaded_with",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        help_text="The first file of the request, with which it waits to be read.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="results.upload",
                        verbose_name="uploaded with",
                    ),
                ),
                (
                    "begun_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Of a file that waits to be read.",
                        null=True,
                        verbose_name="reading began",
                    ),
                ),
                (
                    "attempts",
                    models.PositiveSmallIntegerField(
                        default=0,
                        help_text="How often a worker began to read it.",
                        verbose_name="attempts",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="uploaded")),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "put_aside_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="A refused file that needs no attention any more.",
                        null=True,
                        verbose_name="put aside",
                    ),
                ),
                (
                    "put_aside_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="put aside by",
                    ),
                ),
                (
                    "put_aside_reason",
                    models.CharField(blank=True, max_length=300, verbose_name="put aside because"),
                ),
            ],
            options={
                "verbose_name": "upload",
                "verbose_name_plural": "uploads",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(fields=["outcome", "-id"], name="upload_by_outcome"),
                    models.Index(
                        condition=models.Q(("archive__isnull", False)),
                        fields=["archive"],
                        name="upload_by_archive",
                    ),
                    models.Index(
                        condition=models.Q(("uploaded_with__isnull", False)),
                        fields=["uploaded_with"],
                        name="upload_by_request",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("put_aside_at__isnull", False),
                            models.Q(("put_aside_by", None), ("put_aside_reason", "")),
                            _connector="OR",
                        ),
                        name="who_put_aside_says_when",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Execution",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "artifact",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="executions",
                        to="results.artifact",
                    ),
                ),
                ("number", models.PositiveIntegerField(verbose_name="number in the file")),
                (
                    "round",
                    models.PositiveIntegerField(
                        blank=True,
                        help_text="Of a plan: every cell runs once in each.",
                        null=True,
                        verbose_name="round",
                    ),
                ),
            ],
            options={
                "verbose_name": "execution",
                "verbose_name_plural": "executions",
                "ordering": ["-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("artifact", "number"), name="one_execution_per_number"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Sample",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "beside",
                    models.CharField(
                        blank=True,
                        help_text="What else ran at the same time; empty: nothing.",
                        max_length=300,
                        verbose_name="beside",
                    ),
                ),
            ],
            options={
                "verbose_name": "sample",
                "verbose_name_plural": "samples",
            },
        ),
        migrations.CreateModel(
            name="Study",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=80, unique=True, verbose_name="address")),
                ("title", models.CharField(max_length=200, unique=True, verbose_name="title")),
                ("question", models.TextField(blank=True, verbose_name="question")),
                (
                    "words",
                    models.TextField(blank=True, help_text="Markdown.", verbose_name="words"),
                ),
                (
                    "translations",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='{"ja": {"title": …, "question": …, "words": …}}',
                        verbose_name="translations",
                    ),
                ),
                ("source_url", models.URLField(blank=True, verbose_name="published at")),
                (
                    "published_as",
                    models.CharField(
                        blank=True,
                        help_text="What they are called beside one's own, such as “author, 2008”.",
                        max_length=100,
                        verbose_name="name of the published results",
                    ),
                ),
                (
                    "series",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='What series are called, and what is said of them, by the setting “series” of their runs: {"2026-11": {"title": …, "words": …}}',
                        verbose_name="series",
                    ),
                ),
                (
                    "measured_by",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text='{"recipe": name, "parameters": {…}, "factors": {…}, "roles": ["client", "guest[1..10]"]}',
                        verbose_name="measured by",
                    ),
                ),
                (
                    "factors",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Keys as on the compare page: drbd.protocol, workload.block_bytes, environment.kernel",
                        verbose_name="factors",
                    ),
                ),
                (
                    "charts",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Query strings of the compare page.",
                        verbose_name="charts",
                    ),
                ),
                (
                    "delta",
                    models.FloatField(
                        blank=True,
                        help_text="If empty, the default of this server.",
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(0.01),
                            django.core.validators.MaxValueValidator(100),
                        ],
                        verbose_name="smallest difference that matters, %",
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("deleted_at", models.DateTimeField(blank=True, null=True, verbose_name="deleted")),
            ],
            options={
                "verbose_name": "study",
                "verbose_name_plural": "studies",
                "ordering": ["-created_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Condition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="conditions",
                        to="results.study",
                    ),
                ),
                ("position", models.PositiveIntegerField(verbose_name="position")),
                ("label", models.CharField(blank=True, max_length=200, verbose_name="label")),
                (
                    "configuration",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conditions",
                        to="inventory.configuration",
                    ),
                ),
                (
                    "environment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="conditions",
                        to="inventory.environment",
                    ),
                ),
                ("is_baseline", models.BooleanField(default=False, verbose_name="baseline")),
            ],
            options={
                "verbose_name": "condition",
                "verbose_name_plural": "conditions",
                "ordering": ["position", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("study", "configuration", "environment"),
                        name="one_condition_per_environment",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("environment", None)),
                        fields=("study", "configuration"),
                        name="one_condition_without_environment",
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(("is_baseline", True)),
                        fields=("study",),
                        name="one_baseline_per_study",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Workload",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("pattern", models.CharField(blank=True, max_length=40, verbose_name="pattern")),
                (
                    "block_bytes",
                    models.BigIntegerField(blank=True, null=True, verbose_name="block size"),
                ),
                (
                    "queue_depth",
                    models.BigIntegerField(blank=True, null=True, verbose_name="queue depth"),
                ),
                ("jobs", models.BigIntegerField(blank=True, null=True, verbose_name="jobs")),
                ("clients", models.BigIntegerField(blank=True, null=True, verbose_name="clients")),
                (
                    "read_fraction",
                    models.FloatField(blank=True, null=True, verbose_name="read share"),
                ),
                (
                    "file_bytes",
                    models.BigIntegerField(blank=True, null=True, verbose_name="file size"),
                ),
                ("files", models.BigIntegerField(blank=True, null=True, verbose_name="files")),
                ("duration_s", models.FloatField(blank=True, null=True, verbose_name="duration")),
                ("ramp_s", models.FloatField(blank=True, null=True, verbose_name="ramp time")),
                ("engine", models.CharField(blank=True, max_length=80, verbose_name="I/O engine")),
                ("direct", models.BooleanField(blank=True, null=True, verbose_name="direct I/O")),
                ("sync", models.BooleanField(blank=True, null=True, verbose_name="synchronous")),
                (
                    "fsync_every",
                    models.BigIntegerField(blank=True, null=True, verbose_name="fsync every"),
                ),
                (
                    "concurrency",
                    models.BigIntegerField(blank=True, null=True, verbose_name="concurrency"),
                ),
                ("scale", models.BigIntegerField(blank=True, null=True, verbose_name="scale")),
                ("script", models.CharField(blank=True, max_length=300, verbose_name="script")),
                (
                    "options",
                    models.JSONField(
                        blank=True,
                        help_text="Options beyond the workload, by name; empty where unknown.",
                        null=True,
                        verbose_name="other options",
                    ),
                ),
            ],
            options={
                "verbose_name": "workload",
                "verbose_name_plural": "workloads",
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "artifact",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="results.artifact",
                    ),
                ),
                ("position", models.PositiveIntegerField(verbose_name="position in the file")),
                (
                    "execution",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="results.execution",
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="results.sample",
                    ),
                ),
                ("lines", models.JSONField(blank=True, default=list, verbose_name="lines")),
                ("tool", models.CharField(max_length=20, verbose_name="tool")),
                (
                    "tool_version",
                    models.CharField(blank=True, max_length=40, verbose_name="version"),
                ),
                ("format", models.CharField(max_length=40, verbose_name="format")),
                ("parser_version", models.PositiveIntegerField(verbose_name="parser version")),
                ("label", models.CharField(blank=True, max_length=300, verbose_name="label")),
                ("started_at", models.DateTimeField(blank=True, null=True, verbose_name="started")),
                (
                    "workload",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="results.workload",
                    ),
                ),
                (
                    "configuration",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="inventory.configuration",
                    ),
                ),
                (
                    "environment",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="inventory.environment",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="runs",
                        to="results.study",
                    ),
                ),
                (
                    "settings",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="What else was set, by name: a number, yes or no, or a text.",
                        verbose_name="settings",
                    ),
                ),
                (
                    "digest",
                    models.CharField(
                        editable=False, help_text="Of tool, workload and numbers.", max_length=64
                    ),
                ),
                (
                    "same_as",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="copies",
                        to="results.run",
                        verbose_name="same result as",
                    ),
                ),
                (
                    "is_repeat",
                    models.BooleanField(
                        default=False,
                        help_text="A person says that the same numbers were measured again.",
                        verbose_name="a repeat all the same",
                    ),
                ),
                ("details", models.JSONField(blank=True, default=dict, verbose_name="details")),
                ("notes", models.JSONField(blank=True, default=list, verbose_name="notes")),
                ("error", models.JSONField(blank=True, null=True, verbose_name="error")),
                (
                    "conditions",
                    models.JSONField(blank=True, default=list, verbose_name="conditions"),
                ),
                (
                    "set_aside_reason",
                    models.CharField(blank=True, max_length=300, verbose_name="set aside because"),
                ),
                (
                    "withdrawn_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="withdrawn"),
                ),
                ("deleted_at", models.DateTimeField(blank=True, null=True, verbose_name="deleted")),
                (
                    "counted",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Case(
                            models.When(
                                models.Q(
                                    ("deleted_at", None),
                                    ("set_aside_reason", ""),
                                    ("withdrawn_at", None),
                                    models.Q(
                                        ("same_as", None), ("is_repeat", True), _connector="OR"
                                    ),
                                ),
                                then=models.Value(True),
                            ),
                            default=models.Value(False),
                        ),
                        output_field=models.BooleanField(verbose_name="counted"),
                    ),
                ),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="stored")),
                (
                    "measured_at",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.functions.comparison.Coalesce(
                            "started_at", "created_at"
                        ),
                        output_field=models.DateTimeField(verbose_name="measured, else stored"),
                    ),
                ),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        db_index=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "run",
                "verbose_name_plural": "runs",
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        fields=["configuration", "counted", "-id"],
                        include=(
                            "environment",
                            "study",
                            "workload",
                            "tool",
                            "tool_version",
                            "sample",
                            "artifact",
                            "measured_at",
                            "withdrawn_at",
                            "deleted_at",
                        ),
                        name="run_by_configuration",
                    ),
                    models.Index(
                        condition=models.Q(("study__isnull", False)),
                        fields=["study", "counted", "-id"],
                        include=(
                            "environment",
                            "configuration",
                            "workload",
                            "tool",
                            "tool_version",
                            "sample",
                            "artifact",
                            "measured_at",
                            "withdrawn_at",
                            "deleted_at",
                        ),
                        name="run_by_study",
                    ),
                    models.Index(
                        condition=models.Q(("environment__isnull", False)),
                        fields=["environment", "measured_at"],
                        include=(
                            "configuration",
                            "study",
                            "workload",
                            "tool",
                            "tool_version",
                            "id",
                            "sample",
                            "artifact",
                            "withdrawn_at",
                            "deleted_at",
                        ),
                        name="run_by_environment",
                    ),
                    models.Index(
                        condition=models.Q(("same_as__isnull", False)),
                        fields=["same_as"],
                        name="run_by_first",
                    ),
                    models.Index(fields=["execution"], name="run_by_execution"),
                    models.Index(
                        fields=["workload", "measured_at"],
                        include=(
                            "environment",
                            "configuration",
                            "study",
                            "tool",
                            "tool_version",
                            "id",
                            "sample",
                            "artifact",
                            "withdrawn_at",
                            "deleted_at",
                        ),
                        name="run_by_workload",
                    ),
                    models.Index(
                        fields=["measured_at"],
                        include=(
                            "environment",
                            "configuration",
                            "study",
                            "workload",
                            "tool",
                            "tool_version",
                            "id",
                            "sample",
                            "artifact",
                            "withdrawn_at",
                            "deleted_at",
                        ),
                        name="run_by_moment",
                    ),
                    models.Index(
                        fields=["sample", "id"],
                        include=("withdrawn_at", "deleted_at"),
                        name="run_by_sample",
                    ),
                    models.Index(
                        condition=models.Q(
                            ("deleted_at__isnull", False),
                            ("withdrawn_at__isnull", False),
                            models.Q(("set_aside_reason", ""), _negated=True),
                            ("error__isnull", False),
                            _connector="OR",
                        ),
                        fields=["-id"],
                        name="run_unusual",
                    ),
                    models.Index(fields=["tool", "-id"], name="run_by_tool"),
                ],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("artifact", "position"), name="one_run_per_position"
                    ),
                    models.UniqueConstraint(
                        condition=models.Q(
                            ("deleted_at", None), ("withdrawn_at", None), ("same_as", None)
                        ),
                        fields=("digest",),
                        name="one_first_per_result",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Measure",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("operation", models.CharField(max_length=50, verbose_name="operation")),
                ("metric", models.CharField(max_length=30, verbose_name="metric")),
                ("statistic", models.CharField(max_length=12, verbose_name="statistic")),
            ],
            options={
                "verbose_name": "measure",
                "verbose_name_plural": "measures",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("operation", "metric", "statistic"), name="one_row_per_measure"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Measurement",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "run_id",
                        "measure_id",
                        blank=True,
                        editable=False,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="measurements",
                        to="results.run",
                    ),
                ),
                (
                    "measure",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="measurements",
                        to="results.measure",
                    ),
                ),
                ("value", models.FloatField(verbose_name="value")),
            ],
            options={
                "verbose_name": "measurement",
                "verbose_name_plural": "measurements",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("value__gte", 0), ("value__lte", 1.7976931348623157e308)
                        ),
                        name="a_finite_number",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Trace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="traces",
                        to="results.run",
                    ),
                ),
                (
                    "artifact",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="traces",
                        to="results.artifact",
                    ),
                ),
                (
                    "measure",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="traces",
                        to="results.measure",
                    ),
                ),
                ("points", models.PositiveIntegerField(verbose_name="points")),
                ("seconds", models.BinaryField(verbose_name="seconds")),
                ("values", models.BinaryField(verbose_name="values")),
            ],
            options={
                "verbose_name": "trace",
                "verbose_name_plural": "traces",
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "artifact", "measure"), name="one_trace_per_measure"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Tag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=50, unique=True, verbose_name="name")),
                (
                    "studies",
                    models.ManyToManyField(blank=True, related_name="tags", to="results.study"),
                ),
                (
                    "configurations",
                    models.ManyToManyField(
                        blank=True, related_name="tags", to="inventory.configuration"
                    ),
                ),
                ("runs", models.ManyToManyField(blank=True, related_name="tags", to="results.run")),
            ],
            options={
                "verbose_name": "tag",
                "verbose_name_plural": "tags",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Note",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="remarks",
                        to="results.study",
                    ),
                ),
                (
                    "configuration",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="remarks",
                        to="inventory.configuration",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="remarks",
                        to="results.run",
                    ),
                ),
                ("text", models.TextField(help_text="Markdown.", verbose_name="text")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="written")),
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
                ("changed_at", models.DateTimeField(blank=True, null=True, verbose_name="changed")),
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
                "verbose_name": "note",
                "verbose_name_plural": "notes",
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("configuration", None), ("run", None), ("study__isnull", False)
                            ),
                            models.Q(
                                ("configuration__isnull", False), ("run", None), ("study", None)
                            ),
                            models.Q(
                                ("configuration", None), ("run__isnull", False), ("study", None)
                            ),
                            _connector="OR",
                        ),
                        name="a_note_is_about_one_record",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Doubt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="doubts",
                        to="results.run",
                    ),
                ),
                (
                    "environment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="doubts",
                        to="inventory.environment",
                    ),
                ),
                ("kind", models.CharField(max_length=30, verbose_name="kind")),
                ("sentence", models.TextField(verbose_name="sentence")),
                (
                    "operations",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="Empty: the whole run.",
                        verbose_name="operations",
                    ),
                ),
                ("found_at", models.DateTimeField(auto_now_add=True, verbose_name="found")),
                (
                    "dismissed_at",
                    models.DateTimeField(blank=True, null=True, verbose_name="dismissed"),
                ),
                (
                    "dismissed_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "dismissed_by_name",
                    models.CharField(
                        blank=True,
                        help_text="Stays when the person's account goes.",
                        max_length=150,
                        verbose_name="dismissed by",
                    ),
                ),
                (
                    "dismissed_reason",
                    models.CharField(blank=True, max_length=300, verbose_name="why dismissed"),
                ),
            ],
            options={
                "verbose_name": "doubt",
                "verbose_name_plural": "doubts",
                "ordering": ["pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("dismissed_at", None),
                            models.Q(("dismissed_reason", ""), _negated=True),
                            _connector="OR",
                        ),
                        name="a_dismissal_has_a_reason",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("run__isnull", True), ("environment__isnull", True), _connector="XOR"
                        ),
                        name="a_doubt_is_about_a_run_or_an_environment",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="PastDismissal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "doubt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="past_dismissals",
                        to="results.doubt",
                    ),
                ),
                ("dismissed_at", models.DateTimeField(verbose_name="dismissed")),
                (
                    "dismissed_by_name",
                    models.CharField(blank=True, max_length=150, verbose_name="dismissed by"),
                ),
                (
                    "dismissed_reason",
                    models.CharField(max_length=300, verbose_name="why dismissed"),
                ),
                ("taken_back_at", models.DateTimeField(verbose_name="taken back")),
                (
                    "taken_back_by_name",
                    models.CharField(max_length=150, verbose_name="taken back by"),
                ),
            ],
            options={
                "verbose_name": "past dismissal",
                "verbose_name_plural": "past dismissals",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="HostTrace",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="host_traces",
                        to="results.run",
                    ),
                ),
                ("role", models.SlugField(verbose_name="role")),
                (
                    "position",
                    models.PositiveSmallIntegerField(
                        help_text="Devices come in the order of the tree that they are.",
                        verbose_name="position",
                    ),
                ),
                ("part", models.CharField(max_length=10, verbose_name="part")),
                ("name", models.CharField(blank=True, max_length=100, verbose_name="name")),
                ("title", models.CharField(blank=True, max_length=100, verbose_name="own name")),
                ("depth", models.PositiveSmallIntegerField(default=0, verbose_name="depth")),
                ("points", models.PositiveIntegerField(verbose_name="points")),
                (
                    "quantities",
                    models.JSONField(
                        help_text="Of each by name: lowest, mean and highest over the run.",
                        verbose_name="quantities",
                    ),
                ),
                (
                    "series",
                    models.BinaryField(
                        help_text="JSON, compressed with zstd.", verbose_name="series"
                    ),
                ),
            ],
            options={
                "verbose_name": "trace of a host",
                "verbose_name_plural": "traces of hosts",
                "ordering": ["role", "position"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("run", "role", "position"), name="one_host_trace_per_place"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Permalink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "slug",
                    models.SlugField(
                        default=benchdash.results.models.permalink.random_slug,
                        max_length=20,
                        unique=True,
                        verbose_name="address",
                    ),
                ),
                ("query", models.TextField(verbose_name="query string")),
                ("shown", models.JSONField(verbose_name="shown")),
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
                "verbose_name": "permalink",
                "verbose_name_plural": "permalinks",
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="PermalinkSubject",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "permalink",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="subjects",
                        to="results.permalink",
                    ),
                ),
                (
                    "workload",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="results.workload",
                    ),
                ),
                (
                    "configuration",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="inventory.configuration",
                    ),
                ),
                (
                    "environment",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="inventory.environment",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="results.study",
                    ),
                ),
            ],
            options={
                "verbose_name": "subject of a permalink",
                "verbose_name_plural": "subjects of permalinks",
            },
        ),
        migrations.CreateModel(
            name="SavedFilter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="saved_filters",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("query", models.CharField(max_length=1000, verbose_name="query string")),
            ],
            options={
                "verbose_name": "saved filter",
                "verbose_name_plural": "saved filters",
                "ordering": ["name"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("person", "name"), name="one_saved_filter_per_name"
                    )
                ],
            },
        ),
        migrations.RunPython(create_indexes, migrations.RunPython.noop),
    ]
